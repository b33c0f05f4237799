// One condition of a segment: a field, an op, and a value of the kind that the op takes.
import { ActionIcon, MultiSelect, NativeSelect, TagsInput, TextInput } from '@mantine/core';
import { X } from 'lucide-react';
import { RecordSelect } from '../../../../ui/kit/record-select.tsx';
import type { SegmentCondition } from '../contract.ts';
import { emptyValue, type FieldAsked, OP } from './fields.ts';
import classes from './segments.module.css';

type ConditionProps = {
  fields: Record<string, FieldAsked>;
  condition: SegmentCondition;
  /** Which of them, from 1, for readers. */
  at: number;
  change: (next: SegmentCondition) => void;
  /** What is in a list's field and not yet one of its values. */
  typed: string;
  type: (typed: string) => void;
  remove: (() => void) | null;
};

export function ConditionRow({ fields, condition, at, change, typed, type, remove }: ConditionProps) {
  const field = fields[condition.field];
  const pickField = (key: string): void => {
    const [[op, kind] = ['is', 'text' as const]] = Object.entries(fields[key]?.ops ?? {});
    type('');
    change({ field: key, op, value: emptyValue(kind) });
  };
  const pickOp = (op: string): void => {
    const before = field?.ops[condition.op];
    const kind = field?.ops[op] ?? 'text';
    change({ ...condition, op, value: before === kind ? condition.value : emptyValue(kind) });
  };
  return (
    <div className={classes.condition}>
      <NativeSelect
        aria-label={`Field of condition ${at}`}
        value={condition.field}
        onChange={(event) => pickField(event.currentTarget.value)}
        data={[
          ...(field ? [] : [{ value: condition.field, label: `${condition.field} (gone)` }]),
          ...Object.entries(fields).map(([value, { title }]) => ({ value, label: title })),
        ]}
      />
      <NativeSelect
        aria-label={`Operator of condition ${at}`}
        value={condition.op}
        onChange={(event) => pickOp(event.currentTarget.value)}
        data={Object.keys(field?.ops ?? { [condition.op]: 'text' }).map((op) => ({
          value: op,
          label: OP[op] ?? op,
        }))}
      />
      <Value
        field={field}
        condition={condition}
        at={at}
        set={(value) => change({ ...condition, value })}
        typed={typed}
        type={type}
      />
      {remove ? (
        <ActionIcon variant="subtle" color="gray" aria-label={`Remove condition ${at}`} onClick={remove}>
          <X size={15} />
        </ActionIcon>
      ) : (
        <span />
      )}
    </div>
  );
}

type ValueProps = {
  field: FieldAsked | undefined;
  condition: SegmentCondition;
  at: number;
  set: (value: unknown) => void;
  typed: string;
  type: (typed: string) => void;
};

function Value({ field, condition, at, set, typed, type }: ValueProps) {
  const kind = field?.ops[condition.op] ?? 'text';
  const label = `Value of condition ${at}`;
  const { value } = condition;
  const list = (Array.isArray(value) ? value : value === undefined || value === '' ? [] : [value]).map(
    String,
  );
  if (kind === 'none') return <span />;
  if (kind === 'truth')
    return (
      <NativeSelect
        aria-label={label}
        value={value === false ? 'no' : 'yes'}
        onChange={(event) => set(event.currentTarget.value === 'yes')}
        data={[
          { value: 'yes', label: 'Yes' },
          { value: 'no', label: 'No' },
        ]}
      />
    );
  if (kind === 'company')
    return list.length > 1 ? (
      <span className={classes.live}>{list.length} companies</span>
    ) : (
      <RecordSelect
        noun="company"
        label={label}
        bare
        value={list[0] ?? null}
        onChange={(id) => set(id ? [id] : [])}
      />
    );
  if (kind === 'choices')
    return (
      <MultiSelect
        aria-label={label}
        placeholder={list.length === 0 ? 'Choose' : ''}
        data={field?.choices ?? []}
        value={list}
        onChange={set}
      />
    );
  if (kind === 'texts')
    return (
      <TagsInput
        aria-label={label}
        placeholder={list.length === 0 ? 'Type, then press Enter' : ''}
        value={list}
        onChange={set}
        searchValue={typed}
        onSearchChange={type}
        acceptValueOnBlur
      />
    );
  return (
    <TextInput
      aria-label={label}
      type={kind === 'number' ? 'number' : kind === 'date' ? 'date' : 'text'}
      step="any"
      value={typeof value === 'string' || typeof value === 'number' ? String(value) : ''}
      onChange={(event) => {
        const text = event.currentTarget.value;
        set(kind === 'number' && text !== '' ? Number(text) : text);
      }}
    />
  );
}
