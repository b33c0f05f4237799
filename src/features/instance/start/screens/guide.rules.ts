// A page of the guide as the app shows it: its title apart, and no links to files that the app doesn’t serve.

const TITLE = /^# ([^\n]+)\n/;
/** Of a picture or a link to what is outside docs/guide. */
const OUTSIDE = /!?\[([^\]\n]{0,200})\]\(\.\.\/[^)\n]{0,200}\)/g;
/** For tests that run what a page says. */
const REMARK = /<!--[^\n]{0,300}-->\n/g;

export function guideText(source: string): { title: string; text: string } {
  const title = TITLE.exec(source)?.[1] ?? 'Guide';
  return { title, text: source.replace(TITLE, '').replaceAll(REMARK, '').replaceAll(OUTSIDE, '$1') };
}

/** `2. A domain to send from` → `2-a-domain-to-send-from`: how a link names a heading. */
export const headingId = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
