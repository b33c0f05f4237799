// The steps as they are being written: what a new one is, moving one, what differs from what is saved, and what a save would
// send back to review.
import type { SequenceStep, StepGiven } from '../contract.ts';

export type StepKind = SequenceStep['kind'];
/** A step in the editor: its id is made here, so that branches can name it before it is saved. */
export type DraftStep = Pick<
  SequenceStep,
  'id' | 'kind' | 'wait' | 'subject' | 'text' | 'html' | 'task' | 'branch' | 'same_thread' | 'attachments'
>;

export const KIND_WORD: Record<StepKind, string> = {
  letter: 'Letter',
  task: 'Task',
  wait: 'Wait',
  branch: 'Branch',
};

export const asDraft = ({
  id,
  kind,
  wait,
  subject,
  text,
  html,
  task,
  branch,
  same_thread,
  attachments,
}: SequenceStep): DraftStep => ({
  id,
  kind,
  wait,
  subject,
  text,
  html,
  task,
  branch,
  same_thread,
  attachments,
});

export const asGiven = (step: DraftStep): StepGiven => ({
  ...step,
  // A letter in the thread of another has that one's subject.
  subject: step.kind === 'letter' ? (step.subject ?? '') : null,
  attachments: step.attachments.map(({ id }) => id),
});

export function newStep(kind: StepKind, id: string, before: readonly DraftStep[]): DraftStep {
  const letters = before.filter((step) => step.kind === 'letter').length;
  const days = before.length === 0 ? 0 : 3;
  return {
    id,
    kind,
    wait: kind === 'branch' ? { days: 0, hours: 0 } : { days, hours: kind === 'wait' && days === 0 ? 1 : 0 },
    subject: kind === 'letter' ? '' : null,
    text: kind === 'letter' ? '' : null,
    html: null,
    task:
      kind === 'task'
        ? { title: '', description: '', channel: 'call', project_id: null, assignee: null }
        : null,
    branch:
      kind === 'branch' ? { on: { kind: 'stage_at_least', stage: 'replied' }, yes: null, no: null } : null,
    same_thread: kind === 'letter' && letters > 0,
    attachments: [],
  };
}

export function moved(steps: readonly DraftStep[], from: number, to: number): DraftStep[] {
  const next = [...steps];
  const [step] = next.splice(from, 1);
  if (step && to >= 0 && to <= next.length) next.splice(to, 0, step);
  return step && next.length === steps.length ? next : [...steps];
}

/** Without one step; branches that led to it end there instead. */
export const without = (steps: readonly DraftStep[], id: string): DraftStep[] =>
  steps
    .filter((step) => step.id !== id)
    .map((step) =>
      step.branch
        ? {
            ...step,
            branch: {
              ...step.branch,
              yes: step.branch.yes === id ? null : step.branch.yes,
              no: step.branch.no === id ? null : step.branch.no,
            },
          }
        : step,
    );

const says = ({ kind, subject, text, html, same_thread, attachments }: DraftStep): string =>
  JSON.stringify([kind, subject ?? '', text ?? '', html ?? '', same_thread, attachments.map(({ id }) => id)]);

export const isSame = (a: readonly DraftStep[], b: readonly DraftStep[]): boolean =>
  JSON.stringify(a) === JSON.stringify(b);

/** A saved step says just what this one does. */
export const saysTheSame = (saved: readonly DraftStep[], step: DraftStep): boolean =>
  saved.some((each) => each.id === step.id && says(each) === says(step));

/** Saved letters that would say something else: those of theirs that no one sent yet are written again and read again. */
export function changedLetters(saved: readonly DraftStep[], draft: readonly DraftStep[]): number {
  const before = new Map(saved.map((step) => [step.id, step]));
  return draft.filter((step) => {
    const old = before.get(step.id);
    return step.kind === 'letter' && old !== undefined && says(old) !== says(step);
  }).length;
}

/** Sentences of one step by field; a field without an input on screen is said above the others. */
export type StepFaults = Record<string, string>;

/** `steps.2.subject` is the subject of the third. */
export function faultsByStep(fields: Record<string, string>): Map<number, StepFaults> {
  const found = new Map<number, StepFaults>();
  for (const [path, sentence] of Object.entries(fields)) {
    const [list, place, ...field] = path.split('.');
    const at = Number(place);
    if (list === 'steps' && Number.isInteger(at))
      found.set(at, { ...found.get(at), [field.join('.')]: sentence });
  }
  return found;
}

const inOrder = new Intl.ListFormat('en');

/** What a refused save says of the whole: which steps to fix, each with its words beside the field. */
export function toFix(faults: ReadonlyMap<number, StepFaults>): string {
  const steps = [...faults.keys()].toSorted((a, b) => a - b).map((at) => String(at + 1));
  return `Nothing was saved. Fix step ${inOrder.format(steps)}, then save again.`;
}

/** Fields that have an input, by kind of step. */
const INPUTS: Record<StepKind, readonly string[]> = {
  letter: ['subject', 'text'],
  task: ['task.title', 'task.description'],
  wait: ['wait'],
  branch: ['branch.on.tag', 'branch.on.field', 'branch.on.value', 'branch.yes', 'branch.no'],
};

/** Sentences that no input of the step shows. */
export const faultsOfWhole = (kind: StepKind, faults: StepFaults): string[] =>
  Object.entries(faults)
    .filter(([field]) => !INPUTS[kind].includes(field))
    .map(([, sentence]) => sentence);

export function waitWord({ days, hours }: { days: number; hours: number }): string {
  const parts = [
    days > 0 && `${days} ${days === 1 ? 'day' : 'days'}`,
    hours > 0 && `${hours} ${hours === 1 ? 'hour' : 'hours'}`,
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(' ') : 'immediately';
}

const BRANCHES_BY = { stage_at_least: 'By stage', tag: 'By tag', field_equals: 'By field' } as const;

/** A step in a line: what lists and branches call it. */
export function stepWord(step: DraftStep, at: number): string {
  const what =
    step.kind === 'letter'
      ? step.same_thread
        ? 'Follow-up in the same thread'
        : step.subject || 'No subject yet'
      : step.kind === 'task'
        ? step.task?.title || 'No title yet'
        : step.kind === 'wait'
          ? waitWord(step.wait)
          : BRANCHES_BY[step.branch?.on.kind ?? 'stage_at_least'];
  return `${at + 1}. ${KIND_WORD[step.kind]}: ${what}`;
}
