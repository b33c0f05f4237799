// Markdown for reading and for writing, each fetched when it is first needed; until then the text itself stands there.
import { lazy, Suspense } from 'react';
import type { EditorProps } from './editor.tsx';
import { unordered } from './title-text.tsx';
import classes from './text.module.css';

const Markdown = lazy(() => import('../../../ui/kit/markdown.tsx').then((m) => ({ default: m.Markdown })));
const LazyEditor = lazy(() => import('./editor.tsx').then((m) => ({ default: m.Editor })));

/** A run of lines that show nothing, in Markdown or outside it; it could push what follows out of sight. */
const BLANK_LINES =
  /(?:(?:[^\S\n]|&nbsp;|&#160;|&#xa0;|<br\s*\/?>|[\u200b-\u200f\u2060\u2800\u3164\ufeff]|\\)*\n){5,}/giu;
const BLANKS = /[^\S\n]{40,}/gu;

/** Long stretches of nothing, shortened and named, so that all that was written is soon in sight. */
export function withoutVoids(text: string): string {
  return unordered(text)
    .replaceAll(BLANK_LINES, (run) => `\n\n⋯ ${run.split('\n').length - 1} empty lines ⋯\n\n`)
    .replaceAll(BLANKS, (run) => ` ⋯ ${run.length} blanks ⋯ `);
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
