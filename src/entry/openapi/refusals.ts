// What operations answer instead of what they give: one response for each status, which the operations refer to.
import type { AnyOperation } from '../../kernel/operation.ts';
import type { Json } from './schemas.ts';

const refusal = (description: string): Json => ({
  description,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
});

export const REFUSALS = {
  Invalid: refusal('Invalid arguments. details.fields has a sentence for each.'),
  Unauthorized: refusal('No valid credential, or a sign-in that needs more.'),
  Forbidden: refusal('Not allowed for this caller: a permission, the wire scope or a person is missing.'),
  NotFound: refusal('Not found, or not visible to this caller.'),
  Conflict: refusal('Not possible in the current state, or changed since it was read.'),
  TooLarge: refusal('The body is over the limit.'),
  RateLimited: refusal('Too many requests. details.retry_after has the seconds to wait.'),
  Refused: refusal('Temporarily unavailable, or an error on our side. Nothing was changed.'),
};

const refer = (name: keyof typeof REFUSALS): Json => ({ $ref: `#/components/responses/${name}` });

/** Each status an operation may answer with; everything else (500, 503) is its default. */
export function refusalsOf(op: AnyOperation): Json {
  const reads = op.method === 'GET';
  const names = Object.keys(op.takes.shape).length > 0;
  return {
    400: refer('Invalid'),
    401: refer('Unauthorized'),
    403: refer('Forbidden'),
    ...(names && { 404: refer('NotFound') }),
    ...(!reads && { 409: refer('Conflict'), 413: refer('TooLarge') }),
    429: refer('RateLimited'),
    default: refer('Refused'),
  };
}
