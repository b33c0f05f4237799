// Where an identity connects is said by who may create identities: what someone else saved is neither tested, nor watched,
// nor sent through, until they confirm it.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { mail, openMailboxes, type Mailboxes } from '../../../../test/support/mailboxes.ts';
import { IDENTITIES, MAIL_HOST, type Senders } from '../../../../test/support/senders.ts';
import type { Answer } from '../../../../test/support/app.ts';

const OTHER = 'other.mail-host.example';
let box: Mailboxes;
let t: Senders;

beforeAll(async () => {
  box = await openMailboxes();
  t = box.senders;
  t.dns.says(OTHER, { addresses: ['127.0.0.1'] });
});
afterAll(() => box.close());
afterEach(() => box.letGo());

const tryIt = (id: string, by: { rest: typeof t.app.admin.rest } = t.app.admin): Promise<Answer> =>
  by.rest('POST', `${IDENTITIES}/${id}/test`, {});

test('hole A7: text of a token’s choice reaches no server of its choice by a test', async () => {
  const { id } = await t.anIdentity();
  const mine = { host: OTHER, user: 'every name', secret: 'and every salary' };
  const saved = await t.patch(id, { transport: t.smtp(mine) }, t.token);
  expect(saved.body.identity).toMatchObject({
    active: false,
    transport: { host: OTHER },
    transport_unconfirmed_at: expect.any(String),
  });
  const before = t.sink.connections();
  for (const by of [t.token, t.app.admin]) {
    const refused = await tryIt(id, by);
    expect(refused).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } });
    expect(refused.body.error.message).toContain('someone without permission to create identities');
  }
  expect(t.sink.connections()).toBe(before);
});

test.each([
  ['the port', () => ({ port: 2525 })],
  ['the encryption', () => ({ security: 'tls' })],
  ['the user', () => ({ user: 'eve' })],
])('hole A7: another value of %s alone waits to be confirmed too', async (_, change) => {
  const { id } = await t.anIdentity();
  const { identity } = (await t.patch(id, { transport: t.smtp(change()) }, t.token)).body;
  expect(identity.transport_unconfirmed_at).toEqual(expect.any(String));
  expect((await tryIt(id, t.token)).status).toBe(409);
  // A secret of the token's own, for the same server, does not confirm it.
  const again = await t.patch(id, { transport: t.smtp({ ...change(), secret: 'another' }) }, t.token);
  expect(again.body.identity.transport_unconfirmed_at).toEqual(expect.any(String));
});

test('hole A7: it is confirmed by who may create identities: by saving it, or by setting it active as it was seen', async () => {
  const { id } = await t.anIdentity();
  const other = t.smtp({ host: MAIL_HOST, port: t.sink.port, security: 'starttls', user: 'ann' });
  await t.patch(id, { transport: { ...other, user: 'eve' } }, t.token);
  await t.patch(id, { transport: other }, t.token);
  expect((await tryIt(id)).status).toBe(409);
  const confirmed = await t.patch(id, { transport: { ...other, secret: undefined } });
  expect(confirmed.body.identity).toMatchObject({
    transport_unconfirmed_at: null,
    transport: { has_secret: true },
  });
  const tried = await tryIt(id);
  expect(tried).toMatchObject({ status: 200, body: { identity: { test_outcome: 'passing' } } });

  await t.patch(id, { transport: { ...other, user: 'eve' } }, t.token);
  const narrow = await policyOf('sets-active', ['outreach.identity.activate', 'outreach.identity.read']);
  const activates = await t.app.token({ mode: 'service', policies: [narrow], scopes: { wire: true } });
  const activated = await activates.rest('POST', `${IDENTITIES}/${id}/activate`, {});
  expect(activated.body.error.message).toContain('someone without permission to create identities');
  expect(await t.onIdentity(id, 'activate')).toMatchObject({ active: true, transport_unconfirmed_at: null });
});

test('hole A7: a mailbox that a token chose is not watched, and is once it is confirmed; an inactive one is', async () => {
  const identity = await box.anInbox();
  expect(identity.active).toBe(false);
  expect(await box.round()).toBe(1);
  await box.watched(identity);
  await t.patch(identity.id, { inbound: box.imap({ mailbox: 'Junk' }) }, t.token);
  const changed = await t.readIdentity(identity.id);
  expect(changed).toMatchObject({
    inbound_unconfirmed_at: expect.any(String),
    transport_unconfirmed_at: null,
  });
  await box.deliver(mail('unseen'), { folder: 'Junk' });
  await box.round();
  expect(await box.round()).toBe(0);
  expect(await box.subjects(identity)).toEqual([]);
  expect((await tryIt(identity.id)).status).toBe(409);
  await t.patch(identity.id, { inbound: box.imap({ mailbox: 'Junk', secret: undefined }) });
  expect(await t.readIdentity(identity.id)).toMatchObject({ inbound_unconfirmed_at: null });
  await box.round();
  await box.watched(identity);
});

test('hole A7: a provider is tried at an address of the caller’s choice by who may save its keys there', async () => {
  const path = '/api/admin/providers/anthropic/test';
  const given = {
    keys: { api_key: 'every-name-and-every-salary' },
    base_url: `https://${OTHER}:${t.sink.port}/`,
  };
  const before = t.sink.connections();
  const refused = await t.token.rest('POST', path, given);
  expect(refused).toMatchObject({ status: 403, body: { error: { code: 'wire_required' } } });
  expect(t.sink.connections()).toBe(before);
});

async function policyOf(name: string, actions: string[]): Promise<string> {
  const document = { name, version: 1, statements: [{ effect: 'allow', actions, resources: ['*'] }] };
  const made = await t.app.admin.rest('POST', '/api/admin/policies', document);
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return name;
}
