// One step of the flow: a line that opens to its fields, what follows it, and its actions.
import { ActionIcon, Select, TextInput } from '@mantine/core';
import { ArrowDown, ArrowUp, ChevronDown, CircleQuestionMark, Trash2, TriangleAlert } from 'lucide-react';
import { type DraftStep, leading, leadsTo, type StepPosition, type Way } from './draft.rules.ts';
import { KindFields } from './fields.tsx';
import { kindOf } from './kinds.ts';
import classes from '../workflow.module.css';

export type StepCardProps = {
  step: DraftStep;
  at: number;
  steps: DraftStep[];
  standing: StepPosition | undefined;
  faults: ReadonlyMap<string, string>;
  values: string[];
  open: boolean;
  toggle: () => void;
  change: (next: DraftStep) => void;
  move: (by: -1 | 1) => void;
  remove: () => void;
  show: (id: string) => void;
};

export const stepName = (steps: readonly DraftStep[], id: string): string => {
  const at = steps.findIndex((one) => one.id === id);
  return at === -1 ? `${id} (missing step)` : `${at + 1}. ${steps[at]?.name ?? id}`;
};

export function StepCard(props: StepCardProps) {
  const { step, at, steps, standing, faults, open, toggle, move, remove } = props;
  const kind = kindOf(step.kind);
  const Icon = kind?.icon ?? CircleQuestionMark;
  const number = `${at + 1}. ${step.name || kind?.title || step.kind}`;
  return (
    <section
      className={classes.card}
      aria-label={`Step ${number}`}
      data-fault={faults.size > 0 || undefined}
      data-open={open || undefined}
    >
      {standing?.from && <Off steps={steps} from={standing.from} />}
      <div className={classes.top}>
        <button
          type="button"
          className={classes.line}
          data-step={step.id}
          aria-expanded={open}
          onClick={toggle}
        >
          <span className={classes.mark} aria-hidden>
            <Icon size={16} />
          </span>
          <span className={classes.title}>
            <strong>{number}</strong>
            <small>{summary(step)}</small>
          </span>
          {faults.size > 0 && <TriangleAlert size={16} role="img" aria-label="Has a problem" />}
          <ChevronDown size={15} aria-hidden className={classes.chevron} />
        </button>
        <span className={classes.moves}>
          <ActionIcon aria-label={`Move up: ${number}`} disabled={at === 0} onClick={() => move(-1)}>
            <ArrowUp size={15} />
          </ActionIcon>
          <ActionIcon
            aria-label={`Move down: ${number}`}
            disabled={at === steps.length - 1}
            onClick={() => move(1)}
          >
            <ArrowDown size={15} />
          </ActionIcon>
          <ActionIcon aria-label={`Remove: ${number}`} onClick={remove}>
            <Trash2 size={15} />
          </ActionIcon>
        </span>
      </div>
      {open && <Body {...props} />}
      <Leads {...props} />
    </section>
  );
}

/** The opened step: faults that no field owns, its name, its fields, and where it leads. */
function Body({ step, steps, faults, values, change }: StepCardProps) {
  const kind = kindOf(step.kind);
  const shown = new Set(['name', 'next', 'on_error', 'input.otherwise']);
  const keys = kind?.fields.map(({ key }) => `input.${key}`) ?? [];
  const others = [...faults].filter(
    ([name]) => !shown.has(name) && !keys.some((key) => name === key || name.startsWith(`${key}.`)),
  );
  return (
    <div className={classes.body}>
      {kind && <p className={classes.says}>{kind.says}</p>}
      {others.length > 0 && (
        <ul className={classes.faults} role="alert">
          {others.map(([name, says]) => (
            <li key={name}>{name === '' ? says : `${name.replace(/^input\./, '')}: ${says}`}</li>
          ))}
        </ul>
      )}
      <TextInput
        label="Name"
        data-name-of={step.id}
        maxLength={120}
        value={step.name}
        error={faults.get('name')}
        onChange={(event) => change({ ...step, name: event.currentTarget.value })}
      />
      <KindFields step={step} faults={faults} values={values} change={change} />
      <div className={classes.pair}>
        <WayField way="next" label="Next step" end="End the run" {...{ step, steps, faults, change }} />
        {kind?.otherwise && (
          <WayField
            way="otherwise"
            label={kind.otherwise}
            end={step.kind === 'ask_person' ? 'Fail the step' : 'End the run'}
            {...{ step, steps, faults, change }}
          />
        )}
        <WayField way="on_error" label="On failure" end="Fail the run" {...{ step, steps, faults, change }} />
      </div>
      <p className={classes.says}>
        Later steps can use its output{' '}
        {kind && kind.gives.length > 0 ? (
          <>
            {' '}
            as <code>{`{{ steps.${step.id}.${kind.gives[0]} }}`}</code>.{' '}
          </>
        ) : (
          '.'
        )}
      </p>
    </div>
  );
}

