// Handlers of what is done to threads: load, rule, save, say.
import { isAgent, type Principal } from '../../../kernel/caller.ts';
import type { Reading } from '../../../kernel/events.rules.ts';
import { conflict, invalid, Refusal, stop } from '../../../kernel/refusal.ts';
import { bind, type Bound, type WriteScene } from '../../../kernel/scene.ts';
import { landReply, type Reply } from '../landing/land/reply.ts';
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

async function told(scene: WriteScene, id: string): Promise<Thread> {
  scene.about(threadName(id));
  scene.tell('threads', id);
  const { ...thread } = await readAgain(scene.db, scene.caller, id);
  return thread;
}

/** Undefined where nothing was said. */
async function assigneeNamed(
  scene: WriteScene,
  thread: LoadedThread,
  ref: string | null | undefined,
): Promise<Principal | null | undefined> {
  if (ref === undefined) return undefined;
  if (ref === null || ref === 'none') return null;
  if (thread.kind === 'chat') throw conflict('a chat is its owner’s and is given to nobody else');
  const found =
    ref === 'me' ? scene.caller.principal : await findWorker(scene.db, scene.caller, ref, scene.now);
  if (found) return found;
  const says = 'assignee: no active person or token you can see has that id';
  throw invalid(says, { assignee: says });
}

const update = bind(threadUpdate, async (scene, { thread: id, revision, assignee: ref, ...asked }) => {
  const { db, caller, now } = scene;
  const thread = await lockThread(db, caller, 'inbox.thread.write', id);
  stop(refusedAsStale(thread, revision));
  const state = ruleState(thread, asked, now);
  if (state instanceof Refusal) throw state;
  const assignee = await assigneeNamed(scene, thread, ref);
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
  return { thread: await told(scene, thread.id) };
});

const read = bind(threadRead, async (scene, { thread: id, up_to, unread }) => {
  const { db, caller, now } = scene;
  const thread = await loadThread(db, caller, 'inbox.thread.read', id);
  if (caller.user_id === null)
    throw conflict('what was read is kept for users, and this token is nobody’s: leave the mark to people');
  const until = up_to === undefined || new Date(up_to) > now ? now : new Date(up_to);
  await markRead(db, thread, caller.user_id, unread ? null : until);
  return { thread: await told(scene, thread.id) };
});

type Manual = {
  channel: Exclude<Channel, 'chat' | 'email' | 'form'>;
  direction: 'in' | 'out';
  text: string;
  at?: string | undefined;
  reading?: Reading | undefined;
};

/** What somebody of ours wrote down of a contact. */
async function writeDown(scene: WriteScene, thread_id: string, said: Manual) {
  const { db, caller, now } = scene;
  if (said.direction === 'out' && said.reading !== undefined) {
    const says = 'reading: only what they said is read; leave it out where direction is out';
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
    return await shownAs(scene, thread_id, touch_id);
  }
  const { touch_id, move, deal_id } = await landed(scene, written, said.reading);
  return { ...(await shownAs(scene, thread_id, touch_id)), move, deal_id };
}

const shownAs = async (scene: WriteScene, thread_id: string, touch_id: string) => ({
  touch: await touchAgain(scene.db, scene.caller, touch_id),
  thread: await told(scene, thread_id),
  move: null,
  deal_id: null,
});

/** What they said by another way is an answer as much as mail is, with everything that follows. */
async function landed(scene: WriteScene, written: Omit<Reply, 'reading' | 'certainty'>, read?: Reading) {
  const { db, caller, now, emit } = scene;
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
  for (const { topic, id } of done.news) scene.tell(topic, id);
  return done;
}

const touch = bind(touchCreate, async (scene, { thread: id, note, channel, direction, ...said }) => {
  const { db, caller, now } = scene;
  const thread = await lockThread(db, caller, 'inbox.thread.write', id);
  if (thread.kind === 'chat') throw conflict('a chat holds what was said in it and nothing by hand');
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
    return await shownAs(scene, thread.id, touch_id);
  }
  if (channel === undefined || direction === undefined) {
    const says = 'say channel and direction of what was said, or note: true for a private note';
    throw invalid(says, {
      ...(channel === undefined && { channel: says }),
      ...(direction === undefined && { direction: says }),
    });
  }
  return await writeDown(scene, thread.id, { ...said, channel, direction });
});

const create = bind(threadCreate, async (scene, { person: id, campaign, ...said }) => {
  const { db, caller, now } = scene;
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
  return await writeDown(scene, thread, said);
});

const merge = bind(threadMerge, async (scene, args) => {
  const { db, caller, now } = scene;
  const [into, from] = await lockThreads(db, caller, 'inbox.thread.merge', [args.thread, args.from]);
  stop(
    refusedToMerge(into, from) ??
      refusedAsStale(into, args.revision) ??
      refusedAsStale(from, args.from_revision, 'the thread to merge in'),
  );
  await mergeThreads(db, into, from, now);
  scene.tell('threads', from.id);
  return { thread: await told(scene, into.id) };
});

const split = bind(threadSplit, async (scene, { thread: id, revision, touches, subject }) => {
  const { db, caller, now } = scene;
  const thread = await lockThread(db, caller, 'inbox.thread.split', id);
  stop(refusedAsStale(thread, revision) ?? refusedToSplit(thread, touches));
  const made = await splitThread(db, caller, thread, { touches, subject }, now);
  const away = await told(scene, made);
  return { thread: await told(scene, thread.id), split: away };
});

export const actHandlers: Bound[] = [update, read, touch, create, merge, split];
