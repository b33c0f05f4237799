// A page of the guide as the app shows it: its title apart, and no links to files that the app doesn’t serve.

/** Of a link, or a picture, to what is outside docs/guide. */
const OUTSIDE = '](../';

/** Read with loops: a pattern over a whole page would start again at every bracket. */
export function guideText(source: string): { title: string; text: string } {
  const lines = source.split('\n').filter((line) => !line.startsWith('<!--'));
  const heading = lines[0]?.startsWith('# ') ? lines.shift() : undefined;
  return { title: heading?.slice(2) ?? 'Guide', text: lines.map(withinGuide).join('\n') };
}

/** `[Security](../security.md)` → `Security`. */
function withinGuide(line: string): string {
  let shown = line;
  for (let at = shown.indexOf(OUTSIDE); at >= 0; at = shown.indexOf(OUTSIDE)) {
    const begins = shown.lastIndexOf('[', at);
    const ends = shown.indexOf(')', at);
    if (begins < 0 || ends < 0) break;
    const before = shown.slice(0, shown[begins - 1] === '!' ? begins - 1 : begins);
    shown = `${before}${shown.slice(begins + 1, at)}${shown.slice(ends + 1)}`;
  }
  return shown;
}

/** `2. A domain to send from` → `2-a-domain-to-send-from`: how a link names a heading. */
export const headingId = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
