// Lets people and agents use names in place of ids. A feature declares which arguments take a name and finds its records by
// name, as the caller may read them. If several records fit, the refusal lists them.
import { type Caller } from './caller.ts';
import type { Reader } from './database.ts';
import { denied } from './denied.ts';
import { couldAllow } from './policy.ts';
import { type AnyOperation, needsAction } from './operation.ts';
import { clipped } from './parse.ts';
import { notThere, Refusal } from './refusal.ts';
import { plain } from './words.ts';

/** A record that a name fits. `also` are other names that are as good as its own, such as a key or an address. */
export type NamedRecord = { id: string; name: string; also?: string[] };

export type ByName = {
  noun: string;
  /** What lists them: "GET /api/work/projects lists projects". */
  how: string;
  /** The right to read them; whoever lacks it may give ids alone. */
  action: string;
  /** Whether this argument names one of these records. */
  takes(op: Asked, key: string): boolean;
  /** Whether this value may be a name: an id, and whatever the operation reads itself, is left as it is. */
  isName(value: string): boolean;
  /** Those that the words fit, and that the caller may read: at most `MOST_FOUND`. */
  find(asked: { db: Reader; caller: Caller; now: Date; op: Asked }, name: string): Promise<NamedRecord[]>;
};

export type Asked = Pick<AnyOperation, 'name' | 'takes' | 'effect' | 'wire' | 'needs'>;

export const MOST_FOUND = 50;
/** Of several that fit, how many are named. */
const SHOWN = 5;

type Desk = { byName: readonly ByName[]; database: { reader: Reader }; clock: { now(): Date } };

/** The arguments with ids in place of names. Throws a Refusal where none fits, or several do. */
export async function withIds(desk: Desk, op: Asked, caller: Caller, given: unknown): Promise<unknown> {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  const found = new Map<string, unknown>();
  for (const [key, value] of Object.entries(given)) {
    if (!Object.hasOwn(op.takes.shape, key)) continue;
    const kind = desk.byName.find((each) => each.takes(op, key));
    const isName = (each: unknown): each is string => typeof each === 'string' && kind?.isName(each) === true;
    if (!kind || ![value].flat().some(isName)) continue;
    if (!couldAllow(caller.rights, kind.action)) throw denied(caller, kind.action);
    const idOf = async (each: unknown) =>
      isName(each) ? await chosen(desk, kind, op, caller, key, each) : each;
    // Bounded: a list of names is asked for one by one.
    if (!Array.isArray(value)) found.set(key, await idOf(value));
    else if (value.length <= MOST_FOUND) {
      const ids: unknown[] = [];
      for (const each of value) ids.push(await idOf(each));
      found.set(key, ids);
    }
  }
  return found.size === 0 ? given : { ...given, ...Object.fromEntries(found) };
}

async function chosen(
  { database, clock }: Desk,
  kind: ByName,
  op: Asked,
  caller: Caller,
  key: string,
  said: string,
): Promise<string> {
  const name = said.trim().slice(0, 200);
  const db = database.reader;
  // What the database would choke on is no one's name.
  const usable = name !== '' && !name.includes('\0') && name.isWellFormed();
  const fits = usable ? await kind.find({ db, caller, now: clock.now(), op }, name) : [];
  const exact = fits.filter((each) =>
    [each.name, ...(each.also ?? [])].some((one) => plain(one) === plain(name)),
  );
  const [only, ...others] = exact.length > 0 ? exact : fits;
  // What cannot be undone is done to what was named whole.
  const isWhole = exact.length > 0 || (op.wire === 'never' && op.effect !== 'destroy');
  if (only && others.length === 0 && isWhole) return only.id;
  const called = `"${clipped(name)}"`;
  if (!only) throw notThere(`${key}: no ${kind.noun} you may read is called ${called}: ${kind.how}`);
  const candidates = (exact.length > 0 ? exact : fits)
    .slice(0, SHOWN)
    .map(({ id, name: named }) => ({ id, name: named }));
  const ids = candidates.map(({ id }) => id).join(', ');
  const says =
    others.length === 0
      ? `${key}: ${called} is not the whole name of a ${kind.noun}: give its id, ${ids}`
      : `${key}: ${called} fits ${fits.length >= MOST_FOUND ? 'many' : others.length + 1} ${kind.noun}s: give the id of one, ${ids}`;
  throw new Refusal(400, 'invalid', says, { fields: { [key]: says }, candidates });
}

/** Is this an argument of an operation that needs this action, or one below it? */
export const isAbout = (op: Asked, action: string): boolean =>
  needsAction(op as AnyOperation)?.startsWith(action) === true;
