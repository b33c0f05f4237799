// The step of the session at which a receiver refused. A refusal of RCPT is about the address; one after the letter
// was handed over is about the letter, even if it says that the user is unknown.

export type Stage = 'connect' | 'mail' | 'rcpt' | 'data';

const STAGES: readonly (readonly [Stage, RegExp])[] = [
  [
    'data',
    /in reply to (?:end of )?DATA|after (?:end of data|pipelined end of data|DATA)|failed after I sent the message|for (?:TEXT|DATA) command|did not like our (?:DATA|message)|\[(?:DATA|BODY)\]|SMTP:(?:DATA|BODY)|following (?:the )?DATA command|during DATA|failed on DATA command/i,
  ],
  [
    'rcpt',
    /in reply to RCPT|after (?:pipelined )?(?:sending )?RCPT|does not like recipient|RCPT TO response|did not like our RCPT|\[RCPT(?:_TO)?\]|SMTP:RCPT|following (?:the )?RCPT command|during RCPT|for RCPT(?: TO)? command|sent: RCPT TO:[^\n]{0,320}? replied: ?5/i,
  ],
  [
    'mail',
    /in reply to MAIL FROM|after (?:pipelined )?(?:sending )?MAIL FROM|my sender was rejected|sender was rejected|did not like our MAIL|\[MAIL(?:_FROM)?\]|SMTP:MAIL|for MAIL(?: FROM)? command|sent: MAIL FROM:[^\n]{0,320}? replied: ?5/i,
  ],
  [
    'connect',
    /in reply to (?:EHLO|HELO|initial)|after (?:initial connection|EHLO|HELO)|my name was rejected|refused to talk to me|greeting failed|did not like our (?:EHLO|HELO)|SMTP:(?:HELO|EHLO|CONNECT)/i,
  ],
];

/** A transcript of commands sent in one go shows the refusal under DATA; that no recipient was left tells what it answered. */
const NO_RECIPIENT_LEFT =
  /(?:503|554)[^<>]{0,40}(?:need rcpt|no valid recipients|valid rcpt)|\bmail\.local: unknown/i;

export function stageIn(text: string): Stage | null {
  const words = text.replace(/\s+/g, ' ');
  if (NO_RECIPIENT_LEFT.test(words)) return 'rcpt';
  for (const [stage, form] of STAGES) if (form.test(words)) return stage;
  return lastCommand(text) ?? onlyCommand(words);
}

const COMMANDS: readonly (readonly [Stage, RegExp])[] = [
  ['data', /(?<![A-Za-z])DATA(?![A-Za-z])/],
  ['rcpt', /(?<![A-Za-z])RCPT(?![A-Za-z])/],
  ['mail', /(?<![A-Za-z])MAIL[ _]FROM(?![A-Za-z])/],
  ['connect', /(?<![A-Za-z])(?:EHLO|HELO)(?![A-Za-z])/],
];

/** However it is put: where one command is named and no other, that one was refused. */
function onlyCommand(words: string): Stage | null {
  const named = COMMANDS.filter(([, form]) => form.test(words));
  return named.length === 1 ? (named[0]?.[0] ?? null) : null;
}

/** A transcript in which the first that is heard is a refusal, before anything was asked. */
function isGreeting(text: string): boolean {
  const heard = /(?:^|\n)[ \t]{0,8}<<< ?[45]\d\d/.exec(text);
  return heard !== null && !/(?:^|\n)[ \t]{0,8}>>>/.test(text.slice(0, heard.index + 1));
}

/**
 * Of a transcript, the command before the first reply that refuses; some draw their arrows `>>>` and `<<<`, some `-->` and
 * `<--`. Commands sent in one go tell nothing: see `judge.ts`.
 */
function lastCommand(text: string): Stage | null {
  if (isGreeting(text)) return 'connect';
  const turn =
    /(?:^|\n)[^\n>]{0,40}(?:>>>|-->)\s{0,3}(MAIL|RCPT|DATA|EHLO|HELO)\b[^\n]{0,600}\n[^\n<]{0,40}(?:<<<|<--) ?[45]\d\d/i.exec(
      text,
    );
  const command = turn?.[1]?.toUpperCase();
  if (command === 'DATA' || command === 'RCPT' || command === 'MAIL') return command.toLowerCase() as Stage;
  return command === undefined ? null : 'connect';
}
