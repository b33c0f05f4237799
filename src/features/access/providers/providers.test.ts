// Providers' keys: sealed, tried without being saved, and sent to no address but their own.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { resendStub } from '../../../../test/support/resend.ts';
import { KEY, KEYS, openVendorApp, type VendorApp } from '../../../../test/support/vendor.ts';

let desk: VendorApp;

beforeAll(async () => {
  desk = await openVendorApp();
});
afterAll(() => desk.close());

describe("a provider's keys", () => {
  test('are saved sealed, and of them only the last four characters are ever shown', async () => {
    const saved = await desk.saveKey();
    expect(saved.status, JSON.stringify(saved.body)).toBe(200);
    expect(saved.body.provider).toMatchObject({ set: true, last_four: 'ghij', base_url: desk.vendor.url });
    const listed = await desk.wire.rest('GET', '/api/admin/providers');
    const audited = await desk.wire.rest('GET', '/api/admin/audit');
    const [row] = await desk.app.sql`select * from provider_keys`;
    for (const shown of [saved.body, listed.body, audited.body, row])
      expect(JSON.stringify(shown)).not.toContain(KEY);
  });

  test('are tried without being saved, and a wrong one fails', async () => {
    await desk.saveKey();
    expect((await desk.wire.rest('POST', `${KEYS}/test`, {})).body.outcome).toBe('passing');
    const other = await desk.wire.rest('POST', `${KEYS}/test`, {
      keys: { api_key: 're_wrongwrongwrongwrong' },
      base_url: desk.vendor.url,
    });
    expect(other.body.outcome).toBe('failing');
    const listed = await desk.wire.rest('GET', '/api/admin/providers');
    expect(listed.body.items[0].last_four).toBe('ghij');
    const gone = await desk.wire.rest('POST', `${KEYS}/test`, {
      keys: { api_key: KEY },
      base_url: 'http://127.0.0.1:9',
    });
    expect(gone.body.outcome).toBe('unknown');
  });

  test('A29: the saved key is sent to no other address, by the test or by a changed address', async () => {
    await desk.saveKey();
    await using thief = await resendStub(() => desk.app.clock.now());
    const tried = await desk.wire.rest('POST', `${KEYS}/test`, { base_url: thief.url });
    expect([tried.status, tried.body.error?.code]).toEqual([400, 'invalid']);
    const moved = await desk.wire.rest('PUT', `${KEYS}/keys`, { base_url: thief.url });
    expect(moved.status).toBe(400);
    const emptied = await desk.wire.rest('PUT', `${KEYS}/keys`, { keys: {}, base_url: thief.url });
    expect(emptied.status).toBe(400);
    await desk.wire.rest('PUT', `${KEYS}/keys`, {
      keys: { api_key: 're_anotheranotheranother' },
      base_url: thief.url,
    });
    await desk.wire.rest('POST', `${KEYS}/test`, {});
    expect(thief.arrived.length).toBeGreaterThan(0);
    expect(thief.arrived.map(({ headers }) => headers.authorization)).not.toContain(`Bearer ${KEY}`);
    await desk.saveKey();
  });

  test('A29, side door 22: no token without wire saves, by the test route or by settings', async () => {
    const free = await desk.app.token({});
    const before = await desk.wire.rest('GET', '/api/admin/providers');
    const saved = await free.rest('PUT', `${KEYS}/keys`, { keys: { api_key: 're_anotheranotheranother' } });
    expect([saved.status, saved.body.error.code]).toEqual([403, 'wire_required']);
    const deleted = await free.rest('DELETE', `${KEYS}/keys`);
    expect([deleted.status, deleted.body.error.code]).toEqual([403, 'wire_required']);
    await free.rest('POST', `${KEYS}/test`, {});
    await desk.app.admin.rest('PATCH', '/api/admin/settings/instance', {
      providers: { resend: { api_key: 're_anotheranotheranother' } },
    });
    expect((await desk.wire.rest('GET', '/api/admin/providers')).body).toEqual(before.body);
  });

  test('G6: without wire nothing is carried out of the app to an address that someone names', async () => {
    await using thief = await resendStub(() => desk.app.clock.now());
    const data = { keys: { api_key: 'Dana-Roe,dana@acme.example' }, base_url: thief.url };
    const free = await desk.app.token({});
    const tried = await free.rest('POST', `${KEYS}/test`, data);
    expect([tried.status, tried.body.error?.code]).toEqual([403, 'wire_required']);
    expect(thief.arrived).toEqual([]);
    expect((await desk.app.admin.rest('POST', `${KEYS}/test`, data)).status).toBe(200);
    expect(thief.arrived).not.toEqual([]);
  });

  test.each([
    'http://169.254.169.254',
    'http://10.0.0.1',
    'http://user:pass@example.com',
    'ftp://example.com',
  ])('an address that may not be called from here is refused: %s', async (base_url) => {
    const saved = await desk.wire.rest('PUT', `${KEYS}/keys`, { keys: { api_key: KEY }, base_url });
    expect([saved.status, saved.body.error?.code]).toEqual([400, 'invalid']);
    const tried = await desk.wire.rest('POST', `${KEYS}/test`, { keys: { api_key: KEY }, base_url });
    expect(tried.status).toBe(400);
  });

  test('that are unknown or missing are named, all at once', async () => {
    const answer = await desk.wire.rest('PUT', `${KEYS}/keys`, { keys: { token: 're_0123456789' } });
    expect(Object.keys(answer.body.error.details.fields).toSorted()).toEqual(['keys.api_key', 'keys.token']);
  });
});
