// The popover of the bell, around the list of notifications.
import { Popover } from '@mantine/core';
import { useState } from 'react';
import { NotificationsPanel } from '../../features/notifications/screens/panel.tsx';
import { BellButton } from './bell.tsx';

export function BellPopover({ unread }: { unread: number }) {
  const [open, setOpen] = useState(true);
  return (
    <Popover opened={open} onChange={setOpen} position="top-start" width={360} trapFocus returnFocus>
      <Popover.Target>
        <BellButton unread={unread} onClick={() => setOpen(!open)} />
      </Popover.Target>
      <Popover.Dropdown p={0} aria-label="Notifications">
        <NotificationsPanel close={() => setOpen(false)} />
      </Popover.Dropdown>
    </Popover>
  );
}
