// Markdown as people and agents write it, made safe: sanitised, no pictures or anything else loaded from elsewhere, and every
// link shows the host it leads to.
import DOMPurify from 'dompurify';
import { marked } from 'marked';
import { useMemo } from 'react';
import { withShortWords } from './long-words.ts';
import classes from './markdown.module.css';

const TAGS = [
  'p',
  'br',
  'hr',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'strong',
  'em',
  'del',
  'code',
  'pre',
  'blockquote',
  'ul',
  'ol',
  'li',
  'a',
  'table',
  'thead',
  'tbody',
  'tr',
  'th',
  'td',
  'input',
];
const purify = DOMPurify(window);

purify.addHook('afterSanitizeAttributes', (node) => {
  if (node.tagName === 'INPUT') {
    node.setAttribute('disabled', '');
    node.setAttribute('aria-label', node.hasAttribute('checked') ? 'Done' : 'Open');
  }
  if (node.tagName !== 'A') return;
  const href = node.getAttribute('href') ?? '';
  const target = URL.canParse(href, location.href) ? new URL(href, location.href) : null;
  if (!target || !['http:', 'https:', 'mailto:'].includes(target.protocol)) {
    node.removeAttribute('href');
    return;
  }
  if (target.origin === location.origin) return;
  node.setAttribute('target', '_blank');
  node.setAttribute('rel', 'noopener noreferrer nofollow');
  const host = target.protocol === 'mailto:' ? target.pathname : target.host;
  node.setAttribute('title', target.href);
  if (node.textContent?.includes(host)) return;
  const shown = document.createElement('span');
  shown.className = classes.host ?? '';
  shown.textContent = ` (${host})`;
  node.append(shown);
});

export function MarkdownView({ text }: { text: string }) {
  const html = useMemo(() => {
    const raw = marked.parse(withShortWords(text), { async: false, gfm: true, breaks: true });
    return purify.sanitize(raw, {
      ALLOWED_TAGS: TAGS,
      ALLOWED_ATTR: ['href', 'title', 'checked', 'type', 'align', 'start'],
      ALLOW_DATA_ATTR: false,
    });
  }, [text]);
  return <div className={classes.markdown} dangerouslySetInnerHTML={{ __html: html }} />;
}
