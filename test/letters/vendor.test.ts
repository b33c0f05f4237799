// A letter by a mail vendor, from the pass that sends it to what becomes of it and of everyone it concerns.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openVendorApp, type VendorApp } from '../support/vendor.ts';
import { type Desk, layDesk } from './desk.ts';

let desk: VendorApp;
beforeAll(async () => {
  desk = await openVendorApp();
  await desk.registered();
});
afterAll(() => desk.close());

const byVendor = { transport_kind: 'vendor', transport: { provider: 'resend', dkim_selector: 'resend' } };
const lay = (people: number): Promise<Desk> =>
  layDesk(desk.app, {
    people,
    identity: { columns: { ...byVendor, transport: desk.app.sql.json(byVendor.transport) } },
  });

test('letters go by the vendor, and its reports settle letters, people, suppressions and the domain', async () => {
  const { letters, send, row, identity } = await lay(4);
  await send();
  expect(await row()).toMatchObject({ state: 'sent', hold_reason: null });
  expect(desk.vendor.letters).toHaveLength(4);
  for (const { id } of letters) expect(await row(id)).toMatchObject({ state: 'sent', delivery: 'accepted' });
  const [delivered, bounced, one, other] = letters.map(({ id }) =>
    desk.vendor.letters.find(({ tags }) => tags.some(({ value }) => value === id))!,
  );
  const idOf = (at: number): string => letters[at]!.id;

  await desk.vendor.post('email.delivered', delivered!);
  await desk.vendor.post('email.bounced', bounced!, {
    data: { bounce: { type: 'Permanent', subType: 'General' } },
  });
  await desk.vendor.post('email.complained', one!);
  expect(await row(idOf(0))).toMatchObject({ delivery: 'delivered' });
  expect(await row(idOf(1))).toMatchObject({ delivery: 'hard' });
  expect(await row(idOf(2))).toMatchObject({ delivery: 'complaint' });
  const stages = await desk.app.sql`
    select p.stage, p.ended from prospects p join sends s on s.prospect_id = p.id
    where s.id = any(${letters.map(({ id }) => id)}::uuid[]) order by array_position(${letters.map(({ id }) => id)}::uuid[], s.id)`;
  expect(stages.map(({ stage }) => stage)).toEqual(['contacted', 'bounced', 'unsubscribed', 'contacted']);
  const reasons = await desk.app.sql`select reason from suppressions order by reason`;
  expect(reasons.map(({ reason }) => reason)).toEqual(['complaint', 'hard_bounce']);

  await desk.vendor.post('email.complained', other!);
  const [domain] = await desk.app.sql`select state, paused_by from domains where id = ${identity.domain.id}`;
  expect(domain).toEqual({ state: 'paused', paused_by: 'warden' });
  const [event] = await desk.app.sql<{ body: string }[]>`
    select body from event_deliveries where event = 'domain.paused'`;
  expect(JSON.parse(event?.body ?? '{}').data).toMatchObject({ reason: 'complaints' });
});

test('a vendor that loses its answer is asked again with the same key, and the letter goes once', async () => {
  const before = desk.vendor.letters.length;
  const { send, row } = await lay(1);
  desk.vendor.next.push('take_and_hang');
  await send();
  expect(await row()).toMatchObject({ state: 'sending' });
  desk.app.clock.advance(30 * 60_000);
  await send();
  expect(await row()).toMatchObject({ state: 'sent' });
  expect(desk.vendor.letters).toHaveLength(before + 1);
});

test('under another account no one knows the key: it is not asked again, and a person says whether it went', async () => {
  const before = desk.vendor.letters.length;
  const { send, row } = await lay(1);
  desk.vendor.next.push('take_and_hang');
  await send();
  expect(await row()).toMatchObject({ state: 'sending' });
  await desk.app
    .sql`update provider_keys set saved_at = saved_at + interval '1 second' where provider = 'resend'`;
  desk.app.clock.advance(30 * 60_000);
  for (let round = 0; round < 2; round++) await send();
  expect(await row()).toMatchObject({ state: 'uncertain' });
  expect(desk.vendor.letters).toHaveLength(before + 1);
});
