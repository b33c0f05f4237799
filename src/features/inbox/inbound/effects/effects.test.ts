// What follows from mail that landed: who gets no further letter, who is only away, what the world is told of it, and what is
// known of an address that answered (domain.md §1.3, §1.5, §2).
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../../../test/support/app.ts';
import { comesIn, standing, told, type Written } from '../../../../../test/support/inbound.ts';
import {
  aCampaign,
  aDesk,
  drafted,
  enrolled,
  somebody,
  type TestCampaign,
} from '../../../../../test/support/letters.ts';
import { type SentLetter, sentLetter } from '../../../../../test/support/sent.ts';
import { READINGS } from '../../../../kernel/events.rules.ts';
import { addressHash } from '../../../../mail/address.ts';
import { factsOf } from '../../../outreach/sends/gates/facts.store.ts';
import { factsFor } from '../../../outreach/verification/store.ts';

let app: TestApp;
let campaign: TestCampaign;
beforeAll(async () => {
  app = await openTestApp();
  campaign = await aCampaign(app, await aDesk(app));
});
afterAll(() => app.close());

const reply = (letter: SentLetter, more: Written = {}): Written => ({
  from: `Dana Roe <${letter.person.address}>`,
  in_reply_to: letter.message_id,
  ...more,
});
const suppressionsOf = (hash: string) =>
  app.sql`select reason, source, source_ref, campaign_id from suppressions where value_hash = ${hash}`;
const AWAY: Written = {
  subject: 'Automatic reply: Your bridge',
  text: 'I am out of the office.',
  fields: ['Auto-Submitted: auto-replied'],
};

describe('an answer that asks for no more letters', () => {
  const STOP = 'Please unsubscribe me.';

  test('suppresses every address of theirs, ends every campaign and cancels what has not started', async () => {
    const letter = await sentLetter(app, campaign);
    const other = await aCampaign(app, campaign, { exclusive: false });
    const elsewhere = await enrolled(app, other, letter.person);
    const waiting = await drafted(app, other, elsewhere);
    const second = `dana.${randomUUID()}@home.example`;
    await app.sql`insert into person_addresses ${app.sql({
      id: randomUUID(),
      person_id: letter.person.id,
      value: second,
      normalised: second,
      domain: 'home.example',
      hash: addressHash(second),
      is_primary: false,
      position: 1,
    })}`;
    const { touch } = await comesIn(app, reply(letter, { text: 'unsubscribe' }));
    expect(touch).toMatchObject({ reading: 'unsubscribe', reading_by: 'rule' });
    for (const hash of [letter.person.hash, addressHash(second)])
      expect(await suppressionsOf(hash)).toEqual([
        { reason: 'unsubscribe', source: 'touch', source_ref: touch?.['id'], campaign_id: campaign.id },
      ]);
    for (const id of [letter.prospect_id, elsewhere])
      expect(await standing(app, id)).toMatchObject({ stage: 'unsubscribed', ended: 'unsubscribed' });
    const [row] = await app.sql`select state, cancel_reason from sends where id = ${waiting}`;
    expect(row).toEqual({ state: 'cancelled', cancel_reason: 'unsubscribed' });
  });

  test('is heeded whatever letter it is about, since who asks is known', async () => {
    for (const mail of [{ subject: 'Re: Your bridge' }, { subject: 'Enough' }]) {
      const letter = await sentLetter(app, campaign);
      await comesIn(app, { from: letter.person.address, text: STOP, ...mail });
      expect(await suppressionsOf(letter.person.hash)).toMatchObject([{ reason: 'unsubscribe' }]);
      expect((await standing(app, letter.prospect_id))['stage']).toBe('unsubscribed');
    }
  });

  test('from a colleague’s address stops both, and what that colleague gets elsewhere', async () => {
    const letter = await sentLetter(app, campaign);
    const colleague = await sentLetter(app, campaign);
    await comesIn(app, {
      from: colleague.person.address,
      in_reply_to: letter.message_id,
      text: 'unsubscribe',
    });
    for (const each of [letter, colleague]) {
      expect(await suppressionsOf(each.person.hash)).toMatchObject([{ reason: 'unsubscribe' }]);
      expect((await standing(app, each.prospect_id))['stage']).toBe('unsubscribed');
    }
  });

  test('from an address that no one has suppresses that address, and the mail waits for a person', async () => {
    const address = `alias.${randomUUID()}@acme.example`;
    const { state } = await comesIn(app, { from: address, subject: 'unsubscribe', text: '' });
    expect(state).toBe('quarantined');
    expect(await suppressionsOf(addressHash(address))).toMatchObject([
      { reason: 'unsubscribe', source: 'touch' },
    ]);
  });

  test.each([
    ['Auto-Submitted: auto-generated', 'unsubscribe'],
    ['Return-Path: <>', 'Unsubscribe'],
  ])('that a mail program sends by the header of our letters counts, marked %s', async (mark, subject) => {
    const letter = await sentLetter(app, campaign);
    const sent = { subject, text: 'This mail was sent by the program.', fields: [mark] };
    const { touch } = await comesIn(app, { from: letter.person.address, ...sent });
    expect(touch).toMatchObject({ reading: 'unsubscribe', automatic: true });
    expect(await suppressionsOf(letter.person.hash)).toMatchObject([{ reason: 'unsubscribe' }]);
  });

  test('of someone who was deleted here keeps their address from letters, whoever brings it in again', async () => {
    const letter = await sentLetter(app, campaign);
    const gone = await app.admin.rest('DELETE', `/api/admin/crm/people/${letter.person.id}`);
    expect(gone.status, JSON.stringify(gone.body)).toBe(200);
    const { state } = await comesIn(app, reply(letter, { text: 'unsubscribe' }));
    expect(state).toBe('quarantined');
    expect(await suppressionsOf(letter.person.hash)).toMatchObject([{ reason: 'unsubscribe' }]);
  });

  test('followed by "yes please" leaves them where they are (red team G12)', async () => {
    const letter = await sentLetter(app, campaign);
    await comesIn(app, reply(letter, { text: 'unsubscribe' }));
    const { state, touch } = await comesIn(app, reply(letter, { text: 'Yes please, go on.' }));
    expect({ state, reading: touch?.['reading'] }).toEqual({ state: 'landed', reading: 'unread' });
    expect((await standing(app, letter.prospect_id))['stage']).toBe('unsubscribed');
    expect(await suppressionsOf(letter.person.hash)).toHaveLength(1);
  });
});

