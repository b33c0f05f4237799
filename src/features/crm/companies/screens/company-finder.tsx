// The company of a record, changed where it exists: found by its words, asked of the product once the typing pauses.
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useRead } from '../../../../ui/client/hooks.ts';
import { Finder } from '../../../../ui/kit/finder.tsx';
import fields from '../../../../ui/kit/fields.module.css';

const PAUSE_MS = 150;
const NONE = 'none';

type CompanyFinderProps = {
  company: { id: string; name: string } | null;
  set: (id: string | null) => void;
};

export function CompanyFinder({ company, set }: CompanyFinderProps) {
  const [words, setWords] = useState('');
  const [open, setOpen] = useState(false);
  const [asked] = useDebouncedValue(words.trim().slice(0, 200), PAUSE_MS);
  const { data, isPlaceholderData } = useRead(
    'company_list',
    { limit: 20, ...(asked ? { query: asked } : {}) },
    { keep: true, enabled: open },
  );
  const found = (data?.items ?? []).map(({ id, name, domain }) => ({
    id,
    word: name,
    shown: domain ? `${name} (${domain})` : name,
  }));
  return (
    <Finder
      label="Company"
      chosen={[company?.id ?? NONE]}
      options={words ? found : [{ id: NONE, word: 'None', shown: 'None' }, ...found]}
      onSearch={setWords}
      onOpen={() => setOpen(true)}
      searching={isPlaceholderData || asked !== words.trim().slice(0, 200)}
      onPick={(id) => set(id === NONE ? null : id)}
    >
      {company?.name ?? <span className={fields.none}>None</span>}
    </Finder>
  );
}
