// Markdown as people and agents write it. What reads and sanitises it is loaded with the first text.
import { lazy, Suspense } from 'react';
import { Bones } from './states.tsx';

const MarkdownView = lazy(() => import('./markdown-view.tsx').then((m) => ({ default: m.MarkdownView })));

export const Markdown = ({ text }: { text: string }) => (
  <Suspense fallback={<Bones lines={2} />}>
    <MarkdownView text={text} />
  </Suspense>
);
