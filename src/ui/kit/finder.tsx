// A value that opens a list to choose from, with a search in it: assignees, labels, other items. The list closes on a choice
// of one and stays for a choice of several.
import { Combobox, Loader, useCombobox } from '@mantine/core';
import { Check } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import classes from './finder.module.css';

export type Found = { id: string; shown: ReactNode; word: string };

type FinderProps = {
  /** What is chosen, for readers, before the value itself: "Assignee". */
  label: string;
  children: ReactNode;
  options: Found[];
  chosen: string[];
  onPick: (id: string) => void;
  several?: boolean;
  /** Finds elsewhere; without it the given options are narrowed. */
  onSearch?: (words: string) => void;
  /** The options were found by other words than those that are there now: none of them can be chosen. */
  searching?: boolean;
  /** Makes what is not there yet. */
  onMake?: (word: string) => void;
  onOpen?: () => void;
  placeholder?: string;
};

export function Finder(props: FinderProps) {
  const {
    label,
    children,
    options,
    chosen,
    onPick,
    several = false,
    onSearch,
    searching = false,
    onMake,
    onOpen,
    placeholder = 'Find',
  } = props;
  const [words, setWords] = useState('');
  const search = (next: string): void => {
    setWords(next);
    onSearch?.(next);
  };
  const combobox = useCombobox({
    onDropdownClose: () => {
      combobox.resetSelectedOption();
      search('');
      combobox.focusTarget();
    },
    onDropdownOpen: () => {
      onOpen?.();
      combobox.focusSearchInput();
    },
  });
  const asked = words.trim().toLowerCase();
  const shown = searching
    ? []
    : onSearch
      ? options
      : options.filter((option) => option.word.toLowerCase().includes(asked));
  const makes =
    onMake && asked && !searching && !options.some((option) => option.word.toLowerCase() === asked);
  return (
    <Combobox
      store={combobox}
      position="bottom-start"
      width={264}
      onOptionSubmit={(value) => {
        if (value === '+') onMake?.(words.trim());
        else onPick(value);
        search('');
        if (!several) combobox.closeDropdown();
      }}
    >
      <Combobox.Target targetType="button" withAriaAttributes={false}>
        <button
          type="button"
          className={classes.value}
          aria-haspopup="listbox"
          aria-expanded={combobox.dropdownOpened}
          onClick={() => combobox.toggleDropdown()}
        >
          <span className="unseen">{label}: </span>
          {children}
        </button>
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Search
          value={words}
          onChange={(event) => {
            search(event.currentTarget.value);
            combobox.updateSelectedOptionIndex();
          }}
          placeholder={placeholder}
          aria-label={`Find ${label}`}
          rightSection={searching ? <Loader size={14} /> : undefined}
        />
        <Combobox.Options className={classes.options} aria-label={label}>
          {shown.map((option) => (
            <Combobox.Option key={option.id} value={option.id} active={chosen.includes(option.id)}>
              <span className={classes.option}>
                <span className={classes.grow}>{option.shown}</span>
                {chosen.includes(option.id) && <Check size={14} aria-label="Selected" />}
              </span>
            </Combobox.Option>
          ))}
          {makes && <Combobox.Option value="+">Add “{words.trim()}”</Combobox.Option>}
          {shown.length === 0 && !makes && (
            <Combobox.Empty>{searching ? 'Searching…' : 'No matches.'}</Combobox.Empty>
          )}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}
