// What has ended goes automatically: sessions that let no one in any more, and notifications that no one will read again.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type PersonClient, type TestApp } from '../../../../test/support/app.ts';
import { DAY_MS } from '../../../kernel/clock.ts';
import { notify } from '../notifications/store.ts';

let app: TestApp;
let dana: PersonClient;
beforeAll(async () => {
  app = await openTestApp();
  dana = await app.person({ name: 'Dana Roe' });
});
afterAll(() => app.close());

const sessions = async (): Promise<number> =>
  (await app.sql`select from sessions where user_id = ${dana.id}`).length;

/** A request does not wait until its session is prolonged. */
const slid = () =>
  expect
    .poll(async () => {
      const [row] = await app.sql<{ at: Date }[]>`
        select max(last_seen_at) as at from sessions where user_id = ${dana.id}`;
      return app.clock.now().getTime() - (row?.at.getTime() ?? 0);
    })
    .toBeLessThan(DAY_MS);

test('a session that was left idle, or has come to its end, is forgotten within the hour, and a live one is kept', async () => {
  for (let days = 0; days < 4; days += 1) {
    app.clock.advance(5 * DAY_MS);
    expect((await dana.rest('GET', '/api/me')).status).toBe(200);
    await slid();
  }
  await app.signIn(dana.email, dana.password);
  expect(await sessions()).toBe(2);
  app.clock.advance(9 * DAY_MS);
  expect((await dana.rest('GET', '/api/me')).status).toBe(200);
  await slid();
  await app.instance.jobs.run('password_resets');
  expect(await sessions()).toBe(2);
  // The second was used by no one for fourteen days; the first is at its thirtieth.
  app.clock.advance(5 * DAY_MS);
  expect((await dana.rest('GET', '/api/me')).status).toBe(401);
  await app.instance.jobs.run('password_resets');
  expect(await sessions()).toBe(0);
});

test('a notification goes ninety days after it came where it was read, and after a year where it was not', async () => {
  const now = app.clock.now();
  const told = async (sentence: string, days: number, read: boolean) => {
    const at = new Date(now.getTime() - days * DAY_MS);
    await app.instance.app.database.transact((tx) =>
      notify(tx, { user_id: dana.id, kind: 'token_minted', sentence, link: null, at }),
    );
    if (read) await app.sql`update notifications set read_at = ${now} where sentence = ${sentence}`;
  };
  await told('read lately', 89, true);
  await told('read long ago', 91, true);
  await told('not read', 364, false);
  await told('never read', 366, false);
  await app.instance.jobs.run('notifications_expiry');
  const left = await app.sql`select sentence from notifications where user_id = ${dana.id} order by at`;
  expect(left.map(({ sentence }) => sentence)).toEqual(['not read', 'read lately']);
});
