// Words for workflows and runs: states, triggers and schedules.
import { EVENT_NAMES, type EventName, EVENTS } from '../../../../kernel/events.rules.ts';
import type { Tone } from '../../../../ui/kit/pills.tsx';
import type { ListedWorkflow, Trigger } from '../contract.ts';
import type { RunState, StepState } from '../run/machine.rules.ts';
import type { Heard } from '../triggers/values.rules.ts';

export const STATE: Record<ListedWorkflow['state'], { title: string; tone: Tone }> = {
  draft: { title: 'Draft', tone: 'mute' },
  active: { title: 'Active', tone: 'good' },
  inactive: { title: 'Off', tone: 'mute' },
};

export const RUN: Record<RunState, { title: string; tone: Tone }> = {
  queued: { title: 'Queued', tone: 'info' },
  running: { title: 'Running', tone: 'info' },
  waiting: { title: 'Waiting', tone: 'warn' },
  succeeded: { title: 'Done', tone: 'good' },
  failed: { title: 'Failed', tone: 'bad' },
  stalled: { title: 'Stalled', tone: 'bad' },
  cancelled: { title: 'Cancelled', tone: 'mute' },
};

export const STEP: Record<StepState, { title: string; tone: Tone }> = {
  running: RUN.running,
  waiting: RUN.waiting,
  succeeded: RUN.succeeded,
  failed: RUN.failed,
  stalled: RUN.stalled,
  cancelled: RUN.cancelled,
};

export const HEARD_WORD: Record<Heard, string> = {
  ...(Object.fromEntries(EVENT_NAMES.map((name) => [name, EVENTS[name].title])) as Record<EventName, string>),
  'person.imported': 'Person imported',
  'form.submitted': 'Web form submitted',
};

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** Schedules that people have words for; every other is shown as it is written. */
export type Rhythm = { every: 'day' | 'weekday' | number; hour: number; minute: number } | null;

export function rhythmOf(cron: string): Rhythm {
  const [, minute, hour, days] = /^(\d{1,2}) (\d{1,2}) \* \* (\*|1-5|[0-6])$/.exec(cron.trim()) ?? [];
  if (minute === undefined || hour === undefined || Number(minute) > 59 || Number(hour) > 23) return null;
  const every = days === '*' ? 'day' : days === '1-5' ? 'weekday' : Number(days);
  return { every, hour: Number(hour), minute: Number(minute) };
}

export const cronOf = ({ every, hour, minute }: NonNullable<Rhythm>): string =>
  `${minute} ${hour} * * ${every === 'day' ? '*' : every === 'weekday' ? '1-5' : every}`;

export const dayWord = (every: 'day' | 'weekday' | number): string =>
  every === 'day' ? 'Every day' : every === 'weekday' ? 'Monday to Friday' : `Every ${DAYS[every]}`;

const two = (part: number): string => String(part).padStart(2, '0');

export const clockOf = ({ hour, minute }: NonNullable<Rhythm>): string => `${two(hour)}:${two(minute)}`;

export function triggerWord(trigger: Trigger): string {
  switch (trigger.kind) {
    case 'event':
      return HEARD_WORD[trigger.event];
    case 'form':
      return 'Web form submitted';
    case 'manual':
      return 'Started by hand';
    case 'schedule': {
      const rhythm = rhythmOf(trigger.cron);
      const when = rhythm ? `${dayWord(rhythm.every)} at ${clockOf(rhythm)}` : trigger.cron;
      return `${when}, ${trigger.zone}`;
    }
  }
}

/** What set one run off: its row keeps `{kind, event?}`. */
export function setOffBy(trigger: Record<string, unknown>): string {
  const { kind, event } = trigger;
  if (kind === 'manual') return 'Started by hand';
  if (kind === 'schedule') return 'Schedule';
  return typeof event === 'string' && event in HEARD_WORD ? HEARD_WORD[event as Heard] : 'Another trigger';
}

export function tookWord(from: string | null, to: string | null): string | null {
  if (!from || !to) return null;
  const ms = new Date(to).getTime() - new Date(from).getTime();
  if (ms < 1_000) return `${Math.max(ms, 0)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  const minutes = Math.floor(ms / 60_000);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Headers whose value an earlier release kept as it was typed. */
export const plainly = (kept: readonly { step: string; header: string }[]): string =>
  `${kept.map(({ step, header }) => `${header} of step ${step}`).join(', ')}: saved in plain text by an earlier release. Save it as a secret in Settings → Workflows, name the secret in the header and activate the workflow again.`;

export const TEST = {
  title: (name: string) => `Test ${name}`,
  act: 'Test',
  again: 'Test again',
  says: 'Each step is rehearsed with your permissions. Nothing is sent, saved or waited for.',
  values: 'Leave all values empty to use those of the newest run.',
  approve: 'People who are asked approve',
  result: 'Test result',
  done: 'Works',
  failed: 'Fails',
  skipped: 'Skipped',
  needs_wire: 'Activate this workflow with the wire scope for this step to run.',
  ended: {
    succeeded: 'The run would come to its end.',
    failed: 'The run would stop here. Steps after it weren’t tested.',
    too_long: 'The test stopped after 50 steps.',
  },
} as const;
