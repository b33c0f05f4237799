// Rolls a batch back in one transaction. People it created are deleted if no one changed them and nothing refers to them; its
// changes are reverted where the value is still the imported one.
import type { Principal } from '../../../../kernel/caller.ts';
import type { Reader, Transaction } from '../../../../kernel/database.ts';
import { conflict, type Refusal } from '../../../../kernel/refusal.ts';
import {
  deleteAddresses,
  savePeople,
  type StandingPerson,
  standingPeople,
} from '../../people/many/bulk.store.ts';
import { holdCompanyNames, namesOfCompanies } from '../../people/many/wished-companies.store.ts';
import type { PersonHolder } from '../../people/holders.ts';
import { deletePeople, deleteUnusedCompanies, hangingOn } from '../../people/many/remove.store.ts';
import { companiesOf } from '../batch.store.ts';
import type { Batch } from '../contract.ts';
import { type Changes, takeBack } from '../plan/merge.ts';
import {
  endRollback,
  saveTakenBack,
  type TakenBack,
  type WrittenRow,
  writtenRows,
} from './rollback.store.ts';

export type RolledBack = {
  removed: number;
  restored: number;
  /** Of those removed: whose idle rows went with them. */
  enrolled: number;
  kept: { person_id: string; why: string }[];
  keptInAll: number;
};

/** Why a batch cannot be undone, or null. */
export function refusedToRollBack({ state, letters, rolled_back }: Batch): Refusal | null {
  if (state === 'locked' || letters > 0)
    return conflict(
      `people in this batch were sent or are being sent ${letters} ${letters === 1 ? 'letter' : 'letters'}, so it can’t be rolled back: remove people one at a time instead`,
      { letters },
    );
  if (state === 'writing') return conflict('this batch is still being written: roll it back when it is done');
  if (rolled_back && rolled_back.kept === 0)
    return conflict(`this batch was already rolled back by ${rolled_back.by.name}`);
  return null;
}

const AT_ONCE = 1_000;
const KEPT_SHOWN = 200;

type Holders = readonly PersonHolder[];

/** What a rollback would do now. */
export const rehearse = (db: Reader, batch: string, holders: Holders): Promise<RolledBack> =>
  throughRows(db, batch, (rows) => judge(db, rows, holders, 'as they are'));

export async function rollBack(
  tx: Transaction,
  batch: string,
  holders: Holders,
  by: Principal,
  now: Date,
): Promise<RolledBack> {
  const done = await throughRows(tx, batch, async (rows) => {
    const judged = await judge(tx, rows, holders, 'locked');
    for (const { idle } of holders) await idle?.drop(tx, judged.removed);
    await deletePeople(tx, judged.removed);
    await deleteAddresses(tx, judged.addresses);
    await savePeople(tx, judged.restored, false, now);
    await saveTakenBack(tx, batch, judged.taken);
    return judged;
  });
  await deleteUnusedCompanies(tx, await companiesOf(tx, batch));
  const { removed, restored, keptInAll: kept } = done;
  await endRollback(tx, batch, { removed, restored, kept }, by, now);
  return done;
}

async function throughRows(
  db: Reader,
  batch: string,
  take: (rows: readonly WrittenRow[]) => Promise<Judged>,
): Promise<RolledBack> {
  const done: RolledBack = { removed: 0, restored: 0, enrolled: 0, kept: [], keptInAll: 0 };
  let after = 0;
  for (;;) {
    const rows = await writtenRows(db, batch, after, AT_ONCE);
    const last = rows.at(-1);
    if (!last) return done;
    after = last.row_no;
    const { taken, enrolled } = await take(rows);
    done.enrolled += enrolled;
    const people = new Map(rows.map(({ row_no, person_id }) => [row_no, person_id]));
    for (const { row_no, rolled_back, kept_why } of taken) {
      if (rolled_back === 'removed' || rolled_back === 'restored') done[rolled_back] += 1;
      if (kept_why === null) continue;
      done.keptInAll += 1;
      if (done.kept.length < KEPT_SHOWN)
        done.kept.push({ person_id: people.get(row_no) ?? '', why: kept_why });
    }
  }
}

type Judged = {
  taken: TakenBack[];
  removed: string[];
  restored: StandingPerson[];
  addresses: { person_id: string; normalised: string }[];
  enrolled: number;
};

/** What becomes of each row; it writes nothing. */
async function judge(
  db: Reader,
  rows: readonly WrittenRow[],
  holders: Holders,
  lock: 'locked' | 'as they are',
): Promise<Judged> {
  const ids = rows.map(({ person_id }) => person_id);
  const standing = await standingPeople(db, ids, lock);
  const created = rows.filter(({ outcome }) => outcome === 'create').map(({ person_id }) => person_id);
  const { hanging, idle } = await whatHangs(db, created, holders);
  const companies = await companyNames(
    db,
    rows.flatMap(({ changes }) => (changes?.['company_id']?.[0] as string | null | undefined) ?? []),
    lock,
  );
  const judged: Judged = { taken: [], removed: [], restored: [], addresses: [], enrolled: 0 };
  judged.taken = rows.map((row): TakenBack => {
    const { row_no, person_id, revision, changes } = row;
    const person = standing.get(person_id);
    const kept = (kept_why: string, left: Changes = {}): TakenBack => ({
      row_no,
      rolled_back: 'kept',
      kept_why,
      left,
    });
    if (!person) return { row_no, rolled_back: 'gone', kept_why: null, left: {} };
    if (row.outcome === 'create') {
      if (person.revision !== revision) return kept('they were changed since');
      const on = hanging.get(person_id);
      if (on) return kept(`other records refer to them since: ${on.map(called).join(', ')}`);
      judged.removed.push(person_id);
      if (idle.has(person_id)) judged.enrolled += 1;
      return { row_no, rolled_back: 'removed', kept_why: null, left: {} };
    }
    const back = takeBack(person, changes ?? {}, companies);
    if (back.restored > 0) judged.restored.push(back.person);
    judged.addresses.push(...back.gone.map((normalised) => ({ person_id, normalised })));
    if (back.kept.length === 0) return { row_no, rolled_back: 'restored', kept_why: null, left: {} };
    const rest = back.restored > 0 ? '; the rest is as it was' : '';
    return kept(`changed since and kept: ${back.kept.join(', ')}${rest}`, back.left);
  });
  return judged;
}

/** What keeps people from being removed, and those of whom idle rows would go with them. */
async function whatHangs(
  db: Reader,
  people: readonly string[],
  holders: Holders,
): Promise<{ hanging: Map<string, string[]>; idle: ReadonlySet<string> }> {
  const hanging = await hangingOn(db, people);
  const idle = new Set<string>();
  for (const holder of holders) {
    if (!holder.idle) continue;
    for (const id of await holder.idle.of(db, people)) {
      const rest = (hanging.get(id) ?? []).filter((table) => table !== holder.idle?.table);
      idle.add(id);
      if (rest.length > 0) hanging.set(id, rest);
      else hanging.delete(id);
    }
  }
  return { hanging, idle };
}

const companyNames = (
  db: Reader,
  ids: readonly string[],
  lock: 'locked' | 'as they are',
): Promise<Map<string, string>> =>
  lock === 'locked' ? holdCompanyNames(db as Transaction, ids) : namesOfCompanies(db, ids);

const CALLED: Record<string, string> = {
  person_facts: 'notes or history',
  person_merges: 'people merged into them',
  positive_readings: 'a positive answer',
  prospects: 'campaigns',
  sends: 'letters',
};
const called = (table: string): string => CALLED[table] ?? table.replaceAll('_', ' ');
