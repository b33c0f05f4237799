// Fields that choose a record, or a value known only when the step runs.
import { Autocomplete, MultiSelect, Select } from '@mantine/core';
import { useRead } from '../../../../../ui/client/hooks.ts';
import { useProjectChoices, useUserChoices } from '../../../../../ui/kit/choices.ts';

type PickProps = {
  label: string;
  description?: string;
  error: string | undefined;
  value: string;
  set: (value: unknown) => void;
};
type Choice = { value: string; label: string };

const LASTING = { stale_ms: 60_000 };

/** What is there and is none of the choices is shown as it is written. */
const withOwn = (choices: Choice[], value: string): Choice[] =>
  value && !choices.some((one) => one.value === value) ? [{ value, label: value }, ...choices] : choices;

export function ProjectField({ set, ...rest }: PickProps) {
  const projects = useProjectChoices();
  return (
    <Autocomplete
      {...rest}
      placeholder="OUT"
      data={projects.map(({ value }) => value)}
      renderOption={({ option }) =>
        projects.find(({ value }) => value === option.value)?.label ?? option.value
      }
      onChange={set}
    />
  );
}

function Pick({ choices, value, set, none, ...rest }: PickProps & { choices: Choice[]; none: string }) {
  return (
    <Select
      {...rest}
      data={withOwn(choices, value)}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': none }}
      placeholder={none}
      nothingFoundMessage="No matches"
      value={value || null}
      onChange={(next) => set(next ?? undefined)}
    />
  );
}

const OF_TRIGGER: Choice = {
  value: '{{ trigger.campaign_id }}',
  label: 'Campaign of the trigger',
};

export function CampaignField(props: PickProps) {
  const { data } = useRead('campaign_list', { limit: 100 }, LASTING);
  const choices = (data?.items ?? [])
    .filter(({ state }) => state !== 'archived')
    .map(({ id, name }) => ({ value: id, label: name }));
  return <Pick {...props} choices={[...choices, OF_TRIGGER]} none="No campaign" />;
}

export function SegmentField(props: PickProps) {
  const { data } = useRead('segment_list', { limit: 100 }, LASTING);
  const choices = (data?.items ?? []).map(({ id, name }) => ({ value: id, label: name }));
  return <Pick {...props} choices={choices} none="No segment" />;
}

export function IdentityField(props: PickProps) {
  const { data } = useRead('identity_list', { limit: 100 }, LASTING);
  const choices = (data?.items ?? []).map(({ id, name, address }) => ({
    value: id,
    label: `${name} (${address})`,
  }));
  return <Pick {...props} choices={choices} none="No identity" />;
}

export function AgentField(props: PickProps) {
  const { data } = useRead('agent_list', { limit: 100 }, LASTING);
  const choices = (data?.items ?? []).map(({ name }) => ({ value: name, label: name }));
  return <Pick {...props} choices={choices} none="First agent" />;
}

export function FormField(props: PickProps) {
  const { data } = useRead('form_list', { limit: 100 }, LASTING);
  const choices = (data?.items ?? []).map(({ id, name }) => ({ value: id, label: name }));
  return <Pick {...props} choices={choices} none="No form" />;
}

export function UsersField({ value, set, ...rest }: Omit<PickProps, 'value'> & { value: string[] }) {
  const users = useUserChoices('active');
  const own = value.filter((id) => !users.some((user) => user.value === id));
  return (
    <MultiSelect
      {...rest}
      data={[...own.map((id) => ({ value: id, label: id })), ...users]}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'No one' }}
      value={value}
      onChange={set}
    />
  );
}
