// How often a caller may do what, as set in SERVICE_RATE_LIMITS. Counted in the database (src/store/limits.ts), so any number of
// processes share one count.
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from './clock.ts';
import { networkOf, PLACES_OF_A_NETWORK } from './place.ts';
import { Refusal } from './refusal.ts';

export type Limit = { most: number; per_ms: number };

/** By name: those below, or an operation's. Null: said to be none. */
export type LimitTable = ReadonlyMap<string, Limit | null>;

/** What holds where nothing is said. Wrong tokens are counted by address, posts by form and address and by form, the others by token. */
export const DEFAULT_LIMITS: LimitTable = new Map([
  ['chat', { most: 20, per_ms: MINUTE_MS }],
  ['run', { most: 6, per_ms: MINUTE_MS }],
  ['wrong_tokens', { most: 600, per_ms: MINUTE_MS }],
  ['form_posts', { most: 5, per_ms: MINUTE_MS }],
  ['posts_of_a_form', { most: 60, per_ms: MINUTE_MS }],
]);

/** Limits that are none until someone sets them: every call of a token to REST, and to /mcp. */
export const FURTHER_LIMITS: readonly string[] = ['api', 'mcp'];

export type Full = Limit & { retry_after: number };

export type Limits = {
  of(name: string): Limit | null;
  /** Counts one; where the window is full, how long it still lasts. Nothing is counted where there is no such limit. `times` as many are allowed. */
  take(name: string, who: string, times?: number): Promise<Full | null>;
};

/** For a limit by address: of one place, and ten times as many of the network that it is in. */
export async function takeAtPlace(
  limits: Limits,
  name: string,
  what: string,
  place: string,
): Promise<Full | null> {
  const full = await limits.take(name, `${what}${place}`);
  const network = networkOf(place);
  if (full || network === null) return full;
  return await limits.take(name, `${what}${network}`, PLACES_OF_A_NETWORK);
}

const UNITS: Record<string, number> = { s: SECOND_MS, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS };
const MOST = 1_000_000;
const ENTRY = /^([a-z][a-z_]{0,60})=(?:(\d{1,7})\/([smhd])|off)$/;

/** `chat=20/m, run=6/m, item_list=120/m, mcp=off`. Throws an Error whose message is the sentence. */
export function readLimits(text: string): LimitTable {
  const said = new Map<string, Limit | null>();
  for (const entry of text.split(',').map((each) => each.trim())) {
    if (entry === '') continue;
    const [, name = '', most, unit = ''] = ENTRY.exec(entry) ?? [];
    const per_ms = UNITS[unit];
    const count = Number(most);
    if (name === '' || (most !== undefined && (count < 1 || count > MOST)))
      throw new Error(
        'SERVICE_RATE_LIMITS must be limits separated by commas, such as "chat=20/m, run=6/m, item_list=120/m": a name, a number from 1 to 1000000 and s, m, h or d, or "off"',
      );
    if (said.has(name)) throw new Error(`SERVICE_RATE_LIMITS names "${name}" twice: name it once`);
    said.set(name, per_ms === undefined ? null : { most: count, per_ms });
  }
  return new Map([...DEFAULT_LIMITS, ...said]);
}

/** Names that represent nothing: a limit that is misspelled would limit no one. */
export function unknownLimits(table: LimitTable, operations: ReadonlySet<string>): string[] {
  return [...table.keys()].filter(
    (name) => !DEFAULT_LIMITS.has(name) && !FURTHER_LIMITS.includes(name) && !operations.has(name),
  );
}

const WORDS: Record<number, string> = {
  [SECOND_MS]: 'a second',
  [MINUTE_MS]: 'a minute',
  [HOUR_MS]: 'an hour',
  [DAY_MS]: 'a day',
};

/** "20 turns a minute" */
export const inLimitWords = ({ most, per_ms }: Limit, things: string): string =>
  `${most} ${things} ${WORDS[per_ms] ?? 'in a while'}`;

export function tooOften(sentence: string, { retry_after }: Full): Refusal {
  return new Refusal(429, 'rate_limited', sentence, { retry_after });
}

/** For what is limited by name alone: every call of a token to an operation, to REST or to /mcp. */
export async function demandPace(limits: Limits, name: string, token_id: string): Promise<void> {
  const full = await limits.take(name, token_id);
  if (full)
    throw tooOften(
      `a token can call "${name}" at most ${inLimitWords(full, 'times')}: wait ${full.retry_after} seconds; the operator sets the limit in SERVICE_RATE_LIMITS`,
      full,
    );
}
