// Letters and follow-ups through real mail servers: into the recipient's mailbox, with signatures that others find right, each
// follow-up in the thread of its letter.
import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HOUR_MS } from '../../src/kernel/clock.ts';
import { addressHash } from '../../src/mail/address.ts';
import { DOMAINS } from '../support/senders.ts';
import { campaignOf, enrol, FOLLOW_UP, LETTER, lettersOf } from './campaign.ts';
import { verifiedByDkimpy, verifiedByPerl } from './verifiers.ts';
import { comes, openWorld, THEIRS, type World } from './world.ts';

const PEOPLE = 30;
let world: World;
let arrived: Buffer[];
let rows: Awaited<ReturnType<typeof lettersOf>>;

const field = (mail: Buffer, name: string): string =>
  new RegExp(`^${name}:((?:[^\\r\\n]|\\r?\\n[ \\t])*)`, 'im')
    .exec(mail.toString('latin1'))?.[1]
    ?.replace(/\r?\n/g, '')
    .trim() ?? '';

beforeAll(async () => {
  world = await openWorld();
  const { app } = world;
  const { id } = await world.identity('ann');
  const campaign = await campaignOf(app, [id], [LETTER, FOLLOW_UP]);
  await enrol(
    app,
    campaign,
    Array.from({ length: PEOPLE }, (_, n) => `p${n}@${THEIRS}`),
  );
  const there = (count: number) =>
    comes(async () => expect(await world.mailsOf('everybody')).toHaveLength(count));
  await there(PEOPLE);
  app.clock.advance(HOUR_MS + 60_000);
  await there(2 * PEOPLE);
  arrived = await world.mailsOf('everybody');
  rows = await lettersOf(app, campaign);
});
afterAll(() => world?.close());

describe('sixty letters through a submission server to another company', () => {
  test('arrive once each, and are known to be sent', () => {
    expect(rows).toHaveLength(2 * PEOPLE);
    expect(new Set(rows.map(({ state }) => state))).toEqual(new Set(['sent']));
    const ids = arrived.map((mail) => field(mail, 'Message-ID'));
    expect(ids.toSorted()).toEqual(rows.map(({ message_id }) => message_id).toSorted());
  });

  test('are signed so that dkimpy and Mail::DKIM find every one right', async () => {
    const { app, senders } = world;
    const { items } = (await app.admin.rest('GET', DOMAINS)).body;
    const { records } = (await app.admin.rest('GET', `${DOMAINS}/${items[0].id}/records`)).body;
    const texts = Object.fromEntries(
      records.map(({ name, value }: { name: string; value: string }) => [name, value]),
    );
    const byDkimpy = await verifiedByDkimpy(arrived, texts);
    expect(byDkimpy.filter((each) => each.length > 0 && each.every(Boolean))).toHaveLength(2 * PEOPLE);
    const byPerl = await verifiedByPerl(arrived, senders.dns.address);
    expect(
      byPerl.filter((said) => said === 'pass'),
      byPerl[0],
    ).toHaveLength(2 * PEOPLE);
    // A letter that someone changed on its way is found by both.
    const changed = arrived.map((mail) =>
      Buffer.from(mail.toString('latin1').replace('bridge', 'tunnel'), 'latin1'),
    );
    expect((await verifiedByDkimpy(changed, texts)).flat()).not.toContain(true);
    expect(await verifiedByPerl(changed, senders.dns.address)).not.toContain('pass');
  });

  test('follow up in the thread of the first', () => {
    const byTo = Map.groupBy(arrived, (mail) => field(mail, 'To'));
    expect(byTo.size).toBe(PEOPLE);
    for (const [to, mails] of byTo) {
      const first = mails.find((mail) => field(mail, 'In-Reply-To') === '');
      const second = mails.find((mail) => field(mail, 'In-Reply-To') !== '');
      expect(first && second, to).toBeTruthy();
      const id = field(first!, 'Message-ID');
      expect([field(second!, 'In-Reply-To'), field(second!, 'References')]).toEqual([id, id]);
      expect(field(second!, 'Subject')).toBe('Re: Your bridge');
    }
  });

  test('came over TLS, signed in as their sender, from the address that bounces come to', async () => {
    expect(await world.ours.log()).toMatch(/sasl_username=ann/);
    for (const mail of arrived) {
      expect(field(mail, 'Return-Path')).toMatch(/^<bounce\+[0-9a-f-]{36}\.[0-9a-f]{16}@desk\.example>$/);
      expect(mail.toString('latin1')).toMatch(/with ESMTPSA/);
    }
  });

  test('are unsubscribed from by mail, also from another address than they went to', async () => {
    const { app, ports } = world;
    const row = rows[0]!;
    const letter = arrived.find((mail) => field(mail, 'Message-ID') === row.message_id)!;
    const [, to = '', subject = ''] =
      /<mailto:([^?>]+)\?subject=([^>]+)>/.exec(field(letter, 'List-Unsubscribe')) ?? [];
    expect(to).toBe('ann@desk.example');
    const from = 'somebody.else@elsewhere.example';
    const post = createTransport({ host: '127.0.0.1', port: ports.ours, ignoreTLS: true });
    await post.sendMail({ from, to, subject: decodeURIComponent(subject), text: '' });
    await comes(async () => {
      const found = await app.sql<{ value_hash: string; reason: string }[]>`
        select value_hash, reason from suppressions`;
      expect(found.map(({ value_hash, reason }) => [value_hash, reason]).toSorted()).toEqual(
        [row.to_address, from].map((each) => [addressHash(each), 'unsubscribe']).toSorted(),
      );
    });
  });
});
