// The filters above a board and its list: words, whose, label, priority; each one is in the address. `/` goes to the words.
import { Button, UnstyledButton } from '@mantine/core';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useRead } from '../../../../../ui/client/hooks.ts';
import { useMe } from '../../../../../ui/client/session.ts';
import { Label, PRIORITY, PriorityMark, type Priority, PRIORITIES } from '../../../../../ui/kit/pills.tsx';
import { Principal } from '../../../../../ui/kit/principal.tsx';
import { filtering, NO_FILTERS, type BoardFilters } from './board-filters.ts';
import { Choice, FilterWords } from '../../../../../ui/board/filter-bar.tsx';
import classes from '../../../../../ui/board/filter-bar.module.css';

type FilterBarProps = {
  filters: BoardFilters;
  labels: string[];
  change: (change: Partial<Record<keyof BoardFilters, string | undefined>>) => void;
  /** How many are left of how many. */
  left?: ReactNode;
};

export function FilterBar({ filters, labels, change, left }: FilterBarProps) {
  const me = useMe();
  const workers = useRead('assignee_list', { limit: 100 }, { stale_ms: 120_000 }).data?.items ?? [];
  const mine = filters.assignee === 'me';
  return (
    <div className={classes.filters} role="search" aria-label="Filter items">
      <FilterWords value={filters.query ?? ''} change={(query) => change({ query: query || undefined })} />
      <UnstyledButton
        className={classes.chip}
        data-on={mine || undefined}
        aria-pressed={mine}
        onClick={() => change({ assignee: mine ? undefined : 'me' })}
      >
        Mine
      </UnstyledButton>
      <Choice
        title="Assignee"
        value={mine ? undefined : filters.assignee}
        change={(assignee) => change({ assignee })}
        options={[
          { value: 'none', shown: 'Unassigned' },
          ...workers.map((who) => ({
            value: who.id,
            shown: <Principal of={who} size={18} />,
            word: who.id === me.principal.id ? `${who.name} (you)` : who.name,
          })),
        ]}
      />
      {labels.length > 0 && (
        <Choice
          title="Label"
          value={filters.label}
          change={(label) => change({ label })}
          options={labels.map((label) => ({ value: label, shown: <Label>{label}</Label>, word: label }))}
        />
      )}
      <Choice
        title="Priority"
        value={filters.priority}
        change={(priority) => change({ priority })}
        options={PRIORITIES.map((priority) => ({
          value: priority,
          shown: <PriorityChoice of={priority} />,
          word: PRIORITY[priority].title,
        }))}
      />
      {filtering(filters) && (
        <Button
          variant="subtle"
          color="gray"
          leftSection={<X size={14} />}
          onClick={() => change(NO_FILTERS)}
        >
          Clear
        </Button>
      )}
      {left && <span className={classes.left}>{left}</span>}
    </div>
  );
}

const PriorityChoice = ({ of }: { of: Priority }) => (
  <span className={classes.priority}>
    <PriorityMark priority={of} />
    {PRIORITY[of].title}
  </span>
);
