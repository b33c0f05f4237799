// The title, changed in place: Enter or leaving it saves, Escape undoes it.
import { useRef, useState, type KeyboardEvent } from 'react';
import type { Item } from '../../items.contract.ts';
import { useLeaveGuard } from '../../../../../ui/kit/leave.ts';
import type { Saving } from './save.ts';
import { TitleText } from '../../../../../ui/kit/title-text.tsx';
import classes from './item.module.css';

export function Title({ item, saving, level }: { item: Item; saving: Saving; level: 1 | 2 }) {
  const [draft, setDraft] = useState<{ text: string; read: Item } | null>(null);
  const given = useRef(false);
  const Heading = level === 1 ? 'h1' : 'h2';
  useLeaveGuard(draft !== null && draft.text !== item.title);

  const save = async (): Promise<void> => {
    if (!draft) return;
    const title = draft.text.trim();
    if (!title || title === draft.read.title) return setDraft(null);
    if (await saving.save({ title }, { read: draft.read })) setDraft(null);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.key === 'Escape') {
      given.current = true;
      event.stopPropagation();
      setDraft(null);
    }
    if (event.key === 'Enter') {
      event.preventDefault();
      event.currentTarget.blur();
    }
  };
  if (
    draft &&
    !(saving.conflict === null && draft.text === item.title && draft.read.revision !== item.revision)
  )
    return (
      <textarea
        className={classes.titleEdit}
        autoFocus
        aria-label="Title"
        rows={1}
        dir="auto"
        maxLength={300}
        value={draft.text}
        onChange={(event) => setDraft({ ...draft, text: event.currentTarget.value.replaceAll('\n', ' ') })}
        onKeyDown={onKeyDown}
        onBlur={() => {
          if (!given.current) void save();
          given.current = false;
        }}
      />
    );
  return (
    <Heading className={classes.title}>
      <button
        type="button"
        aria-label={`${item.title}. Rename`}
        onClick={() => setDraft({ text: item.title, read: item })}
      >
        <TitleText>{item.title}</TitleText>
      </button>
    </Heading>
  );
}
