// Letters made of what their author wrote and what is known of a person.
import type { LetterSource, MergeValues, RenderedLetter, Surroundings } from './letter.ts';

/** The letter as it will arrive. Never throws: what cannot be rendered comes back as its `fault`. */
export declare function renderLetter(
  source: LetterSource,
  values: MergeValues,
  surroundings: Surroundings,
): RenderedLetter;
