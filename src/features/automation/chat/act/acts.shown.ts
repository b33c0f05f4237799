// An agent’s call as people see it: the tool in words, its arguments without secrets and no longer than readable, and
// its response, cut.
import type { App } from '../../../../kernel/app.ts';
import type { Call } from '../../agents/model.ts';
import { inWords } from '../../../work/approvals/words.rules.ts';
import type { Used } from '../../../inbox/threads/chat.contract.ts';
import { withoutSecrets } from '../../../work/proposals/rules.ts';
import type { Offered } from './agent-tools.ts';

const VALUE_MAX_CHARS = 600;
const ARGUMENTS_MAX_CHARS = 2_000;
const RESULT_MAX_CHARS = 2_000;

/** A model may write anything for a name. */
const nameOf = ({ name }: Call): string => name.replace(/[^\w-]/g, '').slice(0, 64);

/** `at`: how much of the turn's text had been said. */
export function beginUse({ bound }: App, tools: ReadonlyMap<string, Offered>, call: Call, at: number): Used {
  const name = nameOf(call);
  const { operation, arguments: given } = call.input;
  // Any operation by its name: people are shown that one.
  const through = name === 'call_operation' && typeof operation === 'string' && bound.has(operation);
  return {
    name,
    title: through ? inWords(operation) : (tools.get(call.name)?.title ?? inWords(name)),
    outcome: 'running',
    sentence: null,
    arguments: readable(through ? given : call.input),
    result: null,
    approval_id: null,
    at,
  };
}

export const shownResult = (text: string): string => cut(text, RESULT_MAX_CHARS);

const cut = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text;

function readable(given: unknown): Record<string, unknown> | null {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return {};
  const text = JSON.stringify(withoutSecrets(given as Record<string, unknown>), (_, value: unknown) =>
    typeof value === 'string' ? cut(value, VALUE_MAX_CHARS) : value,
  );
  return text.length > ARGUMENTS_MAX_CHARS ? null : (JSON.parse(text) as Record<string, unknown>);
}
