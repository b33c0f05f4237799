// The hours in which letters leave, a line for each: on which weekdays, from when until when.
import { ActionIcon, Button, Chip, Input, TextInput } from '@mantine/core';
import { Plus, X } from 'lucide-react';
import type { Campaign } from '../contract.ts';
import classes from './settings.module.css';

type Window = Campaign['windows'][number];
const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

type WindowFieldsProps = {
  windows: Window[];
  error: string | undefined;
  change: (next: Window[]) => void;
};

export function WindowFields({ windows, error, change }: WindowFieldsProps) {
  const put = (at: number, next: Partial<Window>): void =>
    change(windows.map((window, i) => (i === at ? { ...window, ...next } : window)));
  return (
    <div role="group" aria-label="Hours">
      <ul className={classes.windows}>
        {windows.map((window, at) => (
          <li key={at}>
            <Chip.Group
              multiple
              value={window.days.map(String)}
              onChange={(days) => days.length > 0 && put(at, { days: days.map(Number).toSorted() })}
            >
              <div className={classes.days}>
                {DAYS.map((day, i) => (
                  <Chip key={day} size="xs" radius="sm" value={String(i + 1)}>
                    {day}
                  </Chip>
                ))}
              </div>
            </Chip.Group>
            <div className={classes.hours}>
              <TextInput
                aria-label={`From, line ${at + 1}`}
                type="time"
                value={window.from}
                onChange={(event) => put(at, { from: event.currentTarget.value })}
              />
              <span>to</span>
              <TextInput
                aria-label={`Until, line ${at + 1}`}
                type={window.to === '24:00' ? 'text' : 'time'}
                value={window.to}
                onChange={(event) => put(at, { to: event.currentTarget.value })}
              />
              <ActionIcon
                aria-label={`Remove line ${at + 1}`}
                onClick={() => change(windows.filter((_, i) => i !== at))}
              >
                <X size={15} />
              </ActionIcon>
            </div>
          </li>
        ))}
      </ul>
      {windows.length === 0 && <p className={classes.says}>No hours set. Letters can go out at any time.</p>}
      {error && <Input.Error>{error}</Input.Error>}
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<Plus size={14} />}
        onClick={() => change([...windows, { days: [1, 2, 3, 4, 5], from: '09:00', to: '17:00' }])}
      >
        Add hours
      </Button>
    </div>
  );
}
