// Handlers of what is done to threads: load, rule, save, say.
import { isAgent, type Principal } from '../../../kernel/caller.ts';
import type { Reading } from '../../../kernel/events.rules.ts';
import { conflict, invalid, Refusal, stop } from '../../../kernel/refusal.ts';
import { bind, type Bound, type WriteContext } from '../../../kernel/context.ts';
import { landReply, type Reply } from '../inbound/land/reply.ts';
import { loadPerson } from '../../crm/people/store.ts';
import { loadProspectOf } from '../../outreach/prospects/store.ts';
import { findWorker } from '../../work/work/item/relations.store.ts';
import { threadName } from '../../../kernel/messages.ts';
import {
  threadCreate,
  threadMerge,
  threadRead,
  threadSplit,
  threadUpdate,
  touchCreate,
} from './acts.contract.ts';
import type { Thread } from './contract.ts';
import { mergeThreads, splitThread } from './merge/merge.store.ts';
import { type Channel } from './names.rules.ts';
import { threadFor } from './record/open.store.ts';
import { markRead, saveThread } from './save.store.ts';
import { loadThread, lockThread, lockThreads, type LoadedThread, readAgain } from './store.ts';
import { distinctLabels, refusedAsStale, refusedToMerge, refusedToSplit, ruleState } from './thread.rules.ts';
import { insertTouch } from './record/touch.store.ts';
import { touchAgain } from './read/touches.store.ts';

async function told(context: WriteContext, id: string): Promise<Thread> {
  context.about(threadName(id));
  context.tell('threads', id);
  const { ...thread } = await readAgain(context.db, context.caller, id);
  return thread;
}

/** Undefined where nothing was said. */
async function assigneeNamed(
  context: WriteContext,
  thread: LoadedThread,
  ref: string | null | undefined,
): Promise<Principal | null | undefined> {
  if (ref === undefined) return undefined;
  if (ref === null || ref === 'none') return null;
  if (thread.kind === 'chat') throw conflict('a chat belongs to its owner and can’t be assigned');
  const found =
    ref === 'me' ? context.caller.principal : await findWorker(context.db, context.caller, ref, context.now);
  if (found) return found;
  const says = 'assignee: no active person or token you can see has that id';
  throw invalid(says, { assignee: says });
}

const update = bind(threadUpdate, async (context, { thread: id, revision, assignee: ref, ...asked }) => {
  const { db, caller, now } = context;
  const thread = await lockThread(db, caller, 'inbox.thread.write', id);
  stop(refusedAsStale(thread, revision));
  const state = ruleState(thread, asked, now);
  if (state instanceof Refusal) throw state;
  const assignee = await assigneeNamed(context, thread, ref);
  const { labels, subject } = asked;
  await saveThread(
    db,
    thread,
    {
      given: state,
      ...(assignee !== undefined && { assignee }),
      ...(labels && { labels: distinctLabels(labels) }),
      ...(subject !== undefined && { subject }),
    },
    now,
  );
  return { thread: await told(context, thread.id) };
});

const read = bind(threadRead, async (context, { thread: id, up_to, unread }) => {
  const { db, caller, now } = context;
  const thread = await loadThread(db, caller, 'inbox.thread.read', id);
  if (caller.user_id === null) throw conflict('this token has no user and can’t mark threads as read');
  const until = up_to === undefined || new Date(up_to) > now ? now : new Date(up_to);
  await markRead(db, thread, caller.user_id, unread ? null : until);
  return { thread: await told(context, thread.id) };
});

type Manual = {
  channel: Exclude<Channel, 'chat' | 'email' | 'form'>;
  direction: 'in' | 'out';
  text: string;
  at?: string | undefined;
  reading?: Reading | undefined;
};

