// Handlers that read: the inbox, its counts, threads, touches, files, the search, and the live view of one thread.
import { z } from 'zod';
import type { ChangeNotification } from '../../../kernel/database.ts';
import { cursorOf, keyIn, PAGE_MAX_CHARS, pageOf, wholeRows } from '../../../kernel/page.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { bind, type Bound, type ReadContext } from '../../../kernel/context.ts';
import { searchQuery } from '../../../kernel/words.ts';
import type { FollowChat } from './chat.ts';
import { inboxCounts, inboxLabels, inboxList, type Thread, threadList } from './contract.ts';
import { besideThread } from './read/detail.store.ts';
import { comesLater, countInbox, labelsInUse, searchInbox, searchThreads } from './read/list.store.ts';
import { searchMail } from './read/search.store.ts';
import { loadThread, type LoadedThread } from './store.ts';
import { attachmentGet, mailSearch, threadAttach, threadGet, touchGet } from './touches.contract.ts';
import { loadFile, loadTouch, mayRead, touchesOf } from './read/touches.store.ts';

const READ = 'inbox.thread.read';

const momentAndId = () => z.tuple([z.iso.datetime(), z.guid()]);
const laterMomentAndId = () => z.tuple([z.boolean(), z.iso.datetime(), z.guid()]);

const paged = (found: Thread[], limit: number, moment: (row: Thread) => string | null) =>
  pageOf(found, limit, (row) => [moment(row), row.id]);

const inbox = bind(inboxList, async ({ db, caller }, { limit, cursor, assignee, ...args }) => {
  const waits = args.state === 'unanswered';
  const found = await searchInbox(db, caller, {
    ...args,
    assignee: assignee === 'me' ? caller.principal.id : assignee,
    after: waits ? null : keyIn(cursor, momentAndId),
    waiting_after: waits ? keyIn(cursor, laterMomentAndId) : null,
    count: limit + 1,
  });
  return waits
    ? pageOf(found, limit, (row) => [comesLater(row), row.waiting_since, row.id])
    : paged(found, limit, (row) => row.last_touch_at);
});

const counts = bind(inboxCounts, ({ db, caller }) => countInbox(db, caller));

const labels = bind(inboxLabels, async ({ db, caller }) => ({ items: await labelsInUse(db, caller) }));

const list = bind(threadList, async ({ db, caller }, { limit, cursor, ...args }) => {
  const after = keyIn(cursor, momentAndId);
  const found = await searchThreads(db, caller, { ...args, after, count: limit + 1 });
  return paged(found, limit, (row) => row.last_touch_at);
});

export const shown = ({ ...thread }: LoadedThread): Thread => thread;

const get = bind(threadGet, async ({ db, caller, now }, { thread: id, full, limit, cursor }) => {
  const after = keyIn(cursor, momentAndId);
  const thread = await loadThread(db, caller, READ, id);
  const rest = { thread: shown(thread), ...(await besideThread(db, caller, thread, now)) };
  const rows = await touchesOf(db, caller, thread, { full, after, count: limit + 1 });
  // What is beside takes its room first; the page of touches ends where the answer would be cut.
  const room = PAGE_MAX_CHARS - JSON.stringify(rest).length;
  const touches = rows.slice(0, Math.min(limit, wholeRows(rows, room)));
  const last = touches.at(-1);
  const next_cursor = last && touches.length < rows.length ? cursorOf([last.at, last.id]) : null;
  const seen = touches.filter((each) => mayRead(caller, thread, each));
  return { ...rest, touches: seen.toReversed(), next_cursor };
});

const one = bind(touchGet, async ({ db, caller }, { thread: id, touch }) => {
  const thread = await loadThread(db, caller, READ, id);
  return { touch: await loadTouch(db, caller, thread, touch) };
});

const file = bind(attachmentGet, async (context, { thread: id, attachment }) => {
  const { db, caller } = context;
  const thread = await loadThread(db, caller, READ, id);
  const { filename, bytes } = await loadFile(db, caller, thread, attachment);
  context.account(`a file of ${bytes.length} bytes that came or went with a thread`);
  return { filename: plainName(filename), pieces: inPieces(bytes) };
});

/** A stranger chose it: letters and digits stay, and nothing that a header or a file system would read otherwise. */
function plainName(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9._-]+/g, '_')
    .replace(/^[._]+/, '');
  const dot = plain.lastIndexOf('.');
  const end = dot > 0 ? plain.slice(dot).slice(0, 12) : '';
  return `${plain.slice(0, dot > 0 ? dot : undefined).slice(0, 80) || 'file'}${end}`;
}

const PIECE_BYTES = 64 * 1024;

async function* inPieces(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}

const attach = (follow: FollowChat): Bound =>
  bind(threadAttach, async (context, { thread: id }) => {
    const thread = await loadThread(context.db, context.caller, READ, id);
    const signal = context.request.signal ?? NEVER;
    // A chat is its owner's for good; what its agent says is joined where it is.
    return thread.kind === 'chat'
      ? follow(context.app, thread.id, signal)
      : changesOf(context, thread, signal);
  });

const NEVER = new AbortController().signal;

async function* changesOf(
  context: ReadContext,
  { id }: LoadedThread,
  signal: AbortSignal,
): AsyncGenerator<ChangeNotification> {
  for await (const { topic, id: changed } of context.app.changeFeed.follow(signal)) {
    // `everything`: change notifications were lost for a while, and this may have been among them.
    const concerns = topic === 'everything' || (topic === 'threads' && (changed === id || changed === ''));
    if (!concerns) continue;
    if (!(await stillTheirs(context, id))) return;
    yield { topic: 'threads', id };
  }
}

/** It may have been made another person's since, or a campaign's that this caller is kept from. */
async function stillTheirs({ db, caller }: ReadContext, id: string): Promise<boolean> {
  try {
    await loadThread(db, caller, READ, id);
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

const search = bind(mailSearch, async ({ db, caller }, { query, limit, cursor, ...args }) => {
  const words = query === undefined ? undefined : searchQuery(query);
  const after = keyIn(cursor, momentAndId);
  // No word that could be found.
  if (words === null) return { items: [], next_cursor: null };
  const rows = await searchMail(db, caller, { ...args, words, after, count: limit + 1 });
  return pageOf(rows, limit, ({ at, id }) => [at, id]);
});

export const readHandlers = (follow: FollowChat): Bound[] => [
  inbox,
  counts,
  labels,
  list,
  get,
  one,
  file,
  attach(follow),
  search,
];
