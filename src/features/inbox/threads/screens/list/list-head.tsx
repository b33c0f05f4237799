// Head of the list: states with counts, search and filters.
import { Indicator, NativeSelect, Popover, TextInput, UnstyledButton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ListFilter, MailQuestion, SearchIcon, X } from 'lucide-react';
import { useState } from 'react';
import type { Answer } from '../../../../../ui/client/call.ts';
import { useRead } from '../../../../../ui/client/hooks.ts';
import { useMe } from '../../../../../ui/client/session.ts';
import { mayAdminister } from '../../../../../ui/shell/places.ts';
import type { ListState } from '../../../../../ui/shell/list-state.ts';
import { narrowed, type InboxFilters } from './filters.ts';
import { useAssignees } from '../conversation/use-assignees.ts';
import { useLabels } from '../conversation/use-labels.ts';
import {
  CHANNEL,
  CHANNELS_LISTED,
  READING,
  READINGS_LISTED,
  STATE,
  STATES_LISTED,
  tallied,
} from '../conversation/words.ts';
import classes from './head.module.css';

type ListHeadProps = {
  filters: InboxFilters;
  query: string | undefined;
  counts: Answer<'inbox_counts'> | undefined;
  /** Shows another list. */
  narrow: (next: Partial<ListState>) => void;
  search: (next: Partial<ListState>) => void;
};

export function ListHead({ filters, query, counts, narrow, search }: ListHeadProps) {
  const administers = mayAdminister(useMe());
  const [typed, setTyped] = useState(query ?? '');
  const number: Record<string, number | undefined> = {
    unanswered: counts?.unanswered,
    open: counts?.open,
    snoozed: counts?.snoozed,
  };
  const find = (text: string): void => search({ query: text.trim() || undefined, open: undefined });
  return (
    <div className={classes.head}>
      <nav className={classes.states} aria-label="Status">
        {STATES_LISTED.map((state) => {
          const here = state === filters.state && !query;
          return (
            <UnstyledButton
              key={state}
              className={classes.state ?? ''}
              aria-current={here || undefined}
              data-here={here || undefined}
              onClick={() => {
                setTyped('');
                narrow({ state });
              }}
            >
              {STATE[state]}
              {number[state] ? <span>{tallied(number[state])}</span> : null}
            </UnstyledButton>
          );
        })}
      </nav>
      <div className={classes.tools}>
        <form
          role="search"
          className={classes.search}
          onSubmit={(event) => {
            event.preventDefault();
            find(typed);
          }}
        >
          <TextInput
            id="mail-search"
            size="xs"
            aria-label="Search messages"
            placeholder="Search messages"
            maxLength={200}
            leftSection={<SearchIcon size={14} aria-hidden />}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Escape') return;
              setTyped('');
              if (query) find('');
              event.currentTarget.blur();
            }}
            rightSection={
              query && (
                <UnstyledButton
                  aria-label="Close search"
                  className={classes.clear ?? ''}
                  onClick={() => {
                    setTyped('');
                    find('');
                  }}
                >
                  <X size={14} aria-hidden />
                </UnstyledButton>
              )
            }
          />
        </form>
        <Filters filters={filters} narrow={narrow} />
        {administers && (
          <Link
            to="/inbox/quarantine"
            className={classes.filter ?? ''}
            aria-label="Quarantine: unmatched email"
            title="Quarantine: unmatched email"
          >
            <MailQuestion size={15} aria-hidden />
          </Link>
        )}
      </div>
      {filters.label && (
        <UnstyledButton className={classes.chip ?? ''} onClick={() => narrow({ label: undefined })}>
          {filters.label} <X size={12} aria-hidden /> <span className="unseen">, remove label filter</span>
        </UnstyledButton>
      )}
    </div>
  );
}

function Filters({ filters, narrow }: Pick<ListHeadProps, 'filters' | 'narrow'>) {
  const [opened, setOpened] = useState(false);
  const count = narrowed(filters);
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" width={260} trapFocus withinPortal>
      <Indicator disabled={count === 0} label={count} size={14} offset={3}>
        <Popover.Target>
          <UnstyledButton
            className={classes.filter ?? ''}
            aria-label={count > 0 ? `Filters, ${count} set` : 'Filters'}
            aria-expanded={opened}
            onClick={() => setOpened(!opened)}
          >
            <ListFilter size={15} aria-hidden />
          </UnstyledButton>
        </Popover.Target>
      </Indicator>
      <Popover.Dropdown>{opened && <Choices filters={filters} narrow={narrow} />}</Popover.Dropdown>
    </Popover>
  );
}

function Choices({ filters, narrow }: Pick<ListHeadProps, 'filters' | 'narrow'>) {
  const campaigns = useRead('campaign_list', { limit: 200 }, { stale_ms: 60_000 }).data?.items ?? [];
  const assignees = useAssignees();
  const labels = useLabels();
  // One that is set and no longer among them stays chosen.
  const labelled = filters.label && !labels.includes(filters.label) ? [filters.label, ...labels] : labels;
  const choice = (
    key: 'assignee' | 'reading' | 'channel' | 'campaign' | 'label',
    label: string,
    any: string,
    data: { value: string; label: string }[],
  ) => (
    <NativeSelect
      label={label}
      value={filters[key] ?? ''}
      onChange={(event) => narrow({ [key]: event.currentTarget.value || undefined })}
      data={[{ value: '', label: any }, ...data]}
    />
  );
  return (
    <div className={classes.choices}>
      {choice('assignee', 'Assignee', 'Anyone', [
        { value: 'me', label: 'Me' },
        { value: 'none', label: 'Unassigned' },
        ...assignees.map(({ id, name }) => ({ value: id, label: name })),
      ])}
      {choice(
        'reading',
        'Reading',
        'Any reading',
        READINGS_LISTED.map((value) => ({ value, label: READING[value].title })),
      )}
      {choice(
        'channel',
        'Channel',
        'Any channel',
        CHANNELS_LISTED.map((value) => ({ value, label: CHANNEL[value] })),
      )}
      {choice(
        'campaign',
        'Campaign',
        'All campaigns',
        campaigns.map(({ id, name }) => ({ value: id, label: name })),
      )}
      {choice(
        'label',
        'Label',
        'Any label',
        labelled.map((label) => ({ value: label, label })),
      )}
    </div>
  );
}