/** What someone of ours wrote down of a contact. */
async function writeDown(context: WriteContext, thread_id: string, said: Manual) {
  const { db, caller, now } = context;
  if (said.direction === 'out' && said.reading !== undefined) {
    const says = 'reading: only inbound touches have a reading; leave it out when direction is out';
    throw invalid(says, { reading: says });
  }
  const written = {
    thread_id,
    channel: said.channel,
    at: said.at === undefined ? now : new Date(said.at),
    text: said.text,
    by: caller.principal,
  };
  if (said.direction === 'out') {
    const { touch_id } = await insertTouch(db, { ...written, direction: 'out' }, now);
    return await shownAs(context, thread_id, touch_id);
  }
  const { touch_id, move, deal_id } = await landed(context, written, said.reading);
  return { ...(await shownAs(context, thread_id, touch_id)), move, deal_id };
}

const shownAs = async (context: WriteContext, thread_id: string, touch_id: string) => ({
  touch: await touchAgain(context.db, context.caller, touch_id),
  thread: await told(context, thread_id),
  move: null,
  deal_id: null,
});

/** What they said by another way is an answer as much as mail is, with everything that follows. */
async function landed(context: WriteContext, written: Omit<Reply, 'reading' | 'certainty'>, read?: Reading) {
  const { db, caller, now, emit } = context;
  const by = isAgent(caller) ? ('model' as const) : ('person' as const);
  const done = await landReply(
    db,
    {
      ...written,
      attributed_by: 'person',
      reading: read ? { reading: read, by } : { reading: 'unread', by: 'rule' },
      certainty: 'known',
    },
    { emit, by: caller.principal, now },
  );
  for (const { topic, id } of done.changes) context.tell(topic, id);
  return done;
}

const touch = bind(touchCreate, async (context, { thread: id, note, channel, direction, ...said }) => {
  const { db, caller, now } = context;
  const thread = await lockThread(db, caller, 'inbox.thread.write', id);
  if (thread.kind === 'chat')
    throw conflict('touches can’t be added to a chat by hand: write in the chat itself');
  if (note) {
    const { touch_id } = await insertTouch(
      db,
      {
        thread_id: thread.id,
        direction: 'out',
        channel: thread.channel,
        note: true,
        at: now,
        text: said.text,
        by: caller.principal,
      },
      now,
    );
    return await shownAs(context, thread.id, touch_id);
  }
  if (channel === undefined || direction === undefined) {
    const says = 'give channel and direction, or note: true for a private note';
    throw invalid(says, {
      ...(channel === undefined && { channel: says }),
      ...(direction === undefined && { direction: says }),
    });
  }
  return await writeDown(context, thread.id, { ...said, channel, direction });
});

const create = bind(threadCreate, async (context, { person: id, campaign, ...said }) => {
  const { db, caller, now } = context;
  const person = await loadPerson(db, caller, 'crm.person.read', id, now);
  const prospect =
    campaign &&
    (await loadProspectOf(
      db,
      caller,
      'outreach.prospect.read',
      { campaign_id: campaign, person_id: person.id },
      now,
    ));
  const { channel } = said;
  const thread = await threadFor(
    db,
    prospect ? { channel, prospect_id: prospect.id } : { channel, person_id: person.id },
    now,
  );
  await loadThread(db, caller, 'inbox.thread.write', thread);
  return await writeDown(context, thread, said);
});

const merge = bind(threadMerge, async (context, args) => {
  const { db, caller, now } = context;
  const [into, from] = await lockThreads(db, caller, 'inbox.thread.merge', [args.thread, args.from]);
  stop(
    refusedToMerge(into, from) ??
      refusedAsStale(into, args.revision) ??
      refusedAsStale(from, args.from_revision, 'the thread to merge in'),
  );
  await mergeThreads(db, into, from, now);
  context.tell('threads', from.id);
  return { thread: await told(context, into.id) };
});

const split = bind(threadSplit, async (context, { thread: id, revision, touches, subject }) => {
  const { db, caller, now } = context;
  const thread = await lockThread(db, caller, 'inbox.thread.split', id);
  stop(refusedAsStale(thread, revision) ?? refusedToSplit(thread, touches));
  const made = await splitThread(db, caller, thread, { touches, subject }, now);
  const away = await told(context, made);
  return { thread: await told(context, thread.id), split: away };
});

export const actHandlers: Bound[] = [update, read, touch, create, merge, split];
