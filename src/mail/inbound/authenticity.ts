// Whether a letter comes from its stated sender, according to the receiving server’s own stamp (RFC 8601). A sender
// can write such a stamp too, so one counts only under the name of the host that received it last, and passing grants
// nothing: the point is the warning. Pure.
import { getDomain } from 'tldts';
import type { Fields } from '../reports/fields.ts';

type Result = 'pass' | 'fail' | 'none';

/** Null in place of a result: the server said nothing of it, or could not find out. */
export type Authentication = { spf: Result | null; dkim: Result | null; dmarc: Result | null };

/** A vendor took it for us and says nothing of who sent it: unlike a mailbox's server, it turns nothing forged away. */
export const NO_VERDICT: Authentication = { spf: null, dkim: null, dmarc: null };

export const isUnverified = (found: Authentication | null): boolean =>
  found !== null && Object.values(found).every((each) => each === null);

/** Their domain says that it did not send this, or no one says anything: someone else may have written it in their name. */
export const isDoubtful = (found: Authentication | null): boolean =>
  found?.dmarc === 'fail' || isUnverified(found);

const STAMPS = 10;
const HOPS = 5;
const METHOD = /(?:^|;)\s*(spf|dkim|dmarc)\s*(?:\/\s*\d+\s*)?=\s*([a-z]+)/gi;
/** One that puts no name before its results, against the standard, and is known by where the letter came through. */
const NAMELESS = 'outlook.com';
/** Hosts that take letters under one name and stamp them under another. Beside them anyone's machine has the same domain. */
const STAMPS_AS: readonly [host: RegExp, name: string][] = [
  [/^inbound-smtp\.[a-z0-9-]+\.amazonaws\.com$/i, 'amazonses.com'],
];

const RESULT: Record<string, Result> = {
  pass: 'pass',
  bestguesspass: 'pass',
  fail: 'fail',
  softfail: 'fail',
  policy: 'fail',
  none: 'none',
  neutral: 'none',
};

/** Null: no one whom we can believe said anything of it. */
export function authenticationIn(header: Fields): Authentication | null {
  const ours = receivedBy(header.get('received') ?? []);
  if (ours === null) return null;
  const found: Authentication = { spf: null, dkim: null, dmarc: null };
  for (const stamp of (header.get('authentication-results') ?? []).slice(0, STAMPS)) {
    const bare = withoutComments(stamp);
    if (namedIn(bare) !== ours) continue;
    for (const [, method = '', said = ''] of bare.matchAll(METHOD)) {
      const which = method.toLowerCase() as keyof Authentication;
      const result = RESULT[said.toLowerCase()] ?? null;
      // Of several signatures one that holds is enough; of anything else what was said first counts.
      if (found[which] === null || (which === 'dkim' && result === 'pass')) found[which] = result;
    }
  }
  return isUnverified(found) ? null : found;
}

/** The organisation of the host that took the letter last, of those that have a public name. */
function receivedBy(hops: readonly string[]): string | null {
  for (const hop of hops.slice(0, HOPS)) {
    const host = /\bby\s+([a-z0-9.-]{1,253})/i.exec(withoutComments(hop))?.[1];
    const domain = host === undefined ? null : getDomain(host);
    if (domain !== null) return STAMPS_AS.find(([hosts]) => hosts.test(host ?? ''))?.[1] ?? domain;
  }
  return null;
}

/** The organisation under whose name a stamp exists. */
function namedIn(stamp: string): string | null {
  const name = /^\s*([^\s;=]{1,253})(?:\s+\d+)?\s*(?:;|$)/.exec(stamp)?.[1];
  return name === undefined ? NAMELESS : getDomain(name);
}

/** Comments may be anywhere, and within each other; what is quoted holds no result. */
function withoutComments(text: string): string {
  let [depth, quoted, kept] = [0, false, ''];
  for (const char of text.slice(0, 4_000)) {
    if (char === '"' && depth === 0) quoted = !quoted;
    else if (quoted) continue;
    else if (char === '(') depth += 1;
    else if (char === ')') depth = Math.max(0, depth - 1);
    else if (depth === 0) kept += char;
  }
  return kept;
}
