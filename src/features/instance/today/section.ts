// How a section of Today is made: only for whoever could read it, and without those rows that a policy hides.
import { denied } from '../../../kernel/denied.ts';
import { couldAllow, decide } from '../../../kernel/policy.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import type { ReadContext } from '../../../kernel/context.ts';
import type { TodayRow, TodaySection } from './contract.ts';
import type { SectionName } from './sections.rules.ts';

export type Rows = { rows: TodayRow[]; count?: number; more?: boolean };

/** Null: whoever asks may not read it, and it is not there. */
export async function section(
  { caller }: ReadContext,
  name: SectionName,
  action: string,
  place: string,
  load: () => Promise<Rows>,
): Promise<TodaySection | null> {
  if (!couldAllow(caller.rights, action)) return null;
  try {
    const { rows, count = rows.length, more = false } = await load();
    return { name, place, rows, count: Math.max(count, rows.length), more };
  } catch (error) {
    if (error instanceof Refusal && error.code === 'policy_denied') return null;
    throw error;
  }
}

/** Why this caller may not do it to that; null where a policy lets them. */
export const closedFor = ({ caller }: ReadContext, action: string, names: string[]): string | null =>
  decide(caller.rights, action, names).allowed ? null : denied(caller, action).sentence;

/** What most rows have: no code, no time that opens it, nothing that can be done in place. */
export const row = (
  given: Pick<TodayRow, 'key' | 'id' | 'title' | 'says' | 'place'> & Partial<TodayRow>,
): TodayRow => ({
  code: null,
  since: null,
  until: null,
  who: 'person',
  act: null,
  ...given,
});

/** `1 letter`, `2,000 letters`. */
export const many = (n: number, one: string, more = `${one}s`): string =>
  `${n.toLocaleString('en-US')} ${n === 1 ? one : more}`;
