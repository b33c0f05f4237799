// Letters that are selected, each as it was read when it was chosen: one that says something else by now is not approved unseen.
import { useQueueSelection, type QueueSelection } from '../../../../../ui/kit/queue-selection.ts';
import type { Send } from '../../contract.ts';

/** As many as the product approves at once. */
const AT_ONCE = 50;

export type LetterSelection = QueueSelection<Send>;

export const useSelection = (rows: Send[]): LetterSelection =>
  useQueueSelection(rows, {
    mark: ({ fingerprint }) => fingerprint,
    most: AT_ONCE,
    tooMany: `You can select up to ${AT_ONCE} letters. Approve these first.`,
  });
