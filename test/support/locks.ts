// Waits until a statement waits for a row that another transaction holds, so that a test knows which of two came first.
import { expect } from 'vitest';
import type { TestHouse } from './house.ts';

/** One statement alone waits, and these words (as LIKE has them) stand in it. */
export const oneWaits = (house: TestHouse, words = ''): Promise<void> =>
  expect
    .poll(
      () => house.sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
          and query like ${`%${words}%`}`,
    )
    .toHaveLength(1);
