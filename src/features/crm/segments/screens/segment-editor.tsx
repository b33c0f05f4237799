// A segment's name and conditions. Saving says how many people it has; a condition that does not hold is told at its row.
import { Button, Modal, SegmentedControl, TextInput } from '@mantine/core';
import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { ApiError } from '../../../../ui/client/call.ts';
import { useAct } from '../../../../ui/client/hooks.ts';
import { useUserChoices } from '../../../../ui/kit/choices.ts';
import { confirm } from '../../../../ui/kit/confirm.ts';
import { FormEnd, FormStack, useActForm } from '../../../../ui/kit/form.tsx';
import { many } from '../../../../ui/kit/numbers.ts';
import { useTopmost } from '../../../../ui/kit/topmost.ts';
import { useOwnFields } from '../../../../ui/kit/in-place.tsx';
import type { SegmentCondition, SegmentFilter, Segment } from '../contract.ts';
import { ConditionRow } from './condition.tsx';
import { fieldsAsked } from './fields.ts';
import { LiveCount } from './live-count.tsx';
import classes from './segments.module.css';

type EditorProps = {
  opened: boolean;
  /** Null: a new one. */
  segment: Segment | null;
  onClose: () => void;
  saved: (segment: Segment) => void;
  gone: (segment: Segment) => void;
};

export function SegmentEditor({ opened, segment, onClose, saved, gone }: EditorProps) {
  const topmost = useTopmost(opened);
  // The last one stays in sight while the dialog closes.
  const [shown, setShown] = useState(segment);
  if (opened && segment !== shown) setShown(segment);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={shown ? `Edit ${shown.name}` : 'New segment'}
      size={680}
      closeOnEscape={topmost}
      closeOnClickOutside={false}
    >
      <Editor key={shown?.id ?? 'new'} segment={shown} done={onClose} saved={saved} gone={gone} />
    </Modal>
  );
}

type Row = SegmentCondition & { key: number };

const FIRST: SegmentCondition = { field: 'country', op: 'is', value: [] };

const rowsOf = (filter: SegmentFilter | undefined): Row[] =>
  (filter ? ('all' in filter ? filter.all : filter.any) : [FIRST]).map((condition, key) => ({
    ...condition,
    key,
  }));

/** What is typed into a list's field counts before it is one of its values. */
type Typed = Readonly<Record<number, string>>;

const withTyped = (value: unknown, typed = ''): unknown =>
  Array.isArray(value) && typed.trim() !== '' && !value.includes(typed.trim())
    ? [...value, typed.trim()]
    : value;

function filterOf(how: 'all' | 'any', rows: Row[], typed: Typed): SegmentFilter {
  const conditions = rows.map(({ field, op, value, key }) => ({
    field,
    op,
    ...(value === undefined ? {} : { value: withTyped(value, typed[key]) }),
  }));
  return how === 'any' ? { any: conditions } : { all: conditions };
}

type InsideProps = { segment: Segment | null; done: () => void } & Pick<EditorProps, 'saved' | 'gone'>;

function Editor({ segment, done, saved, gone }: InsideProps) {
  const fields = fieldsAsked(useOwnFields('person'), useUserChoices());
  const [faults, setFaults] = useState<Record<number, string>>({});
  const [typed, setTyped] = useState<Typed>({});
  const finished = ({ segment: now }: { segment: Segment }): void => {
    saved(now);
    done();
  };
  const options = {
    quiet: true,
    says: ({ segment: now }: { segment: Segment }) =>
      now.count === null
        ? `“${now.name}” saved.`
        : `“${now.name}” saved: ${many(now.count, 'person', 'people')}.`,
    onSuccess: finished,
  };
  const create = useAct('segment_create', options);
  const update = useAct('segment_update', options);
  const form = useActForm(
    {
      name: segment?.name ?? '',
      how: segment && 'any' in segment.filter ? ('any' as const) : ('all' as const),
      rows: rowsOf(segment?.filter),
    },
    async ({ name, how, rows }) => {
      setFaults({});
      const filter = filterOf(how, rows, typed);
      try {
        await (segment
          ? update.mutateAsync({ segment: segment.id, revision: segment.revision, name, filter })
          : create.mutateAsync({ name, filter }));
      } catch (error) {
        setFaults(faultsByRow(error as ApiError));
        throw error;
      }
    },
  );
  const { rows, how } = form.values;
  const remove = useAct('segment_delete', {
    says: 'Segment deleted.',
    onSuccess: done,
  });
  const ask = async (): Promise<void> => {
    if (!segment) return;
    const yes = await confirm({
      title: `Delete ${segment.name}?`,
      says: 'People in the segment are kept. Anything that enrols or exports from this segment stops working. This can’t be undone.',
      act: 'Delete segment',
      tone: 'bad',
    });
    if (!yes) return;
    gone(segment);
    remove.mutate({ segment: segment.id });
  };
  return (
    <FormStack form={form} label="Segment">
      <TextInput label="Name" data-autofocus maxLength={120} {...form.text('name')} />
      <SegmentedControl
        aria-label="Match"
        value={how}
        onChange={(next) => form.set('how', next as 'all' | 'any')}
        data={[
          { value: 'all', label: 'All conditions' },
          { value: 'any', label: 'Any condition' },
        ]}
      />
      <fieldset className={classes.conditions}>
        <legend className="unseen">Conditions</legend>
        {rows.map((row, at) => (
          <div key={row.key}>
            <ConditionRow
              fields={fields}
              condition={row}
              at={at + 1}
              typed={typed[row.key] ?? ''}
              type={(text) => setTyped((before) => ({ ...before, [row.key]: text }))}
              change={(next) =>
                form.set(
                  'rows',
                  rows.map((one) => (one.key === row.key ? { ...next, key: row.key } : one)),
                )
              }
              remove={
                rows.length > 1
                  ? () =>
                      form.set(
                        'rows',
                        rows.filter((one) => one.key !== row.key),
                      )
                  : null
              }
            />
            {faults[at] && (
              <p className={classes.fault} role="alert">
                {faults[at]}
              </p>
            )}
          </div>
        ))}
      </fieldset>
      <div className={classes.end}>
        <Button
          variant="default"
          leftSection={<Plus size={14} />}
          disabled={rows.length >= 30}
          onClick={() =>
            form.set('rows', [...rows, { ...FIRST, key: Math.max(...rows.map((row) => row.key)) + 1 }])
          }
        >
          Add a condition
        </Button>
        <span className={classes.grow} />
        {segment && (
          <Button
            variant="subtle"
            color="gray"
            leftSection={<Trash2 size={14} />}
            loading={remove.isPending}
            onClick={() => void ask()}
          >
            Delete
          </Button>
        )}
      </div>
      <LiveCount filter={filterOf(how, rows, typed)} />
      <FormEnd form={form} act="Save" cancel={done} />
    </FormStack>
  );
}

/** `filter.all.2.value` is the third row. */
function faultsByRow(error: ApiError): Record<number, string> {
  const found: Record<number, string> = {};
  for (const [path, says] of Object.entries(error.fields ?? {})) {
    const at = /^filter\.(?:all|any)\.(\d+)\./.exec(path)?.[1];
    if (at !== undefined) found[Number(at)] = says.replace(`${path}: `, '');
  }
  return found;
}
