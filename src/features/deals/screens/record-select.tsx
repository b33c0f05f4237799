// Choosing the person or the company that a deal is with, by words, asked of the product once the typing pauses.
import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useRead } from '../../../ui/client/hooks.ts';

const PAUSE_MS = 150;

type Noun = 'person' | 'company';
type RecordSelectProps = {
  noun: Noun;
  value: string | null;
  onChange: (id: string | null) => void;
  /** What is chosen now, so that its name stands there before anything is asked. */
  known?: { id: string; name: string } | null;
  error?: string | undefined;
  /** No label stands above it: it is only heard. */
  bare?: boolean;
};

const WORDS: Record<Noun, { label: string; none: string; clear: string; missing: string }> = {
  person: {
    label: 'Person',
    none: 'Nobody',
    clear: 'No person',
    missing: 'Nobody goes by that name.',
  },
  company: { label: 'Company', none: 'None', clear: 'No company', missing: 'No company goes by that name.' },
};

function useFound(noun: Noun, query: string): { value: string; label: string }[] {
  const args = { limit: 20, ...(query ? { query } : {}) };
  const options = { keep: true, stale_ms: 60_000 };
  const people = useRead('person_list', args, { ...options, enabled: noun === 'person' });
  const companies = useRead('company_list', args, { ...options, enabled: noun === 'company' });
  if (noun === 'company')
    return (companies.data?.items ?? []).map(({ id, name }) => ({ value: id, label: name }));
  return (people.data?.items ?? []).map(({ id, name, addresses }) => ({
    value: id,
    label: name || (addresses[0]?.value ?? 'Without a name'),
  }));
}

export function RecordSelect({ noun, value, onChange, known, error, bare = false }: RecordSelectProps) {
  const [words, setWords] = useState('');
  const [asked] = useDebouncedValue(words.trim().slice(0, 200), PAUSE_MS);
  const [names, setNames] = useState<Record<string, string>>({});
  const query = Object.values(names).includes(asked) || asked === known?.name ? '' : asked;
  const found = useFound(noun, query);
  const chosen = value && !found.some((one) => one.value === value);
  const name = value === known?.id ? known?.name : value && names[value];
  const { label, none, clear, missing } = WORDS[noun];
  return (
    <Select
      label={bare ? undefined : label}
      aria-label={bare ? label : undefined}
      placeholder={none}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': clear }}
      nothingFoundMessage={missing}
      data={chosen ? [{ value, label: name ?? 'The one chosen' }, ...found] : found}
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
