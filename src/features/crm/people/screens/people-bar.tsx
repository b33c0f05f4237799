// Above the list of people: the search, the filters and the order.
import { Button, CloseButton, NativeSelect, TextInput } from '@mantine/core';
import { Search } from 'lucide-react';
import type { RefObject } from 'react';
import { useUserChoices } from '../../../../ui/kit/choices.ts';
import type { ListState } from '../../../../ui/shell/list-state.ts';
import { basisOf, sortOf } from './filters.ts';
import { BASIS } from './words.ts';
import classes from './people.module.css';

export type PeopleQuery = Partial<Record<keyof ListState, string | undefined>>;

type BarProps = {
  search: ListState;
  show: (change: PeopleQuery) => void;
  field: RefObject<HTMLInputElement | null>;
};

export function PeopleBar({ search, show, field }: BarProps) {
  const users = useUserChoices('active');
  return (
    <>
      <TextInput
        ref={field}
        aria-label="Find by name, title, company or address"
        placeholder="Find people"
        leftSection={<Search size={14} aria-hidden />}
        value={search.query ?? ''}
        onChange={(event) => show({ query: event.currentTarget.value || undefined })}
        className={classes.find ?? ''}
      />
      <NativeSelect
        aria-label="Suppression"
        className={classes.half ?? ''}
        value={search.suppressed ?? ''}
        onChange={(event) => show({ suppressed: event.currentTarget.value || undefined })}
        data={[
          { value: '', label: 'Suppressed or not' },
          { value: 'no', label: 'Not suppressed' },
          { value: 'yes', label: 'Suppressed' },
        ]}
      />
      <span className={classes.wide}>
        <NativeSelect
          aria-label="Owner"
          value={search.owner ?? ''}
          onChange={(event) => show({ owner: event.currentTarget.value || undefined })}
          data={[
            { value: '', label: 'Any owner' },
            { value: 'me', label: 'Mine' },
            { value: 'none', label: 'Unassigned' },
            ...users,
          ]}
          maw={170}
        />
        <NativeSelect
          aria-label="Basis"
          value={basisOf(search) ?? ''}
          onChange={(event) => show({ basis: event.currentTarget.value || undefined })}
          data={[
            { value: '', label: 'Any basis' },
            ...Object.entries(BASIS).map(([value, label]) => ({ value, label })),
          ]}
        />
      </span>
      {search.tag && (
        <Button
          variant="light"
          size="compact-md"
          rightSection={<CloseButton component="span" size="xs" aria-hidden />}
          aria-label={`Remove the filter on tag ${search.tag}`}
          onClick={() => show({ tag: undefined })}
        >
          Tag: {search.tag}
        </Button>
      )}
      <NativeSelect
        aria-label="Order"
        className={classes.half ?? ''}
        value={sortOf(search)}
        onChange={(event) =>
          show({ sort: event.currentTarget.value === 'name' ? undefined : event.currentTarget.value })
        }
        data={[
          { value: 'name', label: 'By name' },
          { value: 'updated', label: 'Recently changed first' },
          { value: 'created', label: 'Newest first' },
        ]}
      />
    </>
  );
}
