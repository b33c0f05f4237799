// All SQL of the pipeline's stages.
import type { Reader, Transaction } from '../../../kernel/database.ts';
import type { Pipeline, Stage } from './pipeline.contract.ts';

export async function readPipeline(db: Reader): Promise<Pipeline> {
  const stages = await db<Stage[]>`select key, title, probability from deal_stages order by position`;
  const [row] = await db<{ revision: number }[]>`select revision from deal_pipeline`;
  return { revision: row?.revision ?? 1, stages: [...stages] };
}

/** The pipeline, kept as it is until this act is over. */
export async function lockPipeline(tx: Transaction): Promise<Pipeline> {
  await tx`select 1 from deal_pipeline for update`;
  return await readPipeline(tx);
}

/** The stage that a new deal begins in. */
export async function firstStage(db: Reader): Promise<string> {
  const [row] = await db<{ key: string }[]>`select key from deal_stages order by position limit 1`;
  if (!row) throw new Error('the pipeline has no stage');
  return row.key;
}

export async function countStanding(
  db: Reader,
  stages: readonly string[],
): Promise<{ stage: string; count: number }[]> {
  return await db<{ stage: string; count: number }[]>`
    select stage, count(*)::int as count from deals where stage = any(${[...stages]}) group by stage order by stage`;
}

/** Puts every deal of one stage into another, and says which they were. */
export async function moveDeals(tx: Transaction, from: string, to: string, now: Date): Promise<string[]> {
  const moved = await tx<{ id: string }[]>`
    update deals set stage = ${to}, revision = revision + 1, updated_at = ${now} where stage = ${from} returning id`;
  return moved.map(({ id }) => id);
}

/** Stages that are there keep their deals; those of `gone` must be empty by now. */
export async function replaceStages(
  tx: Transaction,
  revision: number,
  stages: readonly Stage[],
): Promise<void> {
  for (const [position, { key, title, probability }] of stages.entries())
    await tx`
      insert into deal_stages (key, title, position, probability) values (${key}, ${title}, ${position}, ${probability})
      on conflict (key) do update set title = excluded.title, position = excluded.position, probability = excluded.probability`;
  await tx`update deal_pipeline set revision = ${revision}`;
}

export async function deleteStages(tx: Transaction, keys: readonly string[]): Promise<void> {
  await tx`delete from deal_stages where key = any(${[...keys]})`;
}

/** Keeps stages that are to go from taking deals until this act is over. */
export async function holdStages(tx: Transaction, keys: readonly string[]): Promise<void> {
  await tx`select 1 from deal_stages where key = any(${[...keys]}) order by key for update`;
}
