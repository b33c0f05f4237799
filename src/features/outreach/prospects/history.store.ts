// What happened to people in campaigns, and the counts by day that numbers are read from. One maker of either.
import type { Principal } from '../../../kernel/caller.ts';
import { json, type Reader, type Transaction } from '../../../kernel/database.ts';
import { newId } from '../../../kernel/ids.ts';
import { knownPrincipalIn, principalColumns, type PrincipalColumns } from '../../../kernel/principal-row.ts';
import type { ProspectFact } from './contract.ts';
import { type Reached, reachedBy, type Stage } from './spine/spine.rules.ts';

export type NewFact = { prospect_id: string; kind: string; details: Record<string, unknown> };

export async function addFacts(
  tx: Transaction,
  facts: readonly NewFact[],
  by: Principal,
  now: Date,
): Promise<void> {
  const rows = facts.map(({ details, ...fact }) => ({
    id: newId(),
    ...fact,
    details: json(tx, details),
    ...principalColumns(tx, 'by', by),
    at: now,
  }));
  for (let from = 0; from < rows.length; from += AT_ONCE)
    await tx`insert into prospect_facts ${tx(rows.slice(from, from + AT_ONCE))}`;
}

/** A statement takes 65,535 parameters at most. */
const AT_ONCE = 2_000;

/** What these moves newly reached, counted for today (UTC). Counters come last in an act: everyone waits for them. */
export async function countStages(
  tx: Transaction,
  moves: readonly { campaign_id: string; from: Stage | null; to: Stage }[],
  now: Date,
): Promise<void> {
  const sums = new Map<string, { campaign_id: string; stage: Reached; people: number }>();
  for (const { campaign_id, from, to } of moves)
    for (const stage of reachedBy(from, to)) {
      const key = `${campaign_id} ${stage}`;
      const sum = sums.get(key) ?? { campaign_id, stage, people: 0 };
      sum.people += 1;
      sums.set(key, sum);
    }
  const day = now.toISOString().slice(0, 10);
  // In one order, always: two acts that took the same counters in different orders would wait for each other.
  const rows = [...sums.keys()].sort().map((key) => ({ ...sums.get(key), day }));
  if (rows.length === 0) return;
  await tx`
    insert into stages_reached ${tx(rows as { campaign_id: string; stage: string; people: number; day: string }[])}
    on conflict (campaign_id, day, stage) do update set people = stages_reached.people + excluded.people`;
}

type FactRow = PrincipalColumns<'by'> & {
  id: string;
  kind: string;
  details: Record<string, unknown>;
  at: Date;
};

/** Newest first. */
export async function factsOfProspect(
  db: Reader,
  prospect_id: string,
  count: number,
): Promise<ProspectFact[]> {
  const rows = await db<FactRow[]>`
    select id, kind, details, by_kind, by_id, by_name, by_on_behalf_of, at from prospect_facts
    where prospect_id = ${prospect_id} order by at desc, id desc limit ${count}`;
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    details: row.details,
    by: knownPrincipalIn(row, 'by'),
    at: row.at.toISOString(),
  }));
}

/** Where someone is now. */
export async function stageOf(db: Reader, prospect_id: string): Promise<Stage | null> {
  const [row] = await db<{ stage: Stage }[]>`select stage from prospects where id = ${prospect_id}`;
  return row?.stage ?? null;
}
