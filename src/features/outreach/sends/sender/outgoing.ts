// A send as the letter that goes out: who, to whom, its threading and the ways to unsubscribe. The bytes are made once.
import type { App } from '../../../../kernel/app.ts';
import { composeLetter } from '../../../../mail/compose/letter.ts';
import { unsubscribeMark } from '../../../../mail/compose/verp.ts';
import { envelopeFrom } from '../../identities/ways/envelope.ts';
import type { HoldReason } from '../letter/reasons.rules.ts';
import type { SendingIdentity } from './identity.store.ts';
import type { AttachmentRow, LetterRow } from './store.ts';

export type Bytes = { envelope_from: string; bytes: Buffer };

/** `unsubscribe` is the address of the page of this send; an answer to someone has none. */
export async function bytesOf(
  { sealer }: App,
  letter: LetterRow,
  identity: SendingIdentity,
  attachments: readonly AttachmentRow[],
  unsubscribe: string | null,
  now: Date,
): Promise<Bytes | { hold: HoldReason; evidence: Record<string, unknown> }> {
  const { domain } = identity;
  const composed = await composeLetter({
    from: { name: identity.name, address: identity.address },
    reply_to: identity.reply_to === null ? null : { name: null, address: identity.reply_to },
    to: [{ name: null, address: letter.to_address }],
    cc: letter.cc.map((address) => ({ name: null, address })),
    subject: letter.subject,
    text: letter.text,
    html: letter.html,
    message_id: letter.message_id,
    date: now,
    in_reply_to: letter.in_reply_to,
    references: letter.message_references,
    list_unsubscribe:
      unsubscribe === null
        ? null
        : {
            // One-click is for https alone (RFC 8058 section 3.1).
            url: unsubscribe.startsWith('https://') ? unsubscribe : null,
            // Whoever writes from another address than ours went to is known by it.
            mailto: `mailto:${identity.address}?subject=unsubscribe%20${unsubscribeMark(letter.id, sealer.key('verp'))}`,
          },
    feedback_id: feedbackId(letter, domain.name),
    attachments: attachments.map(({ filename, media_type, bytes }) => ({
      filename,
      content_type: media_type,
      content: bytes,
    })),
    // A vendor signs what it sends with a key of its own.
    dkim: identity.transport.kind === 'vendor' ? null : identity.dkim,
  });
  if (composed.ok)
    return { envelope_from: envelopeFrom(identity, letter.id, sealer.key('verp')), bytes: composed.bytes };
  const evidence = 'field' in composed ? { field: composed.field } : {};
  return { hold: composed.reason, evidence };
}

/** For the aggregated numbers of a large receiver: which campaign and step, and who sends. It names no one. */
const feedbackId = ({ campaign_id, step_id, kind }: LetterRow, domain: string): string =>
  `${campaign_id ?? 'none'}:${step_id ?? 'none'}:${kind}:${domain}`;
