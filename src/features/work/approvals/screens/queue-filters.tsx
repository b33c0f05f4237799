// What of the queue is shown: by state, kind and project, and whether it is by who asked.
import { Menu, SegmentedControl, UnstyledButton } from '@mantine/core';
import { Check, ChevronDown } from 'lucide-react';
import { useRead } from '../../../../ui/client/hooks.ts';
import type { Takes } from '../../../../ui/client/call.ts';
import type { ListState } from '../../../../ui/shell/list-state.ts';
import type { Approval } from '../contract.ts';
import classes from './queue-filters.module.css';

type State = NonNullable<Takes<'approval_list'>['state']>;

const STATES: [State, string][] = [
  ['pending', 'Waiting'],
  ['approved', 'Approved'],
  ['returned', 'Returned'],
  ['rejected', 'Rejected'],
  ['withdrawn', 'Withdrawn'],
  ['superseded', 'Superseded'],
  ['any', 'All'],
];

export const KINDS: Record<Approval['kind'], string> = {
  work_review: 'Work review',
  workflow_step: 'Workflow step',
  chat_action: 'Proposed action',
  proposal: 'Proposal',
};

type Wishes = Pick<Takes<'approval_list'>, 'state' | 'kind' | 'project'>;

/** What the address asks for, as far as it makes sense. */
export function wishesOf({ state, kind, project }: ListState): Wishes {
  const known = STATES.find(([value]) => value === state)?.[0];
  return {
    ...(known && known !== 'pending' && { state: known }),
    ...(kind && kind in KINDS && { kind: kind as Approval['kind'] }),
    ...(project && { project }),
  };
}

type QueueFiltersProps = {
  search: ListState;
  change: (next: Partial<Record<keyof ListState, string | undefined>>) => void;
};

export function QueueFilters({ search, change }: QueueFiltersProps) {
  const projects = useRead('project_list', { limit: 200 }, { stale_ms: 60_000 }).data?.items ?? [];
  const set = (name: 'state' | 'kind' | 'project') => (next: string | undefined) =>
    change({ [name]: next, open: undefined });
  return (
    <div className={classes.filters} role="search" aria-label="Filter approvals">
      <Choice
        title="Waiting"
        value={search.state}
        set={set('state')}
        options={STATES.filter(([value]) => value !== 'pending')}
      />
      {projects.length > 1 && (
        <Choice
          title="All projects"
          value={search.project}
          set={set('project')}
          options={projects.map(({ key, name }) => [key, name])}
        />
      )}
      <Choice title="All kinds" value={search.kind} set={set('kind')} options={Object.entries(KINDS)} />
      <SegmentedControl
        size="xs"
        className={classes.sort ?? ''}
        aria-label="Order"
        value={search.sort ?? 'auto'}
        onChange={(sort) => change({ sort: sort === 'auto' ? undefined : sort })}
        data={[
          { value: 'auto', label: 'Auto' },
          { value: 'oldest', label: 'Oldest' },
          { value: 'who', label: 'By requester' },
        ]}
      />
    </div>
  );
}

type ChoiceProps = {
  title: string;
  value: string | undefined;
  options: [string, string][];
  set: (next: string | undefined) => void;
};

/** `title` is what it says, and what is shown, where nothing is chosen. */
function Choice({ title, value, options, set }: ChoiceProps) {
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <UnstyledButton className={classes.chip} data-on={value !== undefined || undefined}>
          {options.find(([one]) => one === value)?.[1] ?? title}
          <ChevronDown size={13} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {[['', title] as [string, string], ...options].map(([one, word]) => (
          <Menu.Item
            key={one}
            rightSection={one === (value ?? '') ? <Check size={14} aria-label="Chosen" /> : undefined}
            onClick={() => set(one || undefined)}
          >
            {word}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
