// Handlers of imports: the plan of a file, the write that is held to it, batches, and taking one back.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { DAY_MS, after } from '../../kernel/clock.ts';
import { nameOf } from '../../kernel/caller.ts';
import { newId } from '../../kernel/ids.ts';
import { keyIn, pageOf } from '../../kernel/page.ts';
import { demand } from '../../kernel/policy.ts';
import { conflict, notFound, type Refusal, stop } from '../../kernel/refusal.ts';
import { bind, type WriteScene } from '../../kernel/scene.ts';
import type { Upload } from '../../kernel/upload.ts';
import { holdFields } from '../fields/store.ts';
import { mayRead } from '../people/store.ts';
import { batchById, batchRows, listBatches, lockBatch } from './batch.store.ts';
import {
  importGet,
  importList,
  importRollback,
  peopleImport,
  type Plan,
  PREVIEW_FIRST,
  type Result,
} from './contract.ts';
import { fileOf } from './file.ts';
import { openJudge } from './judge.ts';
import type { Mode } from './merge.ts';
import { IMPORTS } from './pass.ts';
import { openPlan } from './plan.ts';
import { holdPreview, keepPreview, markWritten, wasPreviewed } from './preview.store.ts';
import { openPeople, type People } from './read.ts';
import { refusedToRollBack, rollBack } from './rollback.ts';
import { resultOf, writeBatch } from './write.ts';

type Options = Pick<
  z.output<typeof peopleImport.takes>,
  'mapping' | 'on_duplicate' | 'source' | 'basis' | 'tags'
>;

export const give = bind(
  peopleImport,
  async (scene, { file, file_base64, filename, dry_run, ...options }) => {
    const upload = fileOf({ file, file_base64, filename });
    // Only the literal; whatever else is sent gives the plan.
    return dry_run === false ? await write(scene, upload, options) : await plan(scene, upload, options);
  },
);

async function plan(scene: WriteScene, file: Upload, options: Options): Promise<Plan> {
  const { db, now, caller } = scene;
  const { people, options_hash } = await read(scene, file, options);
  const judge = openJudge(db, caller, options.on_duplicate, now);
  const gathering = openPlan();
  for await (const drafts of people.drafts) {
    const verdicts = await judge(drafts);
    for (const [i, verdict] of verdicts.entries()) {
      const draft = drafts[i];
      if (draft) gathering.add(draft, verdict);
    }
  }
  const { plan: shown, rows, outcomes, targets } = gathering.end(people.head);
  const id = newId();
  const expires_at = after(now, DAY_MS).toISOString();
  const preview = { id, sha256: file.sha256, size: file.size, rows, options_hash, expires_at };
  const whole: Plan = { ...shown, preview };
  await keepPreview(db, caller.principal, whole, { outcomes, targets }, now);
  return whole;
}

async function write(scene: WriteScene, file: Upload, options: Options): Promise<Result> {
  const { db, now, caller } = scene;
  if (!(await wasPreviewed(db, caller.principal, file.sha256, now))) throw notPreviewed();
  const { people, options_hash, kept } = await read(scene, file, options);
  try {
    const preview = await holdPreview(db, caller.principal, file.sha256, options_hash, now);
    if (!preview) throw notPreviewed();
    if (preview.batch_id !== null) return await resultOf(scene, preview.batch_id);
    const batch = await writeBatch(scene, file, people.drafts, preview, kept);
    await markWritten(db, preview.id, batch);
    scene.about(`crm:import/${batch}`);
    return await resultOf(scene, batch);
  } finally {
    await people.drafts.return(undefined);
  }
}

const notPreviewed = (): Refusal => conflict(PREVIEW_FIRST);

type Read = { people: People; options_hash: string; kept: { on_duplicate: Mode } & Record<string, unknown> };

/** Opens the file with the columns that the options come to; the hash is over what they come to, not over how they were said. */
async function read({ db, caller }: WriteScene, file: Upload, options: Options): Promise<Read> {
  const { mapping = {}, on_duplicate, source = null, basis = null, tags } = options;
  const fields = await holdFields(db, 'person');
  const people = await openPeople(file.bytes, { mapping, fields, all: { source, basis, tags } });
  const goals = people.head.columns.map(({ field }) => field);
  if (goals.includes('unsubscribed'))
    demand(caller.rights, nameOf(caller), 'outreach.suppression.create', ['outreach:suppression']);
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
    // Whom the caller may not read has no name here.
    person: person_id === null ? null : { id: person_id, name: mayRead(caller, person_id) ? name : null },
  }));
  return { batch, rows: pageOf(rows, limit, ({ row }) => [row]) };
});

export const remove = bind(importRollback, async (scene, { batch: id }) => {
  const { db, now, caller } = scene;
  const batch = await lockBatch(db, id);
  if (!batch) throw noBatch();
  stop(refusedToRollBack(batch));
  const { removed, restored, kept } = await rollBack(db, id, caller.principal, now);
  scene.about(`crm:import/${id}`);
  scene.tell(IMPORTS, id);
  scene.tell('people', '');
  const after_ = await batchById(db, id);
  if (!after_) throw noBatch();
  return { batch: after_, removed, restored, kept };
});

const noBatch = (): Refusal =>
  notFound('there is no such batch: GET /api/admin/crm/people/import lists those there are');
