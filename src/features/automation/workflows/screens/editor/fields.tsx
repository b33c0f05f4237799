// Fields of one step by its kind, with their problems. Values of the trigger and earlier steps are inserted at the cursor.
import { Menu, NumberInput, Select, TagsInput, Textarea, TextInput, Button } from '@mantine/core';
import { Braces } from 'lucide-react';
import { useRef, useState } from 'react';
import type { DraftStep } from './draft.rules.ts';
import { type Field, kindOf } from './kinds.ts';
import {
  AgentField,
  CampaignField,
  IdentityField,
  ProjectField,
  SegmentField,
  UsersField,
} from './pickers.tsx';
import classes from '../workflow.module.css';

type FieldsProps = {
  step: DraftStep;
  /** By field, as `input.url`. */
  faults: ReadonlyMap<string, string>;
  /** References that are known when this step happens. */
  values: string[];
  change: (next: DraftStep) => void;
};

const WRITTEN = new Set<Field['as']>(['text', 'area', 'any']);

/** A fault of a part, as `people.0`, is at its field. */
const faultOf = (faults: ReadonlyMap<string, string>, key: string): string | undefined =>
  [...faults].find(([name]) => name === `input.${key}` || name.startsWith(`input.${key}.`))?.[1];

export function KindFields({ step, faults, values, change }: FieldsProps) {
  const last = useRef<{ key: string; from: number; to: number } | null>(null);
  const kind = kindOf(step.kind);
  if (!kind) return <p className={classes.says}>Unknown kind of step. Edit it in the JSON.</p>;
  const set = (key: string, value: unknown): void => {
    const { [key]: _, ...rest } = step.input;
    change({ ...step, input: value === undefined ? rest : { ...rest, [key]: value } });
  };
  const { is } = step.input;
  const fields = kind.fields.filter(
    ({ key }) => !(step.kind === 'condition' && key === 'than' && (is === 'present' || is === 'absent')),
  );
  const written = fields.filter(({ as }) => WRITTEN.has(as));
  const put = (value: string): void => {
    const target = last.current ?? (written[0] && { key: written[0].key, from: Infinity, to: Infinity });
    if (!target) return;
    const before = textOf(step.input[target.key]);
    set(target.key, before.slice(0, target.from) + value + before.slice(target.to));
  };
  const others = Object.keys(step.input).filter(
    (key) => key !== 'otherwise' && !kind.fields.some((field) => field.key === key),
  );
  return (
    <div
      className={classes.fields}
      onSelect={({ target }) => {
        if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) return;
        const key = target.dataset['field'];
        if (key) last.current = { key, from: target.selectionStart ?? 0, to: target.selectionEnd ?? 0 };
      }}
    >
      {fields.map((field) => (
        <OneField
          key={field.key}
          field={field}
          value={step.input[field.key]}
          error={faultOf(faults, field.key)}
          set={(value) => set(field.key, value)}
        />
      ))}
      {written.length > 0 && values.length > 0 && <Values values={values} put={put} />}
      {others.length > 0 && <p className={classes.says}>Also set in the JSON: {others.join(', ')}.</p>}
    </div>
  );
}

const Values = ({ values, put }: { values: string[]; put: (value: string) => void }) => (
  <Menu position="bottom-start" returnFocus={false}>
    <Menu.Target>
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<Braces size={14} />}
        className={classes.fit ?? ''}
      >
        Insert value
      </Button>
    </Menu.Target>
    <Menu.Dropdown mah={280} style={{ overflowY: 'auto' }}>
      {values.map((value) => (
        <Menu.Item key={value} onClick={() => put(`{{ ${value} }}`)}>
          <code>{value}</code>
        </Menu.Item>
      ))}
    </Menu.Dropdown>
  </Menu>
);

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);

type OneProps = {
  field: Field;
  value: unknown;
  error: string | undefined;
  set: (value: unknown) => void;
};

