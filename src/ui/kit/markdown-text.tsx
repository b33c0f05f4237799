// Markdown for reading and for writing, each fetched when it is first needed; until then the text itself is there.
import { lazy, Suspense } from 'react';
import type { EditorProps } from './markdown-editor.tsx';
import { unordered } from './title-text.tsx';
import classes from './markdown-text.module.css';

const Markdown = lazy(() => import('./markdown.tsx').then((m) => ({ default: m.Markdown })));
const LazyEditor = lazy(() => import('./markdown-editor.tsx').then((m) => ({ default: m.Editor })));

/** A line that shows nothing, in Markdown or outside it: a run of them could push what follows out of sight. */
const BLANK_LINE =
  /^(?:[^\S\n]|&nbsp;|&#160;|&#xa0;|<br(?:[^\S\n]{0,20})\/?>|[\u200b-\u200f\u2060\u2800\u3164]|\\)*$/iu;
const BLANK_LINES = 5;
const BLANKS = /[^\S\n]{40,}/gu;

/** Long stretches of nothing, shortened and named, so that all that was written is soon in sight. */
export function withoutVoids(text: string): string {
  return withoutBlankLines(unordered(text)).replaceAll(BLANKS, (run) => ` ⋯ ${run.length} spaces ⋯ `);
}

function withoutBlankLines(text: string): string {
  const lines = text.split('\n');
  const shown: string[] = [];
  for (let at = 0; at < lines.length;) {
    let end = at;
    while (end < lines.length && BLANK_LINE.test(lines[end] as string)) end += 1;
    // Ends of lines, that of the line above among them.
    const ends = end - at + (at > 0 ? 1 : 0) - (end === lines.length ? 1 : 0);
    if (ends >= BLANK_LINES) shown.push('', `⋯ ${ends} empty lines ⋯`, '');
    else shown.push(...lines.slice(at, end));
    if (end < lines.length) shown.push(lines[end] as string);
    at = end + 1;
  }
  return shown.join('\n');
}

export function MarkdownText({ text }: { text: string }) {
  const shown = withoutVoids(text);
  return (
    <div className={classes.isolated} dir="auto">
      <Suspense fallback={<div className={classes.raw}>{shown}</div>}>
        <Markdown text={shown} />
      </Suspense>
    </div>
  );
}

export const MarkdownEditor = (props: EditorProps) => (
  <Suspense fallback={<div className={classes.box} />}>
    <LazyEditor {...props} />
  </Suspense>
);
