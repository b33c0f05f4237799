// Edits the value of a custom field in place, by the field’s kind.
import { Menu, Switch } from '@mantine/core';
import { ExternalLink } from 'lucide-react';
import type { HTMLInputTypeAttribute } from 'react';
import { useDraft } from './draft.ts';
import type { Takes } from '../client/call.ts';
import { Finder } from './finder.tsx';
import finder from './finder.module.css';
import classes from './fields.module.css';

export type CustomField = Takes<'field_replace'>['fields'][number];

/**
 * Sets a value: true once nothing of it is left to save. `from` is what was there when it was typed, where that is known, so
 * that what someone else wrote meanwhile is not overwritten unseen.
 */
export type SetValue<V = unknown> = (value: V, from?: V) => Promise<boolean>;

type CustomValueProps = { field: CustomField; value: unknown; set: SetValue };

const INPUTS: Partial<Record<CustomField['kind'], HTMLInputTypeAttribute>> = {
  number: 'number',
  date: 'date',
  url: 'url',
  text: 'text',
};

export function CustomValue({ field, value, set }: CustomValueProps) {
  const options = field.options ?? [];
  const none = <span className={classes.none}>None</span>;
  if (field.kind === 'bool')
    return (
      <Switch
        size="xs"
        className={classes.switch ?? ''}
        aria-label={field.title}
        checked={value === true}
        onChange={(event) => void set(event.currentTarget.checked)}
      />
    );
  if (field.kind === 'select')
    return (
      <Menu position="bottom-start" width={220}>
        <Menu.Target>
          <button
            type="button"
            className={finder.value}
            aria-label={`${field.title}: ${typeof value === 'string' ? value : 'none'}`}
          >
            {typeof value === 'string' ? value : none}
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => void set(null)}>None</Menu.Item>
          {options.map((option) => (
            <Menu.Item key={option} onClick={() => void set(option)}>
              {option}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    );
  if (field.kind === 'multiselect') {
    const chosen = Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
    return (
      <Finder
        label={field.title}
        several
        chosen={chosen}
        options={options.map((option) => ({ id: option, word: option, shown: option }))}
        onPick={(option) =>
          void set(chosen.includes(option) ? chosen.filter((one) => one !== option) : [...chosen, option])
        }
      >
        {chosen.join(', ') || none}
      </Finder>
    );
  }
  return <Typed field={field} value={value} set={set} />;
}

function Typed({ field, value, set }: CustomValueProps) {
  const was = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  const valueOf = (text: string): unknown =>
    text === '' ? null : field.kind === 'number' ? Number(text) : text;
  const { text, input } = useDraft(was, (next, from) =>
    set(valueOf(next), from === undefined ? undefined : valueOf(from)),
  );
  return (
    <span className={classes.due} data-none={(field.kind === 'date' && text === '') || undefined}>
      <input
        type={INPUTS[field.kind] ?? 'text'}
        className={field.kind === 'date' ? classes.date : classes.input}
        data-empty={text === '' || undefined}
        aria-label={field.title}
        placeholder="None"
        step="any"
        {...input}
      />
      {field.kind === 'url' && /^https?:\/\//i.test(was) && (
        <a
          className={classes.clear}
          href={was}
          target="_blank"
          rel="noopener noreferrer nofollow"
          aria-label={`Open ${new URL(was).host}`}
        >
          <ExternalLink size={13} aria-hidden />
        </a>
      )}
    </span>
  );
}
