// The parts of the filters above a board and its list: words, to which `/` goes, and one of several.
import { Menu, TextInput, UnstyledButton } from '@mantine/core';
import { Check, ChevronDown, Search } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useKeys } from '../kit/keys.ts';
import classes from './filter-bar.module.css';

/** Typing is shown at once and reaches the address a moment later. */
export function FilterWords({
  value,
  change,
  label = 'Title or key',
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
  useKeys([{ keys: '/', does: 'Filter by text', group: 'Board', run: () => input.current?.focus() }]);
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
            rightSection={option.value === value ? <Check size={14} aria-label="Selected" /> : undefined}
            onClick={() => change(option.value)}
          >
            {option.shown}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
