// What happened to an item since its review last ended without an approval: how it ended, and every change after it. Pure.
import type { ItemChange } from '../../work/card.contract.ts';
import type { Comment } from '../../work/items.contract.ts';
import type { Approval } from '../contract.ts';

const SENT_BACK = { returned: 'returned it', rejected: 'rejected it', withdrawn: 'withdrew it from review' };
type SentBack = keyof typeof SENT_BACK;

export type Since = {
  /** The approval that ended so. */
  review: string;
  by: ItemChange['by'];
  did: string;
  at: string;
  note: string | null;
  /** The note as it is among the comments, too. */
  comment: Comment | null;
  changes: ItemChange[];
};

const sentBack = (approval: Approval): boolean => approval.state in SENT_BACK;

/** Before the review `now`; `all` of the item's approvals and `changes` newest first, as the product lists them. */
export function sinceSentBack(
  now: Approval,
  all: Approval[],
  changes: ItemChange[],
  comments: Comment[],
): Since | null {
  const last = all.find((one) => one.created_at < now.created_at && sentBack(one));
  if (!last?.decided_by || last.decided_at === null) return null;
  const { decided_by: by, decided_at: at, note } = last;
  const until = now.decided_at ?? '9999';
  return {
    review: last.id,
    by,
    did: SENT_BACK[last.state as SentBack],
    at,
    note,
    comment: comments.find((one) => one.at === at && one.author.id === by.id && one.text === note) ?? null,
    changes: changes
      .filter((one) => one.at > at && one.at <= until && one.field !== 'status' && one.field !== 'claim')
      .toReversed(),
  };
}