describe('an away message', () => {
  test('holds and stops nothing, moves no stage, and no one waits for our answer', async () => {
    const letter = await sentLetter(app, campaign);
    const before = await standing(app, letter.prospect_id);
    const { touch } = await comesIn(app, reply(letter, AWAY));
    expect(touch).toMatchObject({ reading: 'out_of_office', automatic: true });
    expect(touch?.['waiting']).not.toBe('us');
    const after = await standing(app, letter.prospect_id);
    expect(after).toMatchObject({ stage: before['stage'], ended: null, hold_by: 'away' });
    const days = (after['hold_until'].getTime() - app.clock.now().getTime()) / 86_400_000;
    expect(Math.round(days)).toBe(7);
    expect((await told(app, 'reply.landed')).at(-1)).toMatchObject({
      touch_id: touch?.['id'],
      reading: 'out_of_office',
    });
  });

  test('never shortens or replaces a person’s hold', async () => {
    const letter = await sentLetter(app, campaign);
    const path = `/api/admin/outreach/prospects/${letter.prospect_id}/hold`;
    expect((await app.admin.rest('POST', path, { reason: 'We speak on Friday' })).status).toBe(200);
    await comesIn(app, reply(letter, AWAY));
    expect(await standing(app, letter.prospect_id)).toMatchObject({ hold_by: 'person', hold_until: null });
  });

  test('is no word of theirs for verification or for a later answer', async () => {
    const letter = await sentLetter(app, campaign);
    await comesIn(app, reply(letter, AWAY));
    const facts = await factsFor(
      app.sql,
      [{ hash: letter.person.hash, domain: 'acme.example' }],
      app.clock.now(),
    );
    expect(facts(letter.person.hash).replied_at).toBeNull();
  });
});

test('a campaign that does not stop on replies goes on, and its stage moves all the same', async () => {
  const going = await aCampaign(app, campaign, { stop_on_reply: false });
  const letter = await sentLetter(app, going);
  await comesIn(app, reply(letter));
  expect(await standing(app, letter.prospect_id)).toMatchObject({ stage: 'replied', ended: null });
  // And where it stops by now, the next answer ends it, although the stage is reached.
  await app.sql`update campaigns set stop_on_reply = true where id = ${going.id}`;
  await comesIn(app, reply(letter));
  expect(await standing(app, letter.prospect_id)).toMatchObject({ stage: 'replied', ended: 'replied' });
});

