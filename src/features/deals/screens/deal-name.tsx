// What a deal is called, changed where it stands: Enter or leaving it saves, Escape takes it back.
import { useState } from 'react';
import type { Saving } from '../../people/screens/save.ts';
import type { Deal } from '../contract.ts';
import classes from './deal.module.css';

export function DealName({ deal, saving, level }: { deal: Deal; saving: Saving<Deal>; level: 2 | 3 }) {
  const [draft, setDraft] = useState<string | null>(null);
  const Heading = `h${level}` as const;
  const done = async (): Promise<void> => {
    const name = draft?.trim();
    if (!name || name === deal.name || (await saving.save({ name }))) setDraft(null);
  };
  return (
    <Heading className={classes.name}>
      <input
        aria-label="Name"
        dir="auto"
        maxLength={200}
        value={draft ?? deal.name}
        onChange={(event) => setDraft(event.currentTarget.value)}
        onBlur={() => void done()}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.currentTarget.blur();
          if (event.key !== 'Escape') return;
          event.stopPropagation();
          setDraft(null);
        }}
      />
    </Heading>
  );
}
