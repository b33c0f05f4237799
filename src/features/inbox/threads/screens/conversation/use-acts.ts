// Actions on conversations: shown at once, applied to the current revision, and undoable for a few seconds where possible.
import { useCallback, useState } from 'react';
import { ApiError, call, type Takes } from '../../../../../ui/client/call.ts';
import { staleAfter } from '../../../../../ui/client/topics.ts';
import { tell, tellRefusal } from '../../../../../ui/client/toast.ts';
import { start } from '../../../../../ui/shell/runs.ts';
import type { Thread } from '../../contract.ts';
import { withWhom, type InboxState } from './words.ts';

export type ThreadPatch = Omit<Takes<'thread_update'>, 'thread' | 'revision'>;

/** Something that was just done and can be undone until then. */
export type Doing = {
  key: string;
  says: string;
  /** By `performance.now()`. */
  until: number;
  /** Said beside it while the time runs. */
  counts: boolean;
  undo: () => Promise<void>;
};

export type ThreadActs = {
  /** Rows that left the list by an act under way, and such as come back to it. */
  gone: ReadonlySet<string>;
  back: ReadonlySet<string>;
  doings: Doing[];
  offer: (doing: Doing) => void;
  /** It was undone, or its time is over. */
  drop: (key: string) => void;
  undoLast: () => void;
  /** `part`: of an act that offers its own way back. */
  settle: (
    threads: Thread[],
    to: { state: 'closed' | 'open' } | { snoozed_until: string },
    part?: boolean,
  ) => Promise<void>;
  /** `says` when it is done; `title` while it is under way for many. */
  change: (
    threads: Thread[],
    change: (thread: Thread) => ThreadPatch,
    says: string,
    title: string,
  ) => Promise<void>;
  unread: (thread: Thread) => Promise<void>;
};

const OFFERED_MS = 8_000;

/** An answer that leaves, a mark of reading and a draft that is saved each change the conversation within a moment. */
const MOST_AGAIN = 4;

/** Made again against what is there now, unless they wrote meanwhile: no one dismisses what they have not seen. */
async function changed(
  thread: Thread,
  change: (thread: Thread) => ThreadPatch,
  gone: AbortSignal | undefined,
): Promise<void> {
  let now = thread;
  for (let again = 0; ; again += 1) {
    try {
      await call('thread_update', { thread: now.id, revision: now.revision, ...change(now) }, gone);
      return;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 409 || again >= MOST_AGAIN) throw error;
    }
    ({ thread: now } = await call('thread_get', { thread: thread.id, limit: 1 }, gone));
    const given = change(now);
    const away = given.state === 'closed' || given.snoozed_until !== undefined;
    if (away && now.last_in_at !== thread.last_in_at)
      throw new ApiError(409, 'conflict', `${withWhom(now)} wrote again. Read their message first.`);
  }
}

type Told = { title: string; of: Thread[] };

/** So many are waited for on the screen, and can be undone, more run in the background. */
export const UNDONE_MOST = 100;

/** One on its own, as the screen it is on says what came of it; many as a run, with what was refused in its tray. */
async function each(
  { title, of }: Told,
  act: (thread: Thread, gone?: AbortSignal) => Promise<void>,
): Promise<{ done: Thread[]; clean: boolean }> {
  const [only] = of;
  if (only && of.length === 1) {
    try {
      await act(only);
      await staleAfter('thread_update');
      return { done: [only], clean: true };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      tellRefusal(error);
      await staleAfter('thread_update');
      return { done: [], clean: false };
    }
  }
  return await start({
    title,
    of: ['conversation', 'conversations'],
    records: of,
    about: (thread) => ({
      id: thread.id,
      name: withWhom(thread),
      to: `/inbox?${new URLSearchParams({ state: 'all', open: thread.id })}`,
    }),
    act: async (thread, gone) => {
      await act(thread, gone);
      return null;
    },
    after: () => staleAfter('thread_update'),
    quiet: of.length <= UNDONE_MOST,
  });
}

const WAITING: readonly InboxState[] = ['unanswered', 'open'];

/** `shown`: the state that the list is of; what comes to another one leaves it. */
export function useThreadActs(shown: InboxState): ThreadActs {
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set());
  const [back, setBack] = useState<ReadonlySet<string>>(new Set());
  const [doings, setDoings] = useState<Doing[]>([]);
  const drop = useCallback((key: string) => setDoings((now) => now.filter((one) => one.key !== key)), []);
  const offer = useCallback(
    (doing: Doing) => setDoings((now) => [...now.filter(({ key }) => key !== doing.key), doing].slice(-3)),
    [],
  );
  const put = (to: (ids: Set<string>) => void, set: typeof setGone): void =>
    set((before) => {
      const next = new Set(before);
      to(next);
      return next;
    });

  const settle: ThreadActs['settle'] = async (threads, to, part = false) => {
    const state = 'state' in to ? to.state : 'snoozed';
    const title = {
      closed: 'Close conversations',
      open: 'Reopen conversations',
      snoozed: 'Snooze conversations',
    }[state];
    const act = (thread: Thread, gone?: AbortSignal): Promise<void> => changed(thread, () => to, gone);
    if (threads.length > UNDONE_MOST) return void (await each({ title, of: threads }, act));
    const leaves = shown !== 'all' && (state === 'open' ? !WAITING.includes(shown) : shown !== state);
    const ids = threads.map(({ id }) => id);
    if (leaves) put((next) => ids.forEach((id) => next.add(id)), setGone);
    // Opened as part of an undo, they come back into the list.
    const returns = part && state === 'open';
    put((next) => ids.forEach((id) => (returns ? next.add(id) : next.delete(id))), setBack);
    const { done } = await each({ title, of: threads }, act);
    put((next) => ids.forEach((id) => next.delete(id)), setGone);
    if (done.length === 0 || part) return;
    const did = { closed: 'Closed', open: 'Reopened', snoozed: 'Snoozed' }[state];
    const [first] = done;
    const whom = done.length === 1 && first ? withWhom(first) : `${done.length} conversations`;
    offer({
      key: `settle:${performance.now()}`,
      says: `${did}: ${whom}`,
      until: performance.now() + OFFERED_MS,
      counts: false,
      undo: async () => {
        put((next) => done.forEach(({ id }) => next.add(id)), setBack);
        await each({ title: 'Undo', of: done }, (thread, gone) =>
          changed(thread, () => before(thread), gone),
        );
      },
    });
  };

  return {
    gone,
    back,
    doings,
    offer,
    drop,
    undoLast: () => {
      const last = doings.at(-1);
      if (!last) return;
      drop(last.key);
      void last.undo();
    },
    settle,
    change: async (of, change, says, title) => {
      const { clean } = await each({ title, of }, (thread, gone) => changed(thread, change, gone));
      if (clean && of.length <= UNDONE_MOST) tell(says);
    },
    unread: async (thread) => {
      try {
        await call('thread_read', { thread: thread.id, unread: true });
        await staleAfter('thread_read');
      } catch (error) {
        if (error instanceof ApiError) tellRefusal(error);
      }
    },
  };
}

/** The state it had before it was closed, snoozed or reopened. */
const before = ({ state, snoozed_until }: Thread): ThreadPatch =>
  state === 'snoozed' && snoozed_until ? { snoozed_until } : { state: state === 'snoozed' ? 'open' : state };
