// The filters of the board and the list of deals: in the address, and pure.
import type { ListState } from '../../../../ui/shell/list-state.ts';
import { isUuid } from '../../../../ui/kit/uuid.ts';

export type DealFilters = Partial<Record<'query' | 'owner' | 'person' | 'company' | 'campaign', string>>;

/** What of an address the product takes; anything else in it filters nothing. */
export function filtersOf({ query, owner, person, company, campaign }: ListState): DealFilters {
  const named = owner === 'me' || owner === 'none' || (owner !== undefined && isUuid(owner));
  return {
    ...(query && { query: query.slice(0, 200) }),
    ...(owner && named && { owner }),
    ...(person && isUuid(person) && { person }),
    ...(company && isUuid(company) && { company }),
    ...(campaign && isUuid(campaign) && { campaign }),
  };
}

export const filtering = (filters: DealFilters): boolean => Object.values(filters).some(Boolean);

export const NO_FILTERS = {
  query: undefined,
  owner: undefined,
  person: undefined,
  company: undefined,
  campaign: undefined,
} as const;
