// Inbox filters as search parameters of the address.
import type { Answer, Takes } from '../../../../../ui/client/call.ts';
import type { ListState } from '../../../../../ui/shell/list-state.ts';
import {
  CHANNELS_LISTED,
  READINGS_LISTED,
  STATES_LISTED,
  type InboxState,
  type Reading,
} from '../conversation/words.ts';

/** Those who wait are what one opens it for. */
const FIRST: InboxState = 'unanswered';

export type InboxFilters = {
  state: InboxState;
  channel: string | undefined;
  reading: Reading | undefined;
  campaign: string | undefined;
  assignee: string | undefined;
  label: string | undefined;
};

const among = <T extends string>(list: readonly T[], value: string | undefined): T | undefined =>
  list.find((one) => one === value);

const ID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** An address that someone mistyped shows more, and no error. */
export const filtersOf = (search: ListState): InboxFilters => ({
  state: among(STATES_LISTED, search.state) ?? FIRST,
  channel: among(CHANNELS_LISTED, search.channel),
  reading: among(READINGS_LISTED, search.reading),
  campaign: search.campaign && ID.test(search.campaign) ? search.campaign : undefined,
  assignee:
    search.assignee && (['me', 'none'].includes(search.assignee) || ID.test(search.assignee))
      ? search.assignee
      : undefined,
  label: search.label?.slice(0, 60),
});

const PAGE = 50;

export const listArgs = ({ state, ...rest }: InboxFilters): Takes<'inbox_list'> =>
  ({
    ...(state === 'all' ? {} : { state }),
    ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)),
    limit: PAGE,
  }) as Takes<'inbox_list'>;

/** How many filters are set beside the state. */
export const narrowed = (filters: InboxFilters): number =>
  Object.values({ ...filters, state: undefined }).filter((value) => value !== undefined).length;

/** A count stops here, and says no more than that there are as many. */
const COUNTED_TO = 1_000;

/** How many the list shows, where the counts of the inbox say so: of a state that nothing narrows. */
export function knownCount(filters: InboxFilters, counts: Answer<'inbox_counts'> | undefined): number | null {
  const { state } = filters;
  if (!counts || narrowed(filters) > 0 || state === 'closed' || state === 'all') return null;
  return counts[state] < COUNTED_TO ? counts[state] : null;
}
