// Whether bounces arrive, shown by real servers: a mail to the bounce address goes out by Postfix and is found in the mailbox, or
// is not, and the identity says so.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MINUTE_MS } from '../../src/kernel/clock.ts';
import { comes, openWorld, type World } from './world.ts';

const IDENTITIES = '/api/admin/outreach/identities';

let world: World;
beforeAll(async () => {
  // An entry point at which no one knows of the bounce address.
  world = await openWorld({}, { submissions: { unrouted: { virtual_alias_maps: '' } } });
});
afterAll(() => world?.close());

const bouncesOf = async (id: string) =>
  (await world.app.admin.rest('GET', `${IDENTITIES}/${id}`)).body.identity.bounces;

async function probed(id: string) {
  const answer = await world.app.admin.rest('POST', `${IDENTITIES}/${id}/probe`, {});
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.identity.bounces;
}

test('where a server knows no such address, it says no at once, in the words of the server', async () => {
  const { id } = await world.identity('dave', { transport: { port: world.listeners['unrouted'] } });
  expect(await probed(id)).toMatchObject({
    arrive: 'no',
    server_said: expect.stringMatching(/user unknown/i),
  });
});

test('where it is routed, it is found in the mailbox, and lands with no one', async () => {
  const { app } = world;
  const { id } = await world.identity('ann');
  await probed(id);
  await comes(async () =>
    expect(await bouncesOf(id)).toMatchObject({ arrive: 'yes', arrived_at: expect.any(String) }),
  );
  expect(await app.sql`select from touches`).toHaveLength(0);
  expect(await app.sql`select from send_outcomes`).toHaveLength(0);
  const waiting = await app.admin.rest('GET', '/api/admin/outreach/deliveries/unplaced');
  expect(waiting.body.items).toEqual([]);
});

test('and so is one of an identity that sends as itself', async () => {
  const { id } = await world.identity('eve', { columns: { envelope_sender: 'own' } });
  await probed(id);
  await comes(async () => expect(await bouncesOf(id)).toMatchObject({ arrive: 'yes' }));
});

test('where the address leads to a mailbox that no one reads, it says no, and Today and the digest say so', async () => {
  const { app } = world;
  const { id } = await world.identity('bob', { user: 'cleo', columns: { envelope_sender: 'own' } });
  expect(await probed(id)).toMatchObject({ arrive: 'not_yet' });
  // Bob's mail is Bob's, and what is read is Cleo's.
  await comes(async () => expect(await world.mailsOf('bob')).toHaveLength(1));
  app.clock.advance(16 * MINUTE_MS);
  expect(await bouncesOf(id)).toMatchObject({ arrive: 'no', server_said: null });
  const lost =
    'Bounces don’t reach this identity’s mailbox. Deliver mail for the bounce address to the mailbox';
  expect(JSON.stringify((await app.admin.rest('GET', '/api/today')).body)).toContain(lost);
  const digest = await app.admin.rest('GET', `/api/digests/sending_digest?identity=${id}`);
  expect(digest.body.identities.lines).toMatchObject([{ bounces_arrive: 'no' }]);
});
