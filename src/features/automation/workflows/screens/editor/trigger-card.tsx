// Trigger of a workflow, with the fields of its kind.
import { Autocomplete, Select, TextInput } from '@mantine/core';
import { Zap } from 'lucide-react';
import { useState } from 'react';
import type { Trigger } from '../../contract.ts';
import { valuesOf } from '../../triggers/values.rules.ts';
import { FormField } from './pickers.tsx';
import { clockOf, cronOf, dayWord, HEARD_WORD, type Rhythm, rhythmOf, triggerWord } from '../words.ts';
import classes from '../workflow.module.css';

type TriggerProps = {
  trigger: Trigger;
  /** By the field's name, as `cron`. */
  faults: ReadonlyMap<string, string>;
  change: (next: Trigger) => void;
};

const HERE = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

const CHOICES = [
  {
    group: 'Events',
    items: Object.entries(HEARD_WORD).map(([value, label]) => ({ value, label })),
  },
  {
    group: 'Other',
    items: [
      { value: 'form', label: 'Submission of one web form' },
      { value: 'schedule', label: 'Schedule' },
      { value: 'manual', label: 'Started by hand' },
    ],
  },
];

const chosen = (trigger: Trigger): string => (trigger.kind === 'event' ? trigger.event : trigger.kind);

function triggerOf(choice: string): Trigger {
  if (choice === 'schedule') return { kind: 'schedule', cron: '0 8 * * 1-5', zone: HERE() };
  if (choice === 'form') return { kind: 'form', form_id: '' };
  if (choice === 'manual') return { kind: 'manual' };
  return { kind: 'event', event: choice as Extract<Trigger, { kind: 'event' }>['event'] };
}

export function TriggerCard({ trigger, faults, change }: TriggerProps) {
  const gives = valuesOf(trigger);
  return (
    <section className={classes.card} data-trigger aria-label="Trigger">
      <div className={classes.top}>
        <span className={classes.mark} aria-hidden>
          <Zap size={16} />
        </span>
        <div className={classes.title}>
          <strong>{triggerWord(trigger)}</strong>
          <small>Trigger</small>
        </div>
      </div>
      <div className={classes.body}>
        <Select
          label="Start when"
          allowDeselect={false}
          data={CHOICES}
          value={chosen(trigger)}
          error={faults.get('kind') ?? faults.get('event')}
          onChange={(next) => next && next !== chosen(trigger) && change(triggerOf(next))}
        />
        {trigger.kind === 'form' && (
          <FormField
            label="Form"
            error={faults.get('form_id')}
            value={trigger.form_id}
            set={(next) => change({ kind: 'form', form_id: typeof next === 'string' ? next : '' })}
          />
        )}
        {trigger.kind === 'schedule' && <Schedule trigger={trigger} faults={faults} change={change} />}
        <p className={classes.says}>
          {gives
            ? `Values for steps: ${gives.join(', ')}.`
            : 'Steps get values from the person who starts it, as {{ trigger.<name> }}.'}
        </p>
      </div>
    </section>
  );
}

type Schedule = Extract<Trigger, { kind: 'schedule' }>;

const EVERY = ['day', 'weekday', 1, 2, 3, 4, 5, 6, 0] as const;

function Schedule({ trigger, faults, change }: TriggerProps & { trigger: Schedule }) {
  const rhythm = rhythmOf(trigger.cron);
  const [own, setOwn] = useState(rhythm === null);
  const set = (next: Partial<NonNullable<Rhythm>>): void =>
    change({ ...trigger, cron: cronOf({ every: 'day', hour: 8, minute: 0, ...rhythm, ...next }) });
  const fault = faults.get('cron');
  return (
    <div className={classes.pair}>
      <Select
        label="Repeat"
        allowDeselect={false}
        data={[
          ...EVERY.map((every) => ({ value: String(every), label: dayWord(every) })),
          { value: 'own', label: 'Cron expression' },
        ]}
        value={own || !rhythm ? 'own' : String(rhythm.every)}
        error={own ? undefined : fault}
        onChange={(next) => {
          const every = EVERY.find((one) => String(one) === next);
          setOwn(every === undefined);
          if (every !== undefined) set({ every });
        }}
      />
      {own || !rhythm ? (
        <TextInput
          label="Minute, hour, day of month, month, weekday"
          error={fault}
          value={trigger.cron}
          onChange={(event) => change({ ...trigger, cron: event.currentTarget.value })}
        />
      ) : (
        <TextInput
          type="time"
          label="Time"
          value={clockOf(rhythm)}
          onChange={(event) => {
            const [hour = '', minute = ''] = event.currentTarget.value.split(':');
            if (minute !== '') set({ hour: Number(hour), minute: Number(minute) });
          }}
        />
      )}
      <Autocomplete
        label="Time zone"
        error={faults.get('zone')}
        data={Intl.supportedValuesOf('timeZone')}
        limit={20}
        value={trigger.zone}
        onChange={(zone) => change({ ...trigger, zone })}
      />
    </div>
  );
}
