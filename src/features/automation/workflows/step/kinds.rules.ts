// Kinds of steps, and the input each takes: those that run an operation of the app, and those with their own
// behavior.
import { z } from 'zod';
import type { AnyOperation } from '../../../../kernel/operation.ts';
import { id, text } from '../../../../kernel/shapes.ts';
import { answerDraft } from '../../../inbox/answers/contract.ts';
import { chatTurn } from '../../chat/contract.ts';
import { campaignEnrol } from '../../../outreach/prospects/enrol.contract.ts';
import { prospectSpine } from '../../../outreach/prospects/contract.ts';
import { scriptRun } from '../../scripts/contract.ts';
import { letterCreate } from '../../../outreach/sends/contract.ts';
import { itemCreate } from '../../../work/work/items.contract.ts';
import { wordsOf } from './template.rules.ts';

/** Their input is the operation's arguments. All of them are POSTs, whose keys say what was done already. */
export const BY_OPERATION = {
  agent: chatTurn,
  lua: scriptRun,
  create_work_item: itemCreate,
  move_spine: prospectSpine,
  draft_answer: answerDraft,
  draft_letter: letterCreate,
  enrol: campaignEnrol,
} as const satisfies Record<string, AnyOperation>;
export type OperationKind = keyof typeof BY_OPERATION;

const stepOrEnd = z.string().max(40).nullable().default(null);
const MOST_WAIT_MINUTES = 366 * 24 * 60;

export const COMPARISONS = [
  'equals',
  'not_equals',
  'contains',
  'greater',
  'less',
  'present',
  'absent',
] as const;

export const OF_THEIR_OWN = {
  /** `next` where it holds, `otherwise` where it does not. */
  condition: z.strictObject({
    value: z.unknown(),
    is: z.enum(COMPARISONS),
    than: z.union([z.string().max(2_000), z.number(), z.boolean(), z.null()]).optional(),
    otherwise: stepOrEnd,
  }),
  http: z.strictObject({
    method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).default('POST'),
    url: z.string().min(1).max(2_000),
    headers: z
      .record(
        z.string().regex(/^[A-Za-z][A-Za-z0-9-]{0,60}$/, 'a header has a name of letters, digits and -'),
        z
          .string()
          .max(2_000)
          .regex(/^[^\r\n\0]*$/, 'a header is one line'),
      )
      .refine(
        (headers) => !Object.keys(headers).some((name) => OURS.test(name)),
        'Host, Cookie and what frames a request are set here',
      )
      .default({}),
    /** A text as it is; anything else as JSON. */
    body: z.unknown().optional(),
  }),
  tag: z.strictObject({
    person: id,
    add: z.array(text(60)).max(50).default([]),
    remove: z.array(text(60)).max(50).default([]),
  }),
  wait: z.strictObject({ minutes: z.int().min(1).max(MOST_WAIT_MINUTES) }),
  /** `otherwise` where they say no; null: the step fails. */
  ask_person: z.strictObject({ question: text(300), otherwise: stepOrEnd }),
  /** No one named: whoever activated it. */
  notify: z.strictObject({ users: z.array(id).max(50).default([]), sentence: text(300) }),
} as const;
export type OwnKind = keyof typeof OF_THEIR_OWN;

const OURS =
  /^(host|cookie|connection|content-length|transfer-encoding|upgrade|te|trailer|expect|proxy-.*)$/i;

export const isOperationKind = (kind: string): kind is OperationKind => Object.hasOwn(BY_OPERATION, kind);
export const isOwnKind = (kind: string): kind is OwnKind => Object.hasOwn(OF_THEIR_OWN, kind);
export const KINDS = [...Object.keys(OF_THEIR_OWN), ...Object.keys(BY_OPERATION)];

/** A card of a workflow can be due some days after its step begins, which no date in a definition can say. */
const days = z.union([
  z.int().min(0).max(3_650),
  z.string().regex(/^\d{1,4}$/, 'give a whole number of days, such as 3'),
]);
const cardOfWorkflow = itemCreate.takes.extend({ due_in_days: days.optional() });

/** What it takes. */
export const schemaOf = (kind: OperationKind | OwnKind): z.ZodObject => {
  if (kind === 'create_work_item') return cardOfWorkflow;
  return isOperationKind(kind) ? (BY_OPERATION[kind].takes as z.ZodObject) : OF_THEIR_OWN[kind];
};

/** A script is code of whoever wrote the workflow: nothing that someone else wrote is put into it. Its arguments are. */
export const isCode = (kind: string, key: string): boolean => kind === 'lua' && key === 'script';

export const needsWire = (steps: readonly { kind: string }[]): boolean =>
  steps.some(({ kind }) => kind === 'enrol');
export const needsScripts = (steps: readonly { kind: string }[]): boolean =>
  steps.some(({ kind }) => kind === 'lua');

/** Steps at which a run lets go, so that a cycle through one does not spin. */
export const letsGo = (kind: string): boolean => kind === 'wait' || kind === 'ask_person';

export function compare(is: (typeof COMPARISONS)[number], value: unknown, than: unknown): boolean {
  const there = value !== null && value !== undefined && value !== '';
  switch (is) {
    case 'present':
      return there;
    case 'absent':
      return !there;
    case 'equals':
      return wordsOf(value) === wordsOf(than);
    case 'not_equals':
      return wordsOf(value) !== wordsOf(than);
    case 'contains':
      return Array.isArray(value)
        ? value.some((each) => wordsOf(each) === wordsOf(than))
        : wordsOf(value).toLowerCase().includes(wordsOf(than).toLowerCase());
    case 'greater':
      return there && Number(value) > Number(than);
    case 'less':
      return there && Number(value) < Number(than);
  }
}
