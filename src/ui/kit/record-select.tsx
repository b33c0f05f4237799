// Choosing the person or the company that something is with, by words, asked of the product once the typing pauses. What is
// listed is always found by the words that are there: keys pressed before it has come count from the moment it is there. A form
// that is sent meanwhile waits for that, and one in which words are that are no one is not sent.
import { CheckIcon, Combobox, InputBase, Loader, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useEffectEvent, useId, useRef, useState, type KeyboardEvent } from 'react';
import { type Found, type Noun, useFound, useName } from './found-records.ts';
import { useHeldSubmit } from './record-select.submit.ts';
import classes from './record-select.module.css';

const PAUSE_MS = 150;

type RecordSelectProps = {
  noun: Noun;
  value: string | null;
  onChange: (id: string | null) => void;
  /** What is chosen now, so that its name is there before anything is asked. */
  known?: { id: string; name: string } | null;
  error?: string | undefined;
  label?: string;
  /** No label is above it: it is only heard. */
  bare?: boolean;
};

const WORDS: Record<Noun, { title: string; none: string; clear: string; missing: string; unchosen: string }> =
  {
    person: {
      title: 'Person',
      none: 'No one',
      clear: 'No person',
      missing: 'No matching people.',
      unchosen: 'Choose a person from the list, or clear the field.',
    },
    company: {
      title: 'Company',
      none: 'None',
      clear: 'No company',
      missing: 'No matching companies.',
      unchosen: 'Choose a company from the list, or clear the field.',
    },
  };

export function RecordSelect({
  noun,
  value,
  onChange,
  known,
  error,
  label = WORDS[noun].title,
  bare = false,
}: RecordSelectProps) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const store = useCombobox();
  const { dropdownOpened: opened } = store;
  /** Null: nothing was typed since the last choice, and the field shows that. */
  const [typed, setTyped] = useState<string | null>(null);
  /** How far the keys went, round and round the list. */
  const [steps, setSteps] = useState<number | null>(null);
  /** Enter was pressed before there was something to choose from. */
  const [awaited, setAwaited] = useState(false);
  const [picked, setPicked] = useState<Found | null>(null);
  /**
   * The form was sent with words in the field that are no one. Not when the field is left: a line that comes then moves the
   * button that is being clicked.
   */
  const [refused, setRefused] = useState(false);

  const words = (typed ?? '').trim().slice(0, 200);
  const [asked] = useDebouncedValue(words, PAUSE_MS);
  const { found, trouble, again } = useFound(noun, words, asked === words && (opened || awaited));
  const here = found?.length && steps !== null ? ((steps % found.length) + found.length) % found.length : -1;
  const name = useName(noun, value, [known, picked]);
  const { none, clear, missing, unchosen } = WORDS[noun];

  const settle = (): void => {
    setTyped(null);
    setSteps(null);
    setAwaited(false);
    setRefused(false);
    store.closeDropdown();
  };
  const choose = (one: Found): void => {
    settle();
    setPicked(one);
    if (one.id !== value) onChange(one.id);
  };
  const type = (next: string): void => {
    setTyped(next);
    // What is found first is what Enter takes.
    setSteps(next.trim() === '' ? null : 0);
    setAwaited(false);
    setRefused(false);
    held.drop();
    store.openDropdown();
  };
  const empty = (): void => {
    settle();
    if (value !== null) onChange(null);
  };
  const say = (): void => {
    setRefused(true);
    field.current?.focus();
    store.openDropdown();
  };
  const rest = (): void => {
    if (typed === null) return;
    // Where it is alone there is nothing to send: what was not chosen was not meant.
    if (!field.current?.form) settle();
    else if (words === '') empty();
  };
  const held = useHeldSubmit(field, { awaited, unchosen: words !== '', say });
  const come = useEffectEvent(() => {
    const one = found?.[here];
    setAwaited(false);
    if (one) choose(one);
    else if (held.drop()) say();
    else if (document.activeElement !== field.current) rest();
  });
  useEffect(() => {
    if (awaited && (found || trouble)) queueMicrotask(() => come());
  }, [awaited, found, trouble]);
  useEffect(() => {
    if (here >= 0) document.getElementById(`${id}-${here}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, here]);

  const step = (by: 1 | -1): void => {
    if (opened) return setSteps(steps === null ? (by > 0 ? 0 : -1) : steps + by);
    store.openDropdown();
    setSteps(Math.max(found?.findIndex((one) => one.id === value) ?? 0, 0));
  };
  const press = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') settle();
    if (event.key === 'Enter' && typed !== null && words === '' && steps === null) empty();
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      step(event.key === 'ArrowDown' ? 1 : -1);
    }
    if (event.key !== 'Enter' || !opened || steps === null) return;
    event.preventDefault();
    const one = found?.[here];
    if (one) choose(one);
    else if (trouble) again?.();
    else setAwaited(found === null);
  };
  const leave = (): void => {
    store.closeDropdown();
    if (!awaited) rest();
  };

  return (
    <Combobox
      store={store}
      onOptionSubmit={(chosen) => found?.filter((one) => one.id === chosen).map(choose)}
    >
      <Combobox.Target withKeyboardNavigation={false} withAriaAttributes={false}>
        <InputBase
          ref={field}
          label={bare ? undefined : label}
          aria-label={bare ? label : undefined}
          role="combobox"
          aria-haspopup="listbox"
          aria-autocomplete="list"
          aria-expanded={opened}
          aria-controls={(opened && store.listId) || undefined}
          aria-activedescendant={opened && here >= 0 ? `${id}-${here}` : undefined}
          // Escape closes the list alone, not the dialog around it.
          data-mantine-stop-propagation={opened || undefined}
          autoComplete="off"
          placeholder={none}
          error={refused ? unchosen : error}
          value={typed ?? name}
          onChange={(event) => type(event.currentTarget.value)}
          onKeyDown={press}
          onFocus={() => store.openDropdown()}
          onClick={() => store.openDropdown()}
          onBlur={leave}
          rightSectionPointerEvents={value === null || awaited ? 'none' : 'all'}
          rightSection={
            awaited ? (
              <Loader size={14} />
            ) : value === null ? (
              <Combobox.Chevron />
            ) : (
              <Combobox.ClearButton aria-label={clear} onClear={empty} />
            )
          }
        />
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Options className={classes.options ?? ''} aria-label={label}>
          {found?.map((one, index) => (
            <Combobox.Option
              key={one.id}
              id={`${id}-${index}`}
              value={one.id}
              selected={index === here}
              active={one.id === value}
              aria-selected={one.id === value}
            >
              <span className={classes.option}>
                {one.id === value && <CheckIcon className={classes.check ?? ''} />}
                <span>
                  {one.name}
                  {one.says && <span className={classes.says}> {one.says}</span>}
                </span>
              </span>
            </Combobox.Option>
          ))}
          {found?.length ? null : (
            <Combobox.Empty>{trouble ? trouble.sentence : found ? missing : 'Searching…'}</Combobox.Empty>
          )}
        </Combobox.Options>
        {trouble && again && (
          <Combobox.Footer>
            <button type="button" className={classes.again} tabIndex={-1} onClick={again}>
              Try again
            </button>
          </Combobox.Footer>
        )}
      </Combobox.Dropdown>
    </Combobox>
  );
}
