// Menu of saved replies: search, insert at the cursor, save, delete.
import { ActionIcon, Button, Checkbox, Popover, TextInput } from '@mantine/core';
import { Scissors, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useAct, usePages } from '../../../../ui/client/hooks.ts';
import { confirm } from '../../../../ui/kit/confirm.ts';
import { Bones, Trouble } from '../../../../ui/kit/states.tsx';
import type { Snippet } from '../contract.ts';
import classes from './snippet-menu.module.css';

type SnippetMenuProps = {
  insert: (text: string) => void;
  /** What is written now. */
  text: string;
};

export function SnippetMenu({ insert, text }: SnippetMenuProps) {
  const [opened, setOpened] = useState(false);
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="top-start"
      width={320}
      trapFocus
      withinPortal
      returnFocus
    >
      <Popover.Target>
        <Button
          variant="subtle"
          color="gray"
          leftSection={<Scissors size={14} />}
          aria-expanded={opened}
          onClick={() => setOpened(!opened)}
        >
          Saved replies
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Saved replies">
        {opened && (
          <Choices
            text={text}
            insert={(snippet) => {
              setOpened(false);
              insert(snippet.text);
            }}
          />
        )}
      </Popover.Dropdown>
    </Popover>
  );
}

function Choices({ text, insert }: { text: string; insert: (snippet: Snippet) => void }) {
  const pages = usePages('snippet_list', { limit: 100 });
  const [query, setQuery] = useState('');
  const remove = useAct('snippet_delete', { says: 'Saved reply deleted' });
  const words = query.trim().toLowerCase();
  const found = pages.rows.filter(
    (one) => one.name.toLowerCase().includes(words) || one.text.toLowerCase().includes(words),
  );
  const gone = async (snippet: Snippet): Promise<void> => {
    const yes = await confirm({
      title: `Delete “${snippet.name}”?`,
      says: snippet.own
        ? 'This saved reply is private to you. This can’t be undone.'
        : 'This deletes the saved reply for everyone. Replies already written don’t change. This can’t be undone.',
      act: 'Delete',
      tone: 'bad',
    });
    if (yes) remove.mutate({ snippet: snippet.id });
  };
  return (
    <div className={classes.menu}>
      <TextInput
        size="xs"
        data-autofocus
        aria-label="Search saved replies"
        placeholder="Search saved replies"
        value={query}
        onChange={(event) => setQuery(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && found[0]) insert(found[0]);
        }}
      />
      {pages.pending ? (
        <Bones lines={3} />
      ) : pages.error ? (
        <Trouble error={pages.error} again={pages.again} />
      ) : found.length === 0 ? (
        <p className={classes.none}>
          {words ? 'No matching saved replies.' : 'No saved replies yet. Write a reply, then save it here.'}
        </p>
      ) : (
        <ul className={classes.list}>
          {found.map((snippet) => (
            <li key={snippet.id}>
              <button type="button" onClick={() => insert(snippet)}>
                <strong dir="auto">{snippet.name}</strong>
                <span dir="auto">{snippet.text}</span>
              </button>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={`Delete ${snippet.name}`}
                onClick={() => void gone(snippet)}
              >
                <Trash2 size={13} />
              </ActionIcon>
            </li>
          ))}
        </ul>
      )}
      {text.trim() !== '' && <Save text={text} />}
    </div>
  );
}

function Save({ text }: { text: string }) {
  const [name, setName] = useState('');
  const [own, setOwn] = useState(false);
  const save = useAct('snippet_create', { says: 'Reply saved', onSuccess: () => setName('') });
  return (
    <form
      className={classes.save}
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim()) save.mutate({ name: name.trim(), text: text.slice(0, 10_000), own });
      }}
    >
      <TextInput
        size="xs"
        aria-label="Saved reply name"
        placeholder="Save this reply as…"
        maxLength={120}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {name.trim() !== '' && (
        <div>
          <Checkbox size="xs" label="Only for me" checked={own} onChange={() => setOwn(!own)} />
          <Button size="compact-sm" type="submit" loading={save.isPending}>
            Save
          </Button>
        </div>
      )}
    </form>
  );
}
