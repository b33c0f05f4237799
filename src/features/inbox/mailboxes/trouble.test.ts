// Mailboxes that cannot be read, what is said of it, and how the test of an identity finds it first.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { mail, openMailboxes, until, type Mailboxes } from '../../../../test/support/mailboxes.ts';
import { rawReceiver } from '../../../../test/support/receiver.ts';

const MINUTE_MS = 60_000;

let box: Mailboxes;

beforeAll(async () => {
  box = await openMailboxes();
});
afterAll(() => box.close());
afterEach(() => box.letGo());

describe('the test of an identity', () => {
  const tried = async (identity: { id: string }) => {
    const answer = await box.app.admin.rest('POST', `/api/admin/outreach/identities/${identity.id}/test`, {});
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    const inbound = answer.body.rungs.filter(({ rung }: { rung: string }) => rung.startsWith('inbound_'));
    return {
      rungs: inbound.map(({ rung, outcome }: { rung: string; outcome: string }) => [rung, outcome]),
      outcome: answer.body.identity.test_outcome,
    };
  };

  test('climbs its way in too, up to the folder', async () => {
    const identity = await box.anInbox();
    expect(await tried(identity)).toEqual({
      rungs: ['address', 'connect', 'encryption', 'sign_in', 'folder'].map((rung) => [
        `inbound_${rung}`,
        'pass',
      ]),
      outcome: 'passing',
    });
  });

  test('says where the way in ends, and letters do not hang on it', async () => {
    expect(await tried(await box.anInbox({ secret: 'wrong' }))).toMatchObject({
      rungs: [
        ['inbound_address', 'pass'],
        ['inbound_connect', 'pass'],
        ['inbound_encryption', 'pass'],
        ['inbound_sign_in', 'fail'],
        ['inbound_folder', 'skipped'],
      ],
      outcome: 'passing',
    });
    expect((await tried(await box.anInbox({ mailbox: 'Nowhere' }))).rungs.at(-1)).toEqual([
      'inbound_folder',
      'fail',
    ]);
  });
});

describe('a mailbox in trouble', () => {
  const shown = async (identity: { id: string }) => box.senders.readIdentity(identity.id);

  test('for its password says so in our own words with the identity, and is well once it is saved again', async () => {
    const identity = await box.anInbox({ secret: 'wrong' });
    await box.deliver(mail('waits'));
    await box.round();
    await until(
      () => shown(identity),
      (seen) => expect(seen.inbound_trouble).toContain('refuses the user name or the password'),
    );
    // Not at once again: hosts lock out whoever tries too often.
    await until(
      () => box.standing(identity),
      (seen) => expect(seen?.lease).toBeNull(),
    );
    box.app.clock.advance(MINUTE_MS);
    expect(await box.round()).toBe(0);
    const saved = await box.senders.patch(identity.id, { inbound: box.imap() });
    expect(saved.status, JSON.stringify(saved.body)).toBe(200);
    expect(await box.round()).toBe(1);
    await until(
      () => shown(identity),
      (seen) => {
        expect(seen.inbound_trouble).toBeNull();
        expect(seen.last_polled_at).not.toBeNull();
      },
    );
    await until(
      () => box.subjects(identity),
      (seen) => expect(seen).toEqual(['waits']),
    );
  });

  test('for a folder that is not there says so', async () => {
    const identity = await box.anInbox({ mailbox: 'Nowhere' });
    await box.round();
    await until(
      () => shown(identity),
      (seen) => expect(seen.inbound_trouble).toContain('no folder of that name'),
    );
  });

  test('that drips delays no other', async () => {
    await using dripping = await rawReceiver((socket) => {
      const timer = setInterval(() => socket.write('*'), 50);
      socket.on('close', () => clearInterval(timer));
      socket.on('error', () => clearInterval(timer));
    });
    const slow = await box.anInbox({ port: dripping.port, security: 'starttls' });
    const well = await box.anInbox();
    expect(await box.round()).toBe(2);
    await box.watched(well);
    await box.deliver(mail('meanwhile'));
    await until(
      () => box.subjects(well),
      (seen) => expect(seen).toEqual(['meanwhile']),
      5_000,
    );
    expect(await box.standing(slow)).toMatchObject({ polled_at: null, lease: expect.any(String) });
  });

  test('whose identity is deleted is let go', async () => {
    const identity = await box.anInbox();
    await box.round();
    await box.watched(identity);
    const gone = await box.app.admin.rest('DELETE', `/api/admin/outreach/identities/${identity.id}`);
    expect(gone.status).toBe(200);
    await box.round();
    await until(
      () => box.standing(identity),
      (seen) => expect(seen?.lease).toBeNull(),
    );
    await box.deliver(mail('too-late'));
    expect(await box.subjects(identity)).toEqual([]);
  });
});
