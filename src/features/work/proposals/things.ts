// Titles of the records that a proposed act’s arguments name, read as the agent itself could read them, so that a
// person decides on “Spring” and not on an id.
import type { Caller } from '../../../kernel/caller.ts';
import type { App } from '../../../kernel/app.ts';
import { isUuid } from '../../../kernel/ids.ts';
import { freshRequest, invoke } from '../../../kernel/invoke.ts';
import { type AnyOperation, needsAction, pathKeys } from '../../../kernel/operation.ts';
import { couldAllow } from '../../../kernel/policy.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { visible } from '../../../kernel/visible.ts';

/** By argument. `action` is that of reading it. */
export type Things = Record<string, { title: string; action: string }>;

const MOST_THINGS = 5;
const TITLE_MAX_CHARS = 120;
const MOST_LISTED = 200;
const TITLED_BY = ['title', 'name', 'subject', 'domain', 'address', 'email', 'key'];

export async function thingsIn(app: App, reader: Caller, args: Record<string, unknown>): Promise<Things> {
  const named = Object.entries(args).filter(([, value]) => typeof value === 'string' && isUuid(value));
  const things: Things = {};
  for (const [argument, id] of named.slice(0, MOST_THINGS)) {
    const noun = argument.replace(/_id$/, '');
    const one = app.bound.get(`${noun}_get`) ?? app.bound.get(`${noun}_read`);
    const all = app.bound.get(`${noun}_list`);
    const found = await titleOf(app, reader, one?.operation ?? all?.operation, id as string);
    if (found) things[argument] = found;
  }
  return things;
}

/** Those of records that this caller may have to do with. */
export const titlesFor = (rights: Caller['rights'], things: Things): Record<string, string> =>
  Object.fromEntries(
    Object.entries(things)
      .filter(([, { action }]) => couldAllow(rights, action))
      .map(([argument, { title }]) => [argument, title]),
  );

async function titleOf(
  app: App,
  reader: Caller,
  operation: AnyOperation | undefined,
  id: string,
): Promise<Things[string] | null> {
  const action = operation && needsAction(operation);
  if (!operation || !action || !couldAllow(reader.rights, action)) return null;
  const [key, ...more] = pathKeys(operation.path);
  if (more.length > 0) return null;
  try {
    const asked = key === undefined ? { limit: MOST_LISTED } : { [key]: id };
    const { answer } = await invoke(app, operation, reader, () => asked, freshRequest());
    const title = titled(answer, key === undefined ? id : null);
    return title === null ? null : { title, action };
  } catch (error) {
    // It is not there, or not theirs: the act itself says so to whoever decides.
    if (error instanceof Refusal) return null;
    throw error;
  }
}

/** In the record itself, in `{noun: record}`, or among `items`. */
function titled(answer: unknown, among: string | null): string | null {
  if (typeof answer !== 'object' || answer === null) return null;
  if (among !== null) {
    const { items } = answer as { items?: { id?: unknown }[] };
    return titled(items?.find((each) => each.id === among) ?? null, null);
  }
  const record = answer as Record<string, unknown>;
  const said = TITLED_BY.map((field) => record[field]).find((value) => typeof value === 'string' && value);
  if (typeof said === 'string') return visible(said.toWellFormed()).slice(0, TITLE_MAX_CHARS).toWellFormed();
  const inner = Object.values(record).find((value) => typeof value === 'object' && value !== null);
  return inner === undefined || Array.isArray(inner) || 'id' in record ? null : titled(inner, null);
}
