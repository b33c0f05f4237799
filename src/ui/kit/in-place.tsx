// Fields of a record that are edited in place: text, choices, lists of texts, and custom fields.
import { Menu } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Takes } from '../client/call.ts';
import { useRead } from '../client/hooks.ts';
import { CustomValue, type CustomField, type SetValue } from './custom-value.tsx';
import finder from './finder.module.css';
import fields from './fields.module.css';

export const Field = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className={fields.field}>
    <span className={fields.name}>{name}</span>
    <div className={fields.control}>{children}</div>
  </div>
);

type TextFieldProps = {
  name: string;
  value: string | null;
  set: SetValue<string | null>;
  kind?: 'text' | 'url';
};

const trimmed = (text: unknown): string | null => (typeof text === 'string' ? text.trim() || null : null);

export const TextField = ({ name, value, set, kind = 'text' }: TextFieldProps) => (
  <Field name={name}>
    <CustomValue
      field={{ key: 'text', title: name, kind }}
      value={value ?? ''}
      set={(next, from) => set(trimmed(next), from === undefined ? undefined : trimmed(from))}
    />
  </Field>
);

type ChoiceFieldProps<T extends string> = {
  name: string;
  value: T;
  choices: Record<T, string>;
  set: (value: T) => void;
};

export const ChoiceField = <T extends string>({ name, value, choices, set }: ChoiceFieldProps<T>) => (
  <Field name={name}>
    <Menu position="bottom-start" width={220}>
      <Menu.Target>
        <button type="button" className={finder.value} aria-label={`${name}: ${choices[value]}`}>
          {choices[value]}
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {(Object.entries(choices) as [T, string][]).map(([key, title]) => (
          <Menu.Item key={key} onClick={() => set(key)}>
            {title}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  </Field>
);

type Noun = Takes<'field_replace'>['noun'];

export const useOwnFields = (noun: Noun): CustomField[] =>
  useRead('field_list', { noun }, { stale_ms: 120_000 }).data?.items[0]?.fields ?? [];

type OwnFieldsProps = {
  noun: Noun;
  values: Record<string, unknown>;
  set: SetValue<Record<string, unknown>>;
};

/** The instance's own fields of a noun; only the one that changed is sent. */
export const OwnFields = ({ noun, values, set }: OwnFieldsProps) =>
  useOwnFields(noun).map((field) => (
    <Field key={field.key} name={field.title}>
      <CustomValue
        field={field}
        value={values[field.key]}
        set={(value, from) =>
          set({ [field.key]: value }, from === undefined ? undefined : { [field.key]: from })
        }
      />
    </Field>
  ));
