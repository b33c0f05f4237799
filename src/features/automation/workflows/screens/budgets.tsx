// Form for the runs, agent turns and model tokens one workflow may use before it pauses.
import { NumberInput } from '@mantine/core';
import { useAct, useRead } from '../../../../ui/client/hooks.ts';
import { FormEnd, FormStack, useActForm } from '../../../../ui/kit/form.tsx';
import { Section } from '../../../../ui/kit/page.tsx';
import { Bones, Trouble } from '../../../../ui/kit/states.tsx';
import type { Settings } from '../../../access/settings/contract.ts';

export function WorkflowBudgets() {
  const { data, error, refetch } = useRead('settings_get', {});
  return (
    <Section
      title="Budget per workflow"
      says="A workflow that exceeds a limit pauses, and the person it acts for is notified."
    >
      {data ? (
        <BudgetForm workflows={data.workflows} />
      ) : error ? (
        <Trouble error={error} again={() => void refetch()} />
      ) : (
        <Bones lines={3} height={20} />
      )}
    </Section>
  );
}

const FIELDS = [
  ['runs_per_hour', 'Runs per hour', 1_000_000],
  ['turns_per_hour', 'Agent turns per hour', 1_000_000],
  ['tokens_per_day', 'Model tokens per day', 2_000_000_000],
] as const;

function BudgetForm({ workflows }: { workflows: Settings['workflows'] }) {
  const save = useAct('settings_workflows', { quiet: true, says: 'Budget saved.' });
  const form = useActForm({ ...workflows }, (values) => save.mutateAsync(values));
  return (
    <FormStack form={form} label="Budget per workflow">
      {FIELDS.map(([name, label, max]) => (
        <NumberInput
          key={name}
          label={label}
          min={0}
          max={max}
          allowDecimal={false}
          thousandSeparator=","
          value={form.values[name]}
          onChange={(next) => form.set(name, Number(next))}
          error={form.errors[name]}
        />
      ))}
      <FormEnd form={form} act="Save budget" />
    </FormStack>
  );
}
