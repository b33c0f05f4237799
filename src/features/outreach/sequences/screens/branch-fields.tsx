// Where the way parts: on how far someone came, a tag or a field, and which later step each way leads to.
import { Select, TextInput } from '@mantine/core';
import type { Branch, BranchCondition } from '../contract.ts';
import { stepWord } from './draft.rules.ts';
import type { StepFieldsProps } from './step-fields.tsx';
import classes from './steps.module.css';

const STAGES = {
  contacted: 'Contacted',
  bounced: 'Bounced',
  replied: 'Replied',
  declined: 'Declined',
  positive: 'Positive',
  meeting: 'Meeting',
  won: 'Won',
} as const;
type Stage = keyof typeof STAGES;

const KINDS: Record<BranchCondition['kind'], string> = {
  stage_at_least: 'Stage reached',
  tag: 'Tag',
  field_equals: 'Field value',
};

const END = 'end';

function ofKind(kind: BranchCondition['kind'], field: string): BranchCondition {
  if (kind === 'tag') return { kind, tag: '' };
  if (kind === 'field_equals') return { kind, field, value: '' };
  return { kind, stage: 'replied' };
}

export function BranchFields({
  step,
  at,
  steps,
  fields,
  branch,
  faults,
  change,
}: StepFieldsProps & { branch: Branch }) {
  const set = (next: Partial<Branch>): void => change({ ...step, branch: { ...branch, ...next } });
  const { on } = branch;
  const later = steps.slice(at + 1).map((each, i) => ({ value: each.id, label: stepWord(each, at + 1 + i) }));
  const ways = [...later, { value: END, label: 'End of sequence' }];
  return (
    <>
      <Select
        label="Branch on"
        allowDeselect={false}
        data={Object.entries(KINDS).map(([value, label]) => ({ value, label }))}
        value={on.kind}
        onChange={(kind) => set({ on: ofKind((kind ?? 'tag') as BranchCondition['kind'], fields[0] ?? '') })}
      />
      {on.kind === 'stage_at_least' && (
        <Select
          label="This stage or later"
          allowDeselect={false}
          data={Object.entries(STAGES).map(([value, label]) => ({ value, label }))}
          value={on.stage}
          onChange={(stage) => set({ on: { ...on, stage: (stage ?? 'replied') as Stage } })}
        />
      )}
      {on.kind === 'tag' && (
        <TextInput
          label="Has this tag"
          maxLength={60}
          value={on.tag}
          error={faults['branch.on.tag']}
          onChange={(event) => set({ on: { ...on, tag: event.currentTarget.value } })}
        />
      )}
      {on.kind === 'field_equals' && (
        <div className={classes.two}>
          <Select
            label="Field"
            searchable
            allowDeselect={false}
            data={fields}
            value={on.field}
            error={faults['branch.on.field']}
            onChange={(field) => set({ on: { ...on, field: field ?? on.field } })}
          />
          <TextInput
            label="Is exactly"
            value={on.value}
            error={faults['branch.on.value']}
            onChange={(event) => set({ on: { ...on, value: event.currentTarget.value } })}
          />
        </div>
      )}
      <div className={classes.two}>
        {(['yes', 'no'] as const).map((way) => (
          <Select
            key={way}
            label={way === 'yes' ? 'If yes, continue with' : 'If no, continue with'}
            allowDeselect={false}
            data={ways}
            value={branch[way] ?? END}
            error={faults[`branch.${way}`]}
            onChange={(to) => set({ [way]: to === END ? null : to })}
          />
        ))}
      </div>
      {later.length === 0 && (
        <p className={classes.says}>
          Add the branch’s next steps below it. A branch can’t lead to an earlier step.
        </p>
      )}
    </>
  );
}
