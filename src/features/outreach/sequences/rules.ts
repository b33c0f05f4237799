// Sequences as pure rules: every fault of the steps as they were given, and which steps say something else
// than before.
import { noField } from './merge-fields.rules.ts';
import { conflict, type Refusal } from '../../../kernel/refusal.ts';
import { ATTACHMENTS_OF_A_STEP_MAX, type StepGiven, STEPS_MAX } from './contract.ts';

/** The steps as they are to be saved: each with its id, in their order. */
export type NamedStep = StepGiven & { id: string };

export type BranchReading = {
  /** Merge fields that this instance has. */
  fields: ReadonlySet<string>;
  /** Reads one text of a letter (src/mail/letters). */
  read(text: string, isHtml: boolean): { fault: string } | { fault: null; fields: readonly string[] };
};

/** What is known outside the steps. */
export type Surroundings = BranchReading & {
  /** Ids of attachments that are there, and for steps. */
  attachments: ReadonlySet<string>;
  /** Ids that are steps of another campaign: they are no one's to take. */
  foreign: ReadonlySet<string>;
};

/** Files of one campaign that no step carries, before another is taken: as many as ten new letters can have. */
export const FILES_WAITING_MAX = 50;

/** `waiting`: files of the campaign that no step carries. */
export function ruleUpload(waiting: number): Refusal | null {
  if (waiting < FILES_WAITING_MAX) return null;
  return conflict(
    `${waiting} uploaded files of this campaign are not attached to a step: save its steps with the files they need, or wait; each is deleted a day after its upload`,
  );
}

type Faults = [name: string, says: string][];

/** Every fault at once, by argument; none: they can be saved. */
export function faultsOf(steps: readonly NamedStep[], around: Surroundings): Faults {
  const faults: Faults = [];
  if (steps.length > STEPS_MAX)
    faults.push(['steps', `steps: a sequence has at most ${STEPS_MAX}, these are ${steps.length}`]);
  let letters = 0;
  for (const [at, step] of steps.entries()) {
    const fault = (field: string, says: string): void => {
      const name = `steps.${at}.${field}`;
      faults.push([name, `${name}: ${says}`]);
    };
    if (steps.findIndex((other) => other.id === step.id) !== at) fault('id', 'this id is used twice');
    if (around.foreign.has(step.id)) fault('id', 'this is the id of another campaign’s step: leave it out');
    strayParts(step, fault);
    if (step.kind === 'letter') faultsOfLetter(step, letters++ === 0, around, fault);
    if (step.kind === 'task') faultsOfTask(step, around, fault);
    if (step.kind === 'branch') faultsOfBranch(step, at, steps, around, fault);
    if (step.kind === 'wait' && step.wait.days === 0 && step.wait.hours === 0)
      fault('wait', 'a wait needs days or hours');
  }
  return faults;
}

type Say = (field: string, says: string) => void;

/** What belongs to another kind of step would be kept and never seen. */
function strayParts(step: NamedStep, fault: Say): void {
  const { kind } = step;
  if (kind !== 'letter')
    for (const field of ['subject', 'text', 'html'] as const)
      if (step[field] !== null) fault(field, `a ${kind} has none`);
  if (kind !== 'letter' && step.attachments.length > 0) fault('attachments', `a ${kind} has none`);
  if (kind !== 'letter' && step.same_thread) fault('same_thread', `a ${kind} has no thread`);
  if (kind !== 'task' && step.task !== null) fault('task', `a ${kind} has none`);
  if (kind !== 'branch' && step.branch !== null) fault('branch', `a ${kind} has none`);
}

function faultsOfLetter(step: NamedStep, isFirst: boolean, around: Surroundings, fault: Say): void {
  const subject = step.subject ?? '';
  const text = step.text ?? '';
  if (text.trim() === '' && (step.html ?? '').trim() === '') fault('text', 'a letter needs text');
  if (step.same_thread && isFirst) fault('same_thread', 'the first letter has no earlier letter to reply to');
  if (!step.same_thread && subject === '') fault('subject', 'a letter that starts a thread needs a subject');
  // A control character would end the header that the subject is in.
  if (/\p{Cc}|[\u2028\u2029]/u.test(subject)) fault('subject', 'a subject is one line');
  sayTemplateFaults(fault, '', { subject, text, html: step.html ?? '' }, around);
  if (step.attachments.length > ATTACHMENTS_OF_A_STEP_MAX)
    fault('attachments', `a letter carries at most ${ATTACHMENTS_OF_A_STEP_MAX}`);
  for (const [at, id] of step.attachments.entries()) {
    if (!around.attachments.has(id)) fault(`attachments.${at}`, 'no attachment has that id: upload it first');
    else if (step.attachments.indexOf(id) !== at)
      fault(`attachments.${at}`, 'this attachment is listed twice');
  }
}

function faultsOfTask({ task }: NamedStep, around: Surroundings, fault: Say): void {
  if (!task) return fault('task', 'describe what to do');
  if (task.title === '') fault('task.title', 'a task needs a title');
  sayTemplateFaults(fault, 'task.', { title: task.title, description: task.description }, around);
}

function faultsOfBranch(
  { branch }: NamedStep,
  at: number,
  steps: readonly NamedStep[],
  { fields }: Surroundings,
  fault: Say,
): void {
  if (!branch) return fault('branch', 'give the condition, and the step that each branch leads to');
  for (const way of ['yes', 'no'] as const) {
    const to = branch[way];
    if (to === null) continue;
    const found = steps.findIndex((step) => step.id === to);
    if (found === -1) fault(`branch.${way}`, 'no step of this sequence has that id');
    else if (found <= at) fault(`branch.${way}`, 'a branch must lead to a later step');
  }
  if (branch.yes === branch.no) fault('branch', 'both branches lead to the same step');
  if (branch.on.kind === 'field_equals' && !fields.has(branch.on.field))
    fault('branch.on.field', noField(branch.on.field, fields));
}

function sayTemplateFaults(
  fault: Say,
  under: string,
  texts: Record<string, string>,
  reading: BranchReading,
): void {
  for (const [side, text] of Object.entries(texts))
    for (const each of faultsOfText(text, reading, side === 'html')) fault(`${under}${side}`, each);
}

/** What is wrong with one text: it cannot be read, or asks for fields that are none. */
export function faultsOfText(text: string, { fields, read }: BranchReading, isHtml: boolean): string[] {
  const found = read(text, isHtml);
  if (found.fault !== null) return [found.fault];
  return found.fields.filter((field) => !fields.has(field)).map((field) => noField(field, fields));
}

type Said = Pick<StepGiven, 'kind' | 'subject' | 'text' | 'html' | 'same_thread' | 'attachments'>;

/** Steps that was before and whose letters would say something else now. */
export function changedLetters(before: ReadonlyMap<string, Said>, to: readonly NamedStep[]): string[] {
  const says = ({ kind, subject, text, html, same_thread, attachments }: Said): string =>
    JSON.stringify([kind, subject ?? '', text ?? '', html ?? '', same_thread, attachments]);
  return to
    .filter((step) => {
      const old = before.get(step.id);
      return old !== undefined && says(old) !== says(step);
    })
    .map(({ id }) => id);
}
