// Taking a batch back: the question rehearses it first and says what goes and what is kept, and why it may be closed.
import { type Answer, ApiError, call } from '../../../../ui/client/call.ts';
import { tellRefusal } from '../../../../ui/client/toast.ts';
import { confirm } from '../../../../ui/kit/confirm.ts';
import type { Batch } from '../contract.ts';
import { count, people } from './words.ts';

/** Why it cannot be rolled back now, or null. */
export function whyNotRolledBack({ state, letters, created, updated, rolled_back }: Batch): string | null {
  if (state === 'writing') return 'Still importing. You can roll back when the import finishes.';
  if (state === 'locked' || letters > 0)
    return `${count(letters)} ${letters === 1 ? 'letter is' : 'letters are'} sent or being sent to people in this import, so it can’t be rolled back. Remove people one at a time instead.`;
  if (rolled_back?.kept === 0) return 'Everything was rolled back.';
  if (state === 'written' && created + updated === 0) return 'This import created and changed no one.';
  return null;
}

/** Asks with what a rollback would do now; null where that could not be found out, which is said. */
export async function sureToRollBack({ id, filename }: Batch): Promise<boolean> {
  const would = await call('import_rehearse', { batch: id }).catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error;
    tellRefusal(error);
    return null;
  });
  return (
    would !== null &&
    (await confirm({ title: `Roll back ${filename ?? 'this import'}?`, ...question(would) }))
  );
}

const REASONS_SHOWN = 3;

function question({ removed, restored, enrolled, kept, kept_in_all }: Answer<'import_rehearse'>) {
  const reasons = [...Map.groupBy(kept, ({ why }) => why)].toSorted(([, a], [, b]) => b.length - a.length);
  const shown = reasons.slice(0, REASONS_SHOWN).map(([why, of]) => `${why} (${count(of.length)})`);
  const nothing = removed + restored === 0;
  return {
    says: [
      removed > 0 &&
        `${people(removed)} ${removed === 1 ? 'is' : 'are'} removed, along with companies that have no other people.`,
      enrolled > 0 &&
        `${count(enrolled)} of them ${enrolled === 1 ? 'leaves' : 'leave'} campaigns that haven’t started.`,
      restored > 0 && `${people(restored)} ${restored === 1 ? 'goes' : 'go'} back to their previous values.`,
      nothing && 'Nothing would be removed or restored now.',
      kept_in_all > 0 &&
        `${people(kept_in_all)} ${kept_in_all === 1 ? 'is' : 'are'} kept: ${shown.join('; ')}.`,
      'Suppressions stay.',
      !nothing && 'To undo the rollback, import the file again.',
    ]
      .filter(Boolean)
      .join(' '),
    act: 'Roll back',
    tone: 'bad',
  } as const;
}
