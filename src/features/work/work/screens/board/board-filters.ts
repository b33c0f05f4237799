// The filters of a board and of its list: in the address, and pure.
import type { ListState } from '../../../../../ui/shell/list-state.ts';
import type { Card } from '../../contract.ts';

export type BoardFilters = Pick<ListState, 'query' | 'assignee' | 'label' | 'priority'>;

export const filtersOf = ({ query, assignee, label, priority }: ListState): BoardFilters => ({
  ...(query && { query }),
  ...(assignee && { assignee }),
  ...(label && { label }),
  ...(priority && { priority }),
});

export const filtering = (filters: BoardFilters): boolean => Object.values(filters).some(Boolean);

export const NO_FILTERS: Record<keyof BoardFilters, undefined> = {
  query: undefined,
  assignee: undefined,
  label: undefined,
  priority: undefined,
};

/** `assignee` is `me`, `none` or an id; every word of `query` begins a word of the title or is the key. */
export function keeps(card: Card, filters: BoardFilters, me: string): boolean {
  const { query, assignee, label, priority } = filters;
  if (priority && card.priority !== priority) return false;
  if (label && !card.labels.includes(label)) return false;
  if (assignee === 'none' && card.assignee) return false;
  if (assignee && assignee !== 'none' && card.assignee?.id !== (assignee === 'me' ? me : assignee))
    return false;
  return !query || matches(card, query);
}

const plain = (text: string): string => text.normalize('NFKC').toLowerCase();

function matches(card: Card, query: string): boolean {
  const words = plain(card.title).match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  const key = plain(card.key);
  const asked = plain(query).match(/[\p{L}\p{N}\p{M}-]+/gu) ?? [];
  return asked.every(
    (ask) => key === ask || words.some((word) => word.startsWith(ask)) || key.startsWith(ask),
  );
}
