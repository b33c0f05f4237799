// The pass that runs bulk actions: a part of a job at a time, with its result in the same transaction or under a key, so that a
// crash skips no one and does nothing twice.
import type { App } from '../../../kernel/app.ts';
import type { Caller } from '../../../kernel/caller.ts';
import { after, DAY_MS, MINUTE_MS, SECOND_MS } from '../../../kernel/clock.ts';
import type { Transaction } from '../../../kernel/database.ts';
import { freshRequest, invoke } from '../../../kernel/invoke.ts';
import { pass, type AnyPass } from '../../../kernel/pass.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { callerNow } from '../../access/policies/standing.ts';
import { addressesOfMany } from '../people/many/bulk.store.ts';
import { type BulkAct, type Came, type FieldAct, isForNow, refusedAs } from './acts.ts';
import { addTags, removeTags, setFields, undo } from './fields.ts';
import {
  changesIn,
  claimJobs,
  type DueJob,
  type DueRow,
  dropChanges,
  dueRows,
  forgetJobs,
  giveBackJobs,
  type HeldJob,
  holdJob,
  saveResults,
  stopJob,
} from './store.ts';

/** Notifies that there is something to do, and that jobs changed. */
export const BULK_DUE = 'bulk_due';
export const BULK = 'bulk';

const FIELDS_AT_ONCE = 500;
/** Jobs are in turns: after so long another one may be first. */
const TURN_MS = 20 * SECOND_MS;
/** As long as the slowest part may take. */
const HELD_MS = 5 * MINUTE_MS;
const KEPT_MS = 30 * DAY_MS;

const NO_ONE =
  'whoever started this no longer has access, so it stopped: someone with permission can start it again';

type Step = 'more' | 'over' | 'later';

export const bulkPass = (acts: readonly BulkAct[]): AnyPass =>
  pass<DueJob, 'worked'>({
    name: 'bulk',
    wakes_on: [BULK_DUE],
    interrupted_by: [],
    tells: BULK,
    every_ms: 5 * SECOND_MS,
    batch: 2,
    at_a_time: 2,
    starts_within_ms: 20 * SECOND_MS,
    claim: claimJobs,
    open: (app) => ({
      begin: async () => async (due, cut) => {
        const until = after(app.clock.now(), TURN_MS);
        let step: Step = 'more';
        while (step === 'more' && !cut.aborted && app.clock.now() < until)
          step = await oneStep(app, acts, due);
        // One that is to be tried later stays under its lease until then.
        return step === 'later' ? 'worked' : null;
      },
      close: () => undefined,
    }),
    commit: async () => undefined,
    release: giveBackJobs,
    tidy: (tx, now) => forgetJobs(tx, after(now, -KEPT_MS)),
  });

async function oneStep(app: App, acts: readonly BulkAct[], due: DueJob): Promise<Step> {
  const now = app.clock.now();
  const { database } = app;
  const begun = await database.transact(async (tx) => {
    const job = await holdJob(tx, due, after(now, HELD_MS));
    if (!job) return null;
    const caller = await callerNow(tx, { by: job.by, token: job.token_id }, job.source, now);
    if (!caller) {
      await stopJob(tx, job.id, NO_ONE, now);
      return null;
    }
    const act = acts.find((each) => each.act === job.act);
    const rows = await dueRows(tx, job.id, act?.at_once ?? FIELDS_AT_ONCE);
    if (rows.length === 0) {
      await stopJob(tx, job.id, null, now);
      return null;
    }
    if (act) return { job, caller, act, rows };
    await inOne(tx, job, caller, rows, now);
    return { job, caller, act: null, rows };
  });
  const told = [
    { topic: BULK, id: due.id },
    { topic: 'people', id: '' },
  ];
  if (begun === null) {
    database.tell(told);
    return 'over';
  }
  if (begun.act) {
    const came = await byOperation(app, begun.act, begun);
    if (came === null) return 'later';
    await database.transact(async (tx) => {
      if (await holdJob(tx, due, after(now, HELD_MS))) await save(tx, begun.job.id, begun.rows, came, now);
    });
  }
  database.tell(told);
  return 'more';
}

/** The people and what came of them, in one transaction. */
async function inOne(
  tx: Transaction,
  job: HeldJob,
  caller: Caller,
  rows: readonly DueRow[],
  now: Date,
): Promise<void> {
  const people = rows.map(({ person_id }) => person_id);
  const act = await fieldActOf(tx, job, people);
  const came = await act(tx, caller, people, now).catch((error: unknown) => allRefused(people, error));
  if (job.undoes !== null) await dropChanges(tx, job.undoes, people);
  await save(tx, job.id, rows, came, now);
}

async function fieldActOf(tx: Transaction, job: HeldJob, people: readonly string[]): Promise<FieldAct> {
  const { act, args, undoes } = job;
  if (act === 'add_tags') return addTags(args.tags ?? []);
  if (act === 'remove_tags') return removeTags(args.tags ?? []);
  if (act === 'undo' && undoes !== null) return undo(await changesIn(tx, undoes, people));
  return setFields(args.fields ?? {});
}

type Begun = { job: HeldJob; caller: Caller; rows: readonly DueRow[] };

/** Null: it is to be tried again later. */
async function byOperation(
  app: App,
  act: BulkAct,
  { job, caller, rows }: Begun,
): Promise<ReadonlyMap<string, Came> | null> {
  const people = rows.map(({ person_id }) => person_id);
  const key = `bulk-${job.id}-${rows[0]?.no ?? 0}`;
  try {
    const addresses = await addressesOfMany(app.database.reader, caller, people);
    return await act.run(
      async (operation, args, part = '') => {
        const request = freshRequest({ idempotency_key: `${key}-${part}` });
        return (await invoke(app, operation, caller, () => args, request)).answer;
      },
      job.args,
      people,
      addresses,
    );
  } catch (error) {
    if (error instanceof Refusal && isForNow(error)) return null;
    return allRefused(people, error);
  }
}

function allRefused(people: readonly string[], error: unknown): ReadonlyMap<string, Came> {
  if (!(error instanceof Refusal)) throw error;
  return new Map(people.map((id) => [id, refusedAs(error.sentence)]));
}

const save = (
  tx: Transaction,
  job: string,
  rows: readonly DueRow[],
  came: ReadonlyMap<string, Came>,
  now: Date,
): Promise<void> =>
  saveResults(
    tx,
    job,
    rows.map(({ no, person_id }) => {
      const { outcome, why, changes = null } = came.get(person_id) ?? refusedAs('nothing came of it');
      return { no, outcome, why, changes };
    }),
    now,
  );
