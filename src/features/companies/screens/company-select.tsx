// Choosing a company by its words, asked of the product once the typing pauses.
import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useRead } from '../../../ui/client/hooks.ts';

const PAUSE_MS = 150;

type CompanySelectProps = {
  value: string | null;
  onChange: (id: string | null) => void;
  /** The company that is chosen now, so that its name stands there before anything is asked. */
  known?: { id: string; name: string } | null;
  error?: string | undefined;
  label?: string;
  /** The label is for readers only. */
  bare?: boolean;
};

export function CompanySelect({
  value,
  onChange,
  known,
  error,
  label = 'Company',
  bare = false,
}: CompanySelectProps) {
  const [words, setWords] = useState('');
  const [asked] = useDebouncedValue(words.trim().slice(0, 200), PAUSE_MS);
  const [names, setNames] = useState<Record<string, string>>({});
  const query = Object.values(names).includes(asked) ? '' : asked;
  const { data } = useRead(
    'company_list',
    { limit: 20, ...(query ? { query } : {}) },
    { keep: true, stale_ms: 60_000 },
  );
  const found = (data?.items ?? []).map((company) => ({ value: company.id, label: company.name }));
  const chosen = value && !found.some((one) => one.value === value);
  const name = value === known?.id ? known?.name : value && names[value];
  return (
    <Select
      label={bare ? undefined : label}
      aria-label={bare ? label : undefined}
      placeholder="None"
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'No company' }}
      nothingFoundMessage="No company goes by that name."
      data={chosen ? [{ value, label: name ?? 'This company' }, ...found] : found}
      filter={({ options }) => options}
      value={value}
      error={error}
      onSearchChange={setWords}
      onChange={(id, option) => {
        if (id) setNames((before) => ({ ...before, [id]: option?.label ?? '' }));
        onChange(id);
      }}
    />
  );
}
