// The slots of the sender: each identity has one for its letters and one for people's answers, so that a server that hangs, and
// letters that it hangs over, keep no one else's letters waiting and no answer.
import type { Hands } from '../../../../kernel/pass.ts';

/** At once in one process. Large hosts let one mailbox sign in three times; the third is for answers. */
export const LETTERS_OF_AN_IDENTITY = 2;
const ANSWERS_OF_AN_IDENTITY = 1;
/** Of all identities in one process: some kilobytes and a socket each, while their servers think. */
export const LETTERS_IN_HAND = 400;

const ANSWERS = ' answers';
const NOBODY = 'nobody';

export const slotOf = (identity_id: string | null, kind: string): string =>
  (identity_id ?? NOBODY) + (kind === 'answer' ? ANSWERS : '');

/** Ids of identities that may take no further answer, no further letter, or that have at least one on its way. */
export function fullSlots(hands: Hands): { answering: string[]; full: string[]; begun: string[] } {
  const of = (least: number, mark: string): string[] =>
    [...hands].flatMap(([backoff, count]) => {
      // Letters of no one are held at once, and no one is no id.
      if (backoff.startsWith(NOBODY)) return [];
      const id = backoff.slice(0, 36);
      return count >= least && backoff === id + mark ? [id] : [];
    });
  return {
    answering: of(ANSWERS_OF_AN_IDENTITY, ANSWERS),
    full: of(LETTERS_OF_AN_IDENTITY, ''),
    begun: of(1, ''),
  };
}
