// A comment as it is read, and as whoever wrote it changes it; and the box for a new one.
import { ActionIcon, Menu } from '@mantine/core';
import { Ellipsis, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useAct } from '../../../../../ui/client/hooks.ts';
import { useMe } from '../../../../../ui/client/session.ts';
import { confirm } from '../../../../../ui/kit/confirm.ts';
import { Principal } from '../../../../../ui/kit/principal.tsx';
import { Time } from '../../../../../ui/kit/time.tsx';
import type { Comment } from '../../items.contract.ts';
import { useLeaveGuard } from '../../../../../ui/kit/leave.ts';
import { MarkdownEditor, MarkdownText } from '../../../../../ui/kit/markdown-text.tsx';
import { same } from '../../../../../ui/kit/who.ts';
import classes from '../../../../../ui/kit/timeline.module.css';

const MAX = 20_000;

export function CommentView({ comment }: { comment: Comment }) {
  const me = useMe();
  const mine = same(comment.author, me.principal);
  const [draft, setDraft] = useState<string | null>(null);
  const update = useAct('comment_update', { onSuccess: () => setDraft(null) });
  const remove = useAct('comment_delete', { says: 'Comment deleted.' });
  const of = { item_id: comment.item_id, comment: comment.id };
  useLeaveGuard(draft !== null && draft !== comment.text);

  const ask = async (): Promise<void> => {
    const yes = await confirm({
      title: 'Delete this comment?',
      says: 'It’s deleted for everyone. This can’t be undone.',
      act: 'Delete',
      tone: 'bad',
    });
    if (yes) remove.mutate(of);
  };
  return (
    <article className={classes.comment}>
      <header>
        <Principal of={comment.author} behalf={comment.author.on_behalf_of ?? null} />
        <span className={classes.at}>
          <Time at={comment.at} />
          {comment.edited_at && ' · edited'}
        </span>
        {(mine || me.admin) && (
          // While the comment is edited, focus belongs to the editor; it comes back to the menu afterwards.
          <Menu position="bottom-end" width={160} returnFocus={draft === null}>
            <Menu.Target>
              <ActionIcon size="sm" aria-label="Comment actions">
                <Ellipsis size={15} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              {mine && (
                <Menu.Item leftSection={<Pencil size={14} />} onClick={() => setDraft(comment.text)}>
                  Edit
                </Menu.Item>
              )}
              <Menu.Item color="red" leftSection={<Trash2 size={14} />} onClick={() => void ask()}>
                Delete
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )}
      </header>
      {draft === null ? (
        <MarkdownText text={comment.text} />
      ) : (
        <MarkdownEditor
          focus
          label="Comment"
          max={MAX}
          value={draft}
          onChange={setDraft}
          act="Save"
          busy={update.isPending}
          onAct={() => update.mutate({ ...of, text: draft })}
          onCancel={() => setDraft(null)}
        />
      )}
    </article>
  );
}

export function NewComment({ item_id }: { item_id: string }) {
  const [text, setText] = useState('');
  const create = useAct('comment_create', { onSuccess: () => setText('') });
  useLeaveGuard(text.trim() !== '');
  return (
    <MarkdownEditor
      label="New comment"
      placeholder="Write a comment"
      max={MAX}
      value={text}
      onChange={setText}
      act="Comment"
      busy={create.isPending}
      onAct={() => create.mutate({ item_id, text })}
    />
  );
}
