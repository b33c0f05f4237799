// What every table holds, as one hash: a refused act must leave it unchanged. The audit log is left out, and of tokens the two
// moments that a use sets (`last_used_at`, `first_agent_turn_at`); of sessions, when they were last seen. Counters of limits
// and what is heard of passes are no act's, and left out as well.
import { createHash } from 'node:crypto';
import type { TestApp } from './app.ts';

const LEFT_OUT: Record<string, string[]> = {
  tokens: ['last_used_at', 'first_agent_turn_at'],
  sessions: ['last_seen_at', 'expires_at'],
};

const NO_ACTS = ['audit', 'rate_counts', 'pass_runs'];

export async function fingerprint(app: TestApp): Promise<string> {
  const tables = await app.sql<{ name: string }[]>`
    select tablename as name from pg_tables where schemaname = 'public' and tablename <> all (${NO_ACTS}) order by 1`;
  const hash = createHash('sha256');
  for (const { name } of tables) {
    const rows =
      await app.sql`select to_jsonb(t) - ${LEFT_OUT[name] ?? []}::text[] as row from ${app.sql(name)} t`;
    hash.update(name);
    for (const row of rows.map((each) => JSON.stringify(each['row'])).sort()) hash.update(row);
  }
  return hash.digest('hex');
}
