// The pass that has answers read by a model, which no rule could read: the model is asked outside any transaction, and what it
// says is done in one of its own. Whoever read the answer meanwhile is right, and nothing is changed.
import { MINUTE_MS, SECOND_MS, after } from '../../../kernel/clock.ts';
import type { Principal } from '../../../kernel/caller.ts';
import type { App } from '../../../kernel/app.ts';
import { pass, type AnyPass } from '../../../kernel/pass.ts';
import { threadOf } from '../inbound/land/thread.store.ts';
import { readAnew } from './apply.ts';
import type { ReadsReplies } from './reader.ts';
import { confidenceSaid, detailsSaid, readingSaid } from './rules.ts';
import {
  askAgainAt,
  claimUnread,
  type DueTouch,
  endAsking,
  letterOf,
  lockTheirs,
  releaseUnread,
} from './store.ts';

const MODEL: Principal = { kind: 'system', id: 'readings', name: 'the reader of answers' };

const AGAIN_MS = 10 * MINUTE_MS;

/** `reader`: null where the app has none; then nothing is claimed. */
export const readingsPass = (reader: ReadsReplies | null): AnyPass =>
  pass<DueTouch, 'read'>({
    name: 'readings',
    wakes_on: ['threads'],
    interrupted_by: [],
    tells: 'readings',
    every_ms: 30 * SECOND_MS,
    batch: 8,
    at_a_time: 4,
    starts_within_ms: 20 * SECOND_MS,
    claim: async (tx, lease, count) =>
      reader !== null && (await reader.ready(tx, lease.from)) ? claimUnread(tx, lease, count) : [],
    open: (app) => ({
      begin: async () => async (due, cut) => {
        if (reader === null) return null;
        await readDue(app, reader, due, cut);
        return 'read';
      },
      close: () => undefined,
    }),
    commit: async () => undefined,
    release: releaseUnread,
    tidy: async () => undefined,
  });

async function readDue(app: App, reader: ReadsReplies, due: DueTouch, cut: AbortSignal): Promise<void> {
  const { database, clock, log } = app;
  const letter = await letterOf(database.reader, due.touch_id);
  if (!letter) return;
  const { subject, text } = letter;
  const said = await reader.read(app, { subject, text }, cut).catch(() => {
    log.error({ touch: due.touch_id }, 'an answer could not be read by the model');
    return null;
  });
  if (said === null) {
    await database.transact((tx) => askAgainAt(tx, due, after(clock.now(), AGAIN_MS * due.attempts)));
    return;
  }
  const changes = await database.transact(async (tx) => {
    const now = clock.now();
    // The thread first: it may have been merged, and the touch moved, while the model thought.
    const [at] = [await letterOf(tx, due.touch_id)];
    if (!at) return [];
    const thread = await threadOf(tx, at.thread_id);
    const touch = await lockTheirs(tx, thread.id, due.touch_id);
    if (!(await endAsking(tx, due))) return [];
    if (touch?.reading !== 'unread' || touch.reading_by !== 'rule') return [];
    const details = detailsSaid(said.details);
    const reading = {
      reading: readingSaid(said.reading, details),
      by: 'model' as const,
      confidence: confidenceSaid(said.confidence),
      details,
      name: MODEL.name,
    };
    const emit: Parameters<typeof readAnew>[4]['emit'] = (event, data) => database.emit(tx, event, data, now);
    return (await readAnew(tx, thread, touch, reading, { emit, by: MODEL, now })).changes;
  });
  database.tell(changes);
}
