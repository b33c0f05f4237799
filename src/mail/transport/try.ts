// "Test this identity": goes up to the point where a letter could leave and sends none. What it found is said in our own
// sentences; the host's words stay out.
import { DEADLINES, openSession, type Rung } from './session.ts';
import type { SmtpOptions } from './smtp.ts';
import { TLS_SAYS, expiredOn } from '../../net/tls-says.ts';
import type { Outcome, UnreachableWhy } from './transport.ts';

export type TriedRung = { rung: Rung; outcome: 'pass' | 'fail' | 'unknown' | 'skipped'; sentence: string };

/** `ok` when every rung passed. Rungs come in the order in which they were climbed. */
export type ConnectionTest = { ok: boolean; rungs: readonly TriedRung[] };

export async function testConnection(options: SmtpOptions, signal?: AbortSignal): Promise<ConnectionTest> {
  const { access } = options;
  const order: Rung[] =
    access.security === 'tls'
      ? ['address', 'connect', 'encryption', 'hello', 'sign_in']
      : ['address', 'connect', 'hello', 'encryption', 'sign_in'];
  const opened = await openSession({ ...options, deadlines: { ...DEADLINES, ...options.deadlines } }, signal);
  if (opened.ok) await opened.session.end();
  const failedAt = opened.ok ? order.length : order.indexOf(opened.rung);
  const rungs = order.map((rung, at): TriedRung => {
    const unused =
      (rung === 'encryption' && access.security === 'plain') || (rung === 'sign_in' && !access.login);
    if (at < failedAt)
      return unused
        ? { rung, outcome: 'skipped', sentence: UNUSED[rung] ?? '' }
        : { rung, outcome: 'pass', sentence: PASSED[rung] };
    if (at > failedAt || opened.ok)
      return { rung, outcome: 'skipped', sentence: 'Not tried, since an earlier step failed.' };
    return { rung, ...failure(rung, opened.outcome, opened.sentence) };
  });
  return { ok: opened.ok, rungs };
}

const PASSED: Record<Rung, string> = {
  address: 'The name of the mail server leads to an address that may be called.',
  connect: 'The mail server takes connections.',
  encryption: 'The connection is encrypted, and the certificate is good for that name.',
  hello: 'The mail server greets as one.',
  sign_in: 'User name and password are accepted.',
};

const UNUSED: Partial<Record<Rung, string>> = {
  encryption: 'No encryption is asked for: whoever stands between can read the letters.',
  sign_in: 'No user name is set, so nobody signs in.',
};

const UNREACHABLE: Record<UnreachableWhy, string> = {
  address: 'That mail server is at an address that may not be called from here: give a public one.',
  dns: 'The name of the mail server leads nowhere now: check its spelling, or try again in a while.',
  refused: 'Nobody takes connections there: check host and port, and whether a firewall stands between.',
  timeout: 'No answer came in time: check host and port, and whether the network lets this port out.',
  tls: 'The encrypted connection broke off before it was set up: try again in a while.',
  certificate: 'The certificate can’t be trusted: ask whoever runs the mail server.',
  dropped: 'The mail server ended the connection: check host and port, or ask whoever runs it.',
  protocol: 'What answers there does not take mail: check host and port.',
};

function failure(
  rung: Rung,
  outcome: Outcome,
  sentence: string | null,
): { outcome: 'fail' | 'unknown'; sentence: string } {
  if (outcome.outcome === 'unreachable')
    return {
      // What may be another in an hour is no verdict.
      outcome: ['dns', 'timeout', 'dropped', 'tls'].includes(outcome.why) ? 'unknown' : 'fail',
      sentence: sentence ?? UNREACHABLE[outcome.why],
    };
  if (outcome.outcome === 'insecure')
    return { outcome: 'fail', sentence: TLS_SAYS[outcome.fault](expiredOn(outcome.expired_at)) };
  if (outcome.outcome === 'auth_refused')
    return {
      outcome: 'fail',
      sentence:
        outcome.code === null
          ? 'The mail server offers no way of signing in over this connection: check the port and the kind of encryption.'
          : 'The mail server refuses the user name or the password: enter them again; many hosts want a password made for programs.',
    };
  return {
    outcome: 'unknown',
    sentence:
      rung === 'sign_in'
        ? 'The mail server cannot check the password now: try again in a while.'
        : 'The mail server asks to come back later: try again in a while.',
  };
}
