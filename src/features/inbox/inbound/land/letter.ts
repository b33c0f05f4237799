// Uncertain letters that incoming mail proves were sent.
import type { ChangeNotification, Transaction } from '../../../../kernel/database.ts';
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
): Promise<ChangeNotification[]> {
  const [letter] = await attemptsOf(tx, [send_id]);
  if (!letter) return [];
  const { changes } = await recordDelivery(tx, PROOF[how](letter, at.now), {
    ...at,
    on_sent: sentIntoThreads,
  });
  return changes;
}
