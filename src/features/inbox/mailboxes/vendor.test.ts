// Mail that a vendor took for us: told by a signed event, fetched afterwards, and stored as it came.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { KEY, openVendorApp, type VendorApp } from '../../../../test/support/vendor.ts';
import { eventOf, postSigned } from '../../../../test/support/resend.ts';

let desk: VendorApp;

beforeAll(async () => {
  desk = await openVendorApp();
  await desk.registered();
});
afterAll(() => desk.close());

const bytes = (subject: string): Buffer =>
  Buffer.concat([
    Buffer.from(
      `From: dana@acme.example\r\nSubject: ${subject}\r\nMessage-ID: <${subject}@acme.example>\r\n\r\n`,
    ),
    // Not UTF-8: it must come through as it is.
    Buffer.from([0xff, 0xfe, 0x00, 0xe9, 0x0d, 0x0a]),
  ]);

const letter = (to: string) => ({
  id: randomUUID(),
  from: 'dana@acme.example',
  to: [to],
  subject: 's',
  headers: {},
  tags: [],
});

async function arrives(subject: string, to = 'ada@elsewhere.example'): Promise<string> {
  const mail = letter(to);
  desk.vendor.received.set(mail.id, bytes(subject));
  expect(await desk.vendor.post('email.received', mail)).toEqual([200]);
  return mail.id;
}

const fetchDue = (): Promise<number> => desk.app.instance.jobs.run('vendor_mail');

const stored = async (id: string) => {
  const [row] = await desk.app.sql`
    select * from inbound_mails where source = 'vendor' and key = ${`vendor:resend:${id}`}`;
  return row;
};

describe('mail that the vendor took for us', () => {
  test('is asked for in its events, since no one else would tell of it', () => {
    expect(desk.vendor.webhooks[0]?.events).toContain('email.received');
  });

  test('is fetched after it was told, byte for byte, and belongs to the identity that reads there', async () => {
    const identity_id = desk.campaign.identity_id;
    await desk.app.sql`
      update identities set inbound_kind = 'vendor', inbound = ${desk.app.sql.json({ provider: 'resend' })}
      where id = ${identity_id}`;
    const [{ address } = { address: '' }] = await desk.app.sql<{ address: string }[]>`
      select address from identities where id = ${identity_id}`;
    const id = await arrives('to-ada', address.toUpperCase());
    expect(await stored(id)).toBeUndefined();
    expect(await fetchDue()).toBe(1);
    expect(await stored(id)).toMatchObject({
      identity_id,
      delivered_to: [address.toUpperCase()],
      message_id: 'to-ada@acme.example',
      state: 'new',
      cut: false,
      bytes: bytes('to-ada'),
    });
  });

  test('I11: told again, in any number, is here once', async () => {
    const id = await arrives('once');
    const again = { ...letter('ada@elsewhere.example'), id };
    await desk.vendor.post('email.received', again);
    await fetchDue();
    await desk.vendor.post('email.received', again);
    await fetchDue();
    const rows = await desk.app.sql`select 1 from inbound_mails where key like ${`%${id}`}`;
    expect(rows).toHaveLength(1);
  });

  test('I11: told by who is not the vendor is not asked for', async () => {
    const mail = letter('ada@elsewhere.example');
    desk.vendor.received.set(mail.id, bytes('forged'));
    const { clock, url } = desk.app;
    const event = eventOf('email.received', mail, {}, clock.now());
    const secret = `whsec_${Buffer.from('a secret that nobody registered').toString('base64')}`;
    expect(await postSigned(`${url}/hooks/vendor/resend`, [secret], event, clock.now())).toBe(401);
    expect(await fetchDue()).toBe(0);
  });

  test('waits while the key is not good, and comes once it is', async () => {
    desk.vendor.keys.delete(KEY);
    const id = await arrives('patient');
    await fetchDue();
    expect(await stored(id)).toBeUndefined();
    expect(await fetchDue()).toBe(0);
    desk.vendor.keys.add(KEY);
    desk.app.clock.advance(60_000);
    await fetchDue();
    expect(await stored(id)).toMatchObject({ state: 'new' });
  });

  test('that the vendor no longer has is as broken, and says so', async () => {
    const id = await arrives('lost');
    desk.vendor.received.delete(id);
    await fetchDue();
    expect(await stored(id)).toMatchObject({
      state: 'broken',
      note: expect.stringContaining('no longer has it'),
    });
  });
});
