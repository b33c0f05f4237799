// Caps, distance, ramp and workday of an identity, changed where they exist.
import { Checkbox, NumberInput, TextInput } from '@mantine/core';
import { useAct } from '../../../../ui/client/hooks.ts';
import { FormEnd, FormStack, useActForm } from '../../../../ui/kit/form.tsx';
import type { Identity } from '../contract.ts';
import classes from './identities.module.css';

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const WORKDAY = { days: [1, 2, 3, 4, 5], from: '09:00', to: '17:00' };

type Counted = 'daily_cap' | 'hourly_cap' | 'min_gap_s' | 'jitter_s' | 'start' | 'step' | 'ceiling';

export function Pace({ identity }: { identity: Identity }) {
  const { daily_cap, hourly_cap, min_gap_s, jitter_s, ramp } = identity;
  const update = useAct('identity_update', { quiet: true, says: 'Saved.' });
  const hours = identity.workday ?? WORKDAY;
  const form = useActForm(
    {
      daily_cap,
      hourly_cap,
      min_gap_s,
      jitter_s,
      start: ramp.start,
      step: ramp.step,
      ceiling: ramp.ceiling,
      ramp: '',
      workday: identity.workday ? 'own' : '',
      days: hours.days,
      from: hours.from,
      to: hours.to,
    },
    ({ start, step, ceiling, workday, days, from, to, ...values }) =>
      update.mutateAsync({
        identity: identity.id,
        revision: identity.revision,
        daily_cap: values.daily_cap,
        hourly_cap: values.hourly_cap,
        min_gap_s: values.min_gap_s,
        jitter_s: values.jitter_s,
        ramp: { start, step, ceiling },
        workday: workday ? { days, from, to } : null,
      }),
  );
  const { values, set, errors } = form;
  const number = (name: Counted, label: string, description?: string) => (
    <NumberInput
      label={label}
      {...(description ? { description } : {})}
      min={0}
      allowDecimal={false}
      value={values[name]}
      error={errors[name]}
      onChange={(value) => set(name, Number(value) || 0)}
    />
  );
  return (
    <FormStack form={form} label="Pace">
      <div className={classes.pair}>
        {number('daily_cap', 'Letters a day')}
        {number('hourly_cap', 'Letters an hour')}
      </div>
      <div className={classes.pair}>
        {number('min_gap_s', 'Minimum seconds between letters')}
        {number('jitter_s', 'Plus a random delay of up to (seconds)')}
      </div>
      <div className={classes.three}>
        {number('start', 'Ramp starts at')}
        {number('step', 'Daily increase')}
        {number('ceiling', 'Ramp ends at')}
      </div>
      <p className={classes.quiet}>
        Day {ramp.day} of the ramp.{errors.ramp && ` ${errors.ramp}`}
      </p>
      <Checkbox
        label="Its own working hours"
        description="If off, only the campaign’s hours apply."
        checked={values.workday !== ''}
        onChange={(event) => set('workday', event.currentTarget.checked ? 'own' : '')}
      />
      {values.workday !== '' && (
        <>
          <Checkbox.Group
            label="Days"
            value={values.days.map(String)}
            onChange={(days) => set('days', days.map(Number))}
          >
            <div className={classes.acts}>
              {DAYS.map((day, at) => (
                <Checkbox key={day} value={String(at + 1)} label={day} />
              ))}
            </div>
          </Checkbox.Group>
          <div className={classes.pair}>
            <TextInput
              type="time"
              label="From"
              {...form.text('from')}
              error={errors.from ?? errors.workday}
            />
            <TextInput type="time" label="To" {...form.text('to')} />
          </div>
        </>
      )}
      <FormEnd form={form} act="Save pace" />
    </FormStack>
  );
}
