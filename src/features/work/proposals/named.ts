// Reads the acts that a call to propose or rehearse names, with arguments as the caller wrote them.
import type { App } from '../../../kernel/app.ts';
import type { Caller } from '../../../kernel/caller.ts';
import type { ReadContext, WriteContext } from '../../../kernel/context.ts';
import type { AnyOperation } from '../../../kernel/operation.ts';
import { parseArguments } from '../../../kernel/parse.ts';
import { conflict, invalid, notFound, Refusal, stop } from '../../../kernel/refusal.ts';
import { type Rehearsal, rehearse } from '../../../kernel/rehearse.ts';
import type { TableChange } from '../../../kernel/table-changes.store.ts';
import { understood } from '../../../kernel/understood.ts';
import type { ShownRehearsal } from './contract.ts';
import { argumentsIn, type Proposal, type Step } from './proposals.store.ts';
import { filled, PLAN, refusedToPropose, answerWithoutSecrets } from './rules.ts';
import { changesInWords } from './words.rules.ts';

export type Asked = {
  act?: string | undefined;
  arguments?: Record<string, unknown> | undefined;
  steps?: { act: string; arguments: Record<string, unknown> }[] | undefined;
};

/** An act of a call: its operation, and its arguments as they will be given. */
export type Named = { operation: AnyOperation; arguments: Record<string, unknown> };

export type Acts = { plan: boolean; acts: Named[] };

const EITHER = 'give either act, with its arguments, or steps';

/** The acts that a call names, each one that may be proposed. Throws a Refusal that names the step it is about. */
export async function actsOf(app: App, caller: Caller, asked: Asked): Promise<Acts> {
  const { act, arguments: args = {}, steps } = asked;
  if ((act === undefined) === (steps === undefined)) throw invalid(EITHER, { act: EITHER });
  if (act !== undefined)
    return { plan: false, acts: [await named(app, caller, { act, arguments: args }, 0)] };
  const acts: Named[] = [];
  for (const [at, step] of (steps ?? []).entries())
    acts.push(
      await named(app, caller, step, at).catch((error: unknown) => {
        throw ofStep(at, error);
      }),
    );
  return { plan: true, acts };
}

/** Whatever refuses a step says which it is. */
export function ofStep(at: number, error: unknown): unknown {
  if (!(error instanceof Refusal)) return error;
  return new Refusal(error.status, error.code, `steps.${at}: ${error.sentence}`, error.details);
}

async function named(app: App, caller: Caller, { act, arguments: given }: Step, at: number): Promise<Named> {
  // Reads the references, so that one that leads nowhere is refused now.
  filled(given, [], at);
  const own = app.bound.get(act)?.operation;
  const named = app.tools.get(act);
  // A tool and an operation may have the same name: the arguments say which is meant.
  const tool = named && own && !named.takes.safeParse(given).success ? undefined : named;
  const [first] = tool?.calls ?? [];
  // Where nothing that it calls may be proposed, its arguments are not looked at.
  if (first && tool?.calls.every((each) => refusedToPropose(each))) throw refusedToPropose(first);
  const picked = tool ? tool.pick(parseArguments(tool.takes, given)) : { operation: own, arguments: given };
  const { operation } = picked;
  if (!operation) throw notFound('act', 'api_routes finds operations by words', 'name');
  stop(refusedToPropose(operation));
  const args = (await understood(app, operation, caller, picked.arguments)) as Record<string, unknown>;
  if (!JSON.stringify(args).includes('"$from"')) parseArguments(operation.takes, args);
  return { operation, arguments: args };
}

/** Rehearses them, as people are shown it. */
export async function rehearsed(
  { app, request }: Pick<ReadContext | WriteContext, 'app' | 'request'>,
  caller: Caller,
  { plan, acts }: Acts,
): Promise<ShownRehearsal> {
  const found = await rehearse(
    app,
    acts.map(({ operation, arguments: given }, at) => ({
      operation,
      given: (answers) => filled(given, answers, at),
    })),
    caller,
    request,
  );
  const steps = found.map(inWords);
  const [one] = steps;
  if (!one) throw new Error('nothing was rehearsed');
  if (!plan) return { ...one, steps: null };
  return { ...together(steps, acts.length), changes: changesInWords(tablesTogether(found)) };
}

type OneRehearsed = Omit<ShownRehearsal, 'steps'>;

const ANSWER_MAX_CHARS = 2_000;
const TOO_LONG = 'What it would answer is too long to show here.';

function inWords({ tables, would, because, ...rest }: Rehearsal): OneRehearsed {
  const answer = answerWithoutSecrets(would?.answer ?? null);
  const long = JSON.stringify(answer).length > ANSWER_MAX_CHARS;
  return {
    ...rest,
    because: because ?? (long ? TOO_LONG : null),
    would: would && { ...would, answer: long ? null : answer },
    changes: changesInWords(tables),
  };
}

/** A plan stops at the first step that is refused or can't be rehearsed. */
function together(steps: OneRehearsed[], all: number): ShownRehearsal {
  const last = steps.at(-1) as OneRehearsed;
  const at = steps.length - 1;
  const whole = steps.length === all && steps.every((step) => step.rehearsed && step.refused === null);
  const says = last.because ?? steps.find(({ because }) => because !== null)?.because ?? null;
  return {
    act: PLAN,
    rehearsed: steps.every((step) => step.rehearsed),
    because: says === null ? null : `Step ${at + 1}: ${says}`,
    would: whole ? last.would : null,
    refused: last.refused && { ...last.refused, message: `steps.${at}: ${last.refused.message}` },
    needs: [...new Set(steps.flatMap(({ needs }) => needs))],
    changes: [],
    events: summed(steps.flatMap(({ events }) => events)),
    steps,
  };
}

type Count = ShownRehearsal['events'][number];

function summed(all: readonly Count[]): Count[] {
  const sums = new Map<string, number>();
  for (const { kind, count } of all) sums.set(kind, (sums.get(kind) ?? 0) + count);
  return [...sums].map(([kind, count]) => ({ kind, count }));
}

/**
 * What all steps change. Two steps may change the same row, so of changed rows it counts as many as the step that changes most: no
 * fewer are changed, and those that the plan itself adds are not among them.
 */
function tablesTogether(steps: readonly Rehearsal[]): TableChange[] {
  const sums = new Map<string, TableChange>();
  for (const each of steps.flatMap(({ tables }) => tables)) {
    const was = sums.get(each.table) ?? { table: each.table, inserted: 0, changed: 0, deleted: 0 };
    sums.set(each.table, {
      table: each.table,
      inserted: was.inserted + each.inserted,
      changed: Math.max(was.changed, each.changed),
      deleted: was.deleted + each.deleted,
    });
  }
  return [...sums.values()];
}

/** The acts of a proposal that was saved, as they are performed. */
export function actsIn({ app }: Pick<ReadContext, 'app'>, proposal: Proposal): Acts {
  const { operation, steps } = proposal;
  const args = argumentsIn(app.sealer, proposal);
  const all = steps === null ? [{ act: operation, arguments: args }] : (args['steps'] as Step[]);
  return {
    plan: steps !== null,
    acts: all.map((step) => {
      const bound = app.bound.get(step.act);
      if (!bound) throw conflict(`${step.act} no longer exists on this instance: reject this proposal`);
      return { operation: bound.operation, arguments: step.arguments };
    }),
  };
}
