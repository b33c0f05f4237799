// What is good once is used by many at the same moment, and again later: the set-up, an authenticator's code, a recovery code.
import { generateSync } from 'otplib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../src/kernel/clock.ts';
import { openTestApp, type Answer, type PersonClient, type TestApp } from '../support/app.ts';
import { atWholeCost } from '../support/passwords.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(async () => app?.close());

const statuses = (answers: readonly Answer[]): number[] => answers.map(({ status }) => status).sort();
const nTimes = <T>(n: number, act: (i: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: n }, (_, i) => act(i)));

/** Statements that wait for what another transaction holds. */
const waiting = async ({ sql }: TestApp): Promise<number> =>
  (
    await sql`
      select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  ).length;

test('twenty set-ups at once make one administrator, one session and one use of the key', () =>
  atWholeCost(async () => {
    const other = await openTestApp({ setUp: false });
    try {
      let answering: Promise<Answer[]> | undefined;
      // No one is written down before several have come as far as that: passwords are hashed one after the other.
      await other.sql.begin(async (tx) => {
        await tx`lock table users in share mode`;
        answering = nTimes(20, (i) =>
          other.bearer(null).rest('POST', '/api/auth/setup', {
            key: other.key,
            name: `Ada ${i}`,
            email: `ada${i}@example.com`,
            password: 'correct horse battery',
          }),
        );
        await expect.poll(async () => (await waiting(other)) >= 5).toBe(true);
      });
      const answers = (await answering) ?? [];
      expect(answers).toHaveLength(20);
      expect(statuses(answers).filter((status) => status === 200)).toHaveLength(1);
      for (const { status, headers } of answers)
        expect([
          [200, 1],
          [403, 0],
          [429, 0],
        ]).toContainEqual([status, headers.getSetCookie().length]);
      expect(await other.sql`select count(*)::int as n from users where admin`).toEqual([{ n: 1 }]);
      expect(await other.sql`select count(*)::int as n from users`).toEqual([{ n: 1 }]);
      expect(await other.sql`select count(*)::int as n from sessions`).toEqual([{ n: 1 }]);
    } finally {
      await other.close();
    }
  }));

type Doubled = { person: PersonClient; code: () => string; codes: string[] };

async function withSecondFactor(): Promise<Doubled> {
  const person = await app.person();
  const { secret } = (await person.rest('POST', '/api/me/totp', {})).body;
  const code = (): string => generateSync({ secret, epoch: Math.floor(app.clock.now().getTime() / 1000) });
  expect((await person.rest('POST', '/api/me/totp', { code: code() })).status).toBe(200);
  const { codes } = (await person.rest('POST', '/api/me/recovery-codes', {})).body;
  app.clock.advance(MINUTE_MS);
  return { person, code, codes };
}

describe('an authenticator code', () => {
  test('used by five sign-ins at once opens one of them', async () => {
    const { person, code } = await withSecondFactor();
    const used = code();
    const answers = await nTimes(5, () => app.signIn(person.email, person.password, used));
    expect(statuses(answers)).toEqual([200, 401, 401, 401, 401]);
  });

  test('used for a sign-in is worth nothing for a step-up at the same moment, nor after, nor the other way round', async () => {
    const { person, code } = await withSecondFactor();
    app.clock.advance(20 * MINUTE_MS);
    const used = code();
    const stepUp = () => person.rest('POST', '/api/auth/step-up', { password: person.password, code: used });
    const both = await Promise.all([app.signIn(person.email, person.password, used), stepUp(), stepUp()]);
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await stepUp()).status).not.toBe(200);
    expect((await app.signIn(person.email, person.password, used)).status).toBe(401);
    // Of the step before it, which the clock still allows.
    const before = code();
    app.clock.advance(30_000);
    expect((await app.signIn(person.email, person.password, code())).status).toBe(200);
    expect((await app.signIn(person.email, person.password, before)).status).toBe(401);
  });
});

describe('a recovery code', () => {
  const spellings = (code: string): string[] => [
    code,
    code.toLowerCase(),
    code.replaceAll('-', ''),
    ` ${code.replaceAll('-', ' ')} `,
    code.replaceAll('0', 'O').replaceAll('1', 'l'),
  ];

  test('used in five spellings at once opens one session, and no other spelling is good after', async () => {
    const { person, codes } = await withSecondFactor();
    const [first = ''] = codes;
    const answers = await Promise.all(
      spellings(first).map((code) => app.signIn(person.email, person.password, code)),
    );
    expect(statuses(answers)).toEqual([200, 401, 401, 401, 401]);
    app.clock.advance(HOUR_MS);
    for (const code of spellings(first))
      expect((await app.signIn(person.email, person.password, code)).status, code).toBe(401);
    expect(
      await app.sql`select count(*)::int as n from recovery_codes where user_id = ${person.id} and used_at is not null`,
    ).toEqual([{ n: 1 }]);
  });

  test('is read in every spelling', async () => {
    const { person, codes } = await withSecondFactor();
    for (const [i] of spellings('').entries())
      expect(
        (await app.signIn(person.email, person.password, spellings(codes[i] ?? '')[i])).status,
        `${i}`,
      ).toBe(200);
  });

  test('used for a sign-in and a step-up at once is good for one of them', async () => {
    const { person, codes } = await withSecondFactor();
    const [code] = codes;
    const both = await Promise.all([
      app.signIn(person.email, person.password, code),
      person.rest('POST', '/api/auth/step-up', { password: person.password, code }),
    ]);
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
  });
});
