// The filters above a board and its list: words, whose, label, priority; each one is in the address. `/` goes to the words.
import { Button, Menu, TextInput, UnstyledButton } from '@mantine/core';
import { Check, ChevronDown, Search, X } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useRead } from '../../../../../ui/client/hooks.ts';
import { useMe } from '../../../../../ui/client/session.ts';
import { useKeys } from '../../../../../ui/kit/keys.ts';
import { Label, PRIORITY, PriorityMark, type Priority, PRIORITIES } from '../../../../../ui/kit/pills.tsx';
import { Principal } from '../../../../../ui/kit/principal.tsx';
import { filtering, NO_FILTERS, type Filters } from './filters.ts';
import classes from '../../../../../ui/board/filter-bar.module.css';

type FilterBarProps = {
  filters: Filters;
  labels: string[];
  change: (change: Partial<Record<keyof Filters, string | undefined>>) => void;
  /** How many are left of how many. */
  left?: ReactNode;
};

export function FilterBar({ filters, labels, change, left }: FilterBarProps) {
  const me = useMe();
  const workers = useRead('assignee_list', { limit: 100 }, { stale_ms: 120_000 }).data?.items ?? [];
  const mine = filters.assignee === 'me';
  return (
    <div className={classes.filters} role="search" aria-label="Filter items">
      <Words value={filters.query ?? ''} change={(query) => change({ query: query || undefined })} />
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
          { value: 'none', shown: 'Nobody' },
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

/** Typing is shown at once and reaches the address a moment later. */
export function Words({
  value,
  change,
  label = 'Words of a title, or a key',
}: {
  value: string;
  change: (next: string) => void;
  label?: string;
}) {
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  if (known !== value) {
    setKnown(value);
    setText(value);
  }
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => change(text.trim()), 150);
    return () => clearTimeout(timer);
  });
  useKeys([{ keys: '/', does: 'Filter by words', group: 'Board', run: () => input.current?.focus() }]);
  return (
    <TextInput
      ref={input}
      className={classes.words}
      aria-label={label}
      placeholder="Filter"
      leftSection={<Search size={14} aria-hidden />}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        setText('');
        event.currentTarget.blur();
      }}
    />
  );
}

type Option = { value: string; shown: ReactNode; word?: string };

export function Choice(props: {
  title: string;
  value: string | undefined;
  options: Option[];
  change: (next: string | undefined) => void;
}) {
  const { title, value, options, change } = props;
  const chosen = options.find((option) => option.value === value);
  const word = chosen?.word ?? (typeof chosen?.shown === 'string' ? chosen.shown : value);
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <UnstyledButton className={classes.chip} data-on={value !== undefined || undefined}>
          {value === undefined ? title : `${title}: ${word}`}
          <ChevronDown size={13} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown className={classes.options}>
        {value !== undefined && (
          <>
            <Menu.Item onClick={() => change(undefined)}>Any</Menu.Item>
            <Menu.Divider />
          </>
        )}
        {options.map((option) => (
          <Menu.Item
            key={option.value}
            rightSection={option.value === value ? <Check size={14} aria-label="Chosen" /> : undefined}
            onClick={() => change(option.value)}
          >
            {option.shown}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
