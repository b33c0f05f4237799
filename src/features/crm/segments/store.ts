// All SQL of segments: the loaders, which know the caller, and what writes the rows they load. Who is in a segment is asked
// again every time, with the filter as it is saved: a filter that no longer holds has no one.
import { type Author, type Caller } from '../../../kernel/caller.ts';
import { json, type Reader, type Transaction } from '../../../kernel/database.ts';
import { newId } from '../../../kernel/ids.ts';
import { denied } from '../../../kernel/denied.ts';
import { decide } from '../../../kernel/policy.ts';
import { type Refusal, conflict, notFound } from '../../../kernel/refusal.ts';
import { knownPrincipalIn, principalColumns, type PrincipalColumns } from '../../../kernel/principal-row.ts';
import { fieldsOf } from '../fields/store.ts';
import { checkedFilter, type Match } from '../people/filter.rules.ts';
import { matching } from '../people/filter.store.ts';
import { nameKey } from '../people/rules.ts';
import { readable } from '../people/store.ts';
import { allowedBy } from '../../access/policies/named.store.ts';
import type { SegmentFilter, Segment } from './contract.ts';

const loaded = Symbol('loaded');

/** A segment that the caller may have for the action it was loaded for; who is in it is asked by its match. */
export type LoadedSegment = Omit<Segment, 'count' | 'fault'> & { readonly [loaded]: true };

type Row = Omit<Segment, 'count' | 'fault' | 'created_by' | 'created_at' | 'updated_at'> & {
  name_key: string;
  created_at: Date;
  updated_at: Date;
} & PrincipalColumns<'created_by'>;

export const segmentName = (id: string): string => `crm:segment/${id}`;

const noSegment = (): Refusal => notFound('segment', 'GET /api/admin/crm/segments lists segments');

const mayRead = (caller: Caller, id: string): boolean =>
  decide(caller.rights, 'crm.segment.read', [segmentName(id)]).allowed;

const toLoaded = (row: Row): LoadedSegment => ({
  id: row.id,
  name: row.name,
  filter: row.filter,
  revision: row.revision,
  created_by: knownPrincipalIn(row, 'created_by'),
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
  [loaded]: true,
});

export async function loadSegment(
  db: Reader,
  caller: Caller,
  action: string,
  id: string,
): Promise<LoadedSegment> {
  const [row] = await db<Row[]>`select * from segments where id = ${id}`;
  if (!row) throw noSegment();
  if (!decide(caller.rights, action, [segmentName(row.id)]).allowed)
    throw mayRead(caller, row.id) ? denied(caller, action, segmentName(row.id)) : noSegment();
  return toLoaded(row);
}

/** A segment as an act that was allowed has left it. */
export async function segmentAfter(tx: Transaction, id: string): Promise<LoadedSegment> {
  const [row] = await tx<Row[]>`select * from segments where id = ${id}`;
  if (!row) throw new Error('a segment that was just written is gone');
  return toLoaded(row);
}

export async function lockSegment(
  tx: Transaction,
  caller: Caller,
  action: string,
  id: string,
): Promise<LoadedSegment> {
  await tx`select 1 from segments where id = ${id} for update`;
  return await loadSegment(tx, caller, action, id);
}

/** By name, as if those that the caller's policies deny were not there. */
export async function listSegments(
  db: Reader,
  caller: Caller,
  after: string | null,
  count: number,
): Promise<{ segment: LoadedSegment; key: [string] }[]> {
  const may = allowedBy(db, caller.rights, 'crm.segment.read', { 'crm:segment/': db`s.id` }) ?? db`true`;
  const rows = await db<Row[]>`
    select s.* from segments s where ${may} ${after === null ? db`` : db`and s.name_key > ${after}`}
    order by s.name_key limit ${count}`;
  return rows.map((row) => ({ segment: toLoaded(row), key: [row.name_key] }));
}

/** The conditions of a filter as it is saved, or the first thing that is wrong with it by now. */
export async function matchNow(
  db: Reader,
  filter: SegmentFilter,
): Promise<{ match: Match } | { fault: string }> {
  const checked = checkedFilter(filter, await fieldsOf(db, 'person'));
  if ('match' in checked) return checked;
  return { fault: Object.values(checked.faults)[0] ?? 'the filter does not hold' };
}

/** A segment with how many people it has, as `count` counts them. One that no longer holds has no one, and says why. */
export async function withCount(
  db: Reader,
  segment: LoadedSegment,
  count: (match: Match) => Promise<number | null>,
): Promise<Segment> {
  const held = await matchNow(db, segment.filter);
  if ('fault' in held) return { ...segment, count: 0, fault: held.fault };
  return { ...segment, count: await count(held.match), fault: null };
}

export async function matchOf(db: Reader, segment: LoadedSegment): Promise<Match> {
  const held = await matchNow(db, segment.filter);
  if ('match' in held) return held.match;
  throw conflict(
    'this segment’s filter is no longer valid because a custom field changed: change the filter first',
    { segment_id: segment.id },
  );
}

/** The conditions of a segment, for whoever filters people by it. */
export async function loadSegmentMatch(
  db: Reader,
  caller: Caller,
  action: string,
  id: string,
): Promise<Match> {
  return await matchOf(db, await loadSegment(db, caller, action, id));
}

/**
 * The ids of a segment's people whom the caller may read, after an id, in the order of their ids: for whoever goes through
 * all of them in portions. `after` is the last id of the portion before.
 */
export async function peopleOfSegment(
  db: Reader,
  caller: Caller,
  segment: LoadedSegment,
  after: string | null,
  limit: number,
  now: Date,
): Promise<string[]> {
  const match = await matchOf(db, segment);
  const may = readable(db, caller, 'crm.person.read');
  const rows = await db<{ id: string }[]>`
    select p.id from people p
    where ${matching(db, [match], now)} and ${may} ${after === null ? db`` : db`and p.id > ${after}`}
    order by p.id limit ${limit}`;
  return rows.map((row) => row.id);
}

/** Null where a segment of that name exists. */
export async function insertSegment(
  tx: Transaction,
  name: string,
  filter: SegmentFilter,
  { by, now }: Author,
): Promise<string | null> {
  const row = {
    id: newId(),
    name,
    name_key: nameKey(name),
    filter: json(tx, filter),
    ...principalColumns(tx, 'created_by', by),
    created_at: now,
    updated_at: now,
  };
  const made = await tx<{ id: string }[]>`
    insert into segments ${tx(row)} on conflict (name_key) do nothing returning id`;
  return made[0]?.id ?? null;
}

/** False where another segment has that name. */
export async function saveSegment(
  tx: Transaction,
  segment: LoadedSegment,
  change: { name: string; filter: SegmentFilter },
  now: Date,
): Promise<boolean> {
  const row = {
    name: change.name,
    name_key: nameKey(change.name),
    filter: json(tx, change.filter),
    revision: segment.revision + 1,
    updated_at: now,
  };
  try {
    await tx.savepoint((sp) => sp`update segments set ${sp(row)} where id = ${segment.id}`);
  } catch (error) {
    if ((error as { code?: unknown }).code === '23505') return false;
    throw error;
  }
  return true;
}

export async function deleteSegment(tx: Transaction, segment: LoadedSegment): Promise<void> {
  await tx`delete from segments where id = ${segment.id}`;
}
