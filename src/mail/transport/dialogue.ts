// Follows one connection’s dialogue command by command, because the library reports neither what a host offers nor,
// before the letter is sent, which recipients it refused. It reads the library’s transaction log, in which passwords
// are masked but letters aren’t; nothing is written anywhere.

export type Dialogue = {
  /** For the options of the connection. */
  logger: { debug(entry: { tnx?: string }, text: string): void } & Record<string, () => void>;
  /** An extension that the host announced last, such as SMTPUTF8. */
  offers(extension: string): boolean;
  /** Of the letter that is under way: the first recipient that was refused, with the reply. */
  refusal(): { index: number; reply: string } | null;
};

export function openDialogue(): Dialogue {
  const waiting: string[] = [];
  let extensions = new Set<string>();
  let refused: { index: number; reply: string } | null = null;
  let recipients = 0;

  const onClient = (line: string): void => {
    const verb = /^[A-Z]+/i.exec(line)?.[0].toUpperCase() ?? '';
    if (verb === 'MAIL') [refused, recipients] = [null, 0];
    waiting.push(verb);
  };
  const onServer = (reply: string): void => {
    // The greeting and the reply to a letter answer no command.
    const verb = waiting.shift();
    if (verb === 'EHLO' && reply.startsWith('2')) extensions = new Set(extensionsIn(reply));
    if (verb !== 'RCPT') return;
    if (!reply.startsWith('2')) refused ??= { index: recipients, reply };
    recipients += 1;
  };
  const silent = (): void => {};
  return {
    logger: {
      trace: silent,
      info: silent,
      warn: silent,
      error: silent,
      fatal: silent,
      debug({ tnx }: { tnx?: string } = {}, text = '') {
        if (tnx === 'client') onClient(text);
        if (tnx === 'server') onServer(text);
      },
    },
    offers: (extension) => extensions.has(extension),
    refusal: () => refused,
  };
}

const extensionsIn = (reply: string): string[] =>
  reply
    .split('\n')
    .slice(1)
    .map((line) => /^\d{3}[ -]([A-Z0-9-]+)/i.exec(line.trim())?.[1]?.toUpperCase() ?? '');
