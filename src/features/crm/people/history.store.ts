// What happened to people: facts with who and when, written in the transaction of what happened, and read newest first.
import type { Author } from '../../../kernel/caller.ts';
import { json, type Reader, type Transaction } from '../../../kernel/database.ts';
import { newId } from '../../../kernel/ids.ts';
import { knownPrincipalIn, principalColumns, type PrincipalColumns } from '../../../kernel/principal-row.ts';
import type { TimelineEntry } from './person-acts.contract.ts';

export type Fact =
  | { kind: 'note'; text: string }
  | { kind: Exclude<string, 'note'>; details: Record<string, unknown> };

type FactRow = Omit<TimelineEntry, 'by' | 'at'> & { at: Date } & PrincipalColumns<'by'>;

const columns = (db: Reader) =>
  db`f.id, f.kind, f.text, f.details, f.by_kind, f.by_id, f.by_name, f.by_on_behalf_of, f.at`;

const toEntry = (row: FactRow): TimelineEntry => ({
  id: row.id,
  kind: row.kind,
  text: row.text,
  details: row.details,
  by: knownPrincipalIn(row, 'by'),
  at: row.at.toISOString(),
});

/** Writes facts of one person, in their order. */
export async function writeFacts(
  tx: Transaction,
  person_id: string,
  facts: readonly Fact[],
  { by, now }: Author,
): Promise<TimelineEntry[]> {
  if (facts.length === 0) return [];
  const rows = facts.map((fact) => ({
    id: newId(),
    person_id,
    kind: fact.kind,
    text: 'text' in fact ? fact.text : null,
    details: json(tx, 'details' in fact ? fact.details : {}),
    ...principalColumns(tx, 'by', by),
    at: now,
  }));
  const made = await tx<FactRow[]>`
    with f as (insert into person_facts ${tx(rows)} returning *) select ${columns(tx)} from f order by f.id`;
  return made.map(toEntry);
}

/** One fact of one kind for each of many people. */
export async function writeFactsOfMany(
  tx: Transaction,
  kind: Exclude<string, 'note'>,
  facts: readonly { person_id: string; details: Record<string, unknown> }[],
  { by, now }: Author,
): Promise<void> {
  if (facts.length === 0) return;
  const author = principalColumns(tx, 'by', by);
  const rows = facts.map((fact) => ({ ...fact, id: newId() }));
  await tx`
    insert into person_facts (id, person_id, kind, details, by_kind, by_id, by_name, by_on_behalf_of, at)
    select r.id, r.person_id, ${kind}, r.details, ${author['by_kind'] as string}, ${author['by_id'] as string},
      ${author['by_name'] as string}, ${author['by_on_behalf_of'] as null}::jsonb, ${now}
    from jsonb_to_recordset(${json(tx, rows)}) as r (id uuid, person_id uuid, details jsonb)`;
}

/** Newest first; `after` is (at, id) of the last entry of the page before. */
export async function listFacts(
  db: Reader,
  person_id: string,
  after: readonly [at: string, id: string] | null,
  count: number,
): Promise<TimelineEntry[]> {
  const rows = await db<FactRow[]>`
    select ${columns(db)} from person_facts f where f.person_id = ${person_id}
    ${after === null ? db`` : db`and (f.at, f.id) < (${after[0]}, ${after[1]}::uuid)`}
    order by f.at desc, f.id desc limit ${count}`;
  return rows.map(toEntry);
}
