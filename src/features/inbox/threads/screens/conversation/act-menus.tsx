// Assign, snooze and label menus, for one conversation or many.
import { Button, TextInput } from '@mantine/core';
import { AlarmClock, Tag, UserRound } from 'lucide-react';
import { useState } from 'react';
import { useMe } from '../../../../../ui/client/session.ts';
import { Mark } from '../../../../../ui/kit/principal.tsx';
import type { Thread } from '../../contract.ts';
import { LABELS_MAX } from '../../names.rules.ts';
import { snoozeChoices } from '../../snooze/snooze.rules.ts';
import { LaterMenu } from './later-menu.tsx';
import { PickMenu } from './pick-menu.tsx';
import type { ThreadActs } from './use-acts.ts';
import { useAssignees } from './use-assignees.ts';
import { useLabels } from './use-labels.ts';
import classes from './act-menus.module.css';

type ActMenuProps = {
  threads: Thread[];
  acts: ThreadActs;
  opened: boolean;
  onChange: (opened: boolean) => void;
  /** After an act that took them out of the list. */
  left?: () => void;
  size?: 'compact-sm' | 'compact-xs';
};

const ROOMY = 'compact-sm';

const many = (threads: Thread[]): string =>
  threads.length === 1 ? 'Conversation' : `${threads.length} conversations`;

export function AssignMenu({ threads, acts, opened, onChange, size = ROOMY }: ActMenuProps) {
  const me = useMe();
  const others = useAssignees();
  const [only] = threads.length === 1 ? threads : [];
  const give = (assignee: string, name: string) => (): void =>
    void acts.change(
      threads,
      () => ({ assignee }),
      assignee === 'none' ? `${many(threads)} unassigned` : `Assigned to ${name}`,
      assignee === 'none' ? 'Unassign' : `Assign to ${name}`,
    );
  const mine = only?.assignee?.id === me.principal.id;
  return (
    <PickMenu
      opened={opened}
      onChange={onChange}
      picks={[
        { key: 'me', title: 'Me', chosen: mine, run: give('me', me.principal.name) },
        {
          key: 'none',
          title: 'No one',
          chosen: only !== undefined && only.assignee === null,
          run: give('none', ''),
        },
        ...others.map((one) => ({
          key: one.id,
          title: (
            <span className={classes.who}>
              <Mark of={one} size={18} /> {one.name}
            </span>
          ),
          chosen: only?.assignee?.id === one.id,
          run: give(one.id, one.name),
        })),
      ]}
    >
      <Button
        size={size}
        variant="default"
        leftSection={only?.assignee ? <Mark of={only.assignee} size={16} /> : <UserRound size={14} />}
      >
        {only ? (mine ? 'Mine' : (only.assignee?.name ?? 'Unassigned')) : 'Assign'}
      </Button>
    </PickMenu>
  );
}

type SnoozeMenuProps = ActMenuProps & { theirs?: string | null };

export function SnoozeMenu({
  threads,
  acts,
  opened,
  onChange,
  left,
  theirs = null,
  size = ROOMY,
}: SnoozeMenuProps) {
  return (
    <LaterMenu
      act="Snooze"
      opened={opened}
      onChange={onChange}
      choices={(now, zone) => snoozeChoices(now, zone, theirs)}
      run={(until) => {
        left?.();
        void acts.settle(threads, { snoozed_until: until.toISOString() });
      }}
    >
      <Button size={size} variant="default" leftSection={<AlarmClock size={14} />}>
        Snooze
      </Button>
    </LaterMenu>
  );
}

export function LabelMenu({ threads, acts, opened, onChange, size = ROOMY }: ActMenuProps) {
  const [typed, setTyped] = useState('');
  const known = useLabels(opened);
  const there = [...new Set([...threads.flatMap(({ labels }) => labels), ...known])].toSorted((a, b) =>
    a.localeCompare(b),
  );
  const onAll = (label: string): boolean => threads.every(({ labels }) => labels.includes(label));
  const put = (label: string): void =>
    void acts.change(
      threads,
      ({ labels }) => ({ labels: [...new Set([...labels, label])].slice(0, LABELS_MAX) }),
      `Label “${label}” added`,
      `Add label “${label}”`,
    );
  const take = (label: string): void =>
    void acts.change(
      threads,
      ({ labels }) => ({ labels: labels.filter((one) => one !== label) }),
      `Label “${label}” removed`,
      `Remove label “${label}”`,
    );
  return (
    <PickMenu
      opened={opened}
      onChange={onChange}
      picks={there.map((label) => ({
        key: label,
        title: label,
        chosen: onAll(label),
        run: () => (onAll(label) ? take(label) : put(label)),
      }))}
      foot={
        <form
          className={classes.own}
          onSubmit={(event) => {
            event.preventDefault();
            if (!typed.trim()) return;
            onChange(false);
            put(typed.trim());
            setTyped('');
          }}
        >
          <TextInput
            size="xs"
            data-autofocus={there.length === 0 || undefined}
            aria-label="New label"
            placeholder="New label"
            maxLength={60}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <Button size="compact-sm" type="submit" variant="default" disabled={!typed.trim()}>
            Add
          </Button>
        </form>
      }
    >
      <Button size={size} variant="default" leftSection={<Tag size={14} />}>
        Label
      </Button>
    </PickMenu>
  );
}
