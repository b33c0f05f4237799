// Writes a part of a batch: each row does what its plan said, or is left as it is and named with what came between. Made of
// a few statements whatever the number of rows, inside the caller's transaction.
import type { Principal } from '../../../../kernel/caller.ts';
import type { Transaction } from '../../../../kernel/database.ts';
import { valueOf } from '../../fields/rules.ts';
import { holdFields } from '../../fields/store.ts';
import {
  deleteAddresses,
  holdersOf,
  insertAddresses,
  insertPeople,
  type NewAddress,
  type NewPerson,
  savePeople,
  type StandingPerson,
  standingPeople,
} from '../../people/many/bulk.store.ts';
import { companiesFor, companyKey } from '../../people/many/wished-companies.store.ts';
import { suppressAll } from '../../suppressions/store.ts';
import { addCompanies, addResults, type RowResult } from '../batch.store.ts';
import type { ImportDraft } from '../file/draft.ts';
import { type RowLetter, marksOn, SKIPPED } from '../plan/judge.ts';
import { type Changes, mergeInto, type Mode } from '../plan/merge.ts';
import type { PlannedDraft } from '../plan/planned.ts';

export type ImportPart = { batch: string; by: Principal; mode: Mode; now: Date };

const TAKEN = 'someone else got this address after the preview, so it was skipped';
const EDITED = 'the person was changed since the preview: they are left as they are';
const GONE = 'the person is gone since the preview';
const SUPPRESSED = 'an address was suppressed since the preview, and stays suppressed';

export async function applyPart(
  tx: Transaction,
  part: ImportPart,
  drafts: readonly PlannedDraft[],
): Promise<void> {
  const { batch, by, mode, now } = part;
  await withoutLostFields(tx, drafts);
  const live = drafts.filter(({ letter }) => letter === 'c' || letter === 'u');
  const holders = await holdersOf(
    tx,
    live.flatMap(({ addresses }) => addresses.map(({ normalised }) => normalised)),
  );
  const targets = live.flatMap(({ target }) => target?.[0] ?? []);
  const standing = await standingPeople(tx, targets, 'locked');
  const marks = await marksOn(tx, live, now);
  const { companies, made } = await companiesFor(
    tx,
    live.flatMap(({ company }) => company ?? []),
    now,
  );
  await addCompanies(tx, batch, made);

  const results = new Map<number, RowResult>();
  const put = (draft: PlannedDraft, result: Partial<RowResult> & Pick<RowResult, 'outcome'>): void => {
    const late = marks.has(draft.row) && !draft.suppressed && result.outcome !== 'skip' ? SUPPRESSED : null;
    results.set(draft.row, { ...blankResult(draft.row), differs: late, ...noteOf(draft), ...result });
  };
  const leave = (draft: PlannedDraft, differs: string, person_id: string | null): void =>
    put(draft, { outcome: 'skip', reason: differs, column_name: null, differs, person_id });

  const people: NewPerson[] = [];
  const saves: StandingPerson[] = [];
  const addresses: NewAddress[] = [];
  const changes = new Map<number, Changes>();
  for (const draft of drafts) {
    const company = draft.company && (companies.get(companyKey(draft.company)) ?? null);
    const holder = draft.addresses
      .map(({ normalised }) => holders.get(normalised))
      .find((id) => id !== undefined);
    if (draft.letter === 'c') {
      if (holder === undefined) people.push(newPerson(draft, company));
      else leave(draft, TAKEN, holder);
    } else if (draft.letter === 'u') {
      const [id, revision] = draft.target ?? ['', 0];
      const person = standing.get(id);
      if (!person) leave(draft, GONE, null);
      else if (person.revision !== revision || mode === 'skip') leave(draft, EDITED, id);
      else if (draft.addresses.some(({ normalised }) => (holders.get(normalised) ?? id) !== id))
        leave(draft, TAKEN, id);
      else {
        const merged = mergeInto(person, draft, mode, company);
        saves.push(merged.person);
        changes.set(draft.row, merged.changes);
        const first = person.addresses.length === 0;
        addresses.push(
          ...merged.added.map((each, i) => ({
            ...each,
            person_id: id,
            position: person.addresses.length + i,
            is_primary: first && i === 0,
          })),
        );
      }
    } else
      put(draft, {
        outcome: draft.letter === 'r' ? 'reject' : 'skip',
        person_id: draft.target?.[0] ?? null,
        ...whyLeft(draft),
      });
  }

  const lost = await insertPeople(tx, people, by, now);
  const lostUpdates = await insertAddresses(tx, addresses);
  // Of an update whose address was taken in this very moment nothing may stay: the addresses that did land go again.
  const kept = saves.filter(({ id }) => !lostUpdates.has(id));
  await dropLost(tx, addresses, lostUpdates);
  // No import asks for wire.
  await savePeople(tx, kept, false, now);
  for (const draft of live) {
    if (results.has(draft.row)) continue;
    const id = draft.letter === 'c' ? draft.id : (draft.target?.[0] ?? '');
    if ((draft.letter === 'c' ? lost : lostUpdates).has(id))
      leave(draft, TAKEN, draft.letter === 'c' ? null : id);
    else if (draft.letter === 'c') put(draft, { outcome: 'create', person_id: id, revision: 1 });
    else
      put(draft, {
        outcome: 'update',
        person_id: id,
        revision: (draft.target?.[1] ?? 0) + 1,
        changes: changes.get(draft.row) ?? {},
      });
  }
  await suppressNamed(tx, part, drafts);
  await addResults(tx, batch, [...results.values()], now);
}

