// The moment before the end of a letter: whatever shut a gate by then stops it, although everything else of it has gone out.
// Red team A23, A24, A26, A27, J5, J12.
import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../src/kernel/clock.ts';
import { newId } from '../../src/kernel/ids.ts';
import type { TestApp } from '../support/app.ts';
import { scriptedSmtp } from '../support/smtp.ts';
import { planAndWrite, rollBack } from '../imports/support.ts';
import { layDesk, openDesk, type Desk, type DeskWishes } from './desk.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openDesk();
});
afterAll(() => app?.close());

/** Something happens after the gates let the letter begin, and before its end. */
async function between(wishes: DeskWishes, happens: (desk: Desk) => Promise<unknown>) {
  const asked = Promise.withResolvers<Socket>();
  await using there = await scriptedSmtp({
    // Without pipelining, so that nothing comes before its turn.
    EHLO: '250-there\r\n250 SIZE 20000000',
    RCPT: (socket) => asked.resolve(socket),
    DATA: '354 go on',
  });
  const desk = await layDesk(app, { identity: { port: there.port }, ...wishes });
  const sending = desk.send();
  const socket = await asked.promise;
  await happens(desk);
  socket.write('250 ok\r\n');
  await sending;
  return { desk, ended: there.received().includes('\r\n.\r\n'), row: await desk.row() };
}

test('where nothing happens the letter ends', async () => {
  expect((await between({}, async () => undefined)).ended).toBe(true);
});

describe('a letter does not end once', () => {
  test.each<[string, (desk: Desk) => Promise<unknown>, Record<string, unknown>]>([
    [
      'its address is suppressed',
      ({ people: [person] }) =>
        app.sql`insert into suppressions ${app.sql({
          id: newId(),
          kind: 'address',
          value: person!.address,
          value_hash: person!.hash,
          reason: 'complaint',
          source: 'person',
          created_by_kind: 'person',
          created_by_id: 'x',
          created_by_name: 'x',
          created_at: app.clock.now(),
        })}`,
      { state: 'held', hold_reason: 'suppressed' },
    ],
    [
      'the person answered',
      () => app.sql`update prospects set ended = 'replied', ended_at = now(), next_at = null`,
      { state: 'cancelled', cancel_reason: 'replied' },
    ],
    [
      'the campaign is paused',
      () => app.sql`update campaigns set state = 'paused', paused_reason = 'person'`,
      { state: 'scheduled', waiting_for: 'campaign_paused' },
    ],
    [
      'its domain is paused',
      () => app.sql`update domains set state = 'paused', paused_by = 'person', paused_at = now()`,
      { state: 'held', hold_reason: 'domain_paused' },
    ],
    [
      'its identity is deactivated',
      () => app.sql`update identities set active = false`,
      { state: 'held', hold_reason: 'identity_inactive' },
    ],
    [
      'somebody edited it, and the approval is void',
      () => app.sql`update sends set text = 'Something else', fingerprint = 'other', state = 'review',
        approved_by_kind = null, approved_by_id = null, approved_by_name = null, approved_at = null,
        approved_fingerprint = null`,
      { state: 'review' },
    ],
    [
      'another letter of the identity took its turn',
      () => app.sql`update identities set next_slot_at = now() + interval '1 hour'`,
      { state: 'scheduled', waiting_for: 'min_gap' },
    ],
    [
      'another process took it over',
      () => app.sql`update sends set lease = gen_random_uuid(), lease_until = now() + interval '1 minute'`,
      { state: 'scheduled', waiting_for: null },
    ],
  ])('%s', async (_, happens, becomes) => {
    const { ended, row } = await between({}, happens);
    expect(ended).toBe(false);
    expect(row).toMatchObject({ ...becomes, sending_at: null });
  });
});

test('no new letter starts once the deletion of the token that approved them is acknowledged', async () => {
  const token = await app.token({ scopes: { wire: true } });
  const desk = await layDesk(app, { people: 400, identity: {}, letter: { approved_token: token.id } });
  const counted = async () =>
    (await app.sql<{ n: number }[]>`select count(*)::int as n from sends where sending_at is not null`)[0]!.n;
  const sending = desk.send();
  while ((await counted()) < 20) await new Promise((resolve) => setTimeout(resolve, 5));
  const answer = await app.admin.rest('DELETE', `/api/admin/tokens/${token.id}`);
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  const atAcknowledgement = await counted();
  await sending;
  // One that was on its way to be opened waits for its next turn, and is held then.
  app.clock.advance(HOUR_MS);
  await desk.send();
  expect(await counted()).toBe(atAcknowledgement);
  expect(atAcknowledgement).toBeLessThan(400);
  expect(await app.sql`select distinct state, hold_reason from sends where sending_at is null`).toMatchObject(
    [{ state: 'held', hold_reason: 'approval_stale' }],
  );
});

test('a rollback of an import and the first letter to it have one order: the later one is refused', async () => {
  const batchOfDesk = async (desk: Desk) => {
    const { batch_id } = await planAndWrite(app.admin, {
      file: `Email,Name\nx${newId()}@list.example,Xen Lee\n`,
    });
    await app.sql`update import_rows set person_id = ${desk.people[0]!.id} where batch_id = ${batch_id}`;
    return batch_id as string;
  };
  let batch = '';
  const { ended } = await between({}, async (desk) => void (batch = await batchOfDesk(desk)));
  expect(ended).toBe(true);
  const refused = await rollBack(app.admin, batch);
  expect(refused.status).toBe(409);
  expect(refused.body.error.message).toContain('were sent or are being sent 1 letter');
});

describe('the clock', () => {
  test('set back: nothing goes before it is due, and nothing twice', async () => {
    const desk = await layDesk(app, {
      people: 3,
      dueMs: HOUR_MS,
      identity: { columns: { min_gap_s: 300 } },
    });
    await desk.send();
    expect(await app.sql`select 1 from sends where state = 'sent'`).toHaveLength(0);
    app.clock.advance(HOUR_MS + 1000);
    await desk.send();
    expect(await app.sql`select 1 from sends where state = 'sent'`).toHaveLength(1);
    app.clock.advance(-DAY_MS);
    await desk.send();
    expect(await app.sql`select 1 from sends where state = 'sent'`).toHaveLength(1);
    app.clock.advance(DAY_MS);
  });
  test('set forward and back: what was begun ahead of time keeps its gap, and leases end by it alone', async () => {
    const desk = await layDesk(app, { people: 2, identity: { columns: { min_gap_s: 300 } } });
    app.clock.advance(DAY_MS);
    await desk.send();
    app.clock.advance(-DAY_MS);
    await desk.send();
    const at = await app.sql<
      { sending_at: Date }[]
    >`select sending_at from sends where sending_at is not null`;
    expect(at).toHaveLength(1);
  });
});

describe('what the operator says', () => {
  test.each([
    ['with sending switched off nothing leaves', { enabled: false, development: false }, 'sending_disabled'],
    [
      'in development nothing leaves but to the sink',
      { enabled: true, development: true },
      'development_mode',
    ],
  ])('%s', async (_, sending, reason) => {
    const other = await openDesk({ sending });
    try {
      await using there = await scriptedSmtp({});
      const desk = await layDesk(other, { identity: { port: there.port } });
      await desk.send();
      expect(await desk.row()).toMatchObject({ state: 'held', hold_reason: reason });
      expect(there.connections).toHaveLength(0);
      const sandbox = await layDesk(other, { identity: {} });
      await sandbox.send();
      expect((await sandbox.row())['state']).toBe(sending.enabled ? 'sent' : 'held');
    } finally {
      await other.close();
    }
  });
});
