// All SQL of bulk actions: jobs under a lease, their people, and what came of each.
import type { Caller, Principal } from '../../../kernel/caller.ts';
import { json, type Reader, type Transaction } from '../../../kernel/database.ts';
import type { Lease } from '../../../kernel/pass.ts';
import { knownPrincipalIn, type PrincipalColumns, principalColumns } from '../../../kernel/principal-row.ts';
import type { Changes } from '../imports/plan/merge.ts';
import type { Match } from '../people/filter.rules.ts';
import { matching } from '../people/filter.store.ts';
import { readable } from '../people/store.ts';
import type { BulkArgs, Job, JobRow } from './contract.ts';

type Row = Omit<
  Job,
  'created_by' | 'created_at' | 'finished_at' | 'tags' | 'fields' | 'campaign' | 'undoable'
> & {
  args: BulkArgs;
  changed: boolean;
  created_at: Date;
  finished_at: Date | null;
} & PrincipalColumns<'created_by'>;

const columns = (db: Reader) => db`
  j.id, j.act, j.args, j.state, j.why, j.total, j.done, j.unchanged, j.refused, j.undoes, j.created_at, j.finished_at,
  (select u.id from bulk_jobs u where u.undoes = j.id) as undone_by,
  exists (select from bulk_rows r where r.job_id = j.id and r.changes is not null) as changed,
  j.created_by_kind, j.created_by_id, j.created_by_name, j.created_by_on_behalf_of`;

const UNDOABLE = ['add_tags', 'remove_tags', 'set'];

function toJob(row: Row): Job {
  const { id, act, args, state, why, total, done, unchanged, refused, undoes, undone_by } = row;
  return {
    id,
    act,
    tags: args.tags ?? [],
    fields: Object.keys(args.fields ?? {}),
    campaign: args.campaign ?? null,
    state,
    why,
    total,
    done,
    unchanged,
    refused,
    undoable: UNDOABLE.includes(act) && state !== 'going' && undone_by === null && row.changed,
    undoes,
    undone_by,
    created_by: knownPrincipalIn(row, 'created_by'),
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
  };
}

export type NewJob = {
  id: string;
  act: Job['act'];
  args: BulkArgs;
  undoes: string | null;
  by: Principal;
  token_id: string | null;
  source: Pick<Caller, 'turn' | 'surface'>;
};

/** Before its people are known. */
export async function insertJob(tx: Transaction, job: NewJob, now: Date): Promise<void> {
  const { id, act, args, undoes, by, token_id, source } = job;
  const row = {
    id,
    act,
    args: json(tx, args),
    state: 'going',
    total: 0,
    undoes,
    token_id,
    turn: source.turn,
    surface: source.surface,
    created_at: now,
    ...principalColumns(tx, 'created_by', by),
  };
  await tx`insert into bulk_jobs ${tx(row)}`;
}

/** One without people is over. */
export async function setTotal(tx: Transaction, id: string, total: number, now: Date): Promise<void> {
  await tx`
    update bulk_jobs set total = ${total}, state = case when ${total} = 0 then 'done' else state end,
      finished_at = case when ${total} = 0 then ${now}::timestamptz end
    where id = ${id}`;
}

/** Each of these ids once, in their order; whoever is not there, or may not be acted on, is refused when their turn comes. */
export async function addPeople(tx: Transaction, job: string, ids: readonly string[]): Promise<number> {
  const rows = await tx`
    insert into bulk_rows (job_id, no, person_id)
    select ${job}, row_number() over (order by i.id), i.id from (select distinct unnest(${[...ids]}::uuid[]) as id) i`;
  return rows.count;
}

export async function addMatching(
  tx: Transaction,
  caller: Caller,
  job: string,
  matches: readonly Match[],
  most: number,
  now: Date,
): Promise<number> {
  const rows = await tx`
    insert into bulk_rows (job_id, no, person_id)
    select ${job}, row_number() over (order by p.id), p.id from people p
    where ${matching(tx, matches, now)} and ${readable(tx, caller, 'crm.person.read')} limit ${most}`;
  return rows.count;
}

export async function addUndone(tx: Transaction, job: string, undoes: string): Promise<number> {
  const rows = await tx`
    insert into bulk_rows (job_id, no, person_id)
    select ${job}, row_number() over (order by r.no), r.person_id from bulk_rows r
    where r.job_id = ${undoes} and r.changes is not null`;
  return rows.count;
}

export async function jobById(db: Reader, id: string): Promise<Job | null> {
  const [row] = await db<Row[]>`select ${columns(db)} from bulk_jobs j where j.id = ${id}`;
  return row ? toJob(row) : null;
}

/** Held until this act is over; read again after, since it may have waited. */
export async function lockJob(tx: Transaction, id: string): Promise<Job | null> {
  await tx`select 1 from bulk_jobs where id = ${id} for update`;
  return jobById(tx, id);
}

export async function listJobs(
  db: Reader,
  state: Job['state'] | null,
  after: readonly [at: string, id: string] | null,
  count: number,
): Promise<Job[]> {
  const rows = await db<Row[]>`
    select ${columns(db)} from bulk_jobs j
    where ${state === null ? db`true` : db`j.state = ${state}`}
      ${after === null ? db`` : db`and (j.created_at, j.id) < (${after[0]}, ${after[1]}::uuid)`}
    order by j.created_at desc, j.id desc limit ${count}`;
  return rows.map(toJob);
}

type BulkListed = Pick<JobRow, 'no' | 'outcome' | 'why'> & { person_id: string; name: string | null };

