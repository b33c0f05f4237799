// What the address of the list holds, as arguments of the list and of the export.
import type { Takes } from '../../../../ui/client/call.ts';
import type { ListState } from '../../../../ui/shell/list-state.ts';
import type { BASES, SORTS } from '../contract.ts';

type Args = Takes<'person_list'>;
type Sort = (typeof SORTS)[number];

const SORTS_LISTED: readonly Sort[] = ['name', 'updated', 'created'];
const BASES_LISTED: readonly (typeof BASES)[number][] = [
  'legitimate_interest',
  'consent',
  'customer',
  'none',
];

export const sortOf = (search: ListState): Sort => SORTS_LISTED.find((one) => one === search.sort) ?? 'name';
export const basisOf = (search: ListState) => BASES_LISTED.find((one) => one === search.basis);

export function filtersOf(search: ListState): Omit<Args, 'sort' | 'limit' | 'cursor'> {
  const basis = basisOf(search);
  return {
    ...(search.query ? { query: search.query } : {}),
    ...(search.tag ? { tag: [search.tag] } : {}),
    ...(search.owner ? { owner: [search.owner] } : {}),
    ...(basis ? { basis: [basis] } : {}),
    ...(search.suppressed === 'yes' ? { suppressed: true } : {}),
    ...(search.suppressed === 'no' ? { suppressed: false } : {}),
    ...(search.segment ? { segment: search.segment } : {}),
  };
}

export const isNarrowed = (search: ListState): boolean => Object.keys(filtersOf(search)).length > 0;
