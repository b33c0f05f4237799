// Drafts with what their plan said of each: how a chunk of them waits as text, and how it is read again.
import type { ImportDraft } from '../file/draft.ts';
import type { RowLetter } from './judge.ts';
import { unpackText } from '../file/packed.ts';
import type { Some } from '../file/reading.ts';

/** By row: the person it changes, or who has its address, and the revision they had. */
export type Targets = Record<string, [person: string, revision: number]>;

export type PlannedDraft = ImportDraft & {
  letter: RowLetter;
  /** It was suppressed when it was planned. */
  suppressed: boolean;
  target: [person: string, revision: number] | null;
};

/** A letter a draft, as the plan has them, on a line of its own; then the targets, then the drafts. */
export const plannedText = ({ text }: Some, letters: string, targets: Targets): string =>
  `${letters}\n${JSON.stringify(targets)}\n${text}`;

export function plannedIn(chunk: string): PlannedDraft[] {
  const [letters, targets] = [chunk.indexOf('\n'), chunk.indexOf('\n', chunk.indexOf('\n') + 1)];
  return planned(
    unpackText(chunk.slice(targets + 1)),
    chunk.slice(0, letters),
    JSON.parse(chunk.slice(letters + 1, targets)) as Targets,
  );
}

export const planned = (drafts: readonly ImportDraft[], letters: string, targets: Targets): PlannedDraft[] =>
  drafts.map((draft, i) => {
    const letter = letters[i] ?? 's';
    const lower = letter.toLowerCase() as RowLetter;
    // Onto the draft itself, which is no one else's: copies of fifty thousand were felt.
    return Object.assign(draft, {
      letter: lower,
      suppressed: letter !== lower,
      target: targets[draft.row] ?? null,
    });
  });
