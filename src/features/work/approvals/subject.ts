// What approvals need to know about the things they are for. A feature implements a Subject, and features.ts passes it in, so
// that approvals depend on no feature.
import type { Transaction } from '../../../kernel/database.ts';
import type { ReadContext, WriteContext } from '../../../kernel/context.ts';
import type { Approval } from './contract.ts';
import type { Decision } from './rules.ts';
import type { LoadedApproval, SeenKeys } from './store.ts';

export type Subject = {
  /** The kind of approval it is behind. */
  kind: Approval['kind'];
  /** The keys of those that this caller has any business with, beside what policies say of approvals; all, where nothing is said. */
  keys?(context: Pick<ReadContext, 'caller' | 'app'>): string[];
  /**
   * What approving them does, by the subject's id, where that is an operation. `whole`: with everything that a person reads
   * before they sign.
   */
  acts?(
    context: Pick<ReadContext, 'db' | 'app' | 'caller'>,
    ids: readonly string[],
    whole: boolean,
  ): Promise<Map<string, NonNullable<Approval['act']>>>;
  /**
   * What approving comes to outside the decision's own transaction: it runs before, after every rule of deciding was asked,
   * and what it refuses is not approved. Gives what the decider is answered, once.
   */
  before?(context: ReadContext, approval: LoadedApproval): Promise<Record<string, unknown> | null>;
  /** Keeps the thing as it is until the act is over. It comes before the approval itself: everyone takes them in this order. */
  holdStill(tx: Transaction, id: string): Promise<void>;
  /** Does to the thing what was decided, in the transaction of the decision. */
  settle(
    context: WriteContext,
    approval: LoadedApproval,
    decision: Decision,
    note: string | undefined,
  ): Promise<void>;
  /**
   * Reverses what approving did to the thing, within moments, and opens another approval of it, whose id it gives. Refuses before
   * it writes. Where it is missing, approving can't be undone, and one decision is about one thing.
   */
  reverse?(context: WriteContext, approval: LoadedApproval): Promise<string>;
};

/** Which of them a caller has any business with, for the list and for one of it. */
export const seenKeys = (
  subjects: readonly Subject[],
  context: Pick<ReadContext, 'caller' | 'app'>,
): SeenKeys => subjects.flatMap(({ kind, keys }) => (keys ? [{ kind, seen: keys(context) }] : []));
