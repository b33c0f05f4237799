// A step’s input in one run: references become values, and an empty value is never written as empty text. Pure.
import type { z } from 'zod';
import { after, DAY_MS } from '../../../../kernel/clock.ts';
import { conflict } from '../../../../kernel/refusal.ts';
import { framed } from '../../agents/frame.rules.ts';
import type { WorkflowStep } from '../contract.ts';
import { isCode, isOperationKind, isOwnKind, schemaOf } from './kinds.rules.ts';
import { isTemplated, type Render } from './template.rules.ts';

/** Kinds to which an empty value says something: a condition compares it, and another system may want it. */
const TAKES_EMPTY = ['condition', 'http'];

const isEmpty = (value: unknown): boolean =>
  value === null || (typeof value === 'string' && value.trim() === '');

const mayBeMissing = (shape: z.ZodType | undefined): boolean => shape?.safeParse(undefined).success ?? true;

/** Throws where a value that the step needs is empty in this run; one that it doesn’t need is left out. */
export function inputOf({ kind, input }: WorkflowStep, render: Render): Record<string, unknown> {
  const shapes: Record<string, z.ZodType> =
    isOperationKind(kind) || isOwnKind(kind) ? (schemaOf(kind).shape as Record<string, z.ZodType>) : {};
  return Object.fromEntries(
    Object.entries(input).flatMap(([key, value]) => {
      const rendered = renderedFor(kind, key, value, render);
      if (!isTemplated(value) || !isEmpty(rendered) || TAKES_EMPTY.includes(kind)) return [[key, rendered]];
      if (mayBeMissing(shapes[key])) return [];
      throw conflict(`${key} is empty: ${String(value).slice(0, 120)} has no value in this run`);
    }),
  );
}

/** What others wrote is framed as data where a model reads it, and never becomes code. */
function renderedFor(kind: string, key: string, value: unknown, render: Render): unknown {
  if (isCode(kind, key)) return value;
  const isSaid = kind === 'agent' && key === 'message';
  return render(value, isSaid ? (text) => framed('workflow', text) : undefined);
}

const isDays = (value: unknown): value is number | string =>
  (typeof value === 'number' || typeof value === 'string') && /^\d{1,4}$/.test(`${value}`);

/** `due_in_days` becomes the day, in UTC, so many days after the step began; the same however often it is tried. */
export function dueIn(
  { due_in_days: days, ...input }: Record<string, unknown>,
  begun: Date,
): Record<string, unknown> {
  if (days === undefined) return input;
  if (!isDays(days)) throw conflict('due_in_days must be a whole number of days, such as 3');
  return {
    ...input,
    due_on: after(begun, Number(days) * DAY_MS)
      .toISOString()
      .slice(0, 10),
  };
}
