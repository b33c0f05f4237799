// Makes the HTML of a stranger’s letter inert before it is saved: no script, no form, nothing that loads, nothing
// positioned outside. An image keeps its source in `data-cid` (a file of the letter) or `data-src` (elsewhere), so
// that a screen can show the first and a person can ask for the second.
import sanitizeHtml from 'sanitize-html';
import { cleanText } from './clean.ts';
import { HTML_CHARS, HTML_DEPTH } from './limits.ts';

const TEXT_TAGS =
  'p div span br hr pre code blockquote h1 h2 h3 h4 h5 h6 ul ol li dl dt dd b strong i em u s strike del ins sub sup small big font center tt address cite q abbr mark';
const TABLE_TAGS = 'table caption colgroup col thead tbody tfoot tr td th';

/** Their words are no words of the letter. */
export const SILENT = [
  'style',
  'script',
  'title',
  'textarea',
  'option',
  'select',
  'noscript',
  'template',
  'svg',
  'math',
  'iframe',
  'object',
  'noembed',
  'noframes',
];

const COLOUR = [/^#[0-9a-f]{3,8}$/i, /^rgba?\([\d\s,.%]{1,40}\)$/i, /^[a-z]{3,20}$/i];

const OPTIONS: sanitizeHtml.IOptions = {
  allowedTags: [...TEXT_TAGS.split(' '), ...TABLE_TAGS.split(' '), 'a', 'img'],
  nonTextTags: SILENT,
  nestingLimit: HTML_DEPTH,
  allowedAttributes: {
    '*': ['style', 'dir', 'align'],
    a: ['href', 'rel', 'target', 'title'],
    img: ['alt', 'width', 'height', 'data-cid', 'data-src'],
    table: ['width', 'cellpadding', 'cellspacing', 'border', 'bgcolor'],
    td: ['width', 'height', 'colspan', 'rowspan', 'valign', 'bgcolor'],
    th: ['width', 'height', 'colspan', 'rowspan', 'valign', 'bgcolor'],
    tr: ['valign', 'bgcolor'],
    ol: ['start', 'type'],
    font: ['color', 'size'],
    blockquote: ['type'],
  },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowedSchemesAppliedToAttributes: ['href', 'src', 'cite'],
  allowProtocolRelative: false,
  allowedStyles: {
    '*': {
      color: COLOUR,
      'background-color': COLOUR,
      'font-weight': [/^(?:bold|bolder|normal|[1-9]00)$/i],
      'font-style': [/^(?:italic|normal)$/i],
      'text-decoration': [/^(?:underline|line-through|none)$/i],
      'text-align': [/^(?:left|right|center|justify|start|end)$/i],
      'font-size': [/^(?:[89]|[1-3]\d)(?:\.\d{1,3})?(?:px|pt)$/i],
    },
  },
  transformTags: { a: linked, img: pictured },
};

/** Null where nothing is left that could be seen. */
export function inertHtml(html: string): string | null {
  const clean = sanitizeHtml(cleanText(html, HTML_CHARS), OPTIONS).trim();
  return /[^\s<>]|<img/.test(clean.replace(/<(?!img)[^<>]*>/g, '')) ? clean : null;
}

/** A link leads somewhere else, tells it nothing of us, and cannot reach back; one that leads nowhere we know is words. */
function linked(_tag: string, { href = '', title }: sanitizeHtml.Attributes): sanitizeHtml.Tag {
  const address = href.trim();
  if (!/^(?:https?:\/\/|mailto:|tel:)/i.test(address)) return { tagName: 'span', attribs: {} };
  const attribs: sanitizeHtml.Attributes = {
    href: address,
    rel: 'noopener noreferrer nofollow',
    target: '_blank',
  };
  if (title !== undefined) attribs['title'] = title;
  return { tagName: 'a', attribs };
}

function pictured(_tag: string, given: sanitizeHtml.Attributes): sanitizeHtml.Tag {
  const attribs: sanitizeHtml.Attributes = {};
  for (const name of ['alt', 'title']) if (given[name]) attribs['alt'] ??= given[name];
  for (const name of ['width', 'height'])
    if (/^\d{1,4}$/.test(given[name] ?? '')) attribs[name] = given[name] as string;
  const source = (given['src'] ?? '').trim();
  const file = /^cid:(.{1,300})$/i.exec(source)?.[1];
  if (file !== undefined) attribs['data-cid'] = decoded(file);
  else if (/^https?:\/\//i.test(source)) attribs['data-src'] = source.slice(0, 4000);
  return { tagName: 'img', attribs };
}

/** The reference is a URL, and the Content-ID it names is not (RFC 2392). */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
