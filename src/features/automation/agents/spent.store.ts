// All SQL of daily model usage (UTC): turns record their own tokens, and readings are counted here by day.
import type { Reader, Transaction } from '../../../kernel/database.ts';
import { DAY_MS } from '../../../kernel/clock.ts';

export const startOfDay = (now: Date): Date => new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS);

/** Model tokens of this day, of every turn and every reading together. */
export async function spentByAll(db: Reader, now: Date): Promise<number> {
  const since = startOfDay(now);
  const [row] = await db<{ tokens: number }[]>`
    select (select coalesce(sum(tokens), 0) from chat_turns where created_at >= ${since})::bigint
      + coalesce((select tokens from reading_tokens where day = ${dayOf(now)}), 0) as tokens`;
  return row?.tokens ?? 0;
}

export async function countReading(tx: Transaction, tokens: number, now: Date): Promise<void> {
  await tx`
    insert into reading_tokens (day, tokens) values (${dayOf(now)}, ${tokens})
    on conflict (day) do update set tokens = reading_tokens.tokens + excluded.tokens`;
}

const dayOf = (now: Date): string => now.toISOString().slice(0, 10);