test('an address that answered is known to be one', async () => {
  const letter = await sentLetter(app, campaign);
  await comesIn(app, reply(letter));
  const facts = await factsFor(
    app.sql,
    [{ hash: letter.person.hash, domain: 'acme.example' }],
    app.clock.now(),
  );
  expect(facts(letter.person.hash).replied_at).toBeInstanceOf(Date);
});

describe('whether they wrote since they unsubscribed', () => {
  const wroteSince = async (letter: SentLetter) => {
    await app.sql`update sends set kind = 'answer' where id = ${letter.id}`;
    const now = app.clock.now();
    const facts = (await factsOf(app.sql, [letter.id], now, app.instance.app)).get(letter.id);
    return facts?.suppression?.wrote_since;
  };
  const optedOut = async () => {
    const letter = await sentLetter(app, campaign);
    await comesIn(app, reply(letter, { text: 'unsubscribe' }));
    return letter;
  };

  test('is false of the very word by which they did, and of saying it again', async () => {
    const letter = await optedOut();
    expect(await wroteSince(letter)).toBe(false);
    await comesIn(app, reply(letter, { text: 'unsubscribe' }));
    expect(await wroteSince(letter)).toBe(false);
  });

  test('is false of a machine’s word and of someone else’s', async () => {
    const letter = await optedOut();
    await comesIn(app, reply(letter, AWAY));
    await comesIn(app, reply(letter, { from: 'bo@acme.example' }));
    expect(await wroteSince(letter)).toBe(false);
  });

  test('is true of whatever else they write later', async () => {
    const letter = await optedOut();
    await comesIn(app, reply(letter, { text: 'One question though: who painted it?' }));
    expect(await wroteSince(letter)).toBe(true);
  });
});

test('an event of an answer carries ids, a channel and a reading, whatever the mail says (red team I8)', async () => {
  const person = await somebody(app, 'Zsófia Wörtlich');
  const letter = await sentLetter(app, campaign, { person });
  const word = fc
    .string({ unit: 'grapheme', minLength: 6, maxLength: 40 })
    .map((text) => `zq${text.replaceAll(/\p{Cc}/gu, '')}`);
  await fc.assert(
    fc.asyncProperty(word, word, word, async (subject, text, name) => {
      const clean = name.replaceAll(/["\\<>]/g, '');
      const { state, touch } = await comesIn(app, {
        from: `"${clean}" <${person.address}>`,
        in_reply_to: letter.message_id,
        subject,
        text,
      });
      expect(state).toBe('landed');
      const rows = await app.sql<{ body: string }[]>`
        select body from event_deliveries where event = 'reply.landed' and body like ${`%${touch?.['id']}%`}`;
      expect(rows).toHaveLength(1);
      const { data, ...envelope } = JSON.parse(rows[0]!.body);
      expect(Object.keys(envelope).sort()).toEqual(['event', 'id', 'instance', 'occurred_at']);
      expect(Object.keys(data).sort()).toEqual([
        'campaign_id',
        'channel',
        'person_id',
        'reading',
        'touch_id',
      ]);
      expect(READINGS).toContain(data.reading);
      expect(data).toMatchObject({ touch_id: touch?.['id'], person_id: person.id, channel: 'email' });
      for (const part of [subject, text, clean, person.address, 'Zsófia'])
        expect(rows[0]!.body).not.toContain(part);
    }),
    { numRuns: 25 },
  );
});

test('what someone said on the telephone is an answer too: told of, it stops the sequence, and a yes opens a deal', async () => {
  const letter = await sentLetter(app, campaign);
  const { touch } = await comesIn(app, reply(letter, AWAY));
  const logged = await app.admin.rest('POST', `/api/threads/${touch?.['thread_id']}/touches`, {
    channel: 'call',
    direction: 'in',
    text: 'Wants an offer.',
    reading: 'positive',
  });
  expect(logged.status, JSON.stringify(logged.body)).toBe(201);
  expect(await standing(app, letter.prospect_id)).toMatchObject({ stage: 'positive', ended: 'positive' });
  expect((await told(app, 'reply.landed')).at(-1)).toMatchObject({
    person_id: letter.person.id,
    channel: 'call',
    reading: 'positive',
  });
  expect((await told(app, 'deal.opened')).at(-1)).toMatchObject({ person_id: letter.person.id });
});
