// What approvals know of the things they are about, and no more: a feature whose things wait for decisions states one of
// these, and features.ts hands it over. So approvals lean on no feature, and each of those keeps its own rules.
import type { Transaction } from '../../kernel/ground.ts';
import type { WriteScene } from '../../kernel/scene.ts';
import type { Approval } from './contract.ts';
import type { Decision } from './rules.ts';
import type { LoadedApproval } from './store.ts';

export type Subject = {
  /** The kind of approval it stands behind. */
  kind: Approval['kind'];
  /** Keeps the thing as it is until the act is over. It comes before the approval itself: everybody takes them in this order. */
  holdStill(tx: Transaction, id: string): Promise<void>;
  /** Does to the thing what was decided, in the transaction of the decision. */
  settle(
    scene: WriteScene,
    approval: LoadedApproval,
    decision: Decision,
    note: string | undefined,
  ): Promise<void>;
};
