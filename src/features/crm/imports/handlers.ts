// Handlers of imports: planning a file, writing what was planned, listing batches, and rolling one back.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { DAY_MS, after } from '../../../kernel/clock.ts';
import { accountOf, nameOf } from '../../../kernel/caller.ts';
import { newId } from '../../../kernel/ids.ts';
import { keyIn, pageOf } from '../../../kernel/page.ts';
import { demand } from '../../../kernel/policy.ts';
import { type Refusal, conflict, notFound, stop } from '../../../kernel/refusal.ts';
import {
  bind,
  bindAsking,
  type Bound,
  type ReadContext,
  type WriteContext,
} from '../../../kernel/context.ts';
import type { Upload } from '../../../kernel/upload.ts';
import { fieldsOf } from '../fields/store.ts';
import type { PersonHolder } from '../people/holders.ts';
import { mayRead } from '../people/store.ts';
import { batchById, batchRows, listBatches, lockBatch } from './batch.store.ts';
import {
  importGet,
  importList,
  importRehearse,
  importRollback,
  peopleImport,
  type Plan,
  PREVIEW_FIRST,
  type Result,
} from './contract.ts';
import { fileOf } from './file/file.ts';
import { openJudge } from './plan/judge.ts';
import { keepRead, takeRead } from './file/kept.ts';
import type { Mode } from './plan/merge.ts';
import { IMPORTS } from './write/pass.ts';
import { unpackText } from './file/packed.ts';
import { type Gathered, openPlan } from './plan/plan.ts';
import { holdPreview, keepPreview, markWritten, wasPreviewed } from './plan/preview.store.ts';
import { openPeople, READS_WITHIN_MS } from './file/read.ts';
import type { People } from './file/reading.ts';
import { refusedToRollBack, rehearse, rollBack } from './rollback/rollback.ts';
import { resultOf, writeBatch } from './write/write.ts';

type Options = Pick<
  z.output<typeof peopleImport.takes>,
  'mapping' | 'on_duplicate' | 'source' | 'basis' | 'tags'
>;

/** A file is read, and its plan made, before the transaction: no row is held while fifty megabytes are parted. */
export const give = bindAsking(
  peopleImport,
  async (context, { file, file_base64, filename, dry_run, ...options }): Promise<Asked> => {
    const { db, now, caller } = context;
    const upload = fileOf({ file, file_base64, filename });
    // Only the literal; whatever else is sent gives the plan.
    const to = dry_run === false ? 'write' : 'plan';
    if (to === 'write' && !(await wasPreviewed(db, caller.principal, upload.sha256, now)))
      throw notPreviewed();
    const read = await readFile(context, upload, options, to);
    return to === 'write'
      ? { to, upload, read }
      : { to, ...(await plan(context, upload, read, options.on_duplicate)) };
  },
  async (context, _args, asked) => {
    if (asked.to === 'write') return await write(context, asked.upload, asked.read);
    await keepPreview(context.db, context.caller.principal, asked.whole, asked.gathered, context.now);
    return asked.whole;
  },
  'asks',
);

type Planned = { whole: Plan; gathered: Gathered };
type Asked = { to: 'write'; upload: Upload; read: Read } | ({ to: 'plan' } & Planned);

async function plan(context: ReadContext, file: Upload, read: Read, mode: Mode): Promise<Planned> {
  const { db, now, caller } = context;
  const judge = openJudge(db, caller, mode, now);
  const gathering = openPlan();
  for (const part of read.people.parts) {
    const drafts = unpackText(part.text);
    const verdicts = await judge(drafts);
    for (const [i, verdict] of verdicts.entries()) {
      const draft = drafts[i];
      if (draft) gathering.add(draft, verdict);
    }
  }
  const gathered = gathering.end(read.people.head);
  const preview = {
    id: newId(),
    sha256: file.sha256,
    size: file.size,
    rows: gathered.rows,
    options_hash: read.options_hash,
    expires_at: after(now, DAY_MS).toISOString(),
  };
  return { whole: { ...gathered.plan, preview }, gathered };
}

async function write(
  context: WriteContext,
  file: Upload,
  { people, options_hash, kept }: Read,
): Promise<Result> {
  const { db, now, caller } = context;
  const preview = await holdPreview(db, caller.principal, file.sha256, options_hash, now);
  if (!preview) throw notPreviewed();
  if (preview.batch_id !== null) return await resultOf(context, preview.batch_id);
  const batch = await writeBatch(context, file, people.parts, preview, kept);
  await markWritten(db, preview.id, batch);
  context.about(`crm:import/${batch}`);
  return await resultOf(context, batch);
}