const blankResult = (row_no: number): RowResult => ({
  row_no,
  outcome: 'skip',
  column_name: null,
  reason: null,
  differs: null,
  person_id: null,
  revision: null,
  changes: null,
});

/** A cell that was left out of a row that was taken. */
function noteOf({ notes }: ImportDraft): Pick<RowResult, 'column_name' | 'reason'> {
  const [note] = notes;
  return { column_name: note?.column ?? null, reason: note ? `left out: ${note.reason}` : null };
}

/** That nothing may be written to someone comes before why their row changes nothing. */
export function whyLeft(
  draft: ImportDraft & { letter: RowLetter; suppressed: boolean },
): Pick<RowResult, 'column_name' | 'reason'> {
  const { letter, rejected, same_as, suppressed } = draft;
  if (rejected) return { column_name: rejected.column, reason: rejected.reason };
  const first = suppressed ? 'its address is suppressed, and stays so; ' : '';
  if (letter === 's')
    return { column_name: null, reason: `${first}row ${same_as ?? '?'} has the same address` };
  const skipped = letter in SKIPPED ? SKIPPED[letter as keyof typeof SKIPPED] : null;
  return { column_name: null, reason: skipped && `${first}${skipped}` };
}

const newPerson = (draft: PlannedDraft, company: { id: string; name: string } | null): NewPerson => ({
  id: draft.id,
  name: draft.name ?? '',
  name_key: draft.name_key ?? '',
  search: draft.search ?? '',
  given: draft.given,
  family: draft.family,
  title: draft.title,
  company_id: company?.id ?? null,
  company: company?.name ?? null,
  phone: draft.phone,
  links: draft.links,
  timezone: draft.timezone,
  language: draft.language,
  country: draft.country,
  source: draft.source,
  basis: draft.basis ?? 'none',
  basis_note: draft.basis_note,
  tags: draft.tags,
  custom: draft.custom,
  addresses: draft.addresses,
});

/** A field that was removed or turned since the file was read takes no value of it. */
async function withoutLostFields(tx: Transaction, drafts: readonly PlannedDraft[]): Promise<void> {
  if (!drafts.some(({ custom }) => Object.keys(custom).length > 0)) return;
  const takes = new Map((await holdFields(tx, 'person')).map((field) => [field.key, valueOf(field)]));
  for (const draft of drafts)
    draft.custom = Object.fromEntries(
      Object.entries(draft.custom).filter(([key, value]) => takes.get(key)?.safeParse(value).success),
    );
}

async function dropLost(
  tx: Transaction,
  addresses: readonly NewAddress[],
  lost: ReadonlySet<string>,
): Promise<void> {
  if (lost.size === 0) return;
  const landed = addresses.filter(({ person_id }) => lost.has(person_id));
  await deleteAddresses(tx, landed);
}

/** Whom a column that was mapped to `unsubscribed` names: free to add, whatever happened to the row. */
async function suppressNamed(
  tx: Transaction,
  { batch, by, now }: ImportPart,
  drafts: readonly PlannedDraft[],
): Promise<void> {
  const named = drafts.filter(({ unsubscribed, rejected }) => unsubscribed && rejected === null);
  const wishes = named.flatMap(({ addresses }) =>
    addresses.map(({ normalised }) => ({
      kind: 'address' as const,
      value: normalised,
      reason: 'import' as const,
      source: 'import' as const,
      source_ref: batch,
    })),
  );
  if (wishes.length > 0) await suppressAll(tx, wishes, by, now);
}
