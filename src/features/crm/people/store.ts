// The loaders of people: the only way to have one is through a loader that names the action and the caller. What writes them
// (save.store.ts and its neighbours) takes the loaded row, never an id.
import { type Caller } from '../../../kernel/caller.ts';
import type { Reader, Transaction } from '../../../kernel/database.ts';
import { denied } from '../../../kernel/denied.ts';
import { decide } from '../../../kernel/policy.ts';
import { type Refusal, conflict, notFound } from '../../../kernel/refusal.ts';
import { allowedBy } from '../../access/policies/named.store.ts';
import type { ListedPerson, Person, SORTS } from './contract.ts';
import type { Match } from './filter.rules.ts';
import { matching } from './filter.store.ts';
import { type PersonRow, personColumns, toListed, toPerson } from './row.store.ts';
import { personName } from './rules.ts';

const loaded = Symbol('loaded');

/** A person that the caller may have for the action they were loaded for. */
export type LoadedPerson = Person & { readonly [loaded]: true };

export const noPerson = (): Refusal => notFound('person', 'GET /api/admin/crm/people searches people');

export const mayRead = (caller: Caller, id: string): boolean =>
  decide(caller.rights, 'crm.person.read', [personName(id)]).allowed;

/** Whoever may not read someone is not told that they are there. */
export function demandPerson(caller: Caller, action: string, id: string): void {
  if (decide(caller.rights, action, [personName(id)]).allowed) return;
  throw mayRead(caller, id) ? denied(caller, action, personName(id)) : noPerson();
}

/** Whom an id leads to: the person of that id, or who they were merged into. */
async function leadsTo(db: Reader, id: string): Promise<string | null> {
  const [row] = await db<{ into_id: string }[]>`select into_id from person_merges where from_id = ${id}`;
  return row?.into_id ?? null;
}

async function rowOf(db: Reader, id: string, now: Date): Promise<PersonRow | null> {
  const [row] = await db<
    PersonRow[]
  >`select ${personColumns(db, now, true)} from people p where p.id = ${id}`;
  return row ?? null;
}

/** A person as an act that was allowed has left them. */
export async function personAfter(tx: Transaction, id: string, now: Date): Promise<Person> {
  const row = await rowOf(tx, id, now);
  if (!row) throw new Error('a person that was just written is gone');
  return toPerson(row);
}

function guarded(row: PersonRow, caller: Caller, action: string): LoadedPerson {
  demandPerson(caller, action, row.id);
  return { ...toPerson(row), [loaded]: true };
}

/** One person. The id of someone who was merged leads to who they were merged into. */
export async function loadPerson(
  db: Reader,
  caller: Caller,
  action: string,
  id: string,
  now: Date,
): Promise<LoadedPerson> {
  const row = await rowOf(db, id, now);
  if (row) return guarded(row, caller, action);
  const into = await leadsTo(db, id);
  const survivor = into && (await rowOf(db, into, now));
  if (!survivor) throw noPerson();
  return guarded(survivor, caller, action);
}

/**
 * Loads people for a change of them, and keeps everyone else from changing them until this act is over; in the order of
 * their ids, always, whatever order they are named in. An id that was merged away is refused, naming where it leads: what is
 * changed must be what was read.
 */
export async function lockPeople(
  tx: Transaction,
  caller: Caller,
  action: string,
  ids: readonly string[],
  now: Date,
): Promise<LoadedPerson[]> {
  await tx`select 1 from people where id = any(${[...ids]}::uuid[]) order by id for update`;
  const found: LoadedPerson[] = [];
  for (const id of ids) {
    const row = await rowOf(tx, id, now);
    if (row) found.push(guarded(row, caller, action));
    else throw await gone(tx, caller, id);
  }
  return found;
}

export async function lockPerson(
  tx: Transaction,
  caller: Caller,
  action: string,
  id: string,
  now: Date,
): Promise<LoadedPerson> {
  const [person] = await lockPeople(tx, caller, action, [id], now);
  if (!person) throw noPerson();
  return person;
}

async function gone(db: Reader, caller: Caller, id: string): Promise<Refusal> {
  const into = await leadsTo(db, id);
  return into && mayRead(caller, into)
    ? conflict(`this person was merged into ${into}: use that id`, { person_id: into })
    : noPerson();
}

/** For `where`, of `people p`: those for whom the caller's policies allow the action. */
export const readable = (db: Reader, { rights }: Caller, action: string) =>
  allowedBy(db, rights, action, { 'crm:person/': db`p.id` }) ?? db`true`;

export type Sort = (typeof SORTS)[number];

export type PeopleSearch = {
  matches: readonly Match[];
  sort: Sort;
  after: readonly [key: string, id: string] | null;
  count: number;
};

export type FoundPerson = { person: ListedPerson; key: [string, string] };

/** A page of people, as if those whom the caller's policies deny were not there. */
export async function listPeople(
  db: Reader,
  caller: Caller,
  action: string,
  { matches, sort, after, count }: PeopleSearch,
  now: Date,
): Promise<FoundPerson[]> {
  const order = {
    name: db`p.name_key collate "C", p.id`,
    updated: db`p.updated_at desc, p.id desc`,
    created: db`p.created_at desc, p.id desc`,
  }[sort];
  const rows = await db<PersonRow[]>`
    select ${personColumns(db, now, false)} from people p
    where ${matching(db, matches, now)} and ${readable(db, caller, action)} ${after === null ? db`` : db`and ${beyond(db, sort, after)}`}
    order by ${order} limit ${count}`;
  return rows.map((row) => ({
    person: toListed(row),
    key: [keyOf(row, sort), row.id],
  }));
}

function beyond(db: Reader, sort: Sort, [key, id]: readonly [string, string]) {
  if (sort === 'name') return db`(p.name_key collate "C", p.id) > (${key}, ${id}::uuid)`;
  return sort === 'updated'
    ? db`(p.updated_at, p.id) < (${key}, ${id}::uuid)`
    : db`(p.created_at, p.id) < (${key}, ${id}::uuid)`;
}

function keyOf(row: PersonRow, sort: Sort): string {
  if (sort === 'name') return row.name_key;
  return (sort === 'updated' ? row.updated_at : row.created_at).toISOString();
}

/** How many people a list would have, as if those whom the caller's policies deny were not there. */
export async function countPeople(
  db: Reader,
  caller: Caller,
  action: string,
  matches: readonly Match[],
  now: Date,
): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from people p
    where ${matching(db, matches, now)} and ${readable(db, caller, action)}`;
  return row?.count ?? 0;
}
