// Letters of which nobody knew whether they went, and of which something that came in is the proof.
import type { News, Transaction } from '../../kernel/ground.ts';
import { recordDelivery } from '../deliveries/record.ts';
import type { At } from './land.ts';

/** A copy in our own Sent folder says that the next hop took it; an answer, that it arrived. */
const KINDS = { copied: 'accepted', answered: 'delivered' } as const;

export async function settleLetter(
  tx: Transaction,
  send_id: string,
  how: keyof typeof KINDS,
  at: At,
): Promise<News[]> {
  const { news } = await recordDelivery(
    tx,
    {
      key: `${how}:${send_id}`,
      kind: KINDS[how],
      source: 'report',
      send: { id: send_id, by: 'id' },
      status: null,
      cause: null,
      said: null,
      recipient_hash: null,
      at: at.now,
    },
    at,
  );
  return news;
}
