// The workflow as a list: its trigger and steps, with a place to add a step after each.
import { Button, Menu } from '@mantine/core';
import { Plus } from 'lucide-react';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { focusOn } from '../../../../../ui/kit/focus.ts';
import { useKeys } from '../../../../../ui/kit/keys.ts';
import {
  type WorkflowDraft,
  type DraftStep,
  type Faults,
  freeId,
  inserted,
  movedUp,
  standings,
  type Way,
  without,
} from './draft.rules.ts';
import { GROUPS, KINDS, type KindName, kindOf, newStep } from './kinds.ts';
import { StepCard } from './step-card.tsx';
import { TriggerCard } from './trigger-card.tsx';
import { valuesOf } from '../../triggers/values.rules.ts';
import classes from '../workflow.module.css';

type FlowProps = {
  draft: WorkflowDraft;
  faults: Faults;
  open: ReadonlySet<string>;
  setOpen: (next: Set<string>) => void;
  change: (next: WorkflowDraft) => void;
};

const NONE = new Map<string, string>();

export function Flow({ draft, faults, open, setOpen, change }: FlowProps) {
  const { steps } = draft;
  const frame = useRef<HTMLOListElement>(null);
  const [heard, setHeard] = useState('');
  const beside = standings(steps);
  const put = (next: DraftStep[]): void => change({ ...draft, steps: next });
  const line = (id: string): HTMLElement | null =>
    frame.current?.querySelector<HTMLElement>(`[data-step="${id}"]`) ?? null;
  const show = (id: string): void => {
    flushSync(() => setOpen(new Set([...open, id])));
    focusOn(() => line(id), 'section');
  };
  const toggle = (id: string): void => {
    const next = new Set(open);
    if (!next.delete(id)) next.add(id);
    setOpen(next);
  };
  const add = (kind: KindName, behind: { id: string; way: Way } | null): void => {
    const step = newStep(kind, freeId(kind, steps));
    flushSync(() => {
      put(inserted(steps, step, behind));
      setOpen(new Set([...open, step.id]));
    });
    focusOn(
      () => frame.current?.querySelector<HTMLElement>(`[data-name-of="${step.id}"]`) ?? null,
      'section',
    );
  };
  const move = (at: number, by: -1 | 1): void => {
    const moving = steps[at];
    put(movedUp(steps, by === -1 ? at : at + 1));
    if (moving) setHeard(`${moving.name} moved to step ${at + by + 1} of ${steps.length}.`);
  };
  const remove = (at: number): void => {
    const gone = steps[at];
    if (!gone) return;
    const near = steps[at + 1] ?? steps[at - 1];
    flushSync(() => put(without(steps, gone.id)));
    setHeard(`${gone.name} removed.`);
    if (near) focusOn(() => line(near.id), 'section');
  };
  const walk = (by: -1 | 1): void => {
    const at = steps.findIndex(({ id }) => line(id) === document.activeElement);
    const to = steps[at === -1 ? 0 : Math.min(Math.max(at + by, 0), steps.length - 1)];
    if (to) focusOn(() => line(to.id), 'section');
  };
  useKeys([
    { keys: 'j', does: 'Next step', group: 'Workflow', run: () => walk(1) },
    { keys: 'k', does: 'Previous step', group: 'Workflow', run: () => walk(-1) },
  ]);

  const ofTrigger = (valuesOf(draft.trigger) ?? []).map((name) => `trigger.${name}`);
  const knownAt = (at: number): string[] => [
    ...ofTrigger,
    ...steps
      .slice(0, at)
      .flatMap(({ id, kind }) => (kindOf(kind)?.gives ?? []).map((name) => `steps.${id}.${name}`)),
  ];

  return (
    <>
      <ol className={classes.flow} ref={frame} aria-label="Steps">
        <li>
          <TriggerCard
            trigger={draft.trigger}
            faults={ofTriggerFaults(faults)}
            change={(trigger) => change({ ...draft, trigger })}
          />
          <Add label="Add a first step" add={(kind) => add(kind, null)} />
        </li>
        {steps.map((step, at) => (
          <li
            key={step.id}
            style={{ marginLeft: `calc(${Math.min(beside.get(step.id)?.level ?? 0, 3)} * var(--nest))` }}
          >
            <StepCard
              step={step}
              at={at}
              steps={steps}
              standing={beside.get(step.id)}
              faults={faults.steps.get(step.id) ?? NONE}
              values={knownAt(at)}
              open={open.has(step.id)}
              toggle={() => toggle(step.id)}
              change={(next) => put(steps.with(at, next))}
              move={(by) => move(at, by)}
              remove={() => remove(at)}
              show={show}
            />
            <Add
              label={`Add a step after ${at + 1}. ${step.name}`}
              otherwise={kindOf(step.kind)?.otherwise}
              add={(kind, way) => add(kind, { id: step.id, way })}
            />
          </li>
        ))}
      </ol>
      <p className={classes.end}>End of run</p>
      <span className="unseen" role="status">
        {heard}
      </span>
    </>
  );
}

const ofTriggerFaults = ({ others }: Faults): Map<string, string> =>
  new Map(
    [...others]
      .filter(([name]) => name.startsWith('trigger.'))
      .map(([name, says]) => [name.slice('trigger.'.length), says]),
  );

type AddProps = {
  label: string;
  /** It may follow where the step says no, too. */
  otherwise?: string | undefined;
  add: (kind: KindName, way: Way) => void;
};

function Add({ label, otherwise, add }: AddProps) {
  return (
    <div className={classes.add}>
      <Menu position="bottom-start" returnFocus={false} width={380}>
        <Menu.Target>
          <Button variant="default" size="compact-sm" leftSection={<Plus size={14} />} aria-label={label}>
            Step
          </Button>
        </Menu.Target>
        <Kinds add={(kind) => add(kind, 'next')} />
      </Menu>
      {otherwise && (
        <Menu position="bottom-start" returnFocus={false} width={380}>
          <Menu.Target>
            <Button variant="subtle" color="gray" size="compact-sm" leftSection={<Plus size={14} />}>
              {otherwise}
            </Button>
          </Menu.Target>
          <Kinds add={(kind) => add(kind, 'otherwise')} />
        </Menu>
      )}
    </div>
  );
}

const Kinds = ({ add }: { add: (kind: KindName) => void }) => (
  <Menu.Dropdown mah={420} maw="calc(100vw - 24px)" style={{ overflowY: 'auto' }}>
    {GROUPS.map(([group, kinds]) => (
      <div key={group} role="group" aria-label={group}>
        <Menu.Label>{group}</Menu.Label>
        {kinds.map((kind) => {
          const { icon: Icon, title, says } = KINDS[kind];
          return (
            <Menu.Item key={kind} leftSection={<Icon size={16} />} onClick={() => add(kind)}>
              <span className={classes.kind}>
                <strong>{title}</strong>
                <small>{says}</small>
              </span>
            </Menu.Item>
          );
        })}
      </div>
    ))}
  </Menu.Dropdown>
);