const notPreviewed = (): Refusal => conflict(PREVIEW_FIRST);

type Read = { people: People; options_hash: string; kept: { on_duplicate: Mode } & Record<string, unknown> };

/** Opens the file with the columns that the options come to; the hash is over what they come to, not over how they were said. */
async function readFile(
  { db, caller, request }: ReadContext,
  file: Upload,
  options: Options,
  to: 'plan' | 'write',
): Promise<Read> {
  const { mapping = {}, on_duplicate, source = null, basis = null, tags } = options;
  const fields = await fieldsOf(db, 'person');
  const wishes = { mapping, fields, all: { source, basis, tags } };
  const known = { by: caller.principal, sha256: file.sha256, wishes };
  // Whoever writes a plan was given it a moment ago, most often by this very process.
  const people =
    (to === 'write' && takeRead(known)) ||
    (await openPeople(file.bytes, wishes, accountOf(caller), READS_WITHIN_MS, request.signal));
  const goals = people.head.columns.map(({ field }) => field);
  const needed: [action: string, on: string][] = [
    ['crm.person.create', 'crm:person'],
    ...(goals.includes('company') ? [['crm.company.create', 'crm:company'] as [string, string]] : []),
    ...(goals.includes('unsubscribed')
      ? [['outreach.suppression.create', 'outreach:suppression'] as [string, string]]
      : []),
  ];
  for (const [action, on] of needed) demand(caller.rights, nameOf(caller), action, [on]);
  if (to === 'plan') keepRead(known, people);
  const said = [goals, on_duplicate, source, basis, tags];
  const options_hash = createHash('sha256').update(JSON.stringify(said)).digest('hex');
  const kept = {
    on_duplicate,
    source,
    basis,
    tags,
    columns: people.head.columns.filter(({ field }) => field !== null),
  };
  return { people, options_hash, kept };
}

export const list = bind(importList, async ({ db }, { limit, cursor }) => {
  const from = keyIn(cursor, () => z.tuple([z.iso.datetime(), z.guid()]));
  return pageOf(await listBatches(db, from, limit + 1), limit, (batch) => [batch.created_at, batch.id]);
});

export const get = bind(importGet, async ({ db, caller }, { batch: id, outcome, differs, limit, cursor }) => {
  const batch = await batchById(db, id);
  if (!batch) throw noBatch();
  const from = keyIn(cursor, () => z.tuple([z.int().min(0).max(2_147_483_647)]));
  const found = await batchRows(db, id, {
    outcome: outcome ?? null,
    differs: differs === true,
    after: from?.[0] ?? null,
    count: limit + 1,
  });
  const rows = found.map(({ row_no, column_name, person_id, name, ...row }) => ({
    row: row_no,
    column: column_name,
    ...row,
    // Whom the caller may not read is not there.
    person: person_id === null || !mayRead(caller, person_id) ? null : { id: person_id, name },
  }));
  return { batch, rows: pageOf(rows, limit, ({ row }) => [row]) };
});

export const rehearsal = (holders: readonly PersonHolder[]): Bound =>
  bind(importRehearse, async ({ db }, { batch: id }) => {
    const batch = await batchById(db, id);
    if (!batch) throw noBatch();
    stop(refusedToRollBack(batch));
    const { removed, restored, enrolled, kept, keptInAll } = await rehearse(db, id, holders);
    return { removed, restored, enrolled, kept, kept_in_all: keptInAll };
  });

export const remove = (holders: readonly PersonHolder[]): Bound =>
  bind(importRollback, async (context, { batch: id }) => {
    const { db, now, caller } = context;
    const batch = await lockBatch(db, id);
    if (!batch) throw noBatch();
    stop(refusedToRollBack(batch));
    const { removed, restored, kept } = await rollBack(db, id, holders, caller.principal, now);
    context.about(`crm:import/${id}`);
    context.tell(IMPORTS, id);
    context.tell('people', '');
    const after_ = await batchById(db, id);
    if (!after_) throw noBatch();
    return { batch: after_, removed, restored, kept };
  });

const noBatch = (): Refusal => notFound('batch', 'GET /api/admin/crm/people/import lists batches');
