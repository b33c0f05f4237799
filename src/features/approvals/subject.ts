// What approvals know of the things they are about, and no more: a feature whose things wait for decisions states one of
// these, and features.ts hands it over. So approvals lean on no feature, and each of those keeps its own rules.
import type { Transaction } from '../../kernel/ground.ts';
import type { ReadScene, WriteScene } from '../../kernel/scene.ts';
import type { Approval } from './contract.ts';
import type { Decision } from './rules.ts';
import type { ApprovalFacts, LoadedApproval } from './store.ts';

export type Subject = {
  /** The kind of approval it stands behind. */
  kind: Approval['kind'];
  /** Whether this caller has any business with it, beside what policies say of approvals; everybody, where nothing is said. */
  sees?(scene: Pick<ReadScene, 'caller' | 'house'>, approval: ApprovalFacts): boolean;
  /** What approving them does, by the subject's id, where that is an operation. */
  acts?(
    scene: Pick<ReadScene, 'db' | 'house' | 'caller'>,
    ids: readonly string[],
  ): Promise<Map<string, NonNullable<Approval['act']>>>;
  /**
   * What approving comes to outside the decision's own transaction: it runs before, after every rule of deciding was asked,
   * and what it refuses is not approved. Gives what the decider is answered, once.
   */
  before?(scene: ReadScene, approval: LoadedApproval): Promise<Record<string, unknown> | null>;
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
