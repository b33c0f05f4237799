// The times a conversation may be snoozed until, under the act that asks for them; loaded when they are first asked for.
import { Menu } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useMe } from '../../../../ui/client/session.ts';
import { snoozeChoices } from '../../../inbox/threads/snooze/snooze.rules.ts';
import classes from './today.module.css';

type SnoozeMenuProps = { choose: (until: Date) => void; leave: () => void; children: ReactNode };

export function SnoozeMenu({ choose, leave, children }: SnoozeMenuProps) {
  const me = useMe();
  const zone = me.user?.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  // As of the moment the menu opened.
  const [opened] = useState(() => new Date());
  return (
    <Menu opened onClose={leave} position="bottom-start">
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown>
        {snoozeChoices(opened, zone, null).map(({ key, title, at }) => (
          <Menu.Item
            key={key}
            rightSection={<span className={classes.choice}>{written(at, zone)}</span>}
            onClick={() => choose(at)}
          >
            {title}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

const written = (at: Date, timeZone: string): string =>
  at.toLocaleString(undefined, {
    timeZone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  });
