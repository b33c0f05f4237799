// The daily cap of a domain, edited in place.
import { NumberInput } from '@mantine/core';
import { useAct } from '../../../../ui/client/hooks.ts';
import { FormEnd, FormStack, useActForm } from '../../../../ui/kit/form.tsx';
import type { Domain } from '../contract.ts';
import classes from './domains.module.css';

export function DomainCap({ domain }: { domain: Domain }) {
  const update = useAct('domain_update', { quiet: true, says: 'Daily cap saved' });
  const form = useActForm(
    { daily_cap: domain.daily_cap },
    ({ daily_cap }) => update.mutateAsync({ domain: domain.id, revision: domain.revision, daily_cap }),
    { revision: domain.revision },
  );
  return (
    <div className={classes.cap}>
      <FormStack form={form} label="Cap">
        <NumberInput
          label="Letters per day"
          description={`Sent today: ${domain.sent_today} of ${domain.allowance_today}.`}
          min={0}
          max={100_000}
          allowDecimal={false}
          value={form.values.daily_cap}
          error={form.errors.daily_cap}
          onChange={(value) => form.set('daily_cap', Number(value) || 0)}
        />
        <FormEnd form={form} act="Save cap" />
      </FormStack>
    </div>
  );
}
