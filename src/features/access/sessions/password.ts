// Passwords: argon2id with the parameters that OWASP's cheat sheet gives first (46 MiB, one pass, one slot), off the main
// thread. Stored as a PHC string, so that parameters can change without breaking what is stored. Few at a time and in turns: each
// takes a core and 46 MiB, and whoever sends a thousand sign-ins must not take them all. Never within a transaction.
import { withoutEnd } from '../../../kernel/edges.ts';
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { Refusal } from '../../../kernel/refusal.ts';

type Cost = { memory: number; passes: number; parallelism: number };

/** What is hashed from now on costs this. */
export const COST: Cost = { memory: 47_104, passes: 1, parallelism: 1 };
const TAG_BYTES = 32;

/** A core is left for everything else, and one of the four threads on which node reads files and asks for names. */
const AT_ONCE = Math.max(1, Math.min(availableParallelism() - 1, 3));
const MOST_OF_ONE = 32;
/** Two or three seconds of work: whoever would wait longer is told to come again. */
const MOST_WAITING = 64;

/** For whom a password is compared: the places or sessions take turns, and whoever is known here goes before all strangers. */
export type Asker = { whose: string; known: boolean };

/** Throws 429 or 503 where too many wait. */
export async function hashPassword(password: string, asker: Asker): Promise<string> {
  const nonce = randomBytes(16);
  const tag = await derive(password, nonce, COST, asker);
  const { memory, passes, parallelism } = COST;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${bare(nonce)}$${bare(tag)}`;
}

/** `stored` null (no one has this address) costs as much as a real comparison and is false. */
export async function passwordFits(password: string, stored: string | null, asker: Asker): Promise<boolean> {
  const parts =
    stored === null ? null : /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(stored);
  if (!parts) {
    await derive(password, randomBytes(16), COST, asker);
    return false;
  }
  const [, memory, passes, parallelism, nonce = '', tag = ''] = parts;
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  const expected = Buffer.from(tag, 'base64');
  const found = await derive(password, Buffer.from(nonce, 'base64'), cost, asker);
  return expected.length === found.length && timingSafeEqual(expected, found);
}

async function derive(password: string, nonce: Buffer, cost: Cost, asker: Asker): Promise<Buffer> {
  await turn(asker);
  try {
    // One person's keyboard may compose a letter that another's writes in two code points.
    const message = password.normalize('NFC');
    return await new Promise((resolve, reject) => {
      argon2('argon2id', { message, nonce, tagLength: TAG_BYTES, ...cost }, (error, tag) =>
        error ? reject(error) : resolve(tag),
      );
    });
  } finally {
    running -= 1;
    beginNext();
  }
}

/** Whoever is first is next, and then goes behind the others of the line. */
type Line = { size: number; waiting: Map<string, (() => void)[]> };
const line = (): Line => ({ size: 0, waiting: new Map() });
const known = line();
const strangers = line();
let running = 0;

function turn(asker: Asker): Promise<void> {
  const at = asker.known ? known : strangers;
  const mine = at.waiting.get(asker.whose) ?? [];
  if (mine.length >= MOST_OF_ONE) return Promise.reject(crowded(429, TOO_MANY_OF_ONE));
  if (at.size >= MOST_WAITING) return Promise.reject(crowded(503, TOO_MANY));
  return new Promise((resolve) => {
    at.size += 1;
    at.waiting.set(asker.whose, [...mine, resolve]);
    beginNext();
  });
}

function beginNext(): void {
  const at = known.size > 0 ? known : strangers;
  const [next] = at.waiting;
  if (!next || running >= AT_ONCE) return;
  const [whose, [begin, ...rest]] = next;
  at.waiting.delete(whose);
  if (rest.length > 0) at.waiting.set(whose, rest);
  at.size -= 1;
  running += 1;
  begin?.();
  beginNext();
}

const TOO_MANY_OF_ONE = 'too many sign-ins from this IP address are in progress: try again in a few seconds';
const TOO_MANY = 'too many people are signing in right now: try again in a few seconds';

const crowded = (status: 429 | 503, sentence: string): Refusal =>
  new Refusal(status, status === 429 ? 'rate_limited' : 'unavailable', sentence, { retry_after: 5 });

const bare = (bytes: Buffer): string => withoutEnd(bytes.toString('base64'), '=');
