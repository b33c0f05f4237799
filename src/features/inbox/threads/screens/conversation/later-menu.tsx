// Menu of moments: what people call them, with the time each means, and any other one. For snoozing, and for sending later.
import { Button, TextInput } from '@mantine/core';
import { type ReactElement, useState } from 'react';
import { useMe } from '../../../../../ui/client/session.ts';
import { momentOf, type LaterChoice } from '../../snooze/snooze.rules.ts';
import { useMinute } from './minute.ts';
import { PickMenu } from './pick-menu.tsx';
import classes from './act-menus.module.css';

type LaterMenuProps = {
  /** The verb, on the button beside a moment of one's own. */
  act: string;
  choices: (now: Date, zone: string) => LaterChoice[];
  run: (at: Date) => void;
  opened: boolean;
  onChange: (opened: boolean) => void;
  children: ReactElement;
};

export const useZone = (): string =>
  useMe().user?.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;

export const inZone = (zone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(undefined, {
    timeZone: zone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  });

export function LaterMenu({ act, choices, run, opened, onChange, children }: LaterMenuProps) {
  const zone = useZone();
  const now = useMinute();
  const [own, setOwn] = useState('');
  const written = inZone(zone);
  return (
    <PickMenu
      opened={opened}
      onChange={onChange}
      width="min(420px, calc(100vw - 24px))"
      picks={(opened ? choices(now, zone) : []).map(({ key, title, at }) => ({
        key,
        title,
        beside: written.format(at),
        run: () => run(at),
      }))}
      foot={
        <form
          className={classes.own}
          onSubmit={(event) => {
            event.preventDefault();
            const [date = '', hours = ''] = own.split('T');
            const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
            const [hour = 0, minute = 0] = hours.split(':').map(Number);
            if (!year) return;
            onChange(false);
            run(momentOf({ year, month, day, hour, minute }, zone));
          }}
        >
          <TextInput
            size="xs"
            type="datetime-local"
            aria-label={`Custom time (${zone})`}
            value={own}
            onChange={(event) => setOwn(event.currentTarget.value)}
          />
          <Button size="compact-sm" type="submit" variant="default" disabled={!own}>
            {act}
          </Button>
        </form>
      }
    >
      {children}
    </PickMenu>
  );
}
