// The pass that writes big batches: a chunk a transaction, under a lease, so that a process that dies leaves whole chunks
// written and whole chunks waiting.
import { SECOND_MS } from '../../../../kernel/clock.ts';
import type { App } from '../../../../kernel/app.ts';
import { pass, type AnyPass } from '../../../../kernel/pass.ts';
import { applyPart } from './apply.ts';
import {
  claimChunks,
  type DueChunk,
  giveBackChunks,
  refreshStatistics,
  takeChunk,
  waitForNoDisk,
} from './chunk.store.ts';
import type { Mode } from '../plan/merge.ts';
import { plannedIn } from '../plan/planned.ts';
import { forgetPreviews } from '../plan/preview.store.ts';

/** Notifies that there is something to write, and that batches changed. */
export const IMPORTS_DUE = 'imports_due';
export const IMPORTS = 'imports';

/** The server looks at the tables again after these: whenever a batch is about four times what it was. */
const LOOKED_AT_AFTER: ReadonlySet<number> = new Set([0, 3, 15, 63]);

/** A chunk is written in its own transaction, so there is nothing more to commit of it. */
type Written = 'written';

export const importsPass: AnyPass = pass<DueChunk, Written>({
  name: 'imports',
  wakes_on: [IMPORTS_DUE],
  interrupted_by: [],
  tells: IMPORTS,
  every_ms: 5 * SECOND_MS,
  batch: 4,
  // While the database writes one, this process prepares the other.
  at_a_time: 2,
  starts_within_ms: 20 * SECOND_MS,
  claim: claimChunks,
  open: (app) => ({
    begin: async () => async (chunk, cut) => {
      if (cut.aborted) return null;
      await writeChunk(app, chunk);
      return 'written';
    },
    close: () => undefined,
  }),
  commit: async () => undefined,
  release: giveBackChunks,
  tidy: forgetPreviews,
});

async function writeChunk({ database, clock }: App, chunk: DueChunk): Promise<void> {
  await database.transact(async (tx) => {
    await waitForNoDisk(tx);
    const taken = await takeChunk(tx, chunk);
    if (!taken) return;
    const part = { batch: chunk.batch_id, by: taken.by, mode: taken.mode as Mode, now: clock.now() };
    await applyPart(tx, part, plannedIn(taken.drafts));
  });
  if (LOOKED_AT_AFTER.has(chunk.no)) await database.transact(refreshStatistics);
  database.tell([{ topic: IMPORTS, id: chunk.batch_id }]);
}
