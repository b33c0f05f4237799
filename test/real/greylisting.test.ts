// Postgrey in front of another company's server: the first attempt is put off, the letter says so, and goes at the next.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MINUTE_MS } from '../../src/kernel/clock.ts';
import { freePort } from '../support/server.ts';
import { campaignOf, enrol, lettersOf } from './campaign.ts';
import { postgrey } from './postgrey.ts';
import { comes, openWorld, THEIRS, type World } from './world.ts';

/** Of real time, which is the one that it knows. */
const DELAY_S = 3;

let world: World;
let grey: AsyncDisposable;
beforeAll(async () => {
  const port = await freePort();
  grey = await postgrey(port, DELAY_S);
  const restrictions = `reject_unauth_destination, check_policy_service inet:127.0.0.1:${port}`;
  world = await openWorld({}, { theirs: { grey: { smtpd_recipient_restrictions: restrictions } } });
});
afterAll(async () => {
  await world?.close();
  await grey?.[Symbol.asyncDispose]();
});

test('a letter that is greylisted says so, keeps no one else waiting, and arrives at its next attempt', async () => {
  const { app, listeners } = world;
  const transport = { port: listeners['grey'], security: 'plain', user: null, secret: undefined };
  const { id } = await world.identity('ann', { transport });
  const campaign = await campaignOf(app, [id]);
  await enrol(app, campaign, [`p1@${THEIRS}`, `p2@${THEIRS}`]);
  await comes(async () => {
    const rows = await lettersOf(app, campaign);
    expect(rows.map(({ state, waiting_for }) => [state, waiting_for])).toEqual(
      Array.from({ length: 2 }, () => ['scheduled', 'greylisted']),
    );
  });
  expect(await world.theirs.log()).toMatch(
    /450 4\.2\.0 <p1@acme\.example>: Recipient address rejected: Greylisted/,
  );
  const [first] = await lettersOf(app, campaign);
  const { body } = await app.admin.rest('GET', `/api/admin/outreach/sends/${first!.id}`);
  const seen = body.outlook;
  expect(JSON.stringify(body)).toContain(
    'The recipient’s server delays mail from senders that are new to it.',
  );
  const said = seen.gates.find(({ gate }: { gate: string }) => gate === 'transport');
  expect(said).toMatchObject({ verdict: 'wait', reason: 'greylisted', until: seen.goes_at });
  expect(await world.mailsOf('everybody')).toEqual([]);
  await new Promise((resolve) => setTimeout(resolve, DELAY_S * 1_000));
  app.clock.advance(30 * MINUTE_MS);
  await comes(async () => {
    const rows = await lettersOf(app, campaign);
    expect(rows.map(({ state }) => state)).toEqual(['sent', 'sent']);
  });
  await comes(async () => expect(await world.mailsOf('everybody')).toHaveLength(2));
  expect(await app.sql`select from suppressions`).toHaveLength(0);
});
