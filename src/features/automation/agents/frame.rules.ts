// Frames outsiders’ text as data for a model: the text can’t close its frame, and characters a person wouldn’t see
// are removed.
import { visible } from '../../../kernel/visible.ts';

/** Of one answer of a tool, in UTF-16 units: several of them have to fit into one question. */
export const DATA_MAX_CHARS = 24_000;

/** The frame's own mark inside the data is broken up, in any letter case. */
export function framed(from: string, text: string, most: number = DATA_MAX_CHARS): string {
  const seen = visible(text.toWellFormed()).replace(/<(\/?)data/gi, '<$1 data');
  const cut =
    seen.length > most
      ? `${seen.slice(0, most).toWellFormed()}…truncated (${seen.length} chars total)`
      : seen;
  return `<data from="${from.replace(/[^\w. -]/g, '')}">\n${cut}\n</data>`;
}
