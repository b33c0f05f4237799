// Letters of which nobody knew whether they went, and of which something that came in is the proof.
import type { News, Transaction } from '../../../../kernel/ground.ts';
import { recordDelivery } from '../../../outreach/deliveries/record.ts';
import { attemptsOf } from '../../../outreach/deliveries/store.ts';
import { copyFound, replyCame } from '../../../outreach/deliveries/uncertain.ts';
import { sentIntoThreads } from '../../threads/record/out.store.ts';
import type { At } from './land.ts';

const PROOF = { copied: copyFound, answered: replyCame } as const;

export async function settleLetter(
  tx: Transaction,
  send_id: string,
  how: keyof typeof PROOF,
  at: At,
): Promise<News[]> {
  const [letter] = await attemptsOf(tx, [send_id]);
  if (!letter) return [];
  const { news } = await recordDelivery(tx, PROOF[how](letter, at.now), {
    ...at,
    on_sent: sentIntoThreads,
  });
  return news;
}
