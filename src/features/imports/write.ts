// Writes what a plan showed: a short list at once, a long one as chunks that the pass takes from here.
import { newId } from '../../kernel/ids.ts';
import type { WriteScene } from '../../kernel/scene.ts';
import type { Upload } from '../../kernel/upload.ts';
import { applyPart, type Part, type PlannedDraft } from './apply.ts';
import { batchById, differingRows, insertBatch } from './batch.store.ts';
import { addChunk } from './chunk.store.ts';
import type { Result } from './contract.ts';
import type { Draft } from './draft.ts';
import type { Letter } from './judge.ts';
import type { Mode } from './merge.ts';
import { IMPORTS, IMPORTS_DUE } from './pass.ts';
import type { Preview } from './preview.store.ts';

/** Up to so many rows are written in the request itself. */
const AT_ONCE = 1_000;
const ROWS_A_CHUNK = 1_000;

export async function writeBatch(
  scene: WriteScene,
  file: Upload,
  drafts: AsyncIterable<Draft[]>,
  preview: Preview,
  options: { on_duplicate: Mode } & Record<string, unknown>,
): Promise<string> {
  const { db, now, caller } = scene;
  const id = newId();
  const { sha256, size, filename } = file;
  await insertBatch(db, { id, filename, sha256, size, options, rows: preview.rows }, caller.principal, now);
  const part: Part = { batch: id, by: caller.principal, mode: options.on_duplicate, now };
  const apart = preview.rows > AT_ONCE;
  let waiting: PlannedDraft[] = [];
  let chunks = 0;
  let at = 0;
  const flush = async (): Promise<void> => {
    if (waiting.length === 0) return;
    if (apart) await addChunk(db, id, chunks++, JSON.stringify(waiting));
    else await applyPart(db, part, waiting);
    waiting = [];
  };
  for await (const some of drafts)
    for (const draft of some) {
      const letter = preview.outcomes[at++] ?? 's';
      const lower = letter.toLowerCase() as Letter;
      waiting.push({
        ...draft,
        letter: lower,
        suppressed: letter !== lower,
        target: preview.targets[draft.row] ?? null,
      });
      if (waiting.length >= ROWS_A_CHUNK) await flush();
    }
  await flush();
  scene.tell(IMPORTS, id);
  if (apart) scene.tell(IMPORTS_DUE, id);
  return id;
}

const DIFFERING_SHOWN = 100;

/** How far a batch is, or how it ended. */
export async function resultOf({ db }: Pick<WriteScene, 'db'>, id: string): Promise<Result> {
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
