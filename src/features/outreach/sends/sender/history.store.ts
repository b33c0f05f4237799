// What the sender writes into the history of a letter.
import type { Transaction } from '../../../../kernel/ground.ts';
import { newId } from '../../../../kernel/ids.ts';

/** Who writes down what no person did. */
export const SENDER = { kind: 'system', id: 'letters', name: 'the sender' } as const;

export async function note(
  tx: Transaction,
  send: string,
  kind: string,
  details: Record<string, unknown>,
  at: Date,
): Promise<void> {
  await tx`insert into send_facts ${tx({
    id: newId(),
    send_id: send,
    kind,
    details: tx.json(details as never),
    by_kind: SENDER.kind,
    by_id: SENDER.id,
    by_name: SENDER.name,
    at,
  })}`;
}
