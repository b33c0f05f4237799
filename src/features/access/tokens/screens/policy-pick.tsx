// The policies of a service token.
import { MultiSelect } from '@mantine/core';
import { usePolicyChoices } from '../../../../ui/kit/choices.ts';

type PolicyPickProps = { value: string[]; onChange: (next: string[]) => void; error: string | undefined };

export const PolicyPick = ({ value, onChange, error }: PolicyPickProps) => (
  <MultiSelect
    label="Policies"
    description="Everything it’s allowed to do."
    placeholder={value.length ? '' : 'None: it can’t do anything'}
    searchable
    data={usePolicyChoices()}
    value={value}
    onChange={onChange}
    error={error}
  />
);
