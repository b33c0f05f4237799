// The popover of the bell, around the list of notifications.
import { Popover } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { NotificationsPanel } from '../../features/access/notifications/screens/panel.tsx';
import { BellButton } from './bell.tsx';

export function BellPopover({ unread }: { unread: number }) {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  // This button is in the place of the one that was pressed: it takes over the focus, and has it back at the end.
  useEffect(() => {
    button.current?.focus();
    const frame = requestAnimationFrame(() => setOpen(true));
    return () => cancelAnimationFrame(frame);
  }, []);
  return (
    <Popover opened={open} onChange={setOpen} position="top-start" width={360} trapFocus returnFocus>
      <Popover.Target>
        <BellButton ref={button} unread={unread} onClick={() => setOpen(!open)} />
      </Popover.Target>
      <Popover.Dropdown p={0} aria-label="Notifications">
        <NotificationsPanel close={() => setOpen(false)} />
      </Popover.Dropdown>
    </Popover>
  );
}
