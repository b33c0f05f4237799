// The reader of machine mail: bytes in, reports out. Pure, bounded, and never thrown over, whatever the bytes.
//
//   a feedback report, a letter forwarded as a complaint      → complaint
//   delivery-status blocks                                    → one report a block
//   a notice in prose, and evidence that a machine sent it    → one report an address it is about
//   what the program of a mailing list answers to a poster  → one report, about the list
//   none of these, and a header says that a machine answered  → automatic
import { addressesIn, messageIdsIn, recipientOf } from './addresses.ts';
import { automaticSignal, hasNullReturnPath } from './automatic.ts';
import { replyCodeIn } from './codes.ts';
import { readDeliveryStatus } from './delivery-status.ts';
import type { Draft } from './delivery-status.ts';
import { readFeedback, readForwardedComplaint } from './feedback.ts';
import { first, readHeader } from './fields.ts';
import type { Fields } from './fields.ts';
import { judge } from './judge.ts';
import { PARTS, RECIPIENTS } from './limits.ts';
import { blankDraft, isDesk, proseAbout, readNotice, splitNotice } from './notice.ts';
import { readListAnswer } from './mailing-list.ts';
import { readNotification } from './notification.ts';
import { openMessage } from './parts.ts';
import type { Opened } from './parts.ts';
import { classOfWords, shortWords } from './phrases.ts';
import type { ReadReport, Report } from './report.ts';
import { serverWords } from './words.ts';

/** Reads one message as it came off the wire. What it does not recognise is `none`: a person's letter. */
export async function readReports(raw: Uint8Array): Promise<ReadReport> {
  const message = await openMessage(raw);
  const { prose, returned } = splitNotice(message.text);
  const letters = [...message.returned, ...(returned ? [returned] : [])];
  const found = findReports(message, prose, letters);
  const ids = originalIds(message, prose, letters, found.ids);
  const reports = found.reports.map((each) => ({ ...each, original_message_id: ids[0] ?? null }));
  const isMachine = reports.length > 0 || isReadReceipt(message.header);
  const automatic = automaticSignal(message.header, message.subject);
  return {
    kind: isMachine ? overall(reports) : automatic ? 'automatic' : 'none',
    automatic,
    reports: isMachine || automatic === null ? reports : [answer(message.header)],
    addressed_to: addressedTo(message.header),
    original_message_ids: ids,
    truncated: message.truncated || found.truncated,
  };
}

/** What a mail program says when a letter was shown or thrown away (RFC 8098): no one is away, and no one has answered. */
const isReadReceipt = (header: Fields): boolean =>
  /^\s*multipart\/report\b[^\n]*report-type\s*=\s*"?disposition-notification\b/i.test(
    (first(header, 'content-type') ?? '').slice(0, 1000),
  );

type Found = { reports: Report[]; truncated: boolean; ids: string[] };

function findReports(message: Opened, prose: string, letters: string[]): Found {
  const complaints = [...message.feedback.flatMap(readFeedback), ...complaintsForwarded(message)];
  if (complaints.length > 0) {
    return { reports: complaints.slice(0, RECIPIENTS), truncated: complaints.length > RECIPIENTS, ids: [] };
  }
  const blocks = statusBlocks(message, prose, letters);
  if (blocks.drafts.length > 0) {
    return {
      truncated: blocks.truncated,
      reports: judged(withRecipient(blocks.drafts, prose, letters), prose),
      ids: [],
    };
  }
  const notification = readNotification(message.text);
  if (notification) {
    const { drafts, sort, feedback_type, message_id } = notification;
    const reports = judged(drafts, '').map((each) =>
      sort === 'complaint' ? { ...each, kind: 'complaint' as const, feedback_type } : each,
    );
    return { reports, truncated: false, ids: message_id ? [message_id] : [] };
  }
  const reports = noticed(message, prose, letters);
  return {
    reports: reports.length > 0 ? reports : readListAnswer(message.header, message.subject, prose),
    truncated: false,
    ids: [],
  };
}

const complaintsForwarded = ({ deliveryStatuses, feedback, returned }: Opened): Report[] =>
  deliveryStatuses.length + feedback.length === 0 ? readForwardedComplaint(returned) : [];

/** A block that does not say whom it is about is about the only one whom the prose or the letter names. */
function withRecipient(drafts: Draft[], prose: string, letters: string[]): Draft[] {
  const only = drafts.length === 1 ? drafts[0] : undefined;
  if (only === undefined || only.recipient !== null) return drafts;
  return [{ ...only, recipient: readNotice(prose, [])[0]?.recipient ?? recipientOfLetter(letters) }];
}

