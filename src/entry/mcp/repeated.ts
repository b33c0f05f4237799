// Calls that come twice: a client that was cut off sends its call again, and finds the first one's answer. A key of the caller's own
// names a call; without one, an equal call of what makes something new is the same one for ten minutes.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Caller } from '../../kernel/caller.ts';
import { MINUTE_MS } from '../../kernel/clock.ts';
import type { RequestFacts } from '../../kernel/context.ts';
import { KEY_FORM } from '../../kernel/idempotency.ts';
import type { Outcome } from '../../kernel/invoke.ts';
import { invalid } from '../../kernel/refusal.ts';
import type { Tool } from '../../kernel/tool.ts';

const SAME_MS = 10 * MINUTE_MS;

type Args = Record<string, unknown>;
type Kept = Pick<RequestFacts, 'kept_under'>;
type Repeatable = Pick<Tool, 'name' | 'hints' | 'takes' | 'creates'>;

/** A tool with a key of its own asks for it itself. */
const isKeyed = ({ hints, takes }: Repeatable): boolean => !hints.readOnlyHint && !('key' in takes.shape);

/** The arguments of a tool with those by which a repeated call is told. */
export function withKey(tool: Repeatable): z.ZodObject {
  if (!isKeyed(tool)) return tool.takes;
  const again = tool.creates ? { again: z.boolean().optional() } : {};
  return tool.takes.extend({ key: z.string().optional(), ...again });
}

/** The tool's own arguments, and under which name the answer is kept. Throws a Refusal where a key is none. */
export function keptCall(tool: Repeatable, args: Args, caller: Caller): { own: Args; kept: Kept } {
  if (!isKeyed(tool)) return { own: args, kept: {} };
  const { key, ...rest } = args;
  if (key !== undefined) return { own: withoutAgain(tool, rest), kept: named(caller, key) };
  const { creates } = tool;
  if (!creates) return { own: rest, kept: {} };
  const own = withoutAgain(tool, rest);
  const isNew = creates === true || creates(own);
  if (rest['again'] === true || !isNew) return { own, kept: {} };
  const hash = createHash('sha256')
    .update(JSON.stringify([tool.name, sorted(own)]))
    .digest('hex');
  return { own, kept: { kept_under: { owner: ownerOf(caller), key: `same ${hash}`, life_ms: SAME_MS } } };
}

const withoutAgain = ({ creates }: Repeatable, args: Args): Args =>
  creates ? Object.fromEntries(Object.entries(args).filter(([name]) => name !== 'again')) : args;

/** By a key of the caller's own. */
export function named(caller: Caller, key: unknown): Kept {
  const says = 'key: 1 to 200 letters, digits and signs of ASCII';
  if (typeof key !== 'string' || !KEY_FORM.test(key)) throw invalid(says, { key: says });
  return { kept_under: { owner: ownerOf(caller), key: `call ${key}` } };
}

/** A token's calls are its own, whoever carries it. */
const ownerOf = ({ credential, principal }: Caller): string =>
  credential.kind === 'token' ? `token:${credential.id}` : `${principal.kind}:${principal.id}`;

/** Equal arguments in any order are the same. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, each]) => [key, sorted(each)]),
  );
}

/** A repeated call says so, beside its first answer. */
export const told = ({ answer, repeated }: Outcome): unknown =>
  repeated && typeof answer === 'object' && answer !== null && !Array.isArray(answer)
    ? { ...answer, repeated }
    : answer;
