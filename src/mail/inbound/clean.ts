// Makes a stranger’s text storable: no NUL, no unpaired surrogates, no other control characters, one kind of line
// ending, a maximum length.

/** Controls but tab and new line, halves of characters, and the private ones that this folder marks places with. */
// oxlint-disable-next-line no-control-regex -- controls are what is looked for
const UNFIT = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\p{Cs}\ue000-\ue00f]/gu;

export const cleanText = (text: string, most: number): string =>
  text.slice(0, most).replace(/\r\n?/g, '\n').replace(UNFIT, '');

/** The same on one line, for names and subjects. */
export const cleanLine = (text: string, most: number): string =>
  cleanText(text, 4 * most)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, most)
    .toWellFormed();
