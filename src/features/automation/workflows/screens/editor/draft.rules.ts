// Editing a definition: how adding, removing and moving a step changes the links between steps, and which step a refusal
// belongs to. Pure.
import type { WorkflowStep, Trigger } from '../../contract.ts';

export type DraftStep = Pick<WorkflowStep, 'id' | 'kind' | 'name' | 'input' | 'next' | 'on_error'>;
export type WorkflowDraft = { name: string; trigger: Trigger; steps: DraftStep[] };

/** How one step leads to another. */
export type Way = 'next' | 'otherwise' | 'on_error';

export const asDraft = ({
  name,
  trigger,
  steps,
}: {
  name: string;
  trigger: Trigger;
  steps: WorkflowStep[];
}): WorkflowDraft => ({
  name,
  trigger,
  steps: steps.map(({ id, kind, name: called, input, next, on_error }) => ({
    id,
    kind,
    name: called,
    input,
    next,
    on_error,
  })),
});

export const isSame = (a: unknown, b: unknown): boolean => ordered(a) === ordered(b);

/** The same for values whose keys are in another order: the database keeps none. */
function ordered(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
}

export function leadsTo({ next, on_error, input }: DraftStep, way: Way): string | null {
  if (way === 'next') return next;
  if (way === 'on_error') return on_error;
  const { otherwise } = input;
  return typeof otherwise === 'string' ? otherwise : null;
}

export function leading(step: DraftStep, way: Way, to: string | null): DraftStep {
  if (way === 'otherwise') return { ...step, input: { ...step.input, otherwise: to } };
  return { ...step, [way]: to };
}

const WAYS: Way[] = ['next', 'otherwise', 'on_error'];

/** Every way to one step leads to another instead. */
function redirected(step: DraftStep, from: string, to: string | null): DraftStep {
  let changed = step;
  for (const way of WAYS) if (leadsTo(changed, way) === from) changed = leading(changed, way, to);
  return changed;
}

/** An id of its kind that no step has yet: `wait`, `wait_2`. */
export function freeId(kind: string, steps: readonly DraftStep[]): string {
  const taken = new Set(steps.map(({ id }) => id));
  const base = kind.replace(/^create_/, '').slice(0, 30);
  for (let at = 1; ; at += 1) {
    const id = at === 1 ? base : `${base}_${at}`;
    if (!taken.has(id)) return id;
  }
}

/** Puts a step behind another, on one of its ways; at the very beginning where none is named. */
export function inserted(
  steps: readonly DraftStep[],
  step: DraftStep,
  behind: { id: string; way: Way } | null,
): DraftStep[] {
  if (!behind) return [{ ...step, next: steps[0]?.id ?? null }, ...steps];
  const at = steps.findIndex(({ id }) => id === behind.id);
  const before = steps[at];
  if (!before) return [...steps, step];
  const put = { ...step, next: leadsTo(before, behind.way) };
  const changed = steps.with(at, leading(before, behind.way, step.id));
  return behind.way === 'next' ? changed.toSpliced(at + 1, 0, put) : [...changed, put];
}

/** Without one step: what led to it leads to what came after it. */
export function without(steps: readonly DraftStep[], gone: string): DraftStep[] {
  const step = steps.find(({ id }) => id === gone);
  const to = step && step.next !== gone ? step.next : null;
  return steps.filter(({ id }) => id !== gone).map((each) => redirected(each, gone, to));
}

/** One place up: where the step above leads to it, the two change places on the way as well. */
export function movedUp(steps: readonly DraftStep[], at: number): DraftStep[] {
  const [above, step] = [steps[at - 1], steps[at]];
  if (!above || !step) return [...steps];
  const chained = above.next === step.id && step.next !== above.id;
  const swapped = steps.with(at - 1, step).with(at, above);
  if (!chained) return swapped;
  return swapped.map((each) => {
    if (each.id === step.id) return { ...each, next: above.id };
    if (each.id === above.id) return { ...each, next: step.next };
    return redirected(each, above.id, step.id);
  });
}

/** Where a step is beside the main way, and which way leads off to it; level 0 is the main way. */
export type StepPosition = { level: number; from: { id: string; way: Way } | null };

export function standings(steps: readonly DraftStep[]): Map<string, StepPosition> {
  const known = new Map(steps.map((step) => [step.id, step]));
  const found = new Map<string, StepPosition>();
  const [first] = steps;
  if (first) found.set(first.id, { level: 0, from: null });
  const open = first ? [first] : [];
  for (let step = open.shift(); step; step = open.shift()) {
    const { level = 0 } = found.get(step.id) ?? {};
    for (const way of WAYS) {
      const to = known.get(leadsTo(step, way) ?? '');
      if (!to) continue;
      const there = level + (way === 'next' ? 0 : 1);
      if ((found.get(to.id)?.level ?? Infinity) <= there) continue;
      found.set(to.id, { level: there, from: way === 'next' ? null : { id: step.id, way } });
      open.push(to);
    }
  }
  return found;
}

