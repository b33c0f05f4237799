// Secrets of identities are used where they must be, and are nowhere else: the test of the outgoing mail, and the sender.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  DOMAINS,
  IDENTITIES,
  MAIL_HOST,
  PASSWORD,
  openSenders,
  type Senders,
} from '../../../../../test/support/senders.ts';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { sendingIdentity } from './sending.store.ts';

let t: Senders;
let logged = '';
beforeAll(async () => {
  const log = new Writable({
    write(line, _, done) {
      logged += String(line);
      done();
    },
  });
  t = await openSenders({ log: pino({ level: 'trace' }, log) });
  t.dns.says('elsewhere.mail-host.example', { addresses: ['127.0.0.1'] });
  t.dns.says('closed.mail-host.example', { addresses: ['10.0.0.1'] });
});
afterAll(() => t.close());

describe('a test of the outgoing mail', () => {
  test('climbs to where a letter could leave, and sends none', async () => {
    const { id } = await t.anIdentity();
    const { body } = await t.token.rest('POST', `${IDENTITIES}/${id}/test`, {});
    expect(body.rungs.map(({ outcome }: any) => outcome)).toEqual(Array(8).fill('pass'));
    expect(body.identity).toMatchObject({
      test_outcome: 'passing',
      active: false,
      last_tested_at: expect.any(String),
    });
    expect(t.sink.letters).toEqual([]);
  });

  test('says what failed in words of our own, and never the password', async () => {
    const { id } = await t.anIdentity({ transport: t.smtp({ secret: 'wrong-password-of-ann' }) });
    const { body } = await t.token.rest('POST', `${IDENTITIES}/${id}/test`, {});
    expect(body.rungs.at(-4)).toMatchObject({ rung: 'sign_in', outcome: 'fail' });
    expect(body.identity.test_outcome).toBe('failing');
    expect(JSON.stringify(body)).not.toContain('wrong-password-of-ann');
  });

  test('calls no server that the operator did not open', async () => {
    const { id } = await t.anIdentity();
    // The name led to a public address when it was saved, and leads into the app now.
    t.dns.says(MAIL_HOST, { addresses: ['10.1.2.3'] });
    const connections = t.sink.connections();
    const { body } = await t.app.admin.rest('POST', `${IDENTITIES}/${id}/test`, {});
    t.dns.says(MAIL_HOST, { addresses: ['127.0.0.1'] });
    expect(body.rungs[0]).toMatchObject({ rung: 'address', outcome: 'fail' });
    expect(t.sink.connections()).toBe(connections);
  });

  test('of one without a password, or of the sandbox, asks no one', async () => {
    const { id } = await t.anIdentity({ transport: t.smtp({ secret: undefined }) });
    expect((await t.app.admin.rest('POST', `${IDENTITIES}/${id}/test`, {})).body.identity.test_outcome).toBe(
      'failing',
    );
    const box = await t.anIdentity({ transport: { kind: 'sandbox' } });
    expect(
      (await t.app.admin.rest('POST', `${IDENTITIES}/${box.id}/test`, {})).body.identity.test_outcome,
    ).toBe('passing');
  });
});

test('the sender is given the secrets opened, and prints none of them', async () => {
  const { id, domain_id } = await t.anActive();
  const { sealer } = t.app.instance.app;
  const identity = await sendingIdentity(t.app.sql, sealer, id);
  const { transport, dkim } = identity ?? {};
  expect(transport).toMatchObject({ kind: 'smtp', access: { login: { user: 'ann' } } });
  expect(transport?.kind === 'smtp' && transport.access.login?.password.reveal()).toBe(PASSWORD);
  expect(dkim?.private_key.reveal()).toContain('BEGIN PRIVATE KEY');
  expect(() => JSON.stringify(identity)).toThrow('a secret');
  // Sealed to its row: moved to another, it does not open.
  const other = await t.anIdentity();
  await t.app.sql`
    update identities set transport_secret = (select transport_secret from identities where id = ${id}) where id = ${other.id}`;
  expect((await sendingIdentity(t.app.sql, sealer, other.id))?.transport).toEqual({ kind: 'unusable' });
  expect((await t.app.sql`select 1 from domains where id = ${domain_id}`).length).toBe(1);
});

test('secrets are in no table, answer, audit row or line of the log', async () => {
  const { id } = await t.anActive();
  await t.patch(id, { transport: t.smtp({ port: 99_999 }) });
  await t.app.admin.rest('POST', IDENTITIES, {
    transport: t.smtp(),
    address: 'no@nowhere.example',
    name: 'X',
  });
  const tables = await t.app.sql<{ name: string }[]>`
    select tablename as name from pg_tables where schemaname = 'public'`;
  for (const { name } of tables) {
    const rows = await t.app.sql`select to_jsonb(t)::text as row from ${t.app.sql(name)} t`;
    const text = rows.map((row) => String(row['row'])).join('\n');
    expect(text, name).not.toContain(PASSWORD);
    expect(text, name).not.toContain('BEGIN PRIVATE KEY');
  }
  for (const path of [IDENTITIES, `${IDENTITIES}/${id}`, DOMAINS, '/api/admin/audit'])
    expect(JSON.stringify((await t.app.admin.rest('GET', path)).body)).not.toContain(PASSWORD);
  expect(logged).not.toContain(PASSWORD);
});
