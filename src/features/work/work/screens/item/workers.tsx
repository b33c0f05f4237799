// Who an item can be assigned to: people and tokens, found by name.
import { useState } from 'react';
import { useRead } from '../../../../../ui/client/hooks.ts';
import { useMe } from '../../../../../ui/client/session.ts';
import { Principal } from '../../../../../ui/kit/principal.tsx';
import { Finder } from '../../../../../ui/kit/finder.tsx';
import type { Who } from '../../../../../ui/kit/who.ts';

type AssigneePickerProps = { value: Who | null; pick: (who: Who | null) => void };

export function AssigneePicker({ value, pick }: AssigneePickerProps) {
  const me = useMe();
  const [words, setWords] = useState('');
  const [opened, setOpened] = useState(false);
  const { data, isPlaceholderData } = useRead(
    'assignee_list',
    { limit: 50, ...(words.trim() && { query: words.trim() }) },
    { enabled: opened, keep: true, stale_ms: 60_000 },
  );
  const workers = data?.items ?? [];
  return (
    <Finder
      label="Assignee"
      chosen={[value?.id ?? 'none']}
      onSearch={setWords}
      searching={isPlaceholderData}
      onOpen={() => setOpened(true)}
      onPick={(id) => pick(workers.find((who) => who.id === id) ?? null)}
      options={[
        ...(words ? [] : [{ id: 'none', word: 'Unassigned', shown: 'Unassigned' }]),
        ...workers.map((who) => ({
          id: who.id,
          word: who.name,
          shown: (
            <>
              <Principal of={who} /> {who.id === me.principal.id && '(you)'}
            </>
          ),
        })),
      ]}
    >
      {value ? (
        <Principal of={value} behalf={value.on_behalf_of ?? null} />
      ) : (
        <span style={{ color: 'var(--text-3)' }}>Unassigned</span>
      )}
    </Finder>
  );
}
