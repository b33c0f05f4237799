// Takes a batch back, in one transaction whatever its size: nothing of it is ever half undone. People it brought go if
// no one touched them and nothing hangs on them; what it changed goes back where it still is as the import left it.
import type { Principal } from '../../../../kernel/caller.ts';
import type { Transaction } from '../../../../kernel/database.ts';
import { conflict, type Refusal } from '../../../../kernel/refusal.ts';
import {
  deleteAddresses,
  holdCompanyNames,
  savePeople,
  type StandingPerson,
  standingPeople,
} from '../../people/bulk.store.ts';
import { deletePeople, deleteUnusedCompanies, hangingOn } from '../../people/remove.store.ts';
import { companiesOf } from '../batch.store.ts';
import type { Batch } from '../contract.ts';
import { takeBack } from '../plan/merge.ts';
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
  kept: { person_id: string; why: string }[];
  keptInAll: number;
};

/** Why a batch cannot be undone, or null. */
export function refusedToRollBack({ state, letters, rolled_back }: Batch): Refusal | null {
  if (state === 'locked')
    return conflict(
      `people in this batch were sent or are being sent ${letters} ${letters === 1 ? 'letter' : 'letters'}, so it can’t be rolled back: remove people one at a time instead`,
      { letters },
    );
  if (state === 'writing') return conflict('this batch is still being written: roll it back when it is done');
  if (state === 'rolled_back')
    return conflict(`this batch was already rolled back by ${rolled_back?.by.name ?? 'someone'}`);
  return null;
}

const AT_ONCE = 1_000;
const KEPT_SHOWN = 200;

export async function rollBack(
  tx: Transaction,
  batch: string,
  by: Principal,
  now: Date,
): Promise<RolledBack> {
  const done: RolledBack = { removed: 0, restored: 0, kept: [], keptInAll: 0 };
  let after = 0;
  for (;;) {
    const rows = await writtenRows(tx, batch, after, AT_ONCE);
    const last = rows.at(-1);
    if (!last) break;
    after = last.row_no;
    const taken = await takeBackRows(tx, rows, now);
    await saveTakenBack(tx, batch, taken);
    const people = new Map(rows.map(({ row_no, person_id }) => [row_no, person_id]));
    for (const { row_no, rolled_back, kept_why } of taken) {
      if (rolled_back === 'removed' || rolled_back === 'restored') done[rolled_back] += 1;
      if (kept_why === null) continue;
      done.keptInAll += 1;
      if (done.kept.length < KEPT_SHOWN)
        done.kept.push({ person_id: people.get(row_no) ?? '', why: kept_why });
    }
  }
  await deleteUnusedCompanies(tx, await companiesOf(tx, batch));
  await endRollback(
    tx,
    batch,
    { removed: done.removed, restored: done.restored, kept: done.keptInAll },
    by,
    now,
  );
  return done;
}

async function takeBackRows(tx: Transaction, rows: readonly WrittenRow[], now: Date): Promise<TakenBack[]> {
  const standing = await standingPeople(
    tx,
    rows.map(({ person_id }) => person_id),
    'locked',
  );
  const created = rows.filter(({ outcome }) => outcome === 'create').map(({ person_id }) => person_id);
  const hanging = await hangingOn(tx, created);
  const companies = await holdCompanyNames(
    tx,
    rows.flatMap(({ changes }) => (changes?.['company_id']?.[0] as string | null | undefined) ?? []),
  );
  const removed: string[] = [];
  const restored: StandingPerson[] = [];
  const addresses: { person_id: string; normalised: string }[] = [];
  const taken = rows.map((row): TakenBack => {
    const { row_no, person_id, revision, changes } = row;
    const person = standing.get(person_id);
    const kept = (kept_why: string): TakenBack => ({ row_no, rolled_back: 'kept', kept_why });
    if (!person) return { row_no, rolled_back: 'gone', kept_why: null };
    if (row.outcome === 'create') {
      if (person.revision !== revision) return kept('they were changed since');
      const on = hanging.get(person_id);
      if (on) return kept(`something hangs on them since: ${on.map(called).join(', ')}`);
      removed.push(person_id);
      return { row_no, rolled_back: 'removed', kept_why: null };
    }
    const back = takeBack(person, changes ?? {}, companies);
    if (back.restored > 0) restored.push(back.person);
    addresses.push(...back.gone.map((normalised) => ({ person_id, normalised })));
    if (back.kept.length === 0) return { row_no, rolled_back: 'restored', kept_why: null };
    const rest = back.restored > 0 ? '; the rest is as it was' : '';
    return kept(`changed since and kept: ${back.kept.join(', ')}${rest}`);
  });
  await deletePeople(tx, removed);
  await deleteAddresses(tx, addresses);
  await savePeople(tx, restored, now);
  return taken;
}

const CALLED: Record<string, string> = {
  person_facts: 'notes or history',
  person_merges: 'people merged into them',
  positive_readings: 'a positive answer',
};
const called = (table: string): string => CALLED[table] ?? table.replaceAll('_', ' ');