function OneField({ field, value, error, set }: OneProps) {
  const { label, says } = field;
  const common = { label, error, ...(says && { description: says }) };
  switch (field.as) {
    case 'text':
      return (
        <TextInput
          {...common}
          data-field={field.key}
          placeholder={field.placeholder ?? ''}
          value={textOf(value)}
          onChange={(event) => set(event.currentTarget.value)}
        />
      );
    case 'area':
    case 'code':
      return (
        <Textarea
          {...common}
          data-field={field.key}
          placeholder={field.placeholder ?? ''}
          autosize
          minRows={field.as === 'code' ? 6 : 2}
          maxRows={18}
          spellCheck={field.as !== 'code'}
          {...(field.as === 'code' && { classNames: { input: classes.code ?? '' } })}
          value={textOf(value)}
          onChange={(event) => set(event.currentTarget.value)}
        />
      );
    case 'any':
      return <AnyField {...common} name={field.key} value={value} set={set} />;
    case 'pairs':
      return <PairsField {...common} value={value} set={set} />;
    case 'list':
      return (
        <TagsInput
          {...common}
          acceptValueOnBlur
          value={Array.isArray(value) ? value.map(textOf) : []}
          onChange={set}
        />
      );
    case 'choice':
      return (
        <Select
          {...common}
          data={field.options}
          value={typeof value === 'string' ? value : null}
          allowDeselect={false}
          clearable={field.clearable ?? false}
          clearButtonProps={{ 'aria-label': `No ${label.toLowerCase()}` }}
          onChange={(next) => set(next ?? undefined)}
        />
      );
    case 'minutes':
      return <MinutesField {...common} value={value} set={set} />;
    case 'project':
      return <ProjectField {...common} value={textOf(value)} set={set} />;
    case 'campaign':
      return <CampaignField {...common} value={textOf(value)} set={set} />;
    case 'segment':
      return <SegmentField {...common} value={textOf(value)} set={set} />;
    case 'identity':
      return <IdentityField {...common} value={textOf(value)} set={set} />;
    case 'agent':
      return <AgentField {...common} value={textOf(value)} set={set} />;
    case 'users':
      return <UsersField {...common} value={Array.isArray(value) ? value.map(textOf) : []} set={set} />;
  }
}

type OwnProps = {
  label: string;
  description?: string;
  error: string | undefined;
  value: unknown;
  set: (value: unknown) => void;
};

/** Text that is JSON where it reads as JSON. What is typed stays as it is typed. */
function AnyField({ name, value, set, ...rest }: OwnProps & { name: string }) {
  const [typed, setTyped] = useState<{ text: string; of: unknown } | null>(null);
  const shown =
    typed && typed.of === value
      ? typed.text
      : typeof value === 'object' && value !== null
        ? JSON.stringify(value, null, 2)
        : textOf(value);
  return (
    <Textarea
      {...rest}
      data-field={name}
      autosize
      minRows={3}
      maxRows={18}
      spellCheck={false}
      classNames={{ input: classes.code ?? '' }}
      value={shown}
      onChange={(event) => {
        const text = event.currentTarget.value;
        const next = text === '' ? undefined : jsonOr(text);
        setTyped({ text, of: next });
        set(next);
      }}
    />
  );
}

function jsonOr(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** Names and values, a line each. What is typed stays as it is typed. */
function PairsField({ value, set, ...rest }: OwnProps) {
  const [typed, setTyped] = useState<{ text: string; of: unknown } | null>(null);
  const lines = Object.entries((value ?? {}) as Record<string, unknown>).map(
    ([name, each]) => `${name}: ${textOf(each)}`,
  );
  return (
    <Textarea
      {...rest}
      autosize
      minRows={2}
      maxRows={12}
      spellCheck={false}
      classNames={{ input: classes.code ?? '' }}
      value={typed && typed.of === value ? typed.text : lines.join('\n')}
      onChange={(event) => {
        const text = event.currentTarget.value;
        const next = Object.fromEntries(
          text
            .split('\n')
            .filter((line) => line.trim() !== '')
            .map((line) => {
              const [name = '', ...said] = line.split(':');
              return [name.trim(), said.join(':').trim()];
            }),
        );
        setTyped({ text, of: next });
        set(next);
      }}
    />
  );
}

const UNITS = { minutes: 1, hours: 60, days: 1_440 } as const;
type Unit = keyof typeof UNITS;

const unitOf = (minutes: number): Unit =>
  minutes > 0 && minutes % UNITS.days === 0
    ? 'days'
    : minutes > 0 && minutes % UNITS.hours === 0
      ? 'hours'
      : 'minutes';

function MinutesField({ label, error, value, set }: OwnProps) {
  const minutes = Number(value) || 0;
  const [chosen, setChosen] = useState<Unit>(unitOf(minutes));
  return (
    <div className={classes.pair}>
      <NumberInput
        label={label}
        error={error}
        min={1}
        allowDecimal={false}
        value={minutes / UNITS[chosen]}
        onChange={(next) => set(Math.round((Number(next) || 0) * UNITS[chosen]))}
      />
      <Select
        label="Unit"
        allowDeselect={false}
        data={['minutes', 'hours', 'days']}
        value={chosen}
        onChange={(next) => {
          const unit = (next ?? 'minutes') as Unit;
          set(Math.round((minutes / UNITS[chosen]) * UNITS[unit]));
          setChosen(unit);
        }}
      />
    </div>
  );
}
