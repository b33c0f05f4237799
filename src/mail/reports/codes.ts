// Enhanced codes (RFC 3463 and its IANA registry) and SMTP replies: finding them in a receiver’s words, and the cause of
// each.
import { DIAGNOSTIC_CHARS } from './limits.ts';
import type { DiagnosticClass } from './report.ts';

const ENHANCED = /(?<![\d.])([45]\.\d{1,3}\.\d{1,3})(?![\d]|\.\d)/;
/** Of refusals alone: a transcript is full of what went well. `550 5.1.1`, `550-5.1.1`, `#5.1.1`: a code that is where codes exist. */
const ENHANCED_IN_REPLY = /(?:\b[245]\d\d[ \t-]{1,3}\(?#?|#)([45]\.\d{1,3}\.\d{1,3})(?![\d]|\.\d)/;
const REPLY =
  /(?:^|[\s;:(<"'[])(?:smtp;\s*|code[ :]{1,3}|said:\s*)?([45]\d\d)(?=\s+\S|[ \t]*[-:]\s+\S|-\d\.\d|-\S|[:)>\]]|\s*$)/im;

/** Characters of a text in which a bare reply is looked for. */
const REPLY_CHARS = 4 * DIAGNOSTIC_CHARS;

export function enhancedCodeIn(text: string): string | null {
  return (ENHANCED_IN_REPLY.exec(text) ?? ENHANCED.exec(text))?.[1] ?? null;
}

/** A reply that refuses: `450`, `550`. */
export function replyCodeIn(text: string): string | null {
  const code =
    /\b([45]\d\d)[ -]+#?\(?[245]\.\d{1,3}\.\d{1,3}/.exec(text) ?? REPLY.exec(text.slice(0, REPLY_CHARS));
  return code?.[1] ?? null;
}

/** `5.0.0`, `5.3.0`, `5.5.0`: a first digit, and nothing said. */
export const isGeneric = (status: string): boolean => /^[245]\.(?:0\.\d+|[2-6]\.0)$/.test(status);

/** The cause that a code states on its own, whatever its first digit; null when it states none. */
export function classOfStatus(status: string): DiagnosticClass | null {
  const [, subject = '', detail = ''] = status.split('.');
  const exact = EXACT.get(`${subject}.${detail}`);
  if (exact !== undefined) return exact;
  const isOfMail = subject === '6' || subject === '7';
  return isGeneric(status) && !isOfMail ? null : (OF_SUBJECT.get(subject) ?? null);
}

/** What a code is about by its second number (RFC 3463 §3), also under a third that no one registered. */
const OF_SUBJECT: ReadonlyMap<string, DiagnosticClass> = new Map<string, DiagnosticClass>([
  ['3', 'system'],
  ['4', 'network'],
  ['5', 'system'],
  ['6', 'content'],
  ['7', 'policy'],
]);

const EXACT: ReadonlyMap<string, DiagnosticClass> = new Map<string, DiagnosticClass>([
  ['1.0', 'no_such_address'],
  ['1.1', 'no_such_address'],
  ['1.2', 'no_such_host'],
  ['1.3', 'no_such_address'],
  ['1.4', 'no_such_address'],
  ['1.6', 'moved'],
  ['1.7', 'sender_refused'],
  ['1.8', 'sender_refused'],
  ['1.10', 'accepts_no_mail'],
  ['1.90', 'rate'],
  ['2.1', 'mailbox_inactive'],
  ['2.2', 'mailbox_full'],
  ['2.3', 'too_big'],
  ['2.4', 'system'],
  ['2.121', 'rate'],
  ['2.122', 'rate'],
  ['3.1', 'system'],
  ['3.2', 'system'],
  ['3.3', 'content'],
  ['3.4', 'too_big'],
  ['3.5', 'system'],
  ['4.1', 'network'],
  ['4.2', 'network'],
  ['4.3', 'network'],
  ['4.4', 'no_such_host'],
  ['4.5', 'busy'],
  ['4.6', 'network'],
  ['4.7', 'expired'],
  ['4.14', 'network'],
  ['4.310', 'no_such_host'],
  ['5.3', 'busy'],
  ['7.13', 'mailbox_inactive'],
  ['7.20', 'authentication'],
  ['7.21', 'authentication'],
  ['7.22', 'authentication'],
  ['7.23', 'authentication'],
  ['7.24', 'authentication'],
  ['7.25', 'authentication'],
  ['7.26', 'authentication'],
  ['7.27', 'sender_refused'],
  ['7.28', 'rate'],
]);
