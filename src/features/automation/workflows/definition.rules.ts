// Everything that is wrong with a definition, all at once: kinds, inputs, links to missing steps, cycles that would
// spin, unreachable steps, and references to values that can’t be known by then. Pure.
import { parseArguments } from '../../../kernel/parse.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import type { Trigger, WorkflowStep } from './contract.ts';
import { isCode, isOperationKind, isOwnKind, KINDS, letsGo, schemaOf } from './step/kinds.rules.ts';
import { literalCredentials, withoutSecrets } from './secrets/secrets.rules.ts';
import { leadsSomewhere, outputOf, pathsOf } from './step/outputs.rules.ts';
import { FILTERS, isTemplated, type Reference, REFERENCES_MAX, referencesIn } from './step/template.rules.ts';
import { valuesOf } from './triggers/values.rules.ts';

export type Fault = [name: string, says: string];

/** A step's ways on: where it leads when it is done, when its kind says no, and when it fails. */
export const waysOf = ({ next, on_error, input }: WorkflowStep): (string | null)[] => {
  const { otherwise } = input;
  return [next, on_error, typeof otherwise === 'string' ? otherwise : null];
};

export function faultsOfSteps(steps: readonly WorkflowStep[], trigger: Trigger): Fault[] {
  const known = new Map(steps.map((step) => [step.id, step]));
  const faults: Fault[] = [];
  for (const [i, step] of steps.entries()) {
    const name = `steps.${i}`;
    if (steps.findIndex(({ id }) => id === step.id) !== i)
      faults.push([`${name}.id`, `${step.id} is the id of two steps`]);
    const ways = { next: step.next, on_error: step.on_error, 'input.otherwise': waysOf(step)[2] ?? null };
    for (const [key, to] of Object.entries(ways))
      if (to !== null && !known.has(to))
        faults.push([`${name}.${key}`, `${step.id} leads to ${to}, and no step has that id`]);
    faults.push(...faultsOfInput(step, name));
  }
  const reached = reachedFrom(steps[0]?.id, known);
  for (const [i, { id }] of steps.entries())
    if (!reached.has(id)) faults.push([`steps.${i}`, `nothing leads to ${id}`]);
  const round = spinning(steps, known);
  if (round)
    faults.push([
      'steps',
      `${round.join(' → ')} goes round without a wait: put a wait or an ask_person into it`,
    ]);
  faults.push(...faultsOfReferences(steps, known, trigger));
  return faults;
}

function faultsOfInput({ id, kind, input }: WorkflowStep, name: string): Fault[] {
  if (!isOperationKind(kind) && !isOwnKind(kind))
    return [[`${name}.kind`, `"${kind}" isn’t a kind of step: use one of ${KINDS.join(', ')}`]];
  const host =
    kind === 'http' && typeof input['url'] === 'string' ? /^https?:\/\/[^/?#]*/i.exec(input['url']) : null;
  const faults: Fault[] = [];
  if (kind === 'http' && (!host || isTemplated(host[0])))
    faults.push([`${name}.input.url`, `${id}: start the url with http:// or https:// and a full host name`]);
  if (host?.[0].includes('@'))
    faults.push([
      `${name}.input.url`,
      `${id}: leave user and password out of the url, and name a secret in a header`,
    ]);
  for (const credential of literalCredentials({ kind, input }))
    faults.push([
      `${name}.input.headers.${credential}`,
      `${id}: ${credential} is a credential: an administrator saves it in Settings → Workflows, and the header names it, such as Bearer {{ secrets.crm_hook }}`,
    ]);
  if (faults.length > 0) return faults;
  try {
    parseArguments(schemaOf(kind), input);
    return [];
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const fields = Object.entries(error.details?.fields ?? { '': error.sentence });
    // What a reference becomes is looked at when the step fires.
    return fields
      .filter(([path]) => !referencesAnything(valueAt(input, path)))
      .map(([path, says]) => [path === '' ? `${name}.input` : `${name}.input.${path}`, `${id}: ${says}`]);
  }
}

/** A text with a reference, or a value that holds one, as a link whose id is a reference. */
const referencesAnything = (value: unknown): boolean =>
  typeof value === 'object' && value !== null
    ? Object.values(value).some(referencesAnything)
    : isTemplated(value);

/** The value at a path of names, or the nearest above it that is one text. */
function valueAt(input: unknown, path: string): unknown {
  let at = input;
  for (const key of path.split('.')) {
    if (typeof at !== 'object' || at === null) return at;
    at = Object.hasOwn(at, key) ? (at as Record<string, unknown>)[key] : undefined;
  }
  return at;
}

type Known = ReadonlyMap<string, WorkflowStep>;

const following = (step: WorkflowStep | undefined): string[] =>
  step ? waysOf(step).filter((to) => to !== null) : [];

function reachedFrom(first: string | undefined, known: Known): Set<string> {
  const reached = new Set<string>();
  const open = first === undefined ? [] : [first];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (reached.has(at) || !known.has(at)) continue;
    reached.add(at);
    open.push(...following(known.get(at)));
  }
  return reached;
}

