// The text part of a letter written only in HTML: what a reader without HTML should see, including links and lists.
// The library does the parsing and returns a few known tags.
import sanitizeHtml from 'sanitize-html';

const BLOCKS = [
  'p',
  'div',
  'ul',
  'ol',
  'table',
  'tr',
  'blockquote',
  'pre',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
];
const PARAGRAPHS = /^(p|ul|ol|table|blockquote|pre|h[1-6])$/;

export function textFromHtml(html: string): string {
  const clean = sanitizeHtml(html, {
    allowedTags: [...BLOCKS, 'br', 'hr', 'li', 'a', 'img', 'td', 'th'],
    allowedAttributes: { a: ['href'], img: ['alt'] },
    allowedSchemes: ['http', 'https', 'mailto', 'tel'],
    nonTextTags: ['style', 'script', 'textarea', 'option', 'noscript', 'title', 'head'],
  });
  return withLinks(clean.replace(/[\s\ue000\ue001]+/g, ' '))
    .replace(/<img(?: alt="([^"<>]*)")?[^<>]*>/g, (_, alt: string | undefined) => alt ?? '')
    .replace(/<hr[^<>]*>/g, `${APART}----${APART}`)
    .replace(/<br[^<>]*>/g, '\n')
    .replace(/<li>(?: |<(?:p|div)>)*/g, `${BREAK}- `)
    .replace(/<\/(td|th)>/g, ' ')
    .replace(/<[^<>]*>/g, (mark) => {
      const tag = /^<\/?([a-z0-9]{1,10})(?![a-z0-9])/.exec(mark)?.[1] ?? '';
      return PARAGRAPHS.test(tag) ? APART : BLOCKS.includes(tag) ? BREAK : '';
    })
    .replace(/&(lt|gt|quot|amp);/g, (_, name: keyof typeof ENTITIES) => ENTITIES[name])
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?[\ue000\ue001][ \ue000\ue001]*/g, (gap) => (gap.includes(APART) ? '\n\n' : '\n'))
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** Every link with its words as a reader without HTML sees it. */
function withLinks(html: string): string {
  const parts = html.split('</a>');
  const last = parts.pop() ?? '';
  const shown = parts.map((part) => {
    const at = part.indexOf('<a href="');
    const end = at === -1 ? -1 : part.indexOf('">', at);
    if (end === -1) return part;
    return part.slice(0, at) + link(part.slice(at + '<a href="'.length, end), part.slice(end + 2));
  });
  return [...shown, last].join('');
}

/** Private characters: between two blocks one new line, and between paragraphs an empty one, however many tags meet there. */
const [BREAK, APART] = ['\ue000', '\ue001'];

/** Those that the library leaves; every other it has read already. */
const ENTITIES = { lt: '<', gt: '>', quot: '"', amp: '&' };

/** The address is behind the words, unless it is the words. */
function link(href: string, label: string): string {
  const words = label.replace(/<[^<>]*>/g, '').trim();
  const bare = href.replace(/^(mailto:|tel:)/, '');
  if (words === '') return bare;
  return words === bare || words === href ? bare : `${label} (${bare})`;
}
