// Handlers of bulk actions: starting a job for chosen people or a filter, following, stopping and undoing it.
import { z } from 'zod';
import type { Caller } from '../../../kernel/caller.ts';
import { bind, type Bound, type WriteContext } from '../../../kernel/context.ts';
import { newId } from '../../../kernel/ids.ts';
import { keyIn, pageOf } from '../../../kernel/page.ts';
import { conflict, notFound, type Refusal, stop } from '../../../kernel/refusal.ts';
import { callerNow } from '../../access/policies/standing.ts';
import type { CampaignsRead } from '../people/holders.ts';
import { matchesOf } from '../people/search.ts';
import { mayRead } from '../people/store.ts';
import {
  bulkEnrol,
  bulkGet,
  bulkList,
  bulkStart,
  bulkStop,
  bulkUndo,
  type Job,
  PEOPLE_MAX,
} from './contract.ts';
import { refusedValues } from './fields.ts';
import { BULK, BULK_DUE } from './pass.ts';
import {
  addMatching,
  addPeople,
  addUndone,
  insertJob,
  jobById,
  listJobs,
  lockJob,
  type NewJob,
  rowsOf,
  setTotal,
  stopJob,
} from './store.ts';

export const start = (campaigns: CampaignsRead): Bound =>
  bind(bulkStart, async (context, { act, tags, fields, ...whom }) => {
    if (fields) stop(await refusedValues(context.db, context.caller, fields));
    return {
      job: await newJob(
        context,
        { act, args: { tags, fields }, undoes: null },
        peopleFrom(context, whom, campaigns),
      ),
    };
  });

export const startEnrol = (campaigns: CampaignsRead): Bound =>
  bind(bulkEnrol, async (context, { campaign, ...whom }) => ({
    job: await newJob(
      context,
      { act: 'enrol', args: { campaign }, undoes: null },
      peopleFrom(context, whom, campaigns),
    ),
  }));

type Whom = Pick<z.output<typeof bulkEnrol.takes>, 'people' | 'filter'>;

const peopleFrom =
  (context: WriteContext, { people, filter }: Whom, campaigns: CampaignsRead) =>
  async (job: string): Promise<number> => {
    const { db, caller, now } = context;
    if (!filter) return await addPeople(db, job, people ?? []);
    return await addMatching(db, caller, job, await matchesOf(context, filter, campaigns), PEOPLE_MAX, now);
  };

export const undoOne = bind(bulkUndo, async (context, { job: id }) => {
  const { db } = context;
  const of = await lockJob(db, id);
  if (!of) throw noJob();
  stop(refusedToUndo(of));
  const job = await newJob(context, { act: 'undo', args: {}, undoes: id }, (own) => addUndone(db, own, id));
  return { job };
});

function refusedToUndo({ state, undone_by, undoable }: Job): Refusal | null {
  if (state === 'going') return conflict('this bulk action is still running: stop it first, then undo it');
  if (undone_by !== null) return conflict('this bulk action was already undone');
  return undoable
    ? null
    : conflict('this bulk action can’t be undone: only changes of tags and fields can, for 30 days');
}

async function newJob(
  context: WriteContext,
  asked: Pick<NewJob, 'act' | 'args' | 'undoes'>,
  add: (id: string) => Promise<number>,
): Promise<Job> {
  const { db, caller, now } = context;
  const id = newId();
  const who = await standingOf(context, caller);
  await insertJob(db, { id, ...asked, ...who }, now);
  await setTotal(db, id, await add(id), now);
  context.about(`crm:bulk/${id}`);
  context.tell(BULK, id);
  context.tell(BULK_DUE, id);
  const job = await jobById(db, id);
  if (!job) throw new Error('a job that was just written is gone');
  return job;
}

/** How a job keeps who started it; refuses those who can’t be looked up again when its turn comes. */
async function standingOf(
  { db, now }: WriteContext,
  { principal, credential, turn, surface }: Caller,
): Promise<Pick<NewJob, 'by' | 'token_id' | 'source'>> {
  const who = {
    by: principal,
    token_id: credential.kind === 'token' ? credential.id : null,
    source: { turn, surface },
  };
  if (await callerNow(db, { by: who.by, token: who.token_id }, who.source, now)) return who;
  throw conflict(
    'a bulk action needs someone whose permissions can be checked while it runs: start it on screen, or with a token of your own',
  );
}

export const stopOne = bind(bulkStop, async (context, { job: id }) => {
  const { db, now } = context;
  const job = await lockJob(db, id);
  if (!job) throw noJob();
  if (job.state === 'going') await stopJob(db, id, null, now);
  context.about(`crm:bulk/${id}`);
  context.tell(BULK, id);
  const stopped = await jobById(db, id);
  if (!stopped) throw noJob();
  return { job: stopped };
});

export const list = bind(bulkList, async ({ db }, { state, limit, cursor }) => {
  const from = keyIn(cursor, () => z.tuple([z.iso.datetime(), z.guid()]));
  const jobs = await listJobs(db, state ?? null, from, limit + 1);
  return pageOf(jobs, limit, (job) => [job.created_at, job.id]);
});

export const get = bind(bulkGet, async ({ db, caller }, { job: id, outcome, limit, cursor }) => {
  const job = await jobById(db, id);
  if (!job) throw noJob();
  const from = keyIn(cursor, () => z.tuple([z.int().min(0).max(2_147_483_647)]));
  const found = await rowsOf(db, id, outcome ?? null, from?.[0] ?? null, limit + 1);
  const rows = found.map(({ person_id, name, ...row }) => ({
    ...row,
    // Whom the caller may not read is not there.
    person: mayRead(caller, person_id) && name !== null ? { id: person_id, name } : null,
  }));
  return { job, rows: pageOf(rows, limit, ({ no }) => [no]) };
});

const noJob = (): Refusal => notFound('bulk action', 'GET /api/admin/crm/people/bulk lists bulk actions');
