// One conversation, newest message open. New messages are added at the end without moving what is being read.
import { Button } from '@mantine/core';
import { ArrowDown } from 'lucide-react';
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { call } from '../../../../../ui/client/call.ts';
import { staleAfter } from '../../../../../ui/client/topics.ts';
import { Composer } from '../compose/composer.tsx';
import { ConversationHead } from './conversation-head.tsx';
import { SplitBar } from './split.tsx';
import { TouchView } from './touch.tsx';
import type { ThreadActs } from './use-acts.ts';
import type { Conversation, ReadConversation } from './use-conversation.ts';
import classes from './conversation.module.css';

export type ConversationProps = {
  whole: Conversation;
  read: ReadConversation;
  acts: ThreadActs;
  selecting: boolean;
  leave: () => void;
  /** To the next one that waits, after an answer. */
  onward: () => void;
  back: () => void;
  about: () => void;
  select: (id: string | undefined) => void;
};

/** Folded messages that are shown as lines; those before them are behind one. */
const LINES = 3;

export function ConversationPane(props: ConversationProps) {
  const { whole, read, acts, select } = props;
  const { thread } = whole;
  const { touches } = read;
  const last = touches.at(-1)?.id;
  /** What was said last when it was opened: it and what comes after it are open. */
  const [start] = useState((touches.findLast(({ note }) => !note) ?? touches.at(-1))?.id);
  const [changed, setChanged] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [every, setEvery] = useState(false);
  const [seen, setSeen] = useState(last);
  const [keptUnread, setKeptUnread] = useState<string>();
  const [picked, setPicked] = useState<ReadonlySet<string> | null>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const end = useRef<HTMLDivElement>(null);

  const from = Math.max(
    touches.findIndex(({ id }) => id === start),
    0,
  );
  const isOpen = (id: string, at: number): boolean => changed.get(id) ?? at >= from;
  const hidden = every || picked ? 0 : Math.max(0, from - LINES);
  const changes = touches.slice(touches.findIndex(({ id }) => id === seen) + 1);

  useLayoutEffect(() => {
    const box = scroller.current;
    const newest = box?.querySelector<HTMLElement>(`[data-touch="${start}"]`);
    if (box && newest) box.scrollTop = newest.offsetTop - box.offsetTop - 12;
  }, [start]);

  // What is read stays where it is when older messages come in above it.
  const first = touches[0]?.id;
  const theirs = touches.findLast(({ direction, note }) => direction === 'in' && !note)?.id;
  const height = useRef(0);
  useLayoutEffect(() => {
    const box = scroller.current;
    if (box && height.current > 0) box.scrollTop += box.scrollHeight - height.current;
    height.current = 0;
  }, [first, hidden]);
  const grow = (act: () => void): void => {
    height.current = scroller.current?.scrollHeight ?? 0;
    act();
  };

  const reached = useEffectEvent(() => {
    if (document.visibilityState === 'visible') setSeen(last);
  });
  useEffect(() => {
    if (!end.current) return;
    const watch = new IntersectionObserver((entries) => entries.some((e) => e.isIntersecting) && reached(), {
      root: scroller.current,
    });
    watch.observe(end.current);
    return () => watch.disconnect();
  }, [last]);

  const { unread_by_me: unread, updated_at, id } = thread;
  const reads = unread && seen === last && keptUnread !== last;
  useEffect(() => {
    if (!reads) return;
    call('thread_read', { thread: id, up_to: updated_at })
      .then(() => staleAfter('thread_read'))
      .catch(() => undefined);
    // Once for what came: the mark is no reason to trouble anyone.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [reads, last, id]);

  return (
    <article
      className={classes.conversation}
      aria-label={`Conversation with ${thread.person_name ?? 'unknown sender'}`}
    >
      <ConversationHead
        {...props}
        split={() => setPicked(new Set())}
        unread={() => {
          setKeptUnread(last);
          void acts.unread(thread);
        }}
      />
      <div
        className={classes.scroll}
        ref={scroller}
        tabIndex={0}
        role="group"
        aria-label="Messages"
        data-conversation-scroll
      >
        {read.earlier && (
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            loading={read.fetching}
            onClick={() => grow(() => read.earlier?.())}
          >
            Show earlier messages
          </Button>
        )}
        {hidden > 0 && (
          <button type="button" className={classes.older} onClick={() => grow(() => setEvery(true))}>
            {hidden} earlier messages
          </button>
        )}
        <ol className={classes.touches}>
          {touches.slice(hidden).map((touch, at) => {
            const open = isOpen(touch.id, at + hidden);
            return (
              <TouchView
                key={touch.id}
                touch={touch}
                thread={thread}
                newest={touch.id === theirs}
                open={open}
                fold={() => setChanged(new Map([...changed, [touch.id, !open]]))}
                {...(picked
                  ? {
                      picked: picked.has(touch.id),
                      pick: () => {
                        const next = new Set(picked);
                        if (!next.delete(touch.id)) next.add(touch.id);
                        setPicked(next);
                      },
                    }
                  : {})}
              />
            );
          })}
        </ol>
        <div ref={end} className={classes.end} />
      </div>
      <div role="status" className={classes.changesBox}>
        {changes.length > 0 && seen !== last && (
          <button
            type="button"
            className={classes.changes}
            onClick={() => {
              const next = scroller.current?.querySelector(`[data-touch="${changes[0]?.id}"]`);
              next?.scrollIntoView({ block: 'start' });
              setSeen(last);
            }}
          >
            <ArrowDown size={13} aria-hidden /> {changes.length} new
          </button>
        )}
      </div>
      {picked ? (
        <SplitBar thread={thread} picked={picked} close={() => setPicked(null)} select={select} />
      ) : (
        <Composer key={thread.id} {...props} />
      )}
    </article>
  );
}