/** Names of a manual start that steps ask for: `{{ trigger.person_id }}` → person_id, by which their name is known. */
export function askedOfTrigger(steps: readonly DraftStep[]): string[] {
  const text = JSON.stringify(steps.map(({ input }) => input));
  const asked = [...text.matchAll(/\{\{\s*trigger\.([A-Za-z0-9_-]{1,60})/g)].map(([, name = '']) => name);
  return [...new Set(asked.map((name) => (name === 'person_name' ? 'person_id' : name)))];
}

/** What the product said of a definition: by step and field, and what belongs to no step. */
export type Faults = { steps: Map<string, Map<string, string>>; others: Map<string, string> };

export const NO_FAULTS: Faults = { steps: new Map(), others: new Map() };

/** `sent`: the steps that were judged, so that a fault stays with its step when it is moved. */
export function faultsIn(fields: Record<string, string>, sent: readonly DraftStep[]): Faults {
  const faults: Faults = { steps: new Map(), others: new Map() };
  for (const [path, sentence] of Object.entries(fields)) {
    const [, at, field = ''] = /^steps\.(\d+)(?:\.(.*))?$/.exec(path) ?? [];
    const step = at === undefined ? undefined : sent[Number(at)];
    if (!step) {
      faults.others.set(path, unnamed(path, sentence));
      continue;
    }
    const own = faults.steps.get(step.id) ?? new Map<string, string>();
    own.set(field, plain(sentence, path, field, step.id));
    faults.steps.set(step.id, own);
  }
  return faults;
}

/** Without the argument's name before it. */
function unnamed(path: string, sentence: string): string {
  const opening = [`${path}: `, `${path} `].find((each) => sentence.startsWith(each)) ?? '';
  return sentence.slice(opening.length);
}

/** The sentence opens with the argument's name or the step's, which is beside it anyway. */
function plain(sentence: string, path: string, field: string, id: string): string {
  const argument = field.replace(/^input\./, '');
  let said = sentence;
  for (const opening of [`${path}: `, `${path} `, `${id}: `, argument && `${argument}: `])
    if (opening && said.startsWith(opening)) said = said.slice(opening.length);
  return said;
}

/** Without what was said of a field that says something else by now. */
export function stillFaulty(faults: Faults, before: WorkflowDraft, after: WorkflowDraft): Faults {
  if (faults === NO_FAULTS) return faults;
  const steps = new Map<string, Map<string, string>>();
  for (const [id, said] of faults.steps) {
    const old = before.steps.find((step) => step.id === id);
    const now = after.steps.find((step) => step.id === id);
    if (!now) continue;
    const left = [...said].filter(([field]) => isSame(valueAt(old, field), valueAt(now, field)));
    if (left.length > 0) steps.set(id, new Map(left));
  }
  const others = new Map(
    [...faults.others].filter(([path]) => isSame(valueAt(before, path), valueAt(after, path))),
  );
  return { steps, others };
}

function valueAt(of: unknown, path: string): unknown {
  let at = of;
  for (const key of path === '' ? [] : path.split('.')) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = (at as Record<string, unknown>)[key];
  }
  // Of the whole step, or of all steps: what it is about are the ways.
  return Array.isArray(at)
    ? at.map((step: DraftStep) => step.id + WAYS.map((way) => leadsTo(step, way)).join())
    : at;
}

/** What someone wrote as JSON, as a definition that the screens can show; or a sentence on why it is none. */
export function readJson(text: string, triggers: readonly string[]): Omit<WorkflowDraft, 'name'> | string {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch (error) {
    return `Invalid JSON: ${error instanceof Error ? error.message : 'it can’t be parsed'}`;
  }
  const { trigger, steps } = (given ?? {}) as {
    trigger?: { kind?: unknown; event?: unknown };
    steps?: unknown;
  };
  const kind = trigger?.kind === 'event' ? trigger.event : trigger?.kind;
  if (typeof kind !== 'string' || !triggers.includes(kind))
    return `"trigger" needs a valid kind: event with one of ${triggers.filter((one) => one.includes('.')).join(', ')}; or form, schedule, manual`;
  if (!Array.isArray(steps) || steps.length === 0) return '"steps" needs at least one step';
  const ids = new Set<unknown>();
  for (const [at, step] of (steps as Partial<DraftStep>[]).entries()) {
    if (typeof step?.id !== 'string' || typeof step.kind !== 'string' || typeof step.name !== 'string')
      return `step ${at + 1} needs a text for id, kind and name`;
    if (ids.has(step.id)) return `two steps have the id ${step.id}`;
    ids.add(step.id);
  }
  return {
    trigger: trigger as Trigger,
    // What is written beside the known keys stays, so that a save says that there is no such key.
    steps: (steps as DraftStep[]).map((step) => ({
      ...step,
      input: step.input ?? {},
      next: step.next ?? null,
      on_error: step.on_error ?? null,
    })),
  };
}
