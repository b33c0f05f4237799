// Cutting what a tool or a resource returns: 48,000 UTF-16 units on the whole text, cut on a code point, with
// the marker that says so (interface specification §7, §8).

export const CAP_CHARS = 48_000;

/** How the end of a cut text reads: a request tool stops reading and cannot tell the size; everything else gives the total. */
export type CutBy = 'request_tool' | 'whole';

export function capped(text: string, by: CutBy): string {
  if (text.length <= CAP_CHARS) return text;
  const marker =
    by === 'request_tool'
      ? `…truncated (over ${CAP_CHARS} chars)`
      : `…truncated (${text.length} chars total)`;
  return onCodePoint(text, CAP_CHARS) + marker;
}

/** The first `length` units of `text`, one fewer where the cut would fall inside a surrogate pair. */
function onCodePoint(text: string, length: number): string {
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}