/** The blocks of the part that is for them; some reporters write them into their prose instead. */
function statusBlocks(
  message: Opened,
  prose: string,
  letters: readonly string[],
): { drafts: Draft[]; truncated: boolean } {
  const { deliveryStatuses } = message;
  const texts =
    deliveryStatuses.length > 0 ? deliveryStatuses : isNotice(message, prose, letters) ? inProse(prose) : [];
  const read = texts.map(readDeliveryStatus);
  const drafts = read.flatMap((each) => each.drafts);
  return { drafts: drafts.slice(0, RECIPIENTS), truncated: read.some((each) => each.truncated) };
}

function inProse(prose: string): string[] {
  const field = /^(?:final-recipient|action)[ \t]*:/im.exec(prose);
  return field && /^final-recipient[ \t]*:/im.test(prose) ? [prose.slice(field.index)] : [];
}

function judged(drafts: readonly Draft[], prose: string): Report[] {
  return drafts.map(({ stated, diagnostic, filed, ...draft }) => {
    const about = drafts.length > 20 ? '' : proseAbout(prose, draft.recipient, drafts.length === 1);
    return {
      ...draft,
      feedback_type: null,
      original_message_id: null,
      said: serverWords(diagnostic) ?? serverWords(about),
      ...judge({ action: draft.action, stated, diagnostic, filed, stage: null, prose: about }),
    };
  });
}

/** Who reports failures: the addresses of mail systems, the names that others give theirs, and what they write above it. */
const DAEMONS = /mailer-?daemon|\bpost[._-]?master\b/i;
const SYSTEMS = /mail[ ._-]delivery|delivery[ ._-](?:sub)?system|mail[ ._-]?system|\bndr\b/i;
const FAILURES =
  /undeliver|deliver\w* (?:status|fail|notif|problem|error|report|delay|has failed)|fail\w* (?:notice|delivery)|returned (?:mail|to sender)|returning (?:message )?to sender|mail (?:delivery )?fail|could ?n.t be delivered|non-?deliver|delayed mail|nondeliverable|error sending your mail|mail system error|unzustellbar|non remis|no entregad|message status|errors from/i;

function noticed(message: Opened, prose: string, letters: string[]): Report[] {
  const failed = (message.header.get('x-failed-recipients') ?? []).flatMap((each) =>
    addressesIn(each, RECIPIENTS),
  );
  if (failed.length === 0 && !isNotice(message, prose, letters)) return [];
  const action = isWaiting(message.subject, prose) ? 'delayed' : null;
  const drafts = draftsOf(message, prose, letters, failed).map((each) => ({
    ...each,
    action: each.action ?? action,
  }));
  if (failed.length > 0 || message.isReport || isDaemon(message.header)) return judged(drafts, prose);
  // An address that answers is alive: its absence notice may well say that something cannot be delivered.
  const own = recipientOf(first(message.header, 'from'));
  const others = drafts.filter(({ recipient }) => recipient !== null && recipient !== own);
  return others.length === drafts.length ? judged(drafts, prose) : [];
}

/** Some warn in prose, with the refusal that they mean to overcome: nothing has been given up. */
const WAITS =
  /not yet been delivered|this is a warning (?:message )?only|\b(?:will|shall) (?:be retried|retry|keep trying|continue (?:to try|trying))|delivery attempts will continue|\bdelay reason\b/i;

const isWaiting = (subject: string, prose: string): boolean =>
  WAITS.test(prose) || /^\s*warning:.{0,200}(?:delayed|could not send)/i.test(subject);

function draftsOf(message: Opened, prose: string, letters: string[], failed: string[]): Draft[] {
  const drafts = readNotice(prose, failed);
  const senders = letters.flatMap(sendersOf);
  // Some say first whose letter it was.
  const others = drafts.filter(
    ({ recipient }) => failed.includes(recipient ?? '') || !senders.includes(recipient ?? ''),
  );
  if (others.length > 0) return others;
  if (drafts.length > 0) return drafts;
  // A notice about a notice: the fields are in the one that it returns.
  const inner = inProse(message.text)
    .map(readDeliveryStatus)
    .flatMap((each) => each.drafts);
  return inner.length > 0
    ? inner.slice(0, RECIPIENTS)
    : [blankDraft(recipientOfLetter(letters) ?? onlyAddress(message.header, prose))];
}

/** Where no sentence says whose it is: the one address that is neither the reporter's nor ours. */
function onlyAddress(header: Fields, prose: string): string | null {
  const known = ['from', 'reply-to', ...RECEIVED_BY].flatMap((name) =>
    (header.get(name) ?? []).slice(0, PARTS).flatMap((each) => addressesIn(each, PARTS)),
  );
  const others = addressesIn(prose, PARTS).filter((each) => !known.includes(each) && !isDesk(each));
  return others.length === 1 ? (others[0] ?? null) : null;
}

