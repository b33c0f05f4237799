// Waits until a statement waits for a row that another transaction holds, so that a test knows which of two came first.
import { expect } from 'vitest';
import type { TestApp } from './app.ts';

/** One statement alone waits, and these words (as LIKE has them) are in it. */
export const oneWaits = (app: TestApp, words = ''): Promise<void> =>
  expect
    .poll(
      () => app.sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
          and query like ${`%${words}%`}`,
    )
    .toHaveLength(1);
