// What a change of an identity comes to: who or where it sends as is never changed in silence, and no secret goes along.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  IDENTITIES,
  MAIL_HOST,
  PASSWORD,
  openSenders,
  type Senders,
} from '../../../../test/support/senders.ts';

let t: Senders;
beforeAll(async () => {
  t = await openSenders();
  t.dns.says('elsewhere.mail-host.example', { addresses: ['127.0.0.1'] });
  t.dns.says('closed.mail-host.example', { addresses: ['10.0.0.1'] });
});
afterAll(() => t.close());

describe('a change', () => {
  const OTHERS: [string, () => object, ('transport' | 'inbound')[]][] = [
    [
      'the server',
      () => ({ transport: t.smtp({ secret: undefined, host: 'elsewhere.mail-host.example' }) }),
      ['transport'],
    ],
    ['the port', () => ({ transport: t.smtp({ secret: undefined, port: 2525 }) }), ['transport']],
    ['the encryption', () => ({ transport: t.smtp({ secret: undefined, security: 'tls' }) }), ['transport']],
    ['the user', () => ({ transport: t.smtp({ secret: undefined, user: 'eve' }) }), ['transport']],
    ['the kind of transport', () => ({ transport: { kind: 'sandbox' } }), ['transport']],
    [
      'the inbound server',
      () => ({ inbound: imap({ host: 'elsewhere.mail-host.example', secret: undefined }) }),
      ['inbound'],
    ],
    ['the kind of inbound', () => ({ inbound: { kind: 'none' } }), ['inbound']],
  ];
  const imap = (more: object = {}) => ({
    kind: 'imap',
    host: MAIL_HOST,
    port: 993,
    security: 'tls',
    user: 'ann',
    secret: PASSWORD,
    ...more,
  });
  const withBoth = async (): Promise<any> =>
    t.onIdentity((await t.anIdentity({ inbound: imap() })).id, 'activate');
  const secretsOf = async (id: string) =>
    (
      await t.app
        .sql`select transport_secret as transport, inbound_secret as inbound from identities where id = ${id}`
    )[0] as Record<string, string | null>;

  test.each(OTHERS)(
    'of %s deactivates, and voids the secret that was stored for it',
    async (_, change, voided) => {
      const { id } = await withBoth();
      const before = await secretsOf(id);
      const answer = await t.patch(id, change(), t.token);
      expect(answer.body.identity).toMatchObject({ active: false, state_reason: 'changed' });
      const after = await secretsOf(id);
      for (const way of ['transport', 'inbound'] as const)
        expect(after[way], way).toBe(voided.includes(way) ? null : before[way]);
    },
  );

  test('of the address voids both, and leads to the domain that it ends in', async () => {
    const { id } = await withBoth();
    const other = await t.active();
    const wrong = await t.patch(id, {
      address: `bo@${other.name}`,
      domain_id: (await t.readIdentity(id)).domain_id,
    });
    expect(wrong).toMatchObject({
      status: 400,
      body: { error: { details: { fields: { domain_id: expect.any(String) } } } },
    });
    const { identity } = (await t.patch(id, { address: `bo@${other.name}` }, t.token)).body;
    expect(identity).toMatchObject({ active: false, domain_id: other.id, transport: { has_secret: false } });
    expect(await secretsOf(id)).toEqual({ transport: null, inbound: null });
  });

  test('to the same settings keeps secret and state; a new secret alone deactivates', async () => {
    const { id } = await t.anActive();
    const before = await secretsOf(id);
    const same = await t.patch(id, { transport: t.smtp({ secret: undefined }) }, t.token);
    expect(same.body.identity).toMatchObject({ active: true, transport: { has_secret: true } });
    expect(await secretsOf(id)).toEqual(before);
    const replaced = await t.patch(id, { transport: t.smtp({ secret: 'another' }) }, t.token);
    expect(replaced.body.identity).toMatchObject({ active: false, transport: { has_secret: true } });
    expect((await secretsOf(id))['transport']).not.toBe(before['transport']);
  });

  test('of the transport is never set active in one go, not even with wire', async () => {
    const { id } = await t.anActive();
    const answer = await t.patch(id, { transport: t.smtp({ secret: 'another' }), active: true }, t.wired);
    expect(answer).toMatchObject({
      status: 400,
      body: { error: { details: { fields: { active: expect.any(String) } } } },
    });
    expect((await t.readIdentity(id)).active).toBe(true);
  });

  test('of what was otherwise meanwhile is refused, naming the revision', async () => {
    const { id, revision, address } = await t.anIdentity();
    await t.patch(id, { daily_cap: 30 });
    const stale = await t.app.admin.rest('PATCH', `${IDENTITIES}/${id}`, { revision, daily_cap: 20 });
    expect(stale).toMatchObject({
      status: 409,
      body: {
        error: {
          message: `the identity ${address} changed since you read it: the current revision is ${revision + 1}. Re-read it and retry against that.`,
        },
      },
    });
    expect((await t.readIdentity(id)).daily_cap).toBe(30);
  });

  test('of caps and hours keeps it active; what no one may set is no argument', async () => {
    const { id } = await t.anActive();
    const changed = await t.patch(
      id,
      { daily_cap: 20, ramp: { start: 20 }, timezone: 'Europe/Berlin', workday: null },
      t.token,
    );
    expect(changed.body.identity).toMatchObject({ active: true, daily_cap: 20, allowance_today: 20 });
    for (const field of ['ramp_day', 'sent_today', 'next_slot_at', 'state_reason', 'gone_at'])
      expect((await t.patch(id, { [field]: 1 })).status, field).toBe(400);
  });
});
