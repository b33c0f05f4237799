// Chat: conversations with agents on the left, the open one on the right; one at a time on a phone.
import { Button } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useRef, useState } from 'react';
import { usePages } from '../../../../ui/client/hooks.ts';
import { useReadAhead } from '../../../../ui/kit/ahead.ts';
import { focusOn, useOpened } from '../../../../ui/kit/focus.ts';
import { KeyHint } from '../../../../ui/kit/key-hint.tsx';
import { useKeys } from '../../../../ui/kit/keys.ts';
import { Page } from '../../../../ui/kit/page.tsx';
import { Bones, Trouble } from '../../../../ui/kit/states.tsx';
import { Conversation } from './conversation.tsx';
import { Conversations } from './conversations.tsx';
import classes from './chat.module.css';

/** Is in the address for a conversation that is not begun yet: on a phone it hides the list. */
const NEW = 'new';

export function ChatScreen() {
  const search = useSearch({ from: '/desk/chat' });
  const navigate = useNavigate({ from: '/chat' });
  const pages = usePages('thread_list', { channel: 'chat', limit: 100 });
  const [open, opening] = useOpened(search.open);
  const screen = useRef<HTMLDivElement>(null);
  const { rows } = pages;
  const id = open === NEW ? undefined : open;
  const at = rows.findIndex((row) => row.id === id);
  /** Read once: what a later reading that fails does not find is not gone. */
  const [read, setRead] = useState(false);
  if (!read && !pages.pending && !pages.error) setRead(true);
  /** There is no other to go to: one writes at once, on a phone too. */
  const none = read && rows.length === 0 && id === undefined;
  useReadAhead(pages.more, at, rows.length);

  const show = (next: string | undefined): void => {
    opening(next);
    void navigate({ search: { ...(next && { open: next }) }, replace: true });
  };
  const write = (): void => focusOn(() => screen.current?.querySelector<HTMLElement>('textarea') ?? null);
  const select = (next: string | undefined): void => {
    show(next);
    focusOn(() => screen.current?.querySelector<HTMLElement>(`[data-id="${next ?? ''}"]`) ?? null);
  };
  const begin = (): void => {
    show(NEW);
    write();
  };
  const step = (by: number): void => {
    const to = at < 0 ? 0 : Math.min(Math.max(at + by, 0), rows.length - 1);
    if (rows[to]) select(rows[to].id);
  };
  useKeys([
    { keys: 'n', does: 'New conversation', group: 'Chat', run: begin },
    { keys: 'j', does: 'Next conversation', group: 'Chat', run: () => step(1) },
    { keys: 'k', does: 'Previous conversation', group: 'Chat', run: () => step(-1) },
    { keys: 'ArrowDown', does: 'Next conversation', group: 'Chat', silent: true, run: () => step(1) },
    { keys: 'ArrowUp', does: 'Previous conversation', group: 'Chat', silent: true, run: () => step(-1) },
    { keys: 'Enter', does: 'Write a message', group: 'Chat', run: write },
  ]);

  return (
    <Page
      crumbs={[{ title: 'Chat' }]}
      actions={
        <Button
          className={classes.new ?? ''}
          data-first={none || undefined}
          leftSection={<Plus size={15} />}
          rightSection={<KeyHint keys="n" />}
          onClick={begin}
        >
          New conversation
        </Button>
      }
    >
      {pages.error?.status === 403 && rows.length === 0 ? (
        <Trouble subject error={pages.error} again={pages.again} />
      ) : (
        <div className={classes.panes} data-open={open !== undefined || none || undefined} ref={screen}>
          <nav className={classes.list} aria-label="Conversations">
            {pages.error && !read ? (
              <Trouble subject error={pages.error} again={pages.again} />
            ) : pages.pending ? (
              <div className={classes.bones}>
                <Bones lines={5} height={30} />
              </div>
            ) : (
              <Conversations rows={rows} open={id} select={select} more={pages.more} />
            )}
          </nav>
          <Conversation
            thread_id={id}
            title={rows[at]?.subject ?? null}
            begun={show}
            back={none ? null : () => show(undefined)}
          />
        </div>
      )}
    </Page>
  );
}
