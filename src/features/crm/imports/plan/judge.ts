// Plans each row against the current database. A write does exactly what the plan showed or skips the row and says why.
import type { Caller } from '../../../../kernel/caller.ts';
import type { Reader } from '../../../../kernel/database.ts';
import { holdersOf, type StandingPerson, standingPeople } from '../../people/many/bulk.store.ts';
import { companiesCalled, companyKey } from '../../people/many/wished-companies.store.ts';
import { decide } from '../../../../kernel/policy.ts';
import { personName, refusedAsTooLarge } from '../../people/rules.ts';
import { mayRead } from '../../people/store.ts';
import type { StandingMark } from '../../suppressions/contract.ts';
import { standingAmong } from '../../suppressions/store.ts';
import type { ImportDraft } from '../file/draft.ts';
import { mergeInto, type Mode } from './merge.ts';

/** A letter a row, as a preview keeps them; a capital: suppressed when it was planned. */
export const SKIPPED = {
  h: 'someone already has this address',
  t: 'its addresses belong to two people: merge them first',
  n: 'the person has all of it already',
  p: 'an earlier row changes the same person',
  d: 'your policies do not let you change the person who has this address',
  l: 'the person would hold more than a record can',
} as const;
export type RowLetter = 'c' | 'u' | 'r' | 's' | keyof typeof SKIPPED;

export type Verdict = {
  letter: RowLetter;
  /** Who is changed, or has the address. */
  person: Pick<StandingPerson, 'id' | 'revision'> | null;
  mark: StandingMark | null;
};

/** Made for one file: it remembers whom earlier rows change. */
export function openJudge(db: Reader, caller: Caller, mode: Mode, now: Date) {
  const changed = new Set<string>();
  return async (drafts: readonly ImportDraft[]): Promise<Verdict[]> => {
    const live = drafts.filter((draft) => draft.rejected === null && draft.same_as === null);
    const addresses = live.flatMap((draft) => draft.addresses);
    const holders = await holdersOf(
      db,
      addresses.map(({ normalised }) => normalised),
    );
    const marks = await marksOn(db, live, now);
    const updating = mode === 'skip' ? [] : [...new Set(holders.values())];
    const people = await standingPeople(db, updating, 'as they are');
    const wishes = mode === 'skip' ? [] : live.flatMap(({ company }) => company ?? []);
    const companies = await companiesCalled(db, wishes);

    const judged = (draft: ImportDraft): Omit<Verdict, 'mark'> => {
      if (draft.rejected) return { letter: 'r', person: null };
      if (draft.same_as !== null) return { letter: 's', person: null };
      const [holder, ...others] = new Set(
        draft.addresses.flatMap(({ normalised }) => holders.get(normalised) ?? []),
      );
      if (holder === undefined) return { letter: 'c', person: null };
      // Of whom its importer may not read, an address that is taken is all that is told: it belongs to one person.
      if (![holder, ...others].every((id) => mayRead(caller, id))) return { letter: 'h', person: null };
      const person = people.get(holder) ?? { id: holder, revision: 0 };
      if (others.length > 0) return { letter: 't', person };
      if (mode === 'skip' || !('addresses' in person)) return { letter: 'h', person };
      if (changed.has(person.id)) return { letter: 'p', person };
      if (!decide(caller.rights, 'crm.person.write', [personName(person.id)]).allowed)
        return { letter: 'd', person };
      const company = draft.company && companies.get(companyKey(draft.company));
      const merged = mergeInto(person, draft, mode, company);
      if (Object.keys(merged.changes).length === 0) return { letter: 'n', person };
      if (refusedAsTooLarge(merged.person)) return { letter: 'l', person };
      changed.add(person.id);
      return { letter: 'u', person };
    };
    return drafts.map((draft) => ({ ...judged(draft), mark: marks.get(draft.row) ?? null }));
  };
}

/** The strongest suppression on any address of a row. */
export async function marksOn(
  db: Reader,
  drafts: readonly ImportDraft[],
  now: Date,
): Promise<Map<number, StandingMark>> {
  const hashed = drafts.flatMap(({ row, addresses }) =>
    addresses.map(({ hash, domain }) => ({ row, hash, domain })),
  );
  const standing = await standingAmong(db, hashed, now);
  const marks = new Map<number, StandingMark>();
  for (const { row, hash } of hashed) {
    const mark = standing.get(hash);
    if (mark && !marks.has(row)) marks.set(row, mark);
  }
  return marks;
}
