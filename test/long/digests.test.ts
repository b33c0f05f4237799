// Digests at 100,000 people, 500,000 touches and a million letters: whole, short, quick beside a yardstick of the same run,
// and read by their indexes. The same at a twentieth of the size: test/agent/agent.test.ts.
import postgres from 'postgres';
import { expect, test } from 'vitest';
import { DIALECT } from '../../src/store/connect.ts';
import { asked, scansOf, tell } from '../agent/digests.ts';
import { seedApp } from '../agent/seed.ts';
import { freshDatabase } from '../support/database.ts';
import { openTestApp } from '../support/app.ts';
import { openPlans } from '../support/plans.ts';

const PEOPLE = 100_000;
const LIMIT_MS = 150;
/** The yardstick: so many round trips, which take about this long on a machine that no one else uses. */
const TRIPS = 300;
const TRIPS_MS = 45;

test('eleven digests of a million letters', { timeout: 3_600_000 }, async () => {
  const database = await freshDatabase();
  const app = await openTestApp({ database });
  try {
    // Takes longer than the product lets any of its own statements take.
    const laying = postgres({ ...database.options, types: DIALECT, onnotice: () => undefined });
    await seedApp(laying, PEOPLE);
    await laying.end();
    const [rows] = await app.sql`
      select (select count(*) from people)::int as people, (select count(*) from touches)::int as touches,
        (select count(*) from sends)::int as sends`;
    expect(rows).toEqual({ people: 100_000, touches: 500_000, sends: 1_000_000 });
    const agent = await app.token({ name: 'scout' });
    const digests = await asked(app);
    await tell(agent, digests, 2);
    let yard = Infinity;
    for (let round = 0; round < 5; round += 1) {
      const began = performance.now();
      for (let trip = 0; trip < TRIPS; trip += 1) await app.sql`select 1`;
      yard = Math.min(yard, performance.now() - began);
    }
    const told = await tell(agent, digests, 5);
    const slower = Math.max(1, yard / TRIPS_MS);
    const figures = [
      `${TRIPS} round trips: ${yard.toFixed(0)} ms`,
      ...told.map(
        ({ name, args, chars, ms }) =>
          `${name} ${Object.keys(args).join(' ')}: ${ms.toFixed(0)} ms, ${chars} characters`,
      ),
    ].join('\n');
    const plans = await openPlans('generic', database);
    try {
      expect(await scansOf(app, plans, digests)).toEqual([]);
    } finally {
      await plans.close();
    }
    for (const { name, chars, ms } of told)
      expect([name, chars < 48_000, ms < LIMIT_MS * slower], figures).toEqual([name, true, true]);
  } finally {
    await app.close();
    await database.drop();
  }
});
