// Caps, distance, ramp and workday of an identity, changed where they exist.
import { Checkbox, NumberInput, TextInput } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { useAct } from '../../../../ui/client/hooks.ts';
import { FormEnd, FormStack, useActForm } from '../../../../ui/kit/form.tsx';
import { Bones } from '../../../../ui/kit/states.tsx';
import type { Identity } from '../contract.ts';
import { rampSays } from './ramp.rules.ts';
import classes from './identities.module.css';

const RampCurve = lazy(() => import('./ramp-curve.tsx').then((m) => ({ default: m.RampCurve })));

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const WORKDAY = { days: [1, 2, 3, 4, 5], from: '09:00', to: '17:00' };

type Counted = 'daily_cap' | 'hourly_cap' | 'min_gap_s' | 'jitter_s' | 'start' | 'step' | 'ceiling';

export function Pace({ identity }: { identity: Identity }) {
  const { daily_cap, hourly_cap, min_gap_s, jitter_s, ramp } = identity;
  const update = useAct('identity_update', { quiet: true, says: 'Pace saved' });
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
    { revision: identity.revision },
  );
  const { values, set, errors } = form;
  const curve = { start: values.start, step: values.step, ceiling: values.ceiling, day: ramp.day };
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
        {number('daily_cap', 'Letters per day')}
        {number('hourly_cap', 'Letters per hour')}
      </div>
      <div className={classes.pair}>
        {number('min_gap_s', 'Minimum seconds between letters')}
        {number('jitter_s', 'Plus a random delay of up to (seconds)')}
      </div>
      <div className={classes.three}>
        {number('start', 'Ramp start')}
        {number('step', 'Ramp step per day')}
        {number('ceiling', 'Ramp limit')}
      </div>
      {errors.ramp ? (
        <p className={classes.bad} role="alert">
          {errors.ramp}
        </p>
      ) : (
        <>
          <p className={classes.quiet}>{rampSays(curve)}</p>
          <Suspense fallback={<Bones lines={3} height={40} />}>
            <RampCurve ramp={curve} />
          </Suspense>
        </>
      )}
      <Checkbox
        label="Limit to working hours"
        description="When off, only each campaign’s sending hours apply."
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
