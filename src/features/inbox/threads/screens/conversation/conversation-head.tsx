// Head of a conversation: subject, person, reading, and actions with their keys.
import { ActionIcon, Button, Menu } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Archive, ArrowLeft, ArchiveRestore, Ellipsis, Info } from 'lucide-react';
import { useState } from 'react';
import { useRead } from '../../../../../ui/client/hooks.ts';
import { KeyHint } from '../../../../../ui/kit/key-hint.tsx';
import { useKeys } from '../../../../../ui/kit/keys.ts';
import { Label, Pill } from '../../../../../ui/kit/pills.tsx';
import { Lasting, Time } from '../../../../../ui/kit/time.tsx';
import { AssignMenu, LabelMenu, SnoozeMenu } from './act-menus.tsx';
import type { ConversationProps } from './conversation.tsx';
import { ReadingMenu } from './reading-menu.tsx';
import { CHANNEL, withWhom } from './words.ts';
import classes from './conversation.module.css';

type HeadProps = ConversationProps & { split: () => void; unread: () => void };

type Which = 'assign' | 'snooze' | 'label' | 'reading';

export function ConversationHead({
  whole,
  read,
  acts,
  selecting,
  leave,
  back,
  about,
  split,
  unread,
}: HeadProps) {
  const { thread, person, campaign } = whole;
  const [menu, setMenu] = useState<Which | null>(null);
  const theirs = useRead('person_read', { person: person?.id ?? '' }, { enabled: person !== null }).data
    ?.person;
  const newest = read.touches.findLast(({ direction, note }) => direction === 'in' && !note);
  const closed = thread.state === 'closed';
  const close = (): void => {
    leave();
    void acts.settle([thread], { state: closed ? 'open' : 'closed' });
  };
  const shows = (which: Which) => ({
    threads: [thread],
    acts,
    opened: menu === which,
    onChange: (opened: boolean) => setMenu(opened ? which : null),
  });
  const group = 'Conversation';
  useKeys(
    [
      { keys: 'e', does: closed ? 'Reopen' : 'Close', group, run: close },
      { keys: 'a', does: 'Assign', group, run: () => setMenu('assign') },
      { keys: 's', does: 'Snooze', group, run: () => setMenu('snooze') },
      { keys: 't', does: 'Add or remove labels', group, run: () => setMenu('label') },
      { keys: 'l', does: 'Correct reading', group, run: () => newest && setMenu('reading') },
      { keys: 'u', does: 'Mark as unread', group, run: unread },
    ],
    !selecting,
  );
  return (
    <header className={classes.head}>
      <div className={classes.titleRow}>
        <ActionIcon
          className={classes.back ?? ''}
          variant="subtle"
          color="gray"
          aria-label="Back to list"
          onClick={back}
        >
          <ArrowLeft size={17} />
        </ActionIcon>
        <h2 dir="auto">{thread.subject || 'No subject'}</h2>
        <Button
          className={classes.aboutButton ?? ''}
          size="compact-sm"
          variant="subtle"
          color="gray"
          leftSection={<Info size={14} />}
          onClick={about}
        >
          About this person
        </Button>
      </div>
      <p className={classes.with}>
        {thread.person_id ? (
          <Link to="/people/$person" params={{ person: thread.person_id }}>
            {withWhom(thread)}
          </Link>
        ) : (
          <span>{withWhom(thread)}</span>
        )}
        {thread.channel !== 'email' && <Pill>{CHANNEL[thread.channel]}</Pill>}
        {campaign && <span>{campaign.name}</span>}
        {thread.waiting === 'us' && thread.waiting_since && thread.state === 'open' && (
          <span>
            waiting <Lasting at={thread.waiting_since} />
          </span>
        )}
        {thread.state === 'snoozed' && (
          <Pill tone="info">
            Back <Time at={thread.snoozed_until} />
          </Pill>
        )}
        {closed && <Pill>Closed</Pill>}
        {thread.labels.map((label) => (
          <Label key={label}>{label}</Label>
        ))}
      </p>
      <div className={classes.acts} role="toolbar" aria-label="Conversation actions">
        {newest && (
          <ReadingMenu
            thread={thread.id}
            touch={newest}
            opened={menu === 'reading'}
            onChange={(opened) => setMenu(opened ? 'reading' : null)}
            large
          />
        )}
        <AssignMenu {...shows('assign')} />
        <SnoozeMenu {...shows('snooze')} left={leave} theirs={theirs?.timezone ?? null} />
        <LabelMenu {...shows('label')} />
        <Button
          size="compact-sm"
          variant="default"
          leftSection={closed ? <ArchiveRestore size={14} /> : <Archive size={14} />}
          rightSection={<KeyHint keys="e" />}
          onClick={close}
        >
          {closed ? 'Reopen' : 'Close'}
        </Button>
        <Menu position="bottom-end" width={230} withinPortal>
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" aria-label="More">
              <Ellipsis size={16} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={unread} rightSection={<KeyHint keys="u" />}>
              Mark as unread
            </Menu.Item>
            <Menu.Item onClick={split} disabled={read.touches.length < 2}>
              Split off messages
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </div>
    </header>
  );
}
