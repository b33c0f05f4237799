// Adds the current fingerprint of a record to an act’s arguments, read as the caller. For acts that are proposed now and signed
// later.
import type { Caller } from './caller.ts';
import type { App } from './app.ts';
import { freshRequest, invoke } from './invoke.ts';
import { pathKeys, type AnyOperation } from './operation.ts';
import { Refusal } from './refusal.ts';
import { seenFrom } from './seen.ts';

type Args = Record<string, unknown>;

/** The arguments with `seen`, where the operation takes one, none is given, and the caller may read what it is of. */
export async function withSeen(app: App, caller: Caller, operation: AnyOperation, args: Args): Promise<Args> {
  const from = seenFrom(operation.takes);
  const reading = from === null ? undefined : app.bound.get(from)?.operation;
  if (!reading || args['seen'] !== undefined) return args;
  const named = Object.fromEntries(pathKeys(reading.path).map((key) => [key, args[key]]));
  try {
    const { answer } = await invoke(app, reading, caller, () => named, freshRequest());
    const seen = seenIn(answer as Args);
    return seen === undefined ? args : { ...args, seen };
  } catch (error) {
    if (error instanceof Refusal) return args;
    throw error;
  }
}

/** Beside the record, or in it: `{seen, …}` or `{campaign: {seen, …}}`. */
function seenIn(answer: Args): unknown {
  const [record] = Object.values(answer);
  return answer['seen'] ?? (typeof record === 'object' && record ? (record as Args)['seen'] : undefined);
}
