// Reports that come by mail: whose letter they are about, what they do, and what anyone can write and does nothing.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bytes, complaint, dsn } from '../../../../test/mail/reports/letters.ts';
import { openTestApp, type TestApp } from '../../../../test/support/app.ts';
import { aCampaign, aDesk } from '../../../../test/support/letters.ts';
import { type SentLetter, sentLetter } from '../../../../test/support/sent.ts';
import { verp } from '../../../mail/compose/verp.ts';
import { sentIntoThreads } from '../../inbox/threads/record/out.store.ts';
import { recordReports } from './reports.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const keyOf = () => app.instance.app.sealer.key('verp');

async function arrives(text: string) {
  const { database } = app.instance.app;
  const now = app.clock.now();
  return database.transact((tx) =>
    recordReports(tx, bytes(text), {
      verp: keyOf(),
      emit: (event, data) => database.emit(tx, event, data, now),
      now,
      on_sent: sentIntoThreads,
    }),
  );
}

const aLetter = async (): Promise<SentLetter> => sentLetter(app, await aCampaign(app, await aDesk(app)));
const bounce = (address: string, of: Partial<{ verp: string; message_id: string }>): string => {
  const text = dsn(
    `Final-Recipient: rfc822; ${address}\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 5.1.1 no such user\n`,
  );
  return text
    .replaceAll('bounce+n81.x@dunnock.example', of.verp ?? 'someone@dunnock.example')
    .replaceAll('<letter-1@dunnock.example>', of.message_id ?? `<${randomUUID()}@elsewhere.example>`);
};

const rowOf = async ({ id }: SentLetter) => (await app.sql`select delivery from sends where id = ${id}`)[0];
const reasonsOn = async ({ person }: SentLetter) =>
  (
    await app.sql<{ reason: string }[]>`select reason from suppressions where value_hash = ${person.hash}`
  ).map(({ reason }) => reason);
const eventsOf = ({ id }: SentLetter) =>
  app.sql`select kind, placed_by, domain_id is not null as counts from send_outcomes
            where send_id = ${id} and source = 'report'`;

describe('a bounce', () => {
  test('to the address that was drawn for the letter is placed by it', async () => {
    const letter = await aLetter();
    const drawn = verp(letter.id, keyOf(), 'dunnock.example');
    expect(await arrives(bounce(letter.person.address, { verp: drawn }))).toMatchObject({
      kind: 'bounce',
      unplaced: 0,
    });
    expect(await rowOf(letter)).toEqual({ delivery: 'hard' });
    expect(await reasonsOn(letter)).toEqual(['hard_bounce']);
    expect(await eventsOf(letter)).toEqual([{ kind: 'hard', placed_by: 'verp', counts: true }]);
  });

  test('that names the Message-ID is placed by that', async () => {
    const letter = await aLetter();
    await arrives(bounce(letter.person.address, { message_id: letter.message_id }));
    expect(await eventsOf(letter)).toEqual([{ kind: 'hard', placed_by: 'message_id', counts: true }]);
  });

  test('that comes twice, in other words, counts once', async () => {
    const letter = await aLetter();
    const text = bounce(letter.person.address, { message_id: letter.message_id });
    await arrives(text);
    const again = await arrives(text.replace('no such user', 'still no such user'));
    expect(again.recorded).toBe(0);
  });

  test('about the vendor’s name of a letter is placed all the same', async () => {
    const letter = await aLetter();
    await app.sql`insert into vendor_letters ${app.sql({ provider: 'resend', external_id: randomUUID(), send_id: letter.id, message_id: `<${letter.id}@vendor.example>` })}`;
    await arrives(bounce(letter.person.address, { message_id: `<${letter.id}@vendor.example>` }));
    expect(await reasonsOn(letter)).toEqual(['hard_bounce']);
  });

  test('I12: forged by someone who knows no more than the address is kept, suppresses no one and counts for nothing', async () => {
    const letter = await aLetter();
    const forged = verp(letter.id, keyOf(), 'dunnock.example').replace(
      /\.[0-9a-f]{16}@/,
      '.0123456789abcdef@',
    );
    for (let time = 0; time < 5; time++) {
      const told = await arrives(bounce(letter.person.address, { verp: forged }));
      expect(told).toMatchObject({ recorded: 1, unplaced: 1 });
    }
    expect(await reasonsOn(letter)).toEqual([]);
    expect(await eventsOf(letter)).toEqual([]);
    const listed = await app.admin.rest('GET', '/api/admin/outreach/deliveries/unplaced?limit=1');
    expect(listed.body.items).toHaveLength(1);
    const next = await app.admin.rest(
      'GET',
      `/api/admin/outreach/deliveries/unplaced?cursor=${listed.body.next_cursor}`,
    );
    expect(next.body.items.length).toBeGreaterThanOrEqual(4);
  });
});

describe('a complaint', () => {
  const about = (letter: SentLetter, fields: string): string =>
    complaint(`${fields}Version: 1\nOriginal-Rcpt-To: <${letter.person.address}>\n`).replaceAll(
      '<letter-1@dunnock.example>',
      letter.message_id,
    );

  test('of a person suppresses at once', async () => {
    const letter = await aLetter();
    await arrives(about(letter, 'Feedback-Type: abuse\n'));
    expect(await reasonsOn(letter)).toEqual(['complaint']);
  });

  test('of a machine about a signature suppresses no one and blames the sender', async () => {
    const letter = await aLetter();
    await arrives(about(letter, 'Feedback-Type: auth-failure\n'));
    expect(await reasonsOn(letter)).toEqual([]);
    expect(await rowOf(letter)).toEqual({ delivery: 'policy' });
  });
});

test('a person’s letter is no report, and nothing is recorded', async () => {
  const told = await arrives(
    'From: dana@acme.example\nTo: ada@dunnock.example\nSubject: Re: Your bridge\n\nYes.',
  );
  expect(told).toMatchObject({ kind: 'none', recorded: 0 });
});
