// Foot of the reply form: send, send and close, send later, saved replies, files, and discarding the draft.
import { ActionIcon, Button, Menu } from '@mantine/core';
import { Clock, Ellipsis, Send } from 'lucide-react';
import { useRead } from '../../../../../ui/client/hooks.ts';
import { ActButton } from '../../../../../ui/kit/act-button.tsx';
import { AttachButton, type useAttaching } from '../../../../../ui/kit/attachments.tsx';
import { KeyHint } from '../../../../../ui/kit/key-hint.tsx';
import { useKeys } from '../../../../../ui/kit/keys.ts';
import { SnippetMenu } from '../../../snippets/screens/shared.ts';
import { sendChoices } from '../../snooze/snooze.rules.ts';
import { LaterMenu } from '../conversation/later-menu.tsx';
import type { Writing } from './use-answer.ts';
import classes from './composer.module.css';

export type How = { close?: boolean; at?: Date };

type AnswerEndProps = {
  writing: Writing;
  /** Why it cannot go; null: it can. */
  closed: string | null;
  person: string | null;
  send: (how?: How) => void;
  later: boolean;
  setLater: (opened: boolean) => void;
  insert: (text: string) => void;
  attaching: ReturnType<typeof useAttaching>;
  discard: () => void;
};

export function AnswerEnd({
  writing,
  closed,
  person,
  send,
  later,
  setLater,
  insert,
  attaching,
  discard,
}: AnswerEndProps) {
  const { kept, state, words } = writing;
  // Heard where the words are typed; here they are named for the sheet of keys.
  useKeys([
    { keys: 'mod+Shift+Enter', does: 'Send and close', group: 'Reply', run: () => undefined },
    { keys: 'mod+Shift+L', does: 'Send later', group: 'Reply', run: () => undefined },
  ]);
  const sending = state === 'sending';
  const theirs = useRead('person_read', { person: person ?? '' }, { enabled: person !== null }).data?.person;
  return (
    <div className={classes.end}>
      <ActButton
        closed={closed}
        loading={sending}
        leftSection={<Send size={14} />}
        rightSection={closed === null && <KeyHint keys="mod+Enter" />}
        onClick={() => send()}
      >
        Send
      </ActButton>
      <ActButton variant="default" closed={closed} disabled={sending} onClick={() => send({ close: true })}>
        Send and close
      </ActButton>
      {closed === null && (
        <LaterMenu
          act="Send later"
          opened={later}
          onChange={setLater}
          choices={(now, zone) => sendChoices(now, zone, theirs?.timezone ?? null)}
          run={(at) => send({ at })}
        >
          <Button variant="default" leftSection={<Clock size={14} />} disabled={sending}>
            Send later
          </Button>
        </LaterMenu>
      )}
      <SnippetMenu insert={insert} text={words.text} />
      <AttachButton attaching={attaching} quiet />
      <span className={classes.kept} role="status">
        {state === 'keeping' || state === 'typing' ? 'Saving draft…' : kept ? 'Draft saved' : ''}
      </span>
      <span className={classes.spring} />
      <Menu position="top-end" withinPortal>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label="More actions for this reply">
            <Ellipsis size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item color="red" onClick={discard}>
            Discard draft
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </div>
  );
}
