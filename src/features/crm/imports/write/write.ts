// Writes what a plan showed: a short list at once, a long one as chunks that the pass takes from here.
import { newId } from '../../../../kernel/ids.ts';
import type { WriteContext } from '../../../../kernel/context.ts';
import type { Upload } from '../../../../kernel/upload.ts';
import { applyPart, type ImportPart } from './apply.ts';
import { batchById, differingRows, insertBatch } from '../batch.store.ts';
import { addChunk } from './chunk.store.ts';
import type { Result } from '../contract.ts';
import type { Mode } from '../plan/merge.ts';
import { unpackText } from '../file/packed.ts';
import { IMPORTS, IMPORTS_DUE } from './pass.ts';
import { planned, plannedText, type Targets } from '../plan/planned.ts';
import type { Preview } from '../plan/preview.store.ts';
import type { Some } from '../file/reading.ts';

export async function writeBatch(
  context: WriteContext,
  file: Upload,
  parts: readonly Some[],
  preview: Preview,
  options: { on_duplicate: Mode } & Record<string, unknown>,
): Promise<string> {
  const { db, now, caller } = context;
  const id = newId();
  const { sha256, size, filename } = file;
  await insertBatch(db, { id, filename, sha256, size, options, rows: preview.rows }, caller.principal, now);
  const part: ImportPart = { batch: id, by: caller.principal, mode: options.on_duplicate, now };
  // One part is written in the request itself; of more, each is a chunk.
  const apart = parts.length > 1;
  const targetsOf = openTargets(preview.targets);
  let at = 0;
  for (const [no, some] of parts.entries()) {
    const letters = preview.outcomes.slice(at, (at += some.count));
    const targets = targetsOf(some);
    if (apart) await addChunk(db, id, no, plannedText(some, letters, targets));
    else await applyPart(db, part, planned(unpackText(some.text), letters, targets));
  }
  context.tell(IMPORTS, id);
  if (apart) context.tell(IMPORTS_DUE, id);
  return id;
}

/** Hands out the targets of one part after the other: both are in the order of the rows. */
function openTargets(all: Targets): (some: Some) => Targets {
  const left = Object.entries(all);
  let at = 0;
  return ({ to }) => {
    const from = at;
    while (at < left.length && Number(left[at]?.[0]) <= to) at += 1;
    return Object.fromEntries(left.slice(from, at));
  };
}

const DIFFERING_SHOWN = 100;

/** How far a batch is, or how it ended. */
export async function resultOf({ db }: Pick<WriteContext, 'db'>, id: string): Promise<Result> {
  const batch = await batchById(db, id);
  if (!batch) throw new Error(`the batch ${id} was written and is not there`);
  const { state, rows, done_rows, created, updated, skipped, rejected } = batch;
  return {
    dry_run: false,
    batch_id: id,
    state,
    rows,
    done_rows,
    created,
    updated,
    skipped,
    rejected,
    differs_from_plan: await differingRows(db, id, DIFFERING_SHOWN),
  };
}
