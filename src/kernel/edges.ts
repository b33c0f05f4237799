// Trims certain characters from the end of a text with a loop. A regular expression would take quadratic time on a long run in
// the middle.

/** `marks`: the characters that are taken off. */
export function withoutEnd(text: string, marks: string): string {
  let end = text.length;
  while (end > 0 && marks.includes(text[end - 1] as string)) end -= 1;
  return text.slice(0, end);
}

/** Off both ends. */
export function withoutEdges(text: string, marks: string): string {
  const left = withoutEnd(text, marks);
  let start = 0;
  while (start < left.length && marks.includes(left[start] as string)) start += 1;
  return left.slice(start);
}
