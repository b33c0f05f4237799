// The step that is open: when it comes, and what it is; letters, tasks and branches each have their own fields.
import { Button, Input, NumberInput, Select, Textarea, TextInput } from '@mantine/core';
import { Trash2 } from 'lucide-react';
import type { SequenceStep } from '../contract.ts';
import { BranchFields } from './branch-fields.tsx';
import { type DraftStep, faultsOfWhole, KIND_WORD, type StepFaults } from './draft.rules.ts';
import { LetterFields } from './letter-fields.tsx';
import { TaskPlace } from './task-place.tsx';
import classes from './steps.module.css';

export type StepFieldsProps = {
  step: DraftStep;
  at: number;
  steps: DraftStep[];
  /** Merge fields that letters may ask for. */
  fields: string[];
  campaign: string;
  faults: StepFaults;
  closed: boolean;
  change: (next: DraftStep) => void;
  remove: () => void;
};

export function StepFields(props: StepFieldsProps) {
  const { step, at, faults, closed, change, remove } = props;
  const whole = faultsOfWhole(step.kind, faults);
  return (
    <section className={classes.fields} aria-label={`Step ${at + 1}`}>
      <div className={classes.head}>
        <h2>
          {at + 1}. {KIND_WORD[step.kind]}
        </h2>
        {!closed && (
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            leftSection={<Trash2 size={14} />}
            onClick={remove}
          >
            Remove
          </Button>
        )}
      </div>
      {whole.length > 0 && (
        <ul className={classes.faults} role="alert">
          {whole.map((fault) => (
            <li key={fault}>{fault}</li>
          ))}
        </ul>
      )}
      <fieldset disabled={closed} className={classes.set}>
        <Wait step={step} at={at} error={step.kind === 'wait' ? faults['wait'] : undefined} change={change} />
        {step.kind === 'letter' && <LetterFields {...props} />}
        {step.kind === 'task' && step.task && (
          <TaskFields step={step} task={step.task} faults={faults} change={change} />
        )}
        {step.kind === 'branch' && step.branch && <BranchFields {...props} branch={step.branch} />}
      </fieldset>
    </section>
  );
}

function Wait({
  step,
  at,
  error,
  change,
}: Pick<StepFieldsProps, 'step' | 'at' | 'change'> & { error: string | undefined }) {
  const set = (part: 'days' | 'hours', value: string | number): void =>
    change({ ...step, wait: { ...step.wait, [part]: Number(value) || 0 } });
  return (
    <div className={classes.wait} role="group" aria-label="Delay after the previous step">
      <span>
        {step.kind === 'wait' ? 'Wait' : at === 0 ? 'Delay after enrolment' : 'Delay after the previous step'}
      </span>
      <NumberInput
        aria-label="Days"
        w={84}
        min={0}
        max={365}
        suffix=" d"
        value={step.wait.days}
        onChange={(value) => set('days', value)}
      />
      <NumberInput
        aria-label="Hours"
        w={84}
        min={0}
        max={23}
        suffix=" h"
        value={step.wait.hours}
        onChange={(value) => set('hours', value)}
      />
      {error && <Input.Error>{error}</Input.Error>}
    </div>
  );
}

type Task = NonNullable<SequenceStep['task']>;
const CHANNELS: Record<Task['channel'], string> = {
  call: 'Call',
  linkedin: 'LinkedIn message',
  sms: 'Text message',
  other: 'Other',
};

function TaskFields({
  step,
  task,
  faults,
  change,
}: {
  step: DraftStep;
  task: Task;
  faults: StepFaults;
  change: (next: DraftStep) => void;
}) {
  const set = (next: Partial<Task>): void => change({ ...step, task: { ...task, ...next } });
  return (
    <>
      <p className={classes.says}>
        This step creates a work item. The sequence continues when the item is done.
      </p>
      <TextInput
        label="Title"
        placeholder="Call {{ person.name }}"
        maxLength={200}
        value={task.title}
        error={faults['task.title']}
        onChange={(event) => set({ title: event.currentTarget.value })}
      />
      <Select
        label="Type"
        allowDeselect={false}
        data={Object.entries(CHANNELS).map(([value, label]) => ({ value, label }))}
        value={task.channel}
        onChange={(channel) => set({ channel: (channel ?? 'other') as Task['channel'] })}
      />
      <TaskPlace task={task} set={set} />
      <Textarea
        label="Description"
        rows={4}
        value={task.description}
        error={faults['task.description']}
        onChange={(event) => set({ description: event.currentTarget.value })}
      />
    </>
  );
}
