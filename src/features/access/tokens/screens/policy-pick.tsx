// The policies of a service token.
import { MultiSelect } from '@mantine/core';
import { usePolicyChoices } from '../../../../ui/kit/choices.ts';

type PolicyPickProps = { value: string[]; onChange: (next: string[]) => void; error: string | undefined };

export const PolicyPick = ({ value, onChange, error }: PolicyPickProps) => (
  <MultiSelect
    label="Policies"
    description="The token can do only what these policies allow."
    placeholder={value.length ? '' : 'None: the token can’t do anything'}
    searchable
    data={usePolicyChoices()}
    value={value}
    onChange={onChange}
    error={error}
  />
);
