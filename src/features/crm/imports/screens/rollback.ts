// Taking a batch back: the question that says exactly what goes, and why it may be closed.
import { confirm } from '../../../../ui/kit/confirm.ts';
import type { Batch } from '../contract.ts';
import { count, people } from './words.ts';

/** Why it cannot be rolled back now, or null. */
export function whyNotRolledBack({ state, letters, created, updated }: Batch): string | null {
  if (state === 'writing') return 'Still importing. You can roll back when the import finishes.';
  if (state === 'locked')
    return `${count(letters)} ${letters === 1 ? 'letter is' : 'letters are'} sent or being sent to people in this import, so it can’t be rolled back. Remove people one at a time instead.`;
  if (state === 'written' && created + updated === 0) return 'This import created and changed no one.';
  return null;
}

export const sureToRollBack = ({ created, updated, filename }: Batch): Promise<boolean> =>
  confirm({
    title: `Roll back ${filename ?? 'this import'}?`,
    says: [
      created > 0 &&
        `${people(created)} it created ${created === 1 ? 'is' : 'are'} removed, along with companies that have no other people.`,
      updated > 0 &&
        `${people(updated)} it changed ${updated === 1 ? 'goes' : 'go'} back to their previous values.`,
      'People changed since then are kept and listed. Suppressions stay. To undo the rollback, import the file again.',
    ]
      .filter(Boolean)
      .join(' '),
    act: 'Roll back',
    tone: 'bad',
  });
