// Limits on responses from another party’s server and on waiting for it. Screens show them to people who add one.
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../../kernel/clock.ts';
import { conflict, Refusal } from '../../../kernel/refusal.ts';

/** A server with more of them is not listed at all. */
export const MOST_TOOLS = 200;
/** A whole conversation, a sign-in or a renewal: under the 30 seconds of the request tools. */
export const LONGEST_DEADLINE_SECONDS = 25;
export const CONVERSATION_MS = LONGEST_DEADLINE_SECONDS * SECOND_MS;
export const MOST_DAILY_CALLS = 100_000;
/** Bytes of one answer on the wire. */
export const ANSWER_BYTES = 4 * 1024 * 1024;
/** Characters of what a tool answered that an agent is given. */
export const ANSWER_CHARS = 48_000;

const LONGEST_WAIT_MS = 5 * MINUTE_MS;

/** Until a renewal is tried again, after so many failures in a row: a second, then twice as long each time. */
export const waitMs = (failures: number, named_s: number | null): number =>
  Math.max(
    Math.min(SECOND_MS * 2 ** Math.min(failures - 1, 20), LONGEST_WAIT_MS),
    (named_s ?? 0) * SECOND_MS,
  );

type Limited = { daily_calls: number; deadline_seconds: number };

/** What holds agents back is loosened by none of them. */
export function ruleLimits(before: Limited, wanted: Limited, by_person: boolean): Refusal | null {
  if (
    by_person ||
    (wanted.daily_calls <= before.daily_calls && wanted.deadline_seconds <= before.deadline_seconds)
  )
    return null;
  return conflict(
    'an agent can only lower a tool server’s limits: a person can raise them in Settings → Capabilities',
  );
}

/** The day that calls are counted in. */
export const dayOf = (now: Date): string => now.toISOString().slice(0, 10);

export function spent({ title, daily_calls }: { title: string; daily_calls: number }, now: Date): Refusal {
  if (daily_calls === 0)
    return conflict(
      `agents are not allowed to call ${title}: a person can allow it in Settings → Capabilities`,
    );
  const retry_after = Math.ceil((DAY_MS - (now.getTime() % DAY_MS)) / SECOND_MS);
  return new Refusal(
    429,
    'rate_limited',
    `${title} reached its limit of ${daily_calls} calls today: agents can call it again after midnight UTC, or a person can raise the limit in Settings → Capabilities`,
    { retry_after },
  );
}
