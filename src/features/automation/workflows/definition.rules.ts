// What is wrong with a definition, all of it at once: kinds, inputs, ways that lead nowhere, cycles that would spin, steps that
// nothing comes to, and references to what is not known by then. Pure.
import { parseArguments } from '../../../kernel/parse.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import type { WorkflowStep } from './contract.ts';
import { isCode, isOperationKind, isOwnKind, KINDS, letsGo, schemaOf } from './step/kinds.rules.ts';
import { literalCredentials, withoutSecrets } from './secrets/secrets.rules.ts';
import { isTemplated, REFERENCES_MAX, referencesIn } from './step/template.rules.ts';

export type Fault = [name: string, says: string];

/** A step's ways on: where it leads when it is done, when its kind says no, and when it fails. */
export const waysOf = ({ next, on_error, input }: WorkflowStep): (string | null)[] => {
  const { otherwise } = input;
  return [next, on_error, typeof otherwise === 'string' ? otherwise : null];
};

export function faultsOfSteps(steps: readonly WorkflowStep[]): Fault[] {
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
  faults.push(...faultsOfReferences(steps, known));
  return faults;
}

function faultsOfInput({ id, kind, input }: WorkflowStep, name: string): Fault[] {
  if (!isOperationKind(kind) && !isOwnKind(kind))
    return [[`${name}.kind`, `"${kind}" isn’t a kind of step: use one of ${KINDS.join(', ')}`]];
  const host =
    kind === 'http' && typeof input['url'] === 'string' ? /^https?:\/\/[^/?#]*/i.exec(input['url']) : null;
  if (kind === 'http' && (!host || isTemplated(host[0])))
    return [[`${name}.input.url`, `the url of ${id} begins with http:// or https:// and a full host name`]];
  if (host?.[0].includes('@'))
    return [[`${name}.input.url`, `the url of ${id} holds no user and password: name a secret in a header`]];
  const [credential] = literalCredentials({ kind, input });
  if (credential !== undefined)
    return [
      [
        `${name}.input.headers.${credential}`,
        `${id}: ${credential} is a credential: an administrator saves it in Settings → Workflows, and the header names it, such as Bearer {{ secrets.crm_hook }}`,
      ],
    ];
  try {
    parseArguments(schemaOf(kind), input);
    return [];
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const fields = Object.entries(error.details?.fields ?? { '': error.sentence });
    // What a reference becomes is looked at when the step fires.
    return fields
      .filter(([path]) => !isTemplated(valueAt(input, path)))
      .map(([path, says]) => [path === '' ? `${name}.input` : `${name}.input.${path}`, `${id}: ${says}`]);
  }
}

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

function faultsOfReferences(defined: readonly WorkflowStep[], known: Known): Fault[] {
  const steps = defined.map(withoutSecrets);
  const crowded = steps.map(({ kind, input }) => {
    const read = Object.entries(input).filter(([key]) => !isCode(kind, key));
    return read.flatMap(([, value]) => referencesIn(value)).length > REFERENCES_MAX;
  });
  const tooMany = steps.flatMap(({ id }, i): Fault[] =>
    crowded[i] ? [[`steps.${i}.input`, `${id} has more than ${REFERENCES_MAX} references`]] : [],
  );
  if (tooMany.length > 0) return tooMany;
  return steps.flatMap((step, i) =>
    Object.entries(step.input)
      .filter(([key]) => !isCode(step.kind, key))
      .flatMap(([key, value]) =>
        referencesIn(value).flatMap((reference): Fault[] => {
          const name = `steps.${i}.input.${key}`;
          const { text } = reference;
          const shown = text.slice(0, 60);
          if (reference.root === null)
            return [
              [name, `${shown} isn’t a reference: write {{ trigger.<name> }} or {{ steps.<id>.<name> }}`],
            ];
          if (reference.root !== 'steps') return [];
          const [of = ''] = reference.keys;
          if (!known.has(of)) return [[name, `${shown} refers to ${of}, and no step has that id`]];
          const before = following(known.get(of)).some((to) => reachedFrom(to, known).has(step.id));
          return before
            ? []
            : [[name, `${shown} refers to ${of}, which has not happened when ${step.id} does`]];
        }),
      ),
  );
}
