// The HTML side of a letter: generated from its text if the author wrote none, with the required parts below.
import { escapeHtml } from './compile.ts';

/** Paragraphs and lines of a text as HTML; `link` becomes one that can be followed. */
export function htmlFromText(text: string, link: string | null): string {
  const paragraphs = text.split(/\n{2,}/).filter((each) => each.trim() !== '');
  const html = paragraphs.map((each) => `<p>${lines(each)}</p>`).join('\n');
  if (link === null) return html;
  const shown = escapeHtml(link);
  return html.replaceAll(shown, () => `<a href="${shown}">${shown}</a>`);
}

/** Text that may break lines. */
export const lines = (text: string): string => escapeHtml(text.trim()).replace(/\n/g, '<br>\n');

/** Below everything that is in a body, whether or not the author closed it. */
export function appended(html: string, blocks: readonly string[]): string {
  if (blocks.length === 0) return html;
  const tail = `\n${blocks.join('\n')}\n`;
  // The last one is looked for from the front, once: "with none behind it" would read all that is behind each.
  const end = [...html.matchAll(/<\/body\s*>/gi)].at(-1);
  return end ? html.slice(0, end.index) + tail + html.slice(end.index) : html + tail;
}
