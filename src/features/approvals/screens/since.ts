// What happened to an item since it was last sent back: the note it was sent back with, and every change after it. Pure.
import type { Change, Comment } from '../../work/card.contract.ts';

export type Since = { note: Comment | null; by: Change['by']; at: string; changes: Change[] };

/** `changes` newest first, as the product lists them. Null where it was never out of review before. */
export function sinceSentBack(changes: Change[], comments: Comment[]): Since | null {
  const at = changes.findIndex(
    (change) => change.field === 'status' && change.from === 'in_review' && change.to !== 'done',
  );
  const sent = changes[at];
  if (!sent) return null;
  // The note of a decision is written in the same moment, by whoever decided.
  const note = comments.find((comment) => comment.at === sent.at && comment.author.id === sent.by.id) ?? null;
  const after = changes
    .slice(0, at)
    .filter((change) => change.at > sent.at && change.field !== 'status' && change.field !== 'claim');
  return { note, by: sent.by, at: sent.at, changes: after.toReversed() };
}
