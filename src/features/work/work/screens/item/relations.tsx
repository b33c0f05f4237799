// What an item is below and what blocks it: other items of its project, found by words or by key.
import { Link } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { useState } from 'react';
import { useRead } from '../../../../../ui/client/hooks.ts';
import { StatusMark } from '../../../../../ui/kit/pills.tsx';
import type { Item } from '../../items.contract.ts';
import { Finder } from '../../../../../ui/kit/finder.tsx';
import type { Saving } from './save.ts';
import { TitleText } from '../../../../../ui/kit/title-text.tsx';
import classes from '../../../../../ui/kit/fields.module.css';

type RelationProps = { item: Item; saving: Saving };

export function Parent({ item, saving }: RelationProps) {
  const set = (parent_id: string | null): void => void saving.save({ parent_id }, { shown: { parent_id } });
  if (item.parent_id === null)
    return (
      <ItemFinder item={item} label="Parent" chosen={[]} pick={set}>
        None
      </ItemFinder>
    );
  return (
    <ul className={classes.rows}>
      <Related id={item.parent_id} drop={() => set(null)} />
    </ul>
  );
}

export function BlockedBy({ item, saving }: RelationProps) {
  const set = (blocked_by: string[]): void => void saving.save({ blocked_by }, { shown: { blocked_by } });
  return (
    <>
      {item.blocked_by.length > 0 && (
        <ul className={classes.rows}>
          {item.blocked_by.map((id) => (
            <Related key={id} id={id} drop={() => set(item.blocked_by.filter((one) => one !== id))} />
          ))}
        </ul>
      )}
      <ItemFinder
        item={item}
        label="Blocked by"
        chosen={item.blocked_by}
        pick={(id) => set([...new Set([...item.blocked_by, id])])}
      >
        {item.blocked_by.length > 0 ? 'Add another' : 'Nothing'}
      </ItemFinder>
    </>
  );
}

function Related({ id, drop }: { id: string; drop: () => void }) {
  const found = useRead('item_get', { item_id: id }, { stale_ms: 60_000 });
  const item = found.data?.item;
  return (
    <li>
      {item ? (
        <Link
          to="/work/$project/$item"
          params={{ project: item.key.slice(0, item.key.lastIndexOf('-')), item: item.key }}
          title={item.title}
        >
          <StatusMark status={item.status} size={14} />
          <span className={classes.key}>{item.key}</span>
          <TitleText>{item.title}</TitleText>
        </Link>
      ) : (
        <span className={classes.key}>{found.error ? 'An item you can’t view' : '…'}</span>
      )}
      <button
        type="button"
        className={classes.clear}
        aria-label={`Remove ${item?.key ?? 'it'}`}
        onClick={drop}
      >
        <X size={13} aria-hidden />
      </button>
    </li>
  );
}

type ItemFinderProps = {
  item: Item;
  label: string;
  chosen: string[];
  pick: (id: string) => void;
  children: string;
};

function ItemFinder({ item, label, chosen, pick, children }: ItemFinderProps) {
  const [words, setWords] = useState('');
  const [opened, setOpened] = useState(false);
  const { data, isPlaceholderData } = useRead(
    'item_list',
    { project: item.project_id, limit: 20, ...(words.trim() && { query: words.trim() }) },
    { enabled: opened, keep: true },
  );
  const options = (data?.items ?? []).filter((one) => one.id !== item.id);
  return (
    <Finder
      label={label}
      chosen={chosen}
      onSearch={setWords}
      searching={isPlaceholderData}
      onOpen={() => setOpened(true)}
      onPick={pick}
      placeholder="Title or key"
      options={options.map((one) => ({ id: one.id, word: one.title, shown: `${one.key} ${one.title}` }))}
    >
      <span className={classes.add}>{children}</span>
    </Finder>
  );
}
