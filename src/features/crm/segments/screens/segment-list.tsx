// The saved segments beside the list of people: a column on a desk, a choice on a phone; and the way into their editor.
import { ActionIcon, Button, NativeSelect } from '@mantine/core';
import { Pencil, Plus, TriangleAlert, Users } from 'lucide-react';
import { useState } from 'react';
import { useRead } from '../../../../ui/client/hooks.ts';
import { later } from '../../../../ui/kit/later.tsx';
import { counted } from '../../../../ui/kit/numbers.ts';
import { Bones } from '../../../../ui/kit/states.tsx';
import type { Segment } from '../contract.ts';
import classes from './segments.module.css';

const SegmentEditor = later(
  () => import('./segment-editor.tsx').then((m) => m.SegmentEditor),
  ({ opened }) => opened,
);

type ChoiceProps = { chosen: string | undefined; choose: (segment: string | undefined) => void };

const useSegments = () => useRead('segment_list', { limit: 200 }, { stale_ms: 30_000 });

/** Of the one that is chosen; null where none is, or no one knows. */
export function useSegmentCount(chosen: string | undefined): number | null {
  const { data } = useSegments();
  return data?.items.find(({ id }) => id === chosen)?.count ?? null;
}

export function SegmentList({ chosen, choose }: ChoiceProps) {
  const { data, isPending, error } = useSegments();
  const [editing, setEditing] = useState<Segment | 'new' | null>(null);
  return (
    <aside className={classes.list} aria-label="Segments">
      <button
        type="button"
        className={classes.pick}
        aria-pressed={chosen === undefined}
        onClick={() => choose(undefined)}
      >
        <Users size={15} aria-hidden />
        <span>All people</span>
      </button>
      <h2>Segments</h2>
      {isPending && <Bones lines={3} />}
      {error && <p className={classes.says}>{error.sentence}</p>}
      {data && data.items.length === 0 && (
        <p className={classes.says}>
          A segment is a saved filter, such as “customers in Germany who were never verified”. Its members are
          looked up each time it’s used.
        </p>
      )}
      <ul>
        {data?.items.map((segment) => (
          <li key={segment.id} className={classes.row}>
            <button
              type="button"
              className={classes.pick}
              aria-pressed={chosen === segment.id}
              title={segment.fault ?? undefined}
              onClick={() => choose(segment.id)}
            >
              <span>{segment.name}</span>
              {segment.fault ? (
                <TriangleAlert size={14} role="img" aria-label="Filter no longer valid" />
              ) : (
                segment.count !== null && <span className={classes.count}>{counted(segment.count)}</span>
              )}
            </button>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Edit ${segment.name}`}
              onClick={() => setEditing(segment)}
            >
              <Pencil size={13} />
            </ActionIcon>
          </li>
        ))}
      </ul>
      <Button
        variant="subtle"
        color="gray"
        size="compact-md"
        justify="flex-start"
        leftSection={<Plus size={14} />}
        onClick={() => setEditing('new')}
      >
        New segment
      </Button>
      <SegmentEditor
        opened={editing !== null}
        segment={editing === 'new' ? null : editing}
        onClose={() => setEditing(null)}
        saved={(segment) => choose(segment.id)}
        gone={(segment) => chosen === segment.id && choose(undefined)}
      />
    </aside>
  );
}

export function SegmentSelect({ chosen, choose }: ChoiceProps) {
  const { data } = useSegments();
  return (
    <NativeSelect
      aria-label="Segment"
      value={chosen ?? ''}
      onChange={(event) => choose(event.currentTarget.value || undefined)}
      data={[
        { value: '', label: 'All people' },
        ...(data?.items ?? []).map((segment) => ({
          value: segment.id,
          label: segment.count === null ? segment.name : `${segment.name} (${counted(segment.count)})`,
        })),
      ]}
    />
  );
}
