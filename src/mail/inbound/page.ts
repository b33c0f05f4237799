// The words of an HTML letter, as a text part would have them: what the writer’s client marked as quoted has `> `
// before every line. Clients mark it in a dozen ways; here they all become one.
import sanitizeHtml from 'sanitize-html';
import { textFromHtml } from '../compose/text.ts';
import { cleanText } from './clean.ts';
import { SILENT } from './html.ts';
import { HTML_CHARS, HTML_DEPTH, TEXT_CHARS } from './limits.ts';

/** Elements that hold nothing but what was quoted, by the names that programs give them. */
const QUOTES =
  /(?:^|[\s_])(?:gmail_quote|gmail_quote_container|yahoo_quoted|protonmail_quote|tutanota_quote|moz-forward-container|gmx_quote|mail_quote_collapse|zmail_extra|mailbox_signature_quote)(?:\s|$)/i;
/** Elements that begin what was quoted; it goes on to the end. */
const BEGINNINGS =
  /^(?:x_)*(?:divRplyFwdMsg|appendonsend|reply-intro|mail-editor-reference-message-container|OLK_SRC_BODY_SECTION)$/i;

/** Places in the text, each on a line of its own: a quote opens, closes, and begins for good. */
const [OPENS, CLOSES, BEGINS] = ['\ue00a', '\ue00b', '\ue00c'];

export function wordsOfPage(html: string): string {
  const plain = sanitizeHtml(cleanText(html, HTML_CHARS), {
    allowedTags: [...BLOCKS, 'blockquote', 'br', 'hr', 'li', 'a', 'img', 'td', 'th'],
    allowedAttributes: { a: ['href'], img: ['alt'], blockquote: ['class'] },
    allowedSchemes: ['http', 'https', 'mailto', 'tel'],
    nonTextTags: [...SILENT, 'head'],
    nestingLimit: HTML_DEPTH,
    transformTags: { '*': marked },
  });
  const text = textFromHtml(
    plain
      .replaceAll('<blockquote>', `<p>${OPENS}</p><div>`)
      .replaceAll('<blockquote class="begins">', `<p>${BEGINS}</p><div>`)
      .replaceAll('</blockquote>', `</div><p>${CLOSES}</p>`),
  );
  return quoted(text).slice(0, TEXT_CHARS).toWellFormed().trim();
}

const BLOCKS = ['p', 'div', 'ul', 'ol', 'table', 'tr', 'pre', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'];

function marked(tagName: string, attribs: sanitizeHtml.Attributes): sanitizeHtml.Tag {
  const { class: names = '', id = '', type, cite } = attribs;
  if (BEGINNINGS.test(id)) return { tagName: 'blockquote', attribs: { class: 'begins' } };
  const isQuote =
    QUOTES.test(names) || QUOTES.test(id) || attribs['data-marker'] === '__QUOTED_TEXT__' || type === 'cite';
  if (tagName === 'blockquote')
    return { tagName: isQuote || cite !== undefined ? 'blockquote' : 'div', attribs: {} };
  return isQuote ? { tagName: 'blockquote', attribs: {} } : { tagName, attribs };
}

/** Quotes deeper than this look all the same. */
const DEEPEST = 5;

function quoted(text: string): string {
  const lines: string[] = [];
  let depth = 0;
  let forGood = 0;
  for (const line of text.split('\n')) {
    if (line === BEGINS) forGood = 1;
    if (line === OPENS || line === BEGINS) depth += 1;
    else if (line === CLOSES) {
      depth = Math.max(0, depth - 1);
      if (lines.length > 0 && isBlank(lines.at(-1) as string))
        lines[lines.length - 1] = marks(Math.max(depth, forGood)).trimEnd();
    } else {
      const shown = `${marks(Math.max(depth, forGood))}${line}`.trimEnd();
      if (!(isBlank(shown) && isBlank(lines.at(-1) ?? ''))) lines.push(shown);
    }
  }
  return lines.join('\n');
}

const marks = (depth: number): string => '> '.repeat(Math.min(DEEPEST, depth));
const isBlank = (line: string): boolean => /^[>\s]*$/.test(line);
