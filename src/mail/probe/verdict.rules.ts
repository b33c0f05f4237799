// The verdict of the verification ladder’s rungs. Pure, so that screens can explain it. Unknown never becomes no:
// only what is known about the mailbox itself makes an address undeliverable.
import { DAY_MS, HOUR_MS } from '../../kernel/clock.ts';

export const RUNGS = [
  'syntax',
  'suppression',
  'domain',
  'mx',
  'role_or_disposable',
  'connect',
  'rcpt',
  'catch_all',
  'history',
] as const;

export type RungName = (typeof RUNGS)[number];
export type RungOutcome = 'pass' | 'fail' | 'unknown' | 'skipped';

/** `evidence` is short codes of ours and numbers of replies, never words of the other side. */
export type Rung = { rung: RungName; outcome: RungOutcome; evidence: string; ms: number };

export type Verdict = 'DELIVERABLE' | 'UNDELIVERABLE' | 'RISKY' | 'UNKNOWN';

export type VerdictReason =
  // UNDELIVERABLE
  | 'syntax'
  | 'domain_absent'
  | 'no_mail_host' // null MX, or neither MX nor address
  | 'mailbox_absent'
  | 'hard_bounced'
  // DELIVERABLE
  | 'accepted'
  | 'history'
  // RISKY
  | 'catch_all'
  | 'role'
  | 'disposable'
  | 'mailbox_full'
  // UNKNOWN
  | 'dns_unavailable'
  | 'network_unreachable'
  | 'mx_unresolved' // the named mail hosts have no address
  | 'not_asked' // this instance does not call strangers' hosts
  | 'address_not_allowed' // the mail host is on a private network that no one opened
  | 'address_unsupported' // needs SMTPUTF8 and the host has none
  | 'policy_refused' // they judge us, not the mailbox
  | 'greylisted'
  | 'tls_broken'
  | 'no_answer' // connected, and then silence, a break or no SMTP
  | 'unclear'; // an answer that says nothing certain of the mailbox

export type Judged = { verdict: Verdict; reason: VerdictReason };

/** The evidence of a rung begins with one of these where it decides the reason; details follow after a space. */
const codeOf = (rung: Rung | undefined): string => rung?.evidence.split(' ')[0] ?? '';

const UNKNOWNS: ReadonlySet<string> = new Set<VerdictReason>([
  'dns_unavailable',
  'network_unreachable',
  'mx_unresolved',
  'not_asked',
  'address_not_allowed',
  'address_unsupported',
  'policy_refused',
  'greylisted',
  'tls_broken',
  'no_answer',
]);

const unknown = (rung: Rung | undefined): Judged => {
  const code = codeOf(rung);
  return { verdict: 'UNKNOWN', reason: UNKNOWNS.has(code) ? (code as VerdictReason) : 'unclear' };
};

/** Rung 2 informs and decides nothing: whether an address may be written to is not whether it exists. */
export function verdictOf(rungs: readonly Rung[]): Judged {
  const of = (name: RungName): Rung | undefined => rungs.find(({ rung }) => rung === name);
  const is = (name: RungName, outcome: RungOutcome): boolean => of(name)?.outcome === outcome;

  if (is('syntax', 'fail')) return { verdict: 'UNDELIVERABLE', reason: 'syntax' };
  if (is('domain', 'fail')) return { verdict: 'UNDELIVERABLE', reason: 'domain_absent' };
  if (is('mx', 'fail')) return { verdict: 'UNDELIVERABLE', reason: 'no_mail_host' };
  if (is('rcpt', 'fail')) return { verdict: 'UNDELIVERABLE', reason: 'mailbox_absent' };
  if (is('history', 'fail')) return { verdict: 'UNDELIVERABLE', reason: 'hard_bounced' };

  const unasked = (['syntax', 'domain', 'mx'] as const).find((name) => !is(name, 'pass'));
  if (unasked) return unknown(of(unasked));

  const capped: Judged | null = is('role_or_disposable', 'fail')
    ? { verdict: 'RISKY', reason: codeOf(of('role_or_disposable')) === 'disposable' ? 'disposable' : 'role' }
    : null;
  if (is('history', 'pass')) return capped ?? { verdict: 'DELIVERABLE', reason: 'history' };
  // Before the cap: an answer that never reached the network says so, whatever the mailbox is called.
  if (!is('connect', 'pass')) return unknown(of('connect'));
  if (codeOf(of('rcpt')) === 'mailbox_full') return { verdict: 'RISKY', reason: 'mailbox_full' };
  if (!is('rcpt', 'pass')) return capped ?? unknown(of('rcpt'));
  if (is('catch_all', 'fail')) return { verdict: 'RISKY', reason: 'catch_all' };
  if (!is('catch_all', 'pass')) return capped ?? unknown(of('catch_all'));
  return capped ?? { verdict: 'DELIVERABLE', reason: 'accepted' };
}

/** How long a verdict is worth keeping. */
export const keepsForMs = (verdict: Verdict): number => (verdict === 'UNKNOWN' ? 6 * HOUR_MS : 30 * DAY_MS);