export async function rowsOf(
  db: Reader,
  job: string,
  outcome: JobRow['outcome'],
  after: number | null,
  count: number,
): Promise<BulkListed[]> {
  return await db<BulkListed[]>`
    select r.no, r.outcome, r.why, r.person_id, p.name from (
      select * from bulk_rows where job_id = ${job} ${outcome === null ? db`` : db`and outcome = ${outcome}`}
        ${after === null ? db`` : db`and no > ${after}`}
      order by no limit ${count}) r
    left join people p on p.id = r.person_id order by r.no`;
}

export async function stopJob(tx: Transaction, id: string, why: string | null, now: Date): Promise<void> {
  await tx`
    update bulk_jobs set state = 'stopped', why = ${why}, finished_at = ${now}, lease = null, lease_until = null
    where id = ${id} and state = 'going'`;
}

export type DueJob = { id: string; lease: string };

export async function claimJobs(tx: Transaction, lease: Lease, count: number): Promise<DueJob[]> {
  return await tx<DueJob[]>`
    with due as (
      select id from bulk_jobs where state = 'going' and (lease_until is null or lease_until <= ${lease.from})
      order by created_at, id limit ${count} for update skip locked)
    update bulk_jobs j set lease = ${lease.id}, lease_until = ${lease.until}
    from due where j.id = due.id returning j.id, j.lease`;
}

export async function giveBackJobs(tx: Transaction, lease: Lease): Promise<void> {
  await tx`update bulk_jobs set lease = null, lease_until = null where lease = ${lease.id}`;
}

export type HeldJob = {
  id: string;
  act: Job['act'];
  args: BulkArgs;
  undoes: string | null;
  token_id: string | null;
  by: Principal;
  source: Pick<Caller, 'turn' | 'surface'>;
};

/** The job, if it goes on and this lease still holds it; the lease is prolonged. */
export async function holdJob(tx: Transaction, due: DueJob, until: Date): Promise<HeldJob | null> {
  const [row] = await tx<
    (Omit<HeldJob, 'by' | 'source'> & HeldJob['source'] & PrincipalColumns<'created_by'>)[]
  >`
    update bulk_jobs set lease_until = ${until} where id = ${due.id} and lease = ${due.lease} and state = 'going'
    returning id, act, args, undoes, token_id, turn, surface, created_by_kind, created_by_id, created_by_name, created_by_on_behalf_of`;
  if (!row) return null;
  const { id, act, args, undoes, token_id, turn, surface } = row;
  return {
    id,
    act,
    args,
    undoes,
    token_id,
    by: knownPrincipalIn(row, 'created_by'),
    source: { turn, surface },
  };
}

export type DueRow = { no: number; person_id: string };

/** Rows whose turn has not come: they are worked on in their order, so none before the last that has an outcome is left. */
export async function dueRows(db: Reader, job: string, count: number): Promise<DueRow[]> {
  return await db<DueRow[]>`
    select no, person_id from bulk_rows
    where job_id = ${job} and outcome is null
      and no > (select done + unchanged + refused from bulk_jobs where id = ${job})
    order by no limit ${count}`;
}

/** Of an undo: what the job before changed of these people. */
export async function changesIn(
  db: Reader,
  job: string,
  people: readonly string[],
): Promise<Map<string, Changes>> {
  const rows = await db<{ person_id: string; changes: Changes }[]>`
    select person_id, changes from bulk_rows
    where person_id = any(${[...people]}::uuid[]) and job_id = ${job} and changes is not null`;
  return new Map(rows.map(({ person_id, changes }) => [person_id, changes]));
}

/** What is undone is of no more use, and is someone's data. */
export async function dropChanges(tx: Transaction, job: string, people: readonly string[]): Promise<void> {
  await tx`
    update bulk_rows set changes = null where job_id = ${job} and person_id = any(${[...people]}::uuid[]) and changes is not null`;
}

export type BulkResult = {
  no: number;
  outcome: NonNullable<JobRow['outcome']>;
  why: string | null;
  changes: Changes | null;
};

/** Adds what came of some rows; the last ones end the job. */
export async function saveResults(
  tx: Transaction,
  job: string,
  results: readonly BulkResult[],
  now: Date,
): Promise<void> {
  await tx`
    update bulk_rows b set outcome = r.outcome, why = r.why, changes = r.changes
    from jsonb_to_recordset(${json(tx, results)}) as r (no int, outcome text, why text, changes jsonb)
    where b.job_id = ${job} and b.no = r.no`;
  const count = (outcome: BulkResult['outcome']): number =>
    results.filter((each) => each.outcome === outcome).length;
  await tx`
    update bulk_jobs set done = done + ${count('done')}, unchanged = unchanged + ${count('unchanged')},
      refused = refused + ${count('refused')},
      state = case when done + unchanged + refused + ${results.length} < total then state else 'done' end,
      finished_at = case when done + unchanged + refused + ${results.length} < total then null else ${now}::timestamptz end
    where id = ${job}`;
}

/** Jobs and their people go together. */
export async function forgetJobs(tx: Transaction, before: Date): Promise<void> {
  const gone = await tx<{ id: string }[]>`
    delete from bulk_jobs j where finished_at < ${before}
      and not exists (select from bulk_jobs u where u.undoes = j.id and (u.finished_at is null or u.finished_at >= ${before}))
    returning id`;
  if (gone.length > 0)
    await tx`delete from bulk_rows where job_id = any(${gone.map(({ id }) => id)}::uuid[])`;
}

/** Someone is deleted: how they were before a job is of no more use. */
export async function forgetChangesOf(tx: Transaction, person: string): Promise<void> {
  await tx`update bulk_rows set changes = null where person_id = ${person} and changes is not null`;
}

export async function forgetRowsOf(tx: Transaction, person: string): Promise<void> {
  await tx`update bulk_rows set changes = null, why = null where person_id = ${person}`;
}
