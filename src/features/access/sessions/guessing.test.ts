// Covers how guessing is slowed, and that no one is kept out of their own account by it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type Answer, type PersonClient, type TestApp } from '../../../../test/support/app.ts';
import { atWholeCost } from '../../../../test/support/passwords.ts';
import { HOUR_MS, MINUTE_MS } from '../../../kernel/clock.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const WRONG = 'wrong horse battery';

/** As if it came from there: the proxy on this machine says so. */
const from = (address: string, { email }: { email: string }, password: string): Promise<Answer> =>
  app.bearer(null).rest('POST', '/api/auth/login', { email, password }, { 'x-forwarded-for': address });

const stranger = (n: number): string => `198.51.100.${n}`;

/** One wrong password after the other, each from an address of its own; stops at the first that is not compared. */
async function guessFromEverywhere(person: PersonClient, most: number, net = '203.0.113'): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let n = 1; n <= most; n += 1) {
    const answer = await from(`${net}.${n}`, person, WRONG);
    answers.push(answer);
    if (answer.status !== 401) break;
  }
  return answers;
}

test('hole D8: ten wrong passwords close an account to the place they came from, and to no one else', async () => {
  const ben = await app.person();
  for (let i = 0; i < 10; i++) expect((await from(stranger(1), ben, WRONG)).status).toBe(401);
  const closed = await from(stranger(1), ben, ben.password);
  expect(closed).toMatchObject({ status: 429, body: { error: { code: 'rate_limited' } } });
  expect(closed.headers.getSetCookie()).toEqual([]);
  expect(closed.body.error.details.retry_after).toBeGreaterThan(14 * 60);
  expect(closed.body.error.details.retry_after).toBeLessThanOrEqual(15 * 60);
  expect((await app.signIn(ben.email, ben.password)).status).toBe(200);
  expect((await from(stranger(2), ben, ben.password)).status).toBe(200);
  app.clock.advance(15 * MINUTE_MS);
  expect((await from(stranger(1), ben, ben.password)).status).toBe(200);
});

test('hole D9: all addresses of one IPv6 network are one place', async () => {
  const ben = await app.person();
  for (let i = 0; i < 10; i++) expect((await from(`2001:db8:7:7::${i + 1}`, ben, WRONG)).status).toBe(401);
  expect((await from('2001:db8:7:7:ffff::9', ben, WRONG)).status).toBe(429);
  expect((await from('2001:db8:7:8::1', ben, WRONG)).status).toBe(401);
  const carl = await app.person();
  for (let i = 0; i < 10; i++) expect((await from('::ffff:192.0.2.7', carl, WRONG)).status).toBe(401);
  expect((await from('192.0.2.7', carl, WRONG)).status).toBe(429);
});

test('hole D9: a network of 65,536 places is closed as a whole, ten times as late as one of them', async () => {
  // Ten a place, each at an account of its own: neither a place nor an account is closed.
  const at = new Date(app.clock.now().getTime() - MINUTE_MS);
  const whos = Array.from({ length: 499 }, () => 'address:2001:db8:9::/48');
  await app.sql`
    insert into sign_in_failures (id, who, at) select gen_random_uuid(), who, ${at} from unnest(${whos}::text[]) who`;
  const ben = await app.person();
  expect((await from('2001:db8:9:1::1', ben, WRONG)).status).toBe(401);
  expect((await from('2001:db8:9:2::1', ben, ben.password)).status).toBe(429);
  expect((await from('2001:db8:a:2::1', ben, ben.password)).status).toBe(200);
  app.clock.advance(15 * MINUTE_MS);
  expect((await from('2001:db8:9:2::1', ben, ben.password)).status).toBe(200);
});

test('hole D8: a guesser from anywhere is slowed more and more, and the owner signs in from where they did before', async () => {
  const ben = await app.person();
  const answers = await guessFromEverywhere(ben, 40);
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(20);
  const waits: number[] = [];
  for (let n = 1; n <= 8; n += 1) {
    const slowed = await from(`192.0.2.${n}`, ben, WRONG);
    expect(slowed.status).toBe(429);
    const { retry_after } = slowed.body.error.details;
    waits.push(retry_after);
    // A right password is not compared either, from a place that no one knows.
    expect((await from(`192.0.2.${n}`, ben, ben.password)).status).toBe(429);
    expect((await app.signIn(ben.email, ben.password)).status).toBe(200);
    app.clock.advance(retry_after * 1000);
    expect((await from(`192.0.2.${n}`, ben, WRONG)).status).toBe(401);
  }
  expect(waits[0]).toBeLessThanOrEqual(4);
  expect(waits[4]).toBeGreaterThan(45);
  expect(waits.at(-1)).toBeGreaterThan(4 * 60);
  expect(Math.max(...waits)).toBeLessThanOrEqual(5 * 60);
  expect((await from('192.0.2.99', ben, ben.password)).body.error.message).toMatch(
    /^too many failed attempts: wait \d+ (seconds|minutes?) and try again$/,
  );
  app.clock.advance(HOUR_MS);
  expect((await from('192.0.2.99', ben, ben.password)).status).toBe(200);
});