const senderOf = (header: Fields): string =>
  `${first(header, 'from') ?? ''} ${first(header, 'sender') ?? ''}`.slice(0, 1000);

/** By its address, where it has one: a person may be called what a daemon is. */
const isDaemon = (header: Fields): boolean =>
  ['from', 'sender'].some((name) => {
    const value = (first(header, name) ?? '').slice(0, 1000);
    return DAEMONS.test(/<([^<>]+)>/.exec(value)?.[1] ?? value);
  });

/** Who wrote a returned letter, in each field that says so. */
const sendersOf = (letter: string): string[] => {
  const header = readHeader(letter);
  return ['from', 'sender', 'return-path'].flatMap((name) => recipientOf(first(header, name)) ?? []);
};

/** It goes to whoever wrote the letter that it returns, and says that this was not delivered. */
const returnsOurs = (header: Fields, prose: string, letters: readonly string[]): boolean =>
  FAILURES.test(shortWords(prose)) &&
  letters.flatMap(sendersOf).some((sender) => addressedTo(header).includes(sender)) &&
  readNotice(prose, []).length > 0;

/** People write from postmaster's desk too, and pass on what machines wrote: one sign is not enough. */
function isNotice({ header, subject, isReport }: Opened, prose: string, letters: readonly string[]): boolean {
  const ofFailure =
    FAILURES.test(shortWords(subject.slice(0, 1000))) && !/^\s*(?:re|fwd?|aw|wg|tr)\s*:/i.test(subject);
  const byMachine = isReport || hasNullReturnPath(header) || automaticSignal(header, '') !== null;
  if (isDaemon(header))
    return ofFailure || byMachine || (replyCodeIn(prose) !== null && classOfWords(prose, false) !== null);
  if (byMachine && (ofFailure || SYSTEMS.test(senderOf(header)))) return true;
  const isFromDesk = isDesk(recipientOf(first(header, 'from')) ?? '');
  return (byMachine || isFromDesk) && returnsOurs(header, prose, letters);
}

function recipientOfLetter(letters: readonly string[]): string | null {
  for (const letter of letters) {
    const header = readHeader(letter);
    for (const name of ['x-envelope-to', 'x-actual-recipient', 'x-original-to', 'to']) {
      const address = recipientOf(first(header, name));
      if (address !== null) return address;
    }
  }
  return null;
}

function overall(reports: readonly Report[]): ReadReport['kind'] {
  if (reports.some(({ kind }) => kind === 'complaint')) return 'complaint';
  return reports.every(({ kind }) => kind === 'delivered') ? 'receipt' : 'bounce';
}

const answer = (header: Fields): Report => ({
  kind: 'automatic',
  recipient: recipientOf(first(header, 'from')),
  original_recipient: null,
  action: null,
  status: null,
  smtp_code: null,
  diagnostic_class: null,
  said: null,
  feedback_type: null,
  original_message_id: messageIdsIn(first(header, 'in-reply-to'), 1)[0] ?? null,
  host: null,
});

const RECEIVED_BY = ['x-original-to', 'delivered-to', 'x-envelope-to', 'envelope-to', 'x-delivered-to', 'to'];

const addressedTo = (header: Fields): string[] => [
  ...new Set(
    RECEIVED_BY.flatMap((name) =>
      (header.get(name) ?? []).slice(0, PARTS).flatMap((each) => addressesIn(each, PARTS)),
    ),
  ),
];

/** The returned letter knows best; then what the report's own fields and sentences say; then what it answers to. */
function originalIds(
  { header, feedback }: Opened,
  prose: string,
  letters: string[],
  known: string[],
): string[] {
  const inLetters = letters.flatMap((each) => messageIdsIn(first(readHeader(each), 'message-id'), 1));
  const inFeedback = feedback.flatMap((each) =>
    messageIdsIn(/^message-id:[^\n]{0,1000}/im.exec(each)?.[0], 1),
  );
  const inProse = messageIdsIn(
    /^\s{0,20}(?:original[ -])?message-id\s{0,4}:[^\n]{0,1000}/im.exec(prose)?.[0],
    1,
  );
  const answered = [
    ...messageIdsIn(first(header, 'in-reply-to'), 1),
    ...messageIdsIn(first(header, 'references'), 100).reverse(),
  ];
  return [...new Set([...known, ...inLetters, ...inFeedback, ...inProse, ...answered])].slice(0, PARTS);
}
