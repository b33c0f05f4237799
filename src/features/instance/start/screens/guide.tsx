// The guide, as it is in docs/guide, one page at a time: what "Learn more" leads to. A link to another page stays in the app.
import { useParams, useRouter } from '@tanstack/react-router';
import { BookOpen } from 'lucide-react';
import { useEffect, useRef, useState, type MouseEvent } from 'react';
import { MarkdownView } from '../../../../ui/kit/markdown-view.tsx';
import { Page } from '../../../../ui/kit/page.tsx';
import { Bones, Empty } from '../../../../ui/kit/states.tsx';
import { guideText, headingId } from './guide.rules.ts';

const PAGES = import.meta.glob<string>('../../../../../docs/guide/*.md', {
  query: '?raw',
  import: 'default',
});
const load = (page: string): Promise<string> | null =>
  PAGES[`../../../../../docs/guide/${page}.md`]?.() ?? null;

type Read = { page: string; title: string; text: string } | { page: string; title: null };

export function GuideScreen() {
  // A link between pages names the file.
  const page = useParams({ from: '/desk/guide/$page' }).page.replace(/\.md$/, '');
  const router = useRouter();
  const body = useRef<HTMLDivElement>(null);
  const [read, setRead] = useState<Read | null>(null);
  useEffect(() => {
    let left = false;
    void (load(page) ?? Promise.resolve(null)).then((source) => {
      if (!left) setRead({ page, ...(source === null ? { title: null } : guideText(source)) });
    });
    return () => {
      left = true;
    };
  }, [page]);
  const shown = read?.page === page ? read : null;
  useEffect(() => {
    const wanted = decodeURIComponent(location.hash.slice(1));
    if (!shown || wanted === '') return;
    const found = [...(body.current?.querySelectorAll('h2, h3') ?? [])].find(
      (heading) => headingId(heading.textContent ?? '') === wanted,
    );
    found?.scrollIntoView();
  }, [shown]);
  const follow = (event: MouseEvent): void => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link || link.origin !== location.origin || event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    router.history.push(`${link.pathname.replace(/\.md$/, '')}${link.hash}`);
  };
  return (
    <Page crumbs={[{ title: 'Guide' }, { title: shown?.title ?? '' }]} width="reading">
      {!shown ? (
        <Bones lines={8} />
      ) : shown.title === null ? (
        <Empty icon={BookOpen} title="No such page in the guide" />
      ) : (
        <div ref={body} onClick={follow} role="presentation">
          <MarkdownView text={shown.text} />
        </div>
      )}
    </Page>
  );
}
