// What a reply means for a letter. Judged like failure reports (domain.md §6.3), by the same judge; this file adds
// only what a session knows better than a report: at which step the reply came, and whether the operator’s own server
// sent it (`blame.ts`).
import { judgeReply, type Verdict } from '../reports/judge.ts';
import { serverWords, withoutAddresses } from '../reports/words.ts';
import { blameOfSubmission, RECIPIENT } from './blame.ts';
import type { Blame, Outcome, Peer, ReplyNumbers, Stage } from './transport.ts';

/** Cut: a host may say a megabyte, and what counts is at the beginning. */
const LONGEST_READ = 2_000;

/** To the judge the end of the letter and the word for it are one step. */
const JUDGED_AS = {
  connect: 'connect',
  auth: 'connect',
  mail: 'mail',
  rcpt: 'rcpt',
  data: 'data',
  final: 'data',
} as const;

/** 530, 534, 535 and 538 ask for a login or another one, at whatever step (RFC 4954 section 6). */
const AUTH_CODES = [530, 534, 535, 538];

/** 500, 502 to 504: the command was not understood, so nothing was said about the letter. */
const NOT_UNDERSTOOD = [500, 502, 503, 504];

export const codeIn = (reply: string): number => Number(/^\d{3}/.exec(reply)?.[0] ?? 0);

/** As RFC 2034 places it, behind the reply code. */
const enhancedIn = (reply: string): string | null =>
  /^[245]\d\d[ -]([245]\.\d{1,3}\.\d{1,3})\b/.exec(reply)?.[1] ?? null;

const numbersOf = (reply: string): ReplyNumbers => ({ code: codeIn(reply), enhanced: enhancedIn(reply) });

/** Of a session: with whom it is, and whom its letter is for; the addresses are not kept with what was said. */
export type Asked = { peer: Peer; stage: Stage; recipient?: string | null };

/** `text` is whole, of the classes 4 and 5; any other class at this place is no answer, and null. */
export function outcomeOfReply(text: string, { peer, stage, recipient = null }: Asked): Outcome | null {
  const reply = text.slice(0, LONGEST_READ);
  const numbers = numbersOf(reply);
  const code = codeIn(reply);
  if (code < 400 || code > 599) return null;
  const said = serverWords(reply);
  const isAuth = AUTH_CODES.includes(code) || (stage === 'auth' && code >= 500);
  if (isAuth) return { outcome: 'auth_refused', ...numbers, said };
  // Who answers the connection itself with "no mail here" says nothing about a letter.
  if (stage === 'connect' && code >= 500) return { outcome: 'unreachable', why: 'protocol' };

  const judged = judgeReply(reply, JUDGED_AS[stage]);
  const verdict = peer === 'submission' ? withoutItsOwnDisk(judged) : judged;
  if (code < 500 || NOT_UNDERSTOOD.includes(code)) {
    const cause = verdict.diagnostic_class ?? 'unspecified';
    return { outcome: 'deferred', stage, greylisted: isGreylisting(numbers, stage), cause, ...numbers, said };
  }
  const blame =
    peer === 'submission'
      ? blameOfSubmission({
          words: wordsIn(reply, recipient),
          stage,
          code,
          enhanced: numbers.enhanced,
          verdict,
        })
      : blameOfExchange(verdict, stage, numbers);
  const whose = peer === 'exchange' || blame.about === 'recipient' ? recipient : null;
  return { outcome: 'refused', stage, recipient: whose, ...blame, ...numbers, said };
}

/** Three full mailboxes in a row suppress (domain, section 6.3), and a server that is full itself says it in the same words. */
const withoutItsOwnDisk = (verdict: Verdict): Verdict =>
  verdict.diagnostic_class === 'mailbox_full' && !/^[45]\.2\.2$/.test(verdict.status ?? '')
    ? { ...verdict, diagnostic_class: 'system' }
    : verdict;

/** A server of the recipient's domain was asked about the address at RCPT, and at every other step about us or the letter. */
function blameOfExchange(verdict: Verdict, stage: Stage, { code, enhanced }: ReplyNumbers): Blame {
  const cause = verdict.diagnostic_class ?? 'unspecified';
  const kind = ((): 'hard' | 'soft' | 'policy' => {
    // It judges us, also in words that name the mailbox: no one is suppressed for it.
    if (enhanced?.startsWith('5.7.')) return verdict.kind === 'soft' ? 'soft' : 'policy';
    if (stage === 'rcpt' && code === 552 && enhanced === null) return 'soft';
    // A report without a cause may mean anything; a reply in our own session answers what was asked.
    if (cause === 'unspecified' || verdict.kind === 'delivered') return stage === 'rcpt' ? 'hard' : 'policy';
    return verdict.kind;
  })();
  return kind === 'policy' && stage !== 'rcpt'
    ? { about: 'content', kind, cause }
    : { about: 'recipient', kind, cause };
}

/** Its lines without their codes, as one; an address may hold any word. Whom the letter is for is told from others. */
const wordsIn = (reply: string, recipient: string | null): string =>
  withoutAddresses(recipient === null ? reply : marked(reply, recipient))
    .split(/\r?\n/)
    .map((line) => line.replace(/^\d{3}[ -]?(?:[245]\.\d{1,3}\.\d{1,3} ?)?/, ''))
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim();

function marked(reply: string, recipient: string): string {
  const [said, sought] = [reply.toLowerCase(), recipient.toLowerCase()];
  let whole = '';
  let from = 0;
  for (let at = said.indexOf(sought); at !== -1; at = said.indexOf(sought, from)) {
    whole += reply.slice(from, at) + RECIPIENT;
    from = at + sought.length;
  }
  return whole + reply.slice(from);
}

/** 450 and 451 before the letter (RFC 6647), unless the code names another cause. Whether it is a first contact the caller knows. */
const isGreylisting = ({ code, enhanced }: ReplyNumbers, stage: Stage): boolean =>
  (code === 450 || code === 451) &&
  stage !== 'connect' &&
  stage !== 'auth' &&
  (enhanced === null || /^4\.(7\.\d+|2\.0|0\.0)$/.test(enhanced));

/** The id under which a host queued a letter, in the forms of widespread servers; never more of what it said. */
export const referenceIn = (reply: string): string | null =>
  /^250[ -].{0,80}?(?:queued as|\bid[ =:])\s?([A-Za-z0-9.-]{6,60})(?![\w@])/i.exec(reply)?.[1] ?? null;
