// Form for the default model and the token budgets of a turn, a caller and the instance.
import { NumberInput, Select } from '@mantine/core';
import { useAct, useRead } from '../../../../ui/client/hooks.ts';
import { FormEnd, FormStack, useActForm } from '../../../../ui/kit/form.tsx';
import { Section } from '../../../../ui/kit/page.tsx';
import { Bones, Trouble } from '../../../../ui/kit/states.tsx';
import type { Settings } from '../../../access/settings/contract.ts';
import { useModelChoices } from './model-choices.ts';

export function Budgets({ edits }: { edits: boolean }) {
  const { data, error, refetch } = useRead('settings_get', {});
  return (
    <Section
      title="Default model and budgets"
      says="When a budget runs out, people chatting with the agent see a message. Budgets reset at midnight UTC."
    >
      {error ? (
        <Trouble error={error} again={() => void refetch()} />
      ) : data ? (
        <BudgetForm chat={data.chat} edits={edits} />
      ) : (
        <Bones lines={4} />
      )}
    </Section>
  );
}

const FIELDS = [
  ['tokens_per_turn', 'Tokens per turn'],
  ['tokens_per_caller_per_day', 'Daily tokens per person or API token'],
  ['tokens_per_day', 'Daily tokens in total'],
] as const;

function BudgetForm({ chat, edits }: { chat: Settings['chat']; edits: boolean }) {
  const models = useModelChoices(chat.default_model);
  const save = useAct('settings_chat', {
    quiet: true,
    says: 'Saved. Changes apply from the next step of each turn.',
    touches: ['agents'],
  });
  const form = useActForm({ ...chat }, (values) => save.mutateAsync(values));
  const { values, set, errors } = form;
  return (
    <FormStack form={form} label="Default model and budgets">
      <Select
        label="Default model"
        description="Used by agents without a model of their own."
        placeholder="First available model"
        data={models}
        value={values.default_model}
        onChange={(next) => set('default_model', next)}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': 'No default' }}
        readOnly={!edits}
        error={errors.default_model}
      />
      {FIELDS.map(([name, label]) => (
        <NumberInput
          key={name}
          label={label}
          min={0}
          max={2_000_000_000}
          allowDecimal={false}
          thousandSeparator=","
          value={values[name]}
          onChange={(next) => set(name, Number(next))}
          readOnly={!edits}
          error={errors[name]}
        />
      ))}
      {edits && <FormEnd form={form} act="Save" />}
    </FormStack>
  );
}
