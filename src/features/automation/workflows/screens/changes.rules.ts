// Differences between two definitions of a workflow, as readable lines. Pure.
import type { WorkflowDraft, DraftStep } from './editor/draft.rules.ts';
import { isSame } from './editor/draft.rules.ts';

export type WorkflowChange = { what: string; from?: string; to?: string };

const shown = (value: unknown): string =>
  value === undefined || value === null || value === ''
    ? 'nothing'
    : typeof value === 'string'
      ? value
      : JSON.stringify(value);

export function changesBetween(
  before: WorkflowDraft,
  after: WorkflowDraft,
  trigger: (of: WorkflowDraft) => string,
): WorkflowChange[] {
  const changes: WorkflowChange[] = [];
  if (before.name !== after.name) changes.push({ what: 'Name', from: before.name, to: after.name });
  if (!isSame(before.trigger, after.trigger))
    changes.push({ what: 'Trigger', from: trigger(before), to: trigger(after) });
  const old = new Map(before.steps.map((step) => [step.id, step]));
  const now = new Set(after.steps.map(({ id }) => id));
  for (const step of after.steps) {
    const was = old.get(step.id);
    if (was) changes.push(...changesOfStep(was, step));
    else changes.push({ what: `Added: ${step.name}` });
  }
  for (const { id, name } of before.steps) if (!now.has(id)) changes.push({ what: `Removed: ${name}` });
  const kept = (steps: DraftStep[], ids: ReadonlySet<string>): string[] =>
    steps.filter(({ id }) => ids.has(id)).map(({ id }) => id);
  const both = new Set([...now].filter((id) => old.has(id)));
  if (!isSame(kept(before.steps, both), kept(after.steps, both))) changes.push({ what: 'Step order' });
  return changes;
}

function changesOfStep(was: DraftStep, step: DraftStep): WorkflowChange[] {
  const changes: WorkflowChange[] = [];
  const differ = (what: string, from: unknown, to: unknown): void => {
    if (!isSame(from ?? null, to ?? null))
      changes.push({ what: `${step.name}: ${what}`, from: shown(from), to: shown(to) });
  };
  differ('kind', was.kind, step.kind);
  differ('name', was.name, step.name);
  for (const key of new Set([...Object.keys(was.input), ...Object.keys(step.input)]))
    differ(key.replaceAll('_', ' '), was.input[key], step.input[key]);
  differ('next step', was.next, step.next);
  differ('step after a failure', was.on_error, step.on_error);
  return changes;
}
