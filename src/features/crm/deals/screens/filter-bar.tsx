// The filters above the board and the list of deals, each in the address. `/` goes to the words.
import { Button, NativeSelect, UnstyledButton } from '@mantine/core';
import { X } from 'lucide-react';
import { useMe } from '../../../../ui/client/session.ts';
import type { ListState } from '../../../../ui/shell/list-state.ts';
import { Choice, FilterWords } from '../../../../ui/board/filter-bar.tsx';
import classes from '../../../../ui/board/filter-bar.module.css';
import type { Stage } from '../pipeline.contract.ts';
import { type DealFilters, filtering, NO_FILTERS } from './filters.ts';
import { sortOf } from './list.tsx';
import { useOwners } from './words.ts';

type FilterBarProps = {
  filters: DealFilters;
  search: ListState;
  /** Where the list can be narrowed to one; none on the board, which shows them all. */
  stages: readonly Stage[] | null;
  change: (change: Partial<Record<keyof ListState, string | undefined>>) => void;
};

export function FilterBar({ filters, search, stages, change }: FilterBarProps) {
  const me = useMe();
  const owners = useOwners();
  const mine = filters.owner === 'me';
  const named = (['person', 'company', 'campaign'] as const).filter((key) => filters[key]);
  return (
    <div className={classes.filters} role="search" aria-label="Filter deals">
      <FilterWords
        label="Name contains"
        value={filters.query ?? ''}
        change={(query) => change({ query: query || undefined })}
      />
      <UnstyledButton
        className={classes.chip}
        data-on={mine || undefined}
        aria-pressed={mine}
        onClick={() => change({ owner: mine ? undefined : 'me' })}
      >
        Mine
      </UnstyledButton>
      <Choice
        title="Owner"
        value={mine ? undefined : filters.owner}
        change={(owner) => change({ owner })}
        options={[
          { value: 'none', shown: 'No owner' },
          ...owners.map(({ id, name }) => ({
            value: id,
            shown: id === me.principal.id ? `${name} (you)` : name,
          })),
        ]}
      />
      {stages && (
        <Choice
          title="Stage"
          value={search.stage}
          change={(stage) => change({ stage })}
          options={stages.map(({ key, title }) => ({ value: key, shown: title }))}
        />
      )}
      {named.map((key) => (
        <Button
          key={key}
          variant="light"
          rightSection={<X size={13} aria-hidden />}
          aria-label={`Remove the ${key} filter`}
          onClick={() => change({ [key]: undefined })}
        >
          One {key}
        </Button>
      ))}
      {(filtering(filters) || (stages && search.stage)) && (
        <Button
          variant="subtle"
          color="gray"
          leftSection={<X size={14} />}
          onClick={() => change({ ...NO_FILTERS, stage: undefined })}
        >
          Clear
        </Button>
      )}
      {stages && (
        <span className={classes.left}>
          <NativeSelect
            aria-label="Order"
            value={sortOf(search.sort)}
            onChange={(event) =>
              change({
                sort: event.currentTarget.value === 'updated' ? undefined : event.currentTarget.value,
              })
            }
            data={[
              { value: 'updated', label: 'Recently changed first' },
              { value: 'expected', label: 'Earliest expected close first' },
              { value: 'amount', label: 'Largest amount first' },
            ]}
          />
        </span>
      )}
    </div>
  );
}