type WayProps = Pick<StepCardProps, 'step' | 'steps' | 'faults' | 'change'> & {
  way: Way;
  label: string;
  end: string;
};

function WayField({ way, label, end, step, steps, faults, change }: WayProps) {
  const to = leadsTo(step, way);
  const missing = to !== null && !steps.some(({ id }) => id === to);
  return (
    <Select
      label={label}
      allowDeselect={false}
      error={faults.get(way === 'otherwise' ? 'input.otherwise' : way)}
      data={[
        { value: '', label: end },
        ...steps
          .filter(({ id }) => id !== step.id)
          .map(({ id }) => ({ value: id, label: stepName(steps, id) })),
        ...(missing ? [{ value: to, label: stepName(steps, to) }] : []),
      ]}
      value={to ?? ''}
      onChange={(next) => change(leading(step, way, next || null))}
    />
  );
}

const FROM: Record<Exclude<Way, 'next'>, string> = {
  otherwise: 'If not met or declined:',
  on_error: 'On failure:',
};

const Off = ({ steps, from }: { steps: DraftStep[]; from: NonNullable<StepPosition['from']> }) => (
  <p className={classes.off}>
    {from.way !== 'next' && FROM[from.way]} {stepName(steps, from.id)}
  </p>
);

type Lead = { way: Way; says: string; to: string | null };

/** Where it leads, said where the next card does not say it. */
function Leads({ step, at, steps, show }: StepCardProps) {
  const kind = kindOf(step.kind);
  const ways = (['next', 'otherwise', 'on_error'] as const).flatMap((way): Lead[] => {
    const to = leadsTo(step, way);
    const follows = steps[at + 1]?.id;
    if (way === 'next' && to === follows) return [];
    if (way === 'next' && to === null)
      return follows === undefined ? [] : [{ way, says: 'Then the run ends', to }];
    if (to === null) return [];
    const says =
      way === 'next' ? 'Then' : way === 'otherwise' ? (kind?.otherwise ?? 'Otherwise') : 'If it fails';
    return [{ way, says, to }];
  });
  if (ways.length === 0) return null;
  return (
    <ul className={classes.leads}>
      {ways.map(({ way, says, to }) => (
        <li key={way}>
          {says}
          {to !== null && (
            <>
              {': '}
              <button type="button" onClick={() => show(to)}>
                {stepName(steps, to)}
              </button>
            </>
          )}
        </li>
      ))}
    </ul>
  );
}

/** What it does with what it was given, in a line. */
function summary(step: DraftStep): string {
  const kind = kindOf(step.kind);
  const { input } = step;
  const text = (key: string): string => (typeof input[key] === 'string' ? input[key] : '');
  const said: Record<string, string> = {
    condition: [text('value'), text('is').replaceAll('_', ' '), text('than')].filter(Boolean).join(' '),
    create_work_item: [text('project'), text('title')].filter(Boolean).join(': '),
    agent: text('message'),
    http: `${text('method')} ${text('url')}`,
    ask_person: text('question'),
    notify: text('sentence'),
    draft_letter: text('subject'),
    move_spine: text('stage'),
    wait: waitWord(Number(input['minutes']) || 0),
  };
  const what = said[step.kind]?.trim();
  const title = kind?.title ?? step.kind;
  return what ? `${title} · ${what}` : title;
}

function waitWord(minutes: number): string {
  if (minutes <= 0) return '';
  const [count, unit] =
    minutes % 1_440 === 0
      ? [minutes / 1_440, 'day']
      : minutes % 60 === 0
        ? [minutes / 60, 'hour']
        : [minutes, 'minute'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
