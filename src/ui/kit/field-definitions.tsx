// The definitions of custom fields. A key is made from the first title and never changes, because values are stored under it.
import { ActionIcon, Button, Select, TagsInput, TextInput } from '@mantine/core';
import { Plus, X } from 'lucide-react';
import type { ReactNode } from 'react';
import type { CustomField } from './custom-value.tsx';
import classes from './field-definitions.module.css';

const KINDS: { value: CustomField['kind']; label: string }[] = [
  { value: 'text', label: 'Text' },
  { value: 'number', label: 'Number' },
  { value: 'date', label: 'Date' },
  { value: 'bool', label: 'Yes or no' },
  { value: 'select', label: 'Single choice' },
  { value: 'multiselect', label: 'Multiple choice' },
  { value: 'url', label: 'URL' },
];

const chooses = (kind: CustomField['kind']): boolean => kind === 'select' || kind === 'multiselect';

/** The definitions as they are saved: every one with a key of its own. */
export function withKeys(fields: CustomField[]): CustomField[] {
  const taken = new Set(fields.map((field) => field.key).filter(Boolean));
  return fields.map(({ key, title, kind, options }) => {
    const base =
      title
        .normalize('NFKD')
        .replaceAll(/\p{M}/gu, '')
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, '_')
        .replaceAll(/^[^a-z]+|_$/g, '')
        .slice(0, 36) || 'field';
    let made = key || base;
    for (let n = 2; !key && taken.has(made); n += 1) made = `${base}_${n}`;
    taken.add(made);
    return { key: made, title: title.trim(), kind, ...(chooses(kind) ? { options: options ?? [] } : {}) };
  });
}

export const FieldGroup = ({ title, children }: { title: string; children: ReactNode }) => (
  <fieldset className={classes.group}>
    <legend className={classes.legend}>{title}</legend>
    {children}
  </fieldset>
);

type FieldDefinitionsProps = {
  fields: CustomField[];
  error: string | undefined;
  change: (next: CustomField[]) => void;
};

export function FieldDefinitions({ fields, error, change }: FieldDefinitionsProps) {
  const set = (at: number, part: Partial<CustomField>): void =>
    change(fields.map((field, i) => (i === at ? { ...field, ...part } : field)));
  return (
    <FieldGroup title="Custom fields">
      {fields.map((field, at) => (
        <div key={at} className={classes.field}>
          <TextInput
            aria-label="Field title"
            placeholder="Title"
            maxLength={60}
            value={field.title}
            onChange={(event) => set(at, { title: event.currentTarget.value })}
          />
          <Select
            aria-label="Field type"
            allowDeselect={false}
            data={KINDS}
            value={field.kind}
            onChange={(kind) => kind && set(at, { kind })}
          />
          <ActionIcon
            size={32}
            aria-label={`Remove field ${field.title}`}
            onClick={() => change(fields.filter((_, i) => i !== at))}
          >
            <X size={15} />
          </ActionIcon>
          {chooses(field.kind) && (
            <TagsInput
              className={classes.choices ?? ''}
              aria-label="Options"
              placeholder="Type an option, then press Enter"
              value={field.options ?? []}
              onChange={(options) => set(at, { options })}
            />
          )}
        </div>
      ))}
      {error && (
        <p role="alert" style={{ color: 'var(--bad)', paddingTop: 6 }}>
          {error}
        </p>
      )}
      <Button
        variant="subtle"
        color="gray"
        leftSection={<Plus size={14} />}
        onClick={() => change([...fields, { key: '', title: '', kind: 'text' }])}
      >
        Add a field
      </Button>
    </FieldGroup>
  );
}
