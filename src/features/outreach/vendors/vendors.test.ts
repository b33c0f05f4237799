// A mail vendor against one on loopback that speaks as its documentation says: its webhook, and letters that go by it.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { KEYS, openVendorApp, type VendorApp, WEBHOOK } from '../../../../test/support/vendor.ts';
import type { OutgoingLetter } from '../../../mail/transport/transport.ts';
import { SEND_TAG } from '../../../mail/vendor/resend-events.ts';
import { openVendor } from './way.ts';

let desk: VendorApp;

beforeAll(async () => {
  desk = await openVendorApp();
});
afterAll(() => desk.close());

describe('the vendor webhook', () => {
  test('is registered with the desk.vendor, rotated and taken away, and its secret is shown to no one', async () => {
    await desk.saveKey();
    const made = await desk.wire.tool('webhook_register', {
      provider: 'resend',
      events: ['email.delivered'],
    });
    expect(made.isError, made.text).toBe(false);
    expect(desk.vendor.webhooks).toHaveLength(1);
    expect(desk.vendor.webhooks[0]).toMatchObject({
      endpoint: 'https://desk.example/hooks/vendor/resend',
      events: ['email.delivered', 'email.bounced', 'email.complained', 'email.suppressed'],
    });
    const rotated = await desk.wire.rest('POST', `${WEBHOOK}/rotate`, { provider: 'resend' });
    expect(rotated.body.webhook.rotated_at).not.toBeNull();
    const read = await desk.wire.rest('GET', '/api/admin/outreach/vendor');
    const audited = await desk.wire.rest('GET', '/api/admin/audit');
    const [row] = await desk.app.sql`select * from vendor_webhooks`;
    for (const secret of desk.vendor.webhooks[0]?.secrets ?? [])
      for (const shown of [made.json, rotated.body, read.body, audited.body, row])
        expect(JSON.stringify(shown)).not.toContain(secret.slice(6));
    const again = await desk.wire.rest('POST', WEBHOOK, { provider: 'resend' });
    expect(again.status).toBe(200);
    expect(desk.vendor.webhooks).toHaveLength(1);
    const gone = await desk.wire.rest('DELETE', WEBHOOK, { provider: 'resend' });
    expect(gone.body.told).toBe(true);
    expect(desk.vendor.webhooks).toHaveLength(0);
  });

  test.each([
    ['register', 'POST', WEBHOOK],
    ['rotate', 'POST', `${WEBHOOK}/rotate`],
  ])(
    '%s is refused to a token without desk.wire, and the vendor is asked nothing',
    async (_, method, path) => {
      const free = await desk.app.token({});
      const before = desk.vendor.arrived.length;
      const answer = await free.rest(method, path, { provider: 'resend' });
      expect([answer.status, answer.body.error.code]).toEqual([403, 'wire_required']);
      expect(desk.vendor.arrived).toHaveLength(before);
    },
  );

  test('says what is wrong where the key may not manage webhooks, and nothing of what the vendor says', async () => {
    await desk.saveKey('re_wrongwrongwrongwrong');
    const answer = await desk.wire.rest('POST', WEBHOOK, { provider: 'resend' });
    expect(answer.status).toBe(409);
    expect(answer.body.error.message).not.toContain('only the vendor says');
    await desk.saveKey();
  });
});

describe('a letter that goes by the vendor', () => {
  const letter = (over: Partial<OutgoingLetter> = {}): OutgoingLetter => ({
    envelope: { from: 'bounce@example.com', to: ['dana@acme.example'] },
    bytes: Buffer.from(
      'From: Ada Operator <ada@example.com>\r\nTo: dana@acme.example\r\nSubject: Your bridge\r\nMessage-ID: <1@example.com>\r\nList-Unsubscribe: <https://desk.example/u/x>\r\nDKIM-Signature: v=1\r\n\r\nDear Dana\r\n',
    ),
    idempotency_key: randomUUID(),
    beforeFinalDot: async () => undefined,
    ...over,
  });
  const way = () => openVendor(desk.app.instance.app, 'resend');
  beforeEach(async () => void (await desk.saveKey()));

  test('carries its words, its headers and its id, and is accepted under the vendor’s id', async () => {
    const sent = letter();
    const outcome = await way().send(sent);
    const taken = desk.vendor.letters.at(-1);
    expect(outcome).toEqual({ outcome: 'accepted', server_message_id: null, reference: taken?.id });
    expect(taken).toMatchObject({
      from: '"Ada Operator" <ada@example.com>',
      to: ['dana@acme.example'],
      subject: 'Your bridge',
      headers: { 'Message-ID': '<1@example.com>', 'List-Unsubscribe': '<https://desk.example/u/x>' },
      tags: [{ name: SEND_TAG, value: sent.idempotency_key }],
    });
    expect(Object.keys(taken?.headers ?? {})).not.toContain('DKIM-Signature');
  });

  test('whose answer is lost is uncertain, and asked again with its key it went once', async () => {
    const before = desk.vendor.letters.length;
    const sent = letter();
    desk.vendor.next.push('take_and_hang');
    expect(await way().send(sent)).toEqual({ outcome: 'uncertain' });
    expect(await way().send(sent)).toMatchObject({ outcome: 'accepted' });
    expect(desk.vendor.letters).toHaveLength(before + 1);
  });

  test('that may not end is never posted', async () => {
    const before = desk.vendor.arrived.length;
    const refused = letter({ beforeFinalDot: () => Promise.reject(new Error('no')) });
    expect(await way().send(refused)).toEqual({ outcome: 'not_sent', why: 'hook' });
    expect(desk.vendor.arrived).toHaveLength(before);
  });

  test.each([
    [
      { status: 429, name: 'rate_limit_exceeded' },
      { outcome: 'deferred', stage: 'connect' },
    ],
    [
      { status: 429, name: 'daily_quota_exceeded' },
      { outcome: 'refused', about: 'sender', trouble: 'quota' },
    ],
    [
      { status: 429, name: 'monthly_quota_exceeded' },
      { outcome: 'refused', about: 'sender', trouble: 'quota' },
    ],
    [{ status: 403, name: 'validation_error' }, { outcome: 'auth_refused' }],
    [
      { status: 422, name: 'validation_error' },
      { outcome: 'refused', kind: 'policy' },
    ],
    [{ status: 500, name: 'internal_server_error' }, { outcome: 'uncertain' }],
    [{ status: 409, name: 'concurrent_idempotent_requests' }, { outcome: 'uncertain' }],
  ])('that is answered with %j becomes %j', async (answer, outcome) => {
    desk.vendor.next.push(answer);
    expect(await way().send(letter())).toMatchObject(outcome);
  });

  test('goes nowhere once the key is deleted', async () => {
    await desk.wire.rest('DELETE', `${KEYS}/keys`);
    const before = desk.vendor.arrived.length;
    expect(await way().send(letter())).toMatchObject({ outcome: 'auth_refused' });
    expect(desk.vendor.arrived).toHaveLength(before);
  });
});