/** A cycle none of whose steps lets go, or null. */
function spinning(steps: readonly WorkflowStep[], known: Known): string[] | null {
  const done = new Set<string>();
  const path: string[] = [];
  const walk = (id: string): string[] | null => {
    const step = known.get(id);
    if (!step || letsGo(step.kind) || done.has(id)) return null;
    if (path.includes(id)) return [...path.slice(path.indexOf(id)), id];
    path.push(id);
    for (const to of following(step)) {
      const found = walk(to);
      if (found) return found;
    }
    path.pop();
    done.add(id);
    return null;
  };
  for (const { id } of steps) {
    const found = walk(id);
    if (found) return found;
  }
  return null;
}

function faultsOfReferences(defined: readonly WorkflowStep[], known: Known, trigger: Trigger): Fault[] {
  const steps = defined.map(withoutSecrets);
  return steps.flatMap((step, i): Fault[] => {
    const read = Object.entries(step.input).filter(([key]) => !isCode(step.kind, key));
    if (read.flatMap(([, value]) => referencesIn(value)).length > REFERENCES_MAX)
      return [[`steps.${i}.input`, `${step.id} has more than ${REFERENCES_MAX} references`]];
    return read.flatMap(([key, value]) =>
      referencesIn(value).flatMap((reference): Fault[] => {
        const says = whyUnknown(reference, step, known, trigger);
        return says === null ? [] : [[`steps.${i}.input.${key}`, says]];
      }),
    );
  });
}

/** Characters of a reference or a list that a sentence shows. */
const SHOWN = 60;
const LISTED = 160;

/** Why nothing can be there for a reference when its step happens, with what is; null where something can. */
function whyUnknown(reference: Reference, step: WorkflowStep, known: Known, trigger: Trigger): string | null {
  const shown = reference.text.slice(0, SHOWN);
  if (reference.root === null)
    return `${shown} isn’t a reference: write {{ trigger.<name> }} or {{ steps.<id>.<name> }}, with ${FILTERS.join(', ')} after a | for times`;
  const { root, keys } = reference;
  if (root === 'run')
    return RUN_VALUES.includes(keys.join('.')) ? null : unknown(shown, 'a run has', RUN_VALUES);
  if (root === 'trigger') {
    const values = valuesOf(trigger);
    const path = keys.join('.');
    return values === null || values.some((value) => value === path || value.startsWith(`${path}.`))
      ? null
      : unknown(shown, 'this trigger has', values);
  }
  const [of = '', ...path] = keys;
  const source = known.get(of);
  if (!source) return `${shown} refers to ${of}, and no step has that id`;
  if (!following(source).some((to) => reachedFrom(to, known).has(step.id)))
    return `${shown} refers to ${of}, which has not happened when ${step.id} does`;
  if (!isOperationKind(source.kind) && !isOwnKind(source.kind)) return null;
  const shape = outputOf(source.kind);
  return leadsSomewhere(shape, path) ? null : unknown(shown, `${of} has`, pathsOf(shape));
}

const RUN_VALUES = ['id', 'workflow_id'];

function unknown(shown: string, has: string, values: readonly string[]): string {
  const listed = values.join(', ');
  const cut = listed.lastIndexOf(',', LISTED);
  return `${shown} is unknown: ${has} ${listed.length > LISTED ? `${listed.slice(0, cut)} and more; GET /api/workflows/kinds lists all` : listed}`;
}
