// "Test this identity": how far its outgoing mail goes, step by step, without a letter, and its incoming mail, without a message. What someone
// waits for on a screen is shorter than what the sender allows.
import type { App } from '../../../../kernel/app.ts';
import type { Reader } from '../../../../kernel/database.ts';
import { SECOND_MS } from '../../../../kernel/clock.ts';
import { testConnection } from '../../../../mail/transport/try.ts';
import { testMailbox } from '../../../../mail/imap/try.ts';
import { envelopeFrom, ownAddress } from './envelope.ts';
import { imapOptions, receivingAccount } from './receiving.store.ts';
import { sendingIdentity, smtpOptions } from './sending.store.ts';

export type Rung = { rung: string; outcome: 'pass' | 'fail' | 'unknown' | 'skipped'; sentence: string };
export type Tried = { outcome: 'passing' | 'failing' | 'unknown'; rungs: Rung[] };

const DEADLINES = { connectMs: 8 * SECOND_MS, setupMs: 15 * SECOND_MS, envelopeMs: 15 * SECOND_MS };

const one = (outcome: Tried['outcome'], rung: Rung): Tried => ({ outcome, rungs: [rung] });

/** Only outgoing mail decides the outcome: letters hang on it, and none on what comes back. */
export async function tryIdentity(
  db: Reader,
  app: App,
  id: string,
  signal: AbortSignal | undefined,
): Promise<Tried> {
  const [out, inbound] = await Promise.all([
    tryOutgoingMail(db, app, id, signal),
    tryWayIn(db, app, id, signal),
  ]);
  return { ...out, rungs: [...out.rungs, ...inbound] };
}

async function tryWayIn(db: Reader, app: App, id: string, signal: AbortSignal | undefined): Promise<Rung[]> {
  const account = await receivingAccount(db, app.sealer, id);
  if (account === null) return [];
  const { settings, password } = account;
  if (password === null)
    return [
      {
        rung: 'inbound_sign_in',
        outcome: 'fail',
        sentence: 'The saved mailbox password can’t be read: enter it again under Incoming mail.',
      },
    ];
  return testMailbox(
    { ...imapOptions(app, settings, password), limits: DEADLINES },
    settings.mailbox,
    signal,
  );
}

async function tryOutgoingMail(
  db: Reader,
  app: App,
  id: string,
  signal: AbortSignal | undefined,
): Promise<Tried> {
  const identity = await sendingIdentity(db, app.sealer, id);
  const transport = identity?.transport ?? { kind: 'unusable' };
  if (transport.kind === 'sandbox')
    return one('passing', {
      rung: 'sandbox',
      outcome: 'pass',
      sentence: 'The sandbox accepts every letter and delivers none.',
    });
  if (transport.kind === 'vendor')
    return one('unknown', {
      rung: 'vendor',
      outcome: 'skipped',
      sentence: 'The vendor’s key is tested where it is saved, under Settings › Integrations.',
    });
  if (transport.kind === 'unusable' || !identity)
    return one('failing', {
      rung: 'sign_in',
      outcome: 'fail',
      sentence: 'The saved password can’t be read: enter it again under Outgoing mail.',
    });
  const options = { ...smtpOptions(app, identity.domain.name, transport), deadlines: DEADLINES };
  const own = ownAddress(identity.address);
  const from = envelopeFrom(identity, id, app.sealer.key('verp'));
  const envelope = { from, own, bounces: from === own ? null : from };
  const { ok, rungs } = await testConnection(options, envelope, signal);
  // Bounces that are lost let letters go all the same.
  const failed = rungs.some(({ rung, outcome }) => outcome === 'fail' && rung !== 'bounces');
  return { outcome: ok ? 'passing' : failed ? 'failing' : 'unknown', rungs: [...rungs] };
}
