// “Test this identity”: asks everything that a letter asks, envelope included, and sends none. Results are our own
// sentences; the host’s words stay out.
import { DEADLINES, openSession, type Rung, type Session } from './session.ts';
import type { SmtpOptions } from './smtp.ts';
import { TLS_SAYS, expiredOn } from '../../net/tls-says.ts';
import type { Outcome, SenderTrouble, UnreachableWhy } from './transport.ts';

type Step = Rung | EnvelopeRung;
/** `sender`: the envelope sender; `recipient`: mail for the identity's own address; `bounces`: mail for its bounce address. */
type EnvelopeRung = 'sender' | 'recipient' | 'bounces';

export type TriedRung = { rung: Step; outcome: 'pass' | 'fail' | 'unknown' | 'skipped'; sentence: string };

/** `ok` when every rung passed that letters hang on. Rungs come in the order in which they were climbed. */
export type ConnectionTest = { ok: boolean; rungs: readonly TriedRung[] };

/** As letters have it. `bounces`: where bounces go, where that is another address than the sender's own. */
export type TestEnvelope = { from: string; own: string; bounces: string | null };

export async function testConnection(
  options: SmtpOptions,
  envelope: TestEnvelope,
  signal?: AbortSignal,
): Promise<ConnectionTest> {
  const { access } = options;
  const order: Rung[] =
    access.security === 'tls'
      ? ['address', 'connect', 'encryption', 'hello', 'sign_in']
      : ['address', 'connect', 'hello', 'encryption', 'sign_in'];
  const opened = await openSession({ ...options, deadlines: { ...DEADLINES, ...options.deadlines } }, signal);
  const asked = opened.ok ? await tryEnvelope(opened.session, envelope) : skippedEnvelope(envelope);
  if (opened.ok) await opened.session.end();
  const failedAt = opened.ok ? order.length : order.indexOf(opened.rung);
  const rungs = order.map((rung, at): TriedRung => {
    const unused =
      (rung === 'encryption' && access.security === 'plain') || (rung === 'sign_in' && !access.login);
    if (at < failedAt)
      return unused
        ? { rung, outcome: 'skipped', sentence: UNUSED[rung] ?? '' }
        : { rung, outcome: 'pass', sentence: PASSED[rung] };
    if (at > failedAt || opened.ok) return { rung, outcome: 'skipped', sentence: NOT_TRIED };
    return { rung, ...failure(rung, opened.outcome, opened.sentence) };
  });
  const stands = asked.every(({ rung, outcome }) => rung === 'bounces' || outcome === 'pass');
  return { ok: opened.ok && stands, rungs: [...rungs, ...asked] };
}

const NOT_TRIED = 'Not tried, since an earlier step failed.';

const ENVELOPE: readonly EnvelopeRung[] = ['sender', 'recipient', 'bounces'];
const rungsOf = ({ bounces }: TestEnvelope): EnvelopeRung[] =>
  ENVELOPE.filter((rung) => rung !== 'bounces' || bounces !== null);

const skippedEnvelope = (envelope: TestEnvelope): TriedRung[] =>
  rungsOf(envelope).map((rung) => ({ rung, outcome: 'skipped', sentence: NOT_TRIED }));

async function tryEnvelope(session: Session, envelope: TestEnvelope): Promise<TriedRung[]> {
  const { from, own, bounces } = envelope;
  const { mail, rcpt } = await session.tryEnvelope({ from, to: bounces === null ? [own] : [own, bounces] });
  const [recipient, bounce] = rcpt;
  // Many servers judge the sender only once they are told a recipient.
  const ofSender = mail ?? (recipient && isOfSender(recipient) ? recipient : null);
  const found = { sender: ofSender, recipient, bounces: bounce };
  return rungsOf(envelope).map((rung): TriedRung => {
    const outcome = found[rung];
    if (outcome === undefined || (ofSender && rung !== 'sender'))
      return { rung, outcome: 'skipped', sentence: NOT_TRIED };
    return outcome
      ? { rung, ...refusedEnvelope(rung, outcome) }
      : { rung, outcome: 'pass', sentence: TAKEN[rung] };
  });
}

const isOfSender = (outcome: Outcome): boolean =>
  outcome.outcome === 'auth_refused' ||
  (outcome.outcome === 'refused' && outcome.about === 'sender' && outcome.trouble !== 'relay_refused');

const TAKEN: Record<EnvelopeRung, string> = {
  sender: 'The mail server accepts the envelope sender.',
  recipient: 'The mail server accepts mail from this identity.',
  bounces: 'The mail server accepts mail for the bounce address. Send a probe to see whether it arrives.',
};

/** Of a refusal that is about who sends. */
const REFUSED: Record<SenderTrouble, string> = {
  credentials: 'The mail server requires a sign-in: save a user name and a password.',
  sender_refused:
    'The mail server refuses the envelope sender of its letters: allow the bounce address for this login, or use the identity’s own address as envelope sender.',
  relay_refused:
    'The mail server doesn’t pass mail on for this identity: allow this login to send to other domains, or use the server that your provider names for sending.',
  quota: 'The mail server’s sending limit for this identity is used up: wait for it to reset, or raise it.',
  refused: 'The mail server refuses mail from this identity: ask your mail provider.',
};

function refusedEnvelope(
  rung: EnvelopeRung,
  outcome: Outcome,
): { outcome: 'fail' | 'unknown'; sentence: string } {
  if (outcome.outcome === 'auth_refused') return { outcome: 'fail', sentence: REFUSED.credentials };
  if (outcome.outcome !== 'refused')
    return { outcome: 'unknown', sentence: 'The mail server gave no clear answer: try again later.' };
  if (outcome.about === 'sender') return { outcome: 'fail', sentence: REFUSED[outcome.trouble] };
  return rung === 'bounces'
    ? {
        outcome: 'fail',
        sentence:
          'The mail server doesn’t accept mail for the bounce address, so bounces are lost: deliver that mail to the identity’s mailbox, or use the identity’s own address as envelope sender.',
      }
    : {
        outcome: 'unknown',
        sentence:
          'The mail server doesn’t accept mail for the identity’s own address, so it isn’t known whether letters are accepted.',
      };
}

const PASSED: Record<Rung, string> = {
  address: 'The mail server’s host name resolves to an allowed address.',
  connect: 'The mail server accepts connections.',
  encryption: 'The connection is encrypted, and the certificate is valid for this host name.',
  hello: 'The server answers as a mail server.',
  sign_in: 'The mail server accepts the user name and password.',
};

const UNUSED: Partial<Record<Rung, string>> = {
  encryption: 'The connection isn’t encrypted: anyone on the network path can read the letters.',
  sign_in: 'No user name is set, so there is no sign-in.',
};

const UNREACHABLE: Record<UnreachableWhy, string> = {
  address: 'The mail server has a private address that this instance can’t contact: use a public one.',
  dns: 'The mail server’s host name doesn’t resolve: check the spelling, or try again later.',
  refused: 'Connection refused: check the host, the port and any firewall in between.',
  timeout: 'The mail server didn’t answer in time: check the host, the port and your firewall.',
  tls: 'The encrypted connection couldn’t be set up: try again later.',
  certificate: 'The certificate isn’t trusted: ask your mail provider.',
  dropped: 'The mail server ended the connection: check the host and port, or ask your mail provider.',
  protocol: 'The server at this host and port isn’t a mail server: check both.',
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
