// Sends the probe of an identity's bounce address: a mail of ours, over the identity's own connection and with its envelope, that
// says nothing about anyone.
import type { App } from '../../../../kernel/app.ts';
import type { Reader } from '../../../../kernel/database.ts';
import { newId } from '../../../../kernel/ids.ts';
import { SECOND_MS } from '../../../../kernel/clock.ts';
import { composeLetter } from '../../../../mail/compose/letter.ts';
import { verp } from '../../../../mail/compose/verp.ts';
import { openSmtp } from '../../../../mail/transport/smtp.ts';
import { envelopeFrom } from '../ways/envelope.ts';
import { notSending, probeNotSent } from './probe.rules.ts';
import { saveProbe } from './probe.store.ts';
import { sendingIdentity, smtpOptions } from '../ways/sending.store.ts';

/** `refused`: the mail server knows no such address; what it said. */
export type SentProbe = { id: string; revision: number; refused: string | null };

const DEADLINES = {
  connectMs: 8 * SECOND_MS,
  setupMs: 15 * SECOND_MS,
  envelopeMs: 15 * SECOND_MS,
  pieceMs: 15 * SECOND_MS,
  finalMs: 30 * SECOND_MS,
};

const TEXT =
  'This mail shows that bounces of letters arrive. It is read and set aside on its own; you can delete it.';

export async function sendProbe(
  db: Reader,
  app: App,
  which: string,
  signal: AbortSignal | undefined,
): Promise<SentProbe> {
  const { sealer, clock, database, sending } = app;
  if (!sending.enabled || sending.development) throw notSending();
  const identity = await sendingIdentity(db, sealer, which);
  if (identity?.transport.kind !== 'smtp' || !identity.dkim) throw probeNotSent();
  const id = newId();
  const key = sealer.key('verp');
  const to = envelopeFrom(identity, id, key);
  const now = clock.now();
  const composed = await composeLetter({
    from: { name: identity.name, address: identity.address },
    reply_to: null,
    to: [{ name: null, address: to }],
    cc: [],
    subject: 'Bounce address check',
    text: TEXT,
    html: null,
    // Known by this where the address is its own.
    message_id: `<${verp(id, key, identity.domain.name)}>`,
    date: now,
    in_reply_to: null,
    references: [],
    list_unsubscribe: null,
    feedback_id: null,
    attachments: [],
    dkim: identity.dkim,
  });
  if (!composed.ok) throw probeNotSent();
  const { revision } = identity;
  const transport = openSmtp({
    ...smtpOptions(app, identity.domain.name, identity.transport),
    deadlines: DEADLINES,
  });
  try {
    const outcome = await transport.send({
      envelope: { from: to, to: [to] },
      bytes: composed.bytes,
      idempotency_key: id,
      // It can arrive before this call is over.
      beforeFinalDot: () =>
        database.transact((tx) => saveProbe(tx, { id: which, revision }, { id, refused: null }, now)),
      ...(signal && { signal }),
    });
    if (outcome.outcome === 'accepted' || outcome.outcome === 'uncertain')
      return { id, revision, refused: null };
    if (outcome.outcome === 'refused' && outcome.about === 'recipient')
      return { id, revision, refused: outcome.said ?? String(outcome.code ?? '') };
    throw probeNotSent();
  } finally {
    await transport.close();
  }
}