test('hole D8: an open session’s step-up and new password are slowed by their own failures alone, and never closed', async () => {
  const ben = await app.person();
  await guessFromEverywhere(ben, 40, '198.51.100');
  for (let i = 0; i < 10; i++) await app.signIn(ben.email, WRONG);
  const stepUp = (password: string) => ben.rest('POST', '/api/auth/step-up', { password });
  const change = (current: string) =>
    ben.rest('POST', '/api/me/password', { current, password: 'correct horse battery' });
  expect((await stepUp(ben.password)).status).toBe(200);
  expect((await change(ben.password)).status).toBe(200);
  for (let i = 0; i < 3; i++) expect((await stepUp(WRONG)).status).toBe(401);
  for (let i = 0; i < 2; i++) expect((await change(WRONG)).status).toBe(401);
  const slowed = await stepUp(ben.password);
  expect(slowed).toMatchObject({
    status: 429,
    body: { error: { details: { retry_after: expect.any(Number) } } },
  });
  expect((await change(ben.password)).status).toBe(429);
  for (let i = 0; i < 4; i++) {
    app.clock.advance(MINUTE_MS);
    expect((await stepUp(WRONG)).status).toBe(401);
  }
  app.clock.advance(MINUTE_MS);
  expect((await stepUp(ben.password)).status).toBe(200);
  expect((await stepUp(WRONG)).status).toBe(401);
  expect((await stepUp(ben.password)).status).toBe(200);
});

test('signing in forgets what the account got wrong before', async () => {
  const ben = await app.person();
  for (let round = 0; round < 2; round++) {
    for (let i = 0; i < 7; i++) expect((await app.signIn(ben.email, 'wrong')).status).toBe(401);
    expect((await app.signIn(ben.email, ben.password)).status).toBe(200);
  }
  app.clock.advance(15 * MINUTE_MS);
});

test('forty guesses at once are ten tries: they go one after the other, and each counts before the next', async () => {
  const ben = await app.person();
  const guesses = await Promise.all(
    Array.from({ length: 40 }, () => app.signIn(ben.email, 'wrong horse battery')),
  );
  expect(guesses.filter((answer) => answer.status === 401)).toHaveLength(10);
  expect(guesses.filter((answer) => answer.status === 429)).toHaveLength(30);
  app.clock.advance(15 * MINUTE_MS);
});

test('hole D8: fifty failures close a place to whoever never signed in from it, whatever the accounts', async () => {
  const ben = await app.person();
  const since = app.clock.now();
  await app.sql`insert into sign_in_failures (id, who, at) select gen_random_uuid(), 'address:127.0.0.1', ${since} from generate_series(1, 50)`;
  expect((await app.signIn('nobody@example.com', WRONG)).status).toBe(429);
  expect((await app.signIn(ben.email, ben.password)).status).toBe(200);
  await app.sql`delete from sign_in_places where user_id = ${ben.id}`;
  expect((await app.signIn(ben.email, ben.password)).status).toBe(429);
  app.clock.advance(15 * MINUTE_MS);
  expect((await app.signIn(ben.email, ben.password)).status).toBe(200);
});

test('hole D9: a flood of sign-ins keeps no one waiting, and is told so', () =>
  atWholeCost(async () => {
    const ben = await app.person();
    const carl = await app.person();
    const flood = Array.from({ length: 240 }, (_, n) =>
      from(`10.${n % 40}.0.1`, { email: `guess${n}@example.com` }, WRONG),
    );
    const took = async (work: Promise<Answer>): Promise<number> => {
      const began = performance.now();
      expect((await work).status).toBe(200);
      return performance.now() - began;
    };
    // Once the flood has arrived.
    await Promise.race(flood);
    for (let i = 0; i < 5; i++)
      expect(await took(carl.rest('PATCH', '/api/me', { name: `Carl ${i}` }))).toBeLessThan(1_500);
    expect(await took(from('127.0.0.1', ben, ben.password))).toBeLessThan(10_000);
    const answers = await Promise.all(flood);
    const of = (status: number): Answer[] => answers.filter((answer) => answer.status === status);
    expect(of(401).length + of(503).length + of(429).length).toBe(240);
    expect(of(503).length).toBeGreaterThan(100);
    expect(of(503)[0]?.body.error).toMatchObject({
      code: 'unavailable',
      message: 'too many people are signing in right now: try again in a few seconds',
      details: { retry_after: 5 },
    });
  }));
