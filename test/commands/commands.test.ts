// Checks that the operator's commands do what they say in a whole world, and say what is wrong in a broken one.
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { keyOfText } from '../../src/store/seal.ts';
import { freshDatabase, type FreshDatabase } from '../support/database.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { dunnock } from './dunnock.ts';
import { temporaryFolder } from './holding.ts';

const KEY = 'the key of the test of commands';

let database: FreshDatabase;
let app: TestApp;
let env: Record<string, string>;

beforeAll(async () => {
  database = await freshDatabase();
  app = await openTestApp({ database, masterKey: keyOfText(KEY) });
  env = {
    DATABASE_URL: database.url,
    SERVICE_INSTANCE: 'test',
    SERVICE_MASTER_KEY: KEY,
    SERVICE_DATA_DIR: '/nowhere/at/all',
  };
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

const findings = async (
  more: Record<string, string> = {},
  outside: Parameters<typeof dunnock>[2] = {},
): Promise<{ status: number | null; of: Record<string, string>; last: string | undefined }> => {
  const { status, lines } = await dunnock({ ...env, ...more }, ['doctor'], outside);
  const of = Object.fromEntries(
    lines
      .slice(0, -1)
      .map((line) => [line.slice(5, 14).trim(), `${line.slice(0, 4).trim()} ${line.slice(15)}`]),
  );
  return { status, of, last: lines.at(-1) };
};

test('doctor finds a whole world well, and says what is only to be looked at', async () => {
  const { status, of, last } = await findings();
  expect(status).toBe(0);
  expect(of['settings']).toMatch(/^ok /);
  expect(of['database']).toMatch(/^ok PostgreSQL \d+ responds, and its schema is up to date\.$/);
  expect(of['keys']).toMatch(/^ok /);
  expect(of['clock']).toMatch(/^ok /);
  expect(of['mail']).toMatch(/^warn The instance can’t send mail/);
  expect(last).toMatch(/^No failures, \d to check\.$/);
});

test('doctor says that all visitors seem to be one, and what to do about the proxy', async () => {
  const { sql } = app;
  expect((await findings()).of['visitors']).toMatch(/^ok Visitors’ addresses aren’t hidden by a proxy\.$/);
  const ben = await app.person();
  await sql`update sign_in_places set place = '10.0.0.5'`;
  expect((await findings()).of['visitors']).toMatch(
    /^warn All 2 people who signed in within 30 days came from 10\.0\.0\.5: if that is a proxy, list it in SERVICE_TRUSTED_PROXIES/,
  );
  await sql`update sign_in_places set place = '127.0.0.1'`;
  expect((await findings()).of['visitors']).toMatch(/have it send X-Forwarded-For/);
  await sql`insert into sign_in_places (user_id, place, at) values (${ben.id}, '203.0.113.9', now())`;
  expect((await findings()).of['visitors']).toMatch(/^ok/);
});

test('doctor says that the database is away, and what to check', async () => {
  const { status, of, last } = await findings({
    DATABASE_URL: 'postgres://nobody:wrong@127.0.0.1:9/nothing',
  });
  expect(status).toBe(1);
  expect(of['database']).toBe(
    'fail It doesn’t respond: check that it is running, and that the address, user and password in DATABASE_URL are right.',
  );
  expect(last).toMatch(/^1 to fix/);
});

test.each(['start', 'migrate'])('%s says so too, in the same words', async (typed) => {
  const away = {
    DATABASE_URL: 'postgres://nobody:wrong@127.0.0.1:9/nothing',
    SERVICE_MASTER_KEY: 'x'.repeat(40),
  };
  expect(await dunnock(away, typed.split(' '))).toEqual({
    status: 1,
    lines: [
      'The database does not answer: check that it runs, that DATABASE_URL leads to it, and that its user and password are right.',
    ],
  });
});

test('doctor says that the clock is off, before and behind', async () => {
  const off = (ms: number) => ({ clock: { now: () => new Date(Date.now() + ms) } });
  expect((await findings({}, off(600_000))).of['clock']).toMatch(
    /^fail This machine and the database are 600 seconds apart: synchronize both machines with a time server/,
  );
  expect((await findings({}, off(-30_000))).of['clock']).toMatch(/^warn .*30 seconds apart/);
});

test('doctor says that the master key is another, missing, or open to others', async () => {
  expect((await findings({ SERVICE_MASTER_KEY: 'some other key of sixteen' })).of['keys']).toMatch(
    /^fail This isn’t the master key of this database/,
  );
  const folder = temporaryFolder();
  const file = { SERVICE_MASTER_KEY: '', SERVICE_DATA_DIR: folder };
  expect((await findings(file)).of['keys']).toMatch(
    /^fail There is no master key at .*master\.key: put it back/,
  );
  writeFileSync(join(folder, 'master.key'), KEY);
  chmodSync(join(folder, 'master.key'), 0o644);
  expect((await findings(file)).of['keys']).toMatch(
    /^fail .*master\.key can be read by others: run chmod 600 on it\.$/,
  );
  chmodSync(join(folder, 'master.key'), 0o600);
  expect((await findings(file)).of['keys']).toMatch(/^ok /);
});

test('doctor says that the address leads nowhere, and names a setting that cannot be read', async () => {
  const named = { SERVICE_BASE_URL: 'https://desk.example.com' };
  expect((await findings(named)).of['names']).toMatch(
    /^fail desk\.example\.com, .* doesn’t resolve: create its A or AAAA record/,
  );
  expect((await findings(named, { lookup: async () => ['192.0.2.1'] })).of['names']).toBe(
    'ok desk.example.com resolves to 192.0.2.1.',
  );
  const local = async (env: Record<string, string>) =>
    (await findings(env, { lookup: async () => ['192.0.2.1'] })).of['names'];
  expect(await local({})).toMatch(
    /^warn SERVICE_BASE_URL is not set, .* letters are held: set it to the public https/,
  );
  expect(await local({ SERVICE_BASE_URL: 'http://desk.example.com' })).toMatch(
    /^warn SERVICE_BASE_URL is http:\/\/desk\.example\.com: recipients can’t open links to it, so letters are held/,
  );
  expect(await local({ SERVICE_BASE_URL: 'https://127.0.0.1:4400' })).toMatch(/^warn .* letters are held/);
  const misspelled = await findings({ PORT: 'many' });
  expect([misspelled.status, misspelled.of['settings']]).toEqual([
    1,
    'fail PORT must be a whole number from 0 to 65535.',
  ]);
});

test('what is typed wrong is answered with how it is typed, and help lists every command', async () => {
  expect(await dunnock(env, ['frobnicate'])).toMatchObject({
    status: 2,
    lines: expect.arrayContaining(['There is no command "frobnicate". Commands:']),
  });
  expect(await dunnock(env, ['backup'])).toEqual({
    status: 2,
    lines: ['Give one file to write to. Usage: dunnock backup <file>'],
  });
  const { status, lines } = await dunnock(env, ['help']);
  expect(status).toBe(0);
  for (const name of [
    'start',
    'migrate',
    'doctor',
    'backup',
    'restore',
    'move',
    'upgrade',
    'rewrap',
    'token revoke',
    'user reset',
  ])
    expect(
      lines.some((line) => line.startsWith(`  dunnock ${name}`)),
      name,
    ).toBe(true);
});

test('a token that is revoked is refused from the next request on, and the audit log has it', async () => {
  const token = await app.token({ name: 'lost' });
  expect((await token.rest('GET', '/api/me')).status).toBe(200);
  expect(await dunnock(env, ['token', 'revoke', token.value])).toEqual({
    status: 0,
    lines: ['Token "lost" deleted.'],
  });
  expect((await token.rest('GET', '/api/me')).status).toBe(401);
  expect((await dunnock(env, ['token', 'revoke', 'lost'])).status).toBe(1);
  const audit = await app.admin.rest('GET', '/api/admin/audit?act=token_revoke');
  expect(audit.body.items[0]).toMatchObject({
    outcome: 'done',
    principal: { kind: 'system', name: 'operator' },
  });
});

test('someone who is reset has no session and no second factor, and sets a new password by a link that is good once', async () => {
  const ben = await app.person({ name: 'Ben', email: 'ben@example.com' });
  await app.sql`update users set totp_secret = 'v1.sealed', totp_confirmed_at = now() where id = ${ben.id}`;
  const { status, lines } = await dunnock(env, ['user', 'reset', 'BEN@example.com']);
  expect(status, lines.join()).toBe(0);
  expect((await ben.rest('GET', '/api/me')).status).toBe(401);
  const token = /\/reset\/(\S+)$/.exec(lines[0] ?? '')?.[1];
  const set = () =>
    app.bearer(null).rest('POST', '/api/auth/reset', { token, password: 'another horse battery' });
  expect((await set()).status).toBe(200);
  expect((await set()).status).toBe(404);
  expect((await app.signIn('ben@example.com', 'another horse battery')).status).toBe(200);
  expect((await dunnock(env, ['user', 'reset', 'nobody@example.com'])).lines[0]).toMatch(
    /^No active user has that email/,
  );
});

test('another master key opens every secret, and the one before opens none', async () => {
  const own = await freshDatabase();
  onTestFinished(() => own.drop());
  const folder = temporaryFolder();
  const place = { DATABASE_URL: own.url, SERVICE_INSTANCE: 'test', SERVICE_DATA_DIR: folder };
  writeFileSync(join(folder, 'master.key'), KEY, { mode: 0o600 });
  const first = await openTestApp({ database: own, masterKey: keyOfText(KEY) });
  const sealed = first.instance.app.sealer.seal('a secret', 'somewhere');
  const link = first.instance.app.sealer.key('unsubscribe').reveal();
  expect((await dunnock(place, ['rewrap'])).lines[0]).toMatch(/^Dunnock is running on that database/);
  await first.close();
  expect((await dunnock(place, ['rewrap'])).status).toBe(0);
  const drawn = readFileSync(join(folder, 'master.key'), 'utf8');
  expect([drawn === KEY, existsSync(join(folder, 'master.key.next'))]).toEqual([false, false]);
  const next = await openTestApp({ database: own, masterKey: keyOfText(drawn), setUp: false });
  expect(next.instance.app.sealer.open(sealed, 'somewhere')).toBe('a secret');
  expect(next.instance.app.sealer.key('unsubscribe').reveal()).toBe(link);
  await next.close();
  await expect(openTestApp({ database: own, masterKey: keyOfText(KEY), setUp: false })).rejects.toThrow(
    'The master key is not the one under which this instance keeps its secrets',
  );
  const given = { ...place, SERVICE_MASTER_KEY: drawn, SERVICE_NEW_MASTER_KEY: 'short' };
  expect((await dunnock(given, ['rewrap'])).lines[0]).toMatch(/shorter than 16 characters/);
});
