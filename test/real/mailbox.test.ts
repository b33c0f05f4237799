// Two thousand mails that come at once into a mailbox on a real IMAP server, which goes away in between: each is read once.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { comes, openWorld, type World } from './world.ts';

const MAILS = 2_000;
let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world?.close());

const newsletter = (n: number): string =>
  [
    'Delivered-To: ann@desk.example',
    'From: The Bridge Weekly <weekly@news.example>',
    'To: ann@desk.example',
    `Subject: Bridges of week ${n}`,
    `Message-ID: <week-${n}@news.example>`,
    'List-Id: <weekly.news.example>',
    '',
    `Read about ${n} bridges.`,
    '',
  ].join('\r\n');

test(`${MAILS} mails at once are read once each, also where the server restarts in between`, async () => {
  const { app, imap } = world;
  await world.identity('ann');
  await comes(async () => {
    const [row] = await app.sql`select polled_at from mailboxes where role = 'inbox'`;
    expect(row?.['polled_at']).not.toBeNull();
  });
  const count = async (): Promise<number> =>
    (await app.sql<{ count: number }[]>`select count(*)::int as count from inbound_mails`)[0]!.count;
  for (let n = 0; n < MAILS; n += 100)
    await Promise.all(Array.from({ length: 100 }, (_, at) => imap.deliver('ann', newsletter(n + at))));
  await comes(async () => expect(await count()).toBeGreaterThan(MAILS / 10));
  await imap.stop();
  expect(await count()).toBeLessThan(MAILS);
  await imap.start();
  await comes(async () => expect(await count()).toBe(MAILS), 200_000);
  await comes(async () => {
    const rows = await app.sql`
      select state, count(*)::int as count, count(distinct message_id)::int as different from inbound_mails group by state`;
    expect(rows).toEqual([{ state: 'quarantined', count: MAILS, different: MAILS }]);
  }, 200_000);
});
