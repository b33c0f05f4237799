// A real Postfix that takes its time: before its greeting, or after the end of a letter. It costs its own identity alone, and the
// letters that wait for it say so.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { campaignOf, enrol, lettersOf } from './campaign.ts';
import { comes, openWorld, THEIRS, type World } from './world.ts';

/** Longer than any of this takes, and than the product waits for a set-up. */
const LONG_S = 400;
const PEOPLE = 60;

let world: World;
beforeAll(async () => {
  world = await openWorld(
    {},
    {
      submissions: {
        silent: { smtpd_client_restrictions: `sleep ${LONG_S}`, smtpd_delay_reject: 'no' },
        slow: { smtpd_end_of_data_restrictions: `sleep ${LONG_S}` },
      },
    },
  );
});
afterAll(() => world?.close());

test('two servers that hang keep no letter of another identity waiting', async () => {
  const { app, listeners } = world;
  const stuck: string[] = [];
  let n = 0;
  for (const [port_name, local] of [
    ['silent', 'cleo'],
    ['slow', 'bob'],
  ] as const) {
    const { id } = await world.identity(local, { user: 'ann', transport: { port: listeners[port_name] } });
    const campaign = await campaignOf(app, [id]);
    await enrol(
      app,
      campaign,
      Array.from({ length: 10 }, () => `p${n++}@${THEIRS}`),
    );
    stuck.push(campaign);
  }
  const [silent, slow] = stuck as [string, string];
  await comes(async () => {
    const states = (await lettersOf(app, slow)).map(({ state }) => state);
    expect(states).toContain('sending');
  });

  const healthy = await world.identity('ann');
  const campaign = await campaignOf(app, [healthy.id]);
  const began = performance.now();
  await enrol(
    app,
    campaign,
    Array.from({ length: PEOPLE }, () => `p${n++}@${THEIRS}`),
  );
  await comes(async () => expect(await world.mailsOf('everybody')).toHaveLength(PEOPLE));
  // One hanging letter once cost five minutes.
  expect(performance.now() - began).toBeLessThan(30_000);
  expect((await lettersOf(app, slow)).map(({ state }) => state)).toContain('sending');

  await comes(async () => {
    const rows = await lettersOf(app, silent);
    expect(rows.map(({ waiting_for }) => waiting_for)).toContain('transport_down');
    for (const { id, state } of rows) {
      expect(state).toBe('scheduled');
      const { outlook } = (await app.admin.rest('GET', `/api/admin/outreach/sends/${id}`)).body;
      const { verdict, reason } = outlook.gates.find(({ gate }: { gate: string }) => gate === 'transport');
      expect([verdict, reason]).toEqual(['wait', 'transport_down']);
    }
  }, 120_000);
  expect(await app.sql`select from suppressions`).toHaveLength(0);
});
