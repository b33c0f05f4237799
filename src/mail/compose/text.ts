// The text part of a letter that was written in HTML alone: what a reader without HTML should see, links and lists too.
// The library does the parsing and hands back a few known tags, which are then easy to read.
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
  return clean
    .replace(/[\s\ue000\ue001]+/g, ' ')
    .replace(/<a href="([^"]*)">(.*?)<\/a>/g, (_, href: string, label: string) => link(href, label))
    .replace(/<img(?: alt="([^"]*)")?[^>]*>/g, (_, alt: string | undefined) => alt ?? '')
    .replace(/<hr[^>]*>/g, `${APART}----${APART}`)
    .replace(/<br[^>]*>/g, '\n')
    .replace(/<li>(?: |<(?:p|div)>)*/g, `${BREAK}- `)
    .replace(/<\/(td|th)>/g, ' ')
    .replace(/<\/?([a-z0-9]+)[^>]*>/g, (_, tag: string) =>
      PARAGRAPHS.test(tag) ? APART : BLOCKS.includes(tag) ? BREAK : '',
    )
    .replace(/&(lt|gt|quot|amp);/g, (_, name: keyof typeof ENTITIES) => ENTITIES[name])
    .replace(/[ \u00a0]*[\ue000\ue001][ \u00a0\ue000\ue001]*/g, (gap) =>
      gap.includes(APART) ? '\n\n' : '\n',
    )
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ *\n */g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** Private characters: between two blocks one new line, and between paragraphs an empty one, however many tags meet there. */
const [BREAK, APART] = ['\ue000', '\ue001'];

/** Those that the library leaves; every other it has read already. */
const ENTITIES = { lt: '<', gt: '>', quot: '"', amp: '&' };

/** The address stands behind the words, unless it is the words. */
function link(href: string, label: string): string {
  const words = label.replace(/<[^>]*>/g, '').trim();
  const bare = href.replace(/^(mailto:|tel:)/, '');
  if (words === '') return bare;
  return words === bare || words === href ? bare : `${label} (${bare})`;
}
