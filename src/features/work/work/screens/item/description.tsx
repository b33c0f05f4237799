// The description in Markdown: read, and written on demand. What is being written stays when someone else changes the item.
import { Button } from '@mantine/core';
import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { useKeys } from '../../../../../ui/kit/keys.ts';
import type { Item } from '../../items.contract.ts';
import { useLeaveGuard } from '../../../../../ui/kit/leave.ts';
import type { Saving } from './save.ts';
import { MarkdownEditor, MarkdownText } from '../../../../../ui/kit/markdown-text.tsx';
import classes from './item.module.css';

export function Description({ item, saving }: { item: Item; saving: Saving }) {
  const [draft, setDraft] = useState<{ text: string; read: Item } | null>(null);
  const begin = (): void => setDraft({ text: item.description, read: item });
  useLeaveGuard(draft !== null && draft.text !== draft.read.description);
  useKeys([{ keys: 'e', does: 'Edit the description', group: 'Item', run: begin }]);

  const save = async (): Promise<void> => {
    if (draft && (await saving.save({ description: draft.text }, { read: draft.read }))) setDraft(null);
  };
  // Saved from the conflict's panel: what was written exists.
  if (
    draft &&
    draft.read.revision !== item.revision &&
    saving.conflict === null &&
    draft.text === item.description
  )
    setDraft(null);
  if (draft)
    return (
      <MarkdownEditor
        focus
        optional
        label="Description"
        placeholder="What needs to be done, and what done looks like"
        max={20_000}
        value={draft.text}
        onChange={(text) => setDraft({ ...draft, text })}
        act="Save"
        busy={saving.busy}
        onAct={() => void save()}
        onCancel={() => setDraft(null)}
      />
    );
  return (
    <section className={classes.description} aria-label="Description">
      {item.description ? (
        <>
          <MarkdownText text={item.description} />
          <Button
            className={classes.edit ?? ''}
            size="compact-xs"
            variant="subtle"
            color="gray"
            leftSection={<Pencil size={13} />}
            onClick={begin}
          >
            Edit
          </Button>
        </>
      ) : (
        <button type="button" className={classes.write} onClick={begin}>
          Write a description
        </button>
      )}
    </section>
  );
}
