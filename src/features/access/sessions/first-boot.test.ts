// Covers the first boot: one key, one first administrator, one first token, and a key that stays dead.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../../test/support/app.ts';
import { DAY_MS, HOUR_MS } from '../../../kernel/clock.ts';
import { UNAUTHORIZED, WIRE_REQUIRED } from '../../../kernel/sentences.ts';
import { prepareProvisioning } from './provisioning.ts';

const person = { name: 'Ada Operator', email: 'ada@example.com', password: 'correct horse battery' };
const minting = { name: 'first', mode: 'service', policies: ['read-all'] };

async function unset(run: (app: TestApp) => Promise<void>): Promise<void> {
  const app = await openTestApp({ setUp: false });
  try {
    await run(app);
  } finally {
    await app.close();
  }
}

test('a wrong key makes no one, the right one makes the first administrator and signs them in, and then it is 403 for ever', () =>
  unset(async (app) => {
    const nobody = app.bearer(null);
    expect((await nobody.rest('GET', '/api/auth/state')).body).toMatchObject({ set_up: false });
    const wrong = await nobody.rest('POST', '/api/auth/setup', { ...person, key: `${app.key}x` });
    expect(wrong).toMatchObject({ status: 401, body: { error: { code: 'unauthorized' } } });
    expect(wrong.headers.getSetCookie()).toEqual([]);
    const made = await nobody.rest('POST', '/api/auth/setup', { ...person, key: app.key });
    expect(made).toMatchObject({ status: 200, body: { user: { email: person.email, admin: true } } });
    expect(made.headers.getSetCookie()[0]).toMatch(/^dunnock_session=.+HttpOnly/);
    expect((await nobody.rest('GET', '/api/auth/state')).body).toMatchObject({ set_up: true });
    for (const key of [app.key, 'guess']) {
      const again = await nobody.rest('POST', '/api/auth/setup', {
        ...person,
        email: 'eve@example.com',
        key,
      });
      expect(again.status).toBe(403);
    }
    expect(await app.sql`select email from users`).toMatchObject([{ email: person.email }]);
    expect(
      await app.sql`select only_row from provisioning where position(${app.key} in key_hash::text) > 0`,
    ).toEqual([]);
  }));

test('of two set-ups at once one makes the administrator and the other is refused', () =>
  unset(async (app) => {
    const setups = ['ada', 'eve', 'ben'].map((name) =>
      app
        .bearer(null)
        .rest('POST', '/api/auth/setup', { ...person, email: `${name}@example.com`, key: app.key }),
    );
    const answers = (await Promise.all(setups)).map((answer) => answer.status).sort();
    expect(answers).toEqual([200, 403, 403]);
    expect(await app.sql`select count(*) as people from users`).toEqual([{ people: 1 }]);
  }));

test('the key is drawn once, printed once, and replaced by the operator’s own as long as no one exists', () =>
  unset(async ({ instance, clock, sql, key }) => {
    const { database } = instance.app;
    expect(await prepareProvisioning(database, clock, null)).toEqual({ key: null, waiting: true });
    await sql`delete from provisioning`;
    const drawn = await Promise.all([
      prepareProvisioning(database, clock, null),
      prepareProvisioning(database, clock, null),
    ]);
    expect(drawn.filter((each) => each.key !== null)).toHaveLength(1);
    expect(drawn.map((each) => each.key).find((each) => each !== null)).toMatch(/^setup_[0-9A-Za-z]{43}$/);
    expect(await prepareProvisioning(database, clock, key)).toEqual({ key: null, waiting: true });
    const rows =
      await sql`select encode(key_hash, 'hex') = encode(sha256(${key}::bytea), 'hex') as given from provisioning`;
    expect(rows).toEqual([{ given: true }]);
  }));

describe('the key as a bearer', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await openTestApp();
  });
  afterAll(() => app.close());

  test('it is bootstrap, an administrator without wire, and never a person', async () => {
    const me = await app.bearer(app.key).rest('GET', '/api/me');
    expect(me.body).toMatchObject({
      principal: { kind: 'service', name: 'bootstrap' },
      via: 'provisioning_key',
      admin: true,
      agent: true,
      user: null,
    });
    expect((await app.bearer(app.key).rest('GET', '/api/admin/users')).status).toBe(200);
    expect((await app.bearer(`${app.key}x`).rest('GET', '/api/me')).status).toBe(401);
  });

  test('A14: it is refused on a wire route', async () => {
    for (const body of [{ email: 'ben@example.com' }, {}, undefined]) {
      const refused = await app.bearer(app.key).rest('POST', '/api/admin/users/invite', body);
      expect(refused).toMatchObject({
        status: 403,
        body: { error: { code: 'wire_required', message: WIRE_REQUIRED } },
      });
    }
  });

  test('it mints without scopes only, and not for itself', async () => {
    const wire = await app
      .bearer(app.key)
      .rest('POST', '/api/admin/tokens', { ...minting, scopes: { wire: true } });
    expect(wire.status).toBe(403);
    expect(
      (await app.bearer(app.key).rest('POST', '/api/admin/tokens', { name: 'x', mode: 'user' })).status,
    ).toBe(400);
  });

  test('C6, C4: of two first mints at once one succeeds, and the key is dead from then on', async () => {
    const mints = ['one', 'two', 'three'].map((name) =>
      app.bearer(app.key).rest('POST', '/api/admin/tokens', { ...minting, name }),
    );
    const answers = await Promise.all(mints);
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 401, 401]);
    expect(await app.sql`select count(*) as tokens from tokens`).toEqual([{ tokens: 1 }]);
    expect(answers.find((answer) => answer.status === 401)?.body.error.message).toBe(UNAUTHORIZED);
    const [row] = await app.sql`select created_by_kind, created_by_name from tokens`;
    expect(row).toEqual({ created_by_kind: 'service', created_by_name: 'bootstrap' });
  });

  test('C5: deleting every token does not wake it', async () => {
    await app.sql`delete from tokens`;
    expect((await app.bearer(app.key).rest('GET', '/api/me')).status).toBe(401);
    expect((await app.bearer(app.key).rest('POST', '/api/admin/tokens', minting)).status).toBe(401);
  });
});

test('C4: a mint in a session kills the key as well', async () => {
  const app = await openTestApp();
  expect((await app.bearer(app.key).rest('GET', '/api/me')).status).toBe(200);
  await app.token();
  expect((await app.bearer(app.key).rest('GET', '/api/me')).status).toBe(401);
  await app.close();
});

test('the key dies 24 hours after the first administrator was made', async () => {
  const app = await openTestApp();
  app.clock.advance(23 * HOUR_MS);
  expect((await app.bearer(app.key).rest('GET', '/api/me')).status).toBe(200);
  app.clock.advance(DAY_MS - 23 * HOUR_MS);
  expect((await app.bearer(app.key).rest('GET', '/api/me')).status).toBe(401);
  await app.close();
});
