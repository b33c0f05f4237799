// What follows from mail that landed: who gets no further letter, who is only away, what the world is told of it, and what is
// known of an address that answered (domain.md §1.3, §1.5, §2).
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestHouse, type TestHouse } from '../../../../../test/support/house.ts';
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

let house: TestHouse;
let campaign: TestCampaign;
beforeAll(async () => {
  house = await openTestHouse();
  campaign = await aCampaign(house, await aDesk(house));
});
afterAll(() => house.close());

const reply = (letter: SentLetter, more: Written = {}): Written => ({
  from: `Dana Roe <${letter.person.address}>`,
  in_reply_to: letter.message_id,
  ...more,
});
const suppressionsOf = (hash: string) =>
  house.sql`select reason, source, source_ref, campaign_id from suppressions where value_hash = ${hash}`;
const AWAY: Written = {
  subject: 'Automatic reply: Your bridge',
  text: 'I am out of the office.',
  fields: ['Auto-Submitted: auto-replied'],
};

describe('an answer that asks for no more letters', () => {
  const STOP = 'Please unsubscribe me.';

  test('suppresses every address of theirs, ends every campaign and cancels what has not started', async () => {
    const letter = await sentLetter(house, campaign);
    const other = await aCampaign(house, campaign, { exclusive: false });
    const elsewhere = await enrolled(house, other, letter.person);
    const waiting = await drafted(house, other, elsewhere);
    const second = `dana.${randomUUID()}@home.example`;
    await house.sql`insert into person_addresses ${house.sql({
      id: randomUUID(),
      person_id: letter.person.id,
      value: second,
      normalised: second,
      domain: 'home.example',
      hash: addressHash(second),
      is_primary: false,
      position: 1,
    })}`;
    const { touch } = await comesIn(house, reply(letter, { text: 'unsubscribe' }));
    expect(touch).toMatchObject({ reading: 'unsubscribe', reading_by: 'rule' });
    for (const hash of [letter.person.hash, addressHash(second)])
      expect(await suppressionsOf(hash)).toEqual([
        { reason: 'unsubscribe', source: 'touch', source_ref: touch?.['id'], campaign_id: campaign.id },
      ]);
    for (const id of [letter.prospect_id, elsewhere])
      expect(await standing(house, id)).toMatchObject({ stage: 'unsubscribed', ended: 'unsubscribed' });
    const [row] = await house.sql`select state, cancel_reason from sends where id = ${waiting}`;
    expect(row).toEqual({ state: 'cancelled', cancel_reason: 'unsubscribed' });
  });

  test('is heeded whatever letter it is about, since who asks is known', async () => {
    for (const mail of [{ subject: 'Re: Your bridge' }, { subject: 'Enough' }]) {
      const letter = await sentLetter(house, campaign);
      await comesIn(house, { from: letter.person.address, text: STOP, ...mail });
      expect(await suppressionsOf(letter.person.hash)).toMatchObject([{ reason: 'unsubscribe' }]);
      expect((await standing(house, letter.prospect_id))['stage']).toBe('unsubscribed');
    }
  });

  test('from a colleague’s address stops both, and what that colleague gets elsewhere', async () => {
    const letter = await sentLetter(house, campaign);
    const colleague = await sentLetter(house, campaign);
    await comesIn(house, {
      from: colleague.person.address,
      in_reply_to: letter.message_id,
      text: 'unsubscribe',
    });
    for (const each of [letter, colleague]) {
      expect(await suppressionsOf(each.person.hash)).toMatchObject([{ reason: 'unsubscribe' }]);
      expect((await standing(house, each.prospect_id))['stage']).toBe('unsubscribed');
    }
  });

  test('from an address that nobody has suppresses that address, and the mail waits for a person', async () => {
    const address = `alias.${randomUUID()}@acme.example`;
    const { state } = await comesIn(house, { from: address, subject: 'unsubscribe', text: '' });
    expect(state).toBe('quarantined');
    expect(await suppressionsOf(addressHash(address))).toMatchObject([
      { reason: 'unsubscribe', source: 'touch' },
    ]);
  });

  test.each([
    ['Auto-Submitted: auto-generated', 'unsubscribe'],
    ['Return-Path: <>', 'Unsubscribe'],
  ])('that a mail program sends by the header of our letters counts, marked %s', async (mark, subject) => {
    const letter = await sentLetter(house, campaign);
    const sent = { subject, text: 'This mail was sent by the program.', fields: [mark] };
    const { touch } = await comesIn(house, { from: letter.person.address, ...sent });
    expect(touch).toMatchObject({ reading: 'unsubscribe', automatic: true });
    expect(await suppressionsOf(letter.person.hash)).toMatchObject([{ reason: 'unsubscribe' }]);
  });

  test('of somebody who was deleted here keeps their address from letters, whoever brings it in again', async () => {
    const letter = await sentLetter(house, campaign);
    const gone = await house.admin.rest('DELETE', `/api/admin/crm/people/${letter.person.id}`);
    expect(gone.status, JSON.stringify(gone.body)).toBe(200);
    const { state } = await comesIn(house, reply(letter, { text: 'unsubscribe' }));
    expect(state).toBe('quarantined');
    expect(await suppressionsOf(letter.person.hash)).toMatchObject([{ reason: 'unsubscribe' }]);
  });

  test('followed by "yes please" leaves them where they are (red team G12)', async () => {
    const letter = await sentLetter(house, campaign);
    await comesIn(house, reply(letter, { text: 'unsubscribe' }));
    const { state, touch } = await comesIn(house, reply(letter, { text: 'Yes please, go on.' }));
    expect({ state, reading: touch?.['reading'] }).toEqual({ state: 'landed', reading: 'unread' });
    expect((await standing(house, letter.prospect_id))['stage']).toBe('unsubscribed');
    expect(await suppressionsOf(letter.person.hash)).toHaveLength(1);
  });
});

describe('an away message', () => {
  test('holds and stops nothing, moves no stage, and nobody waits for our answer', async () => {
    const letter = await sentLetter(house, campaign);
    const before = await standing(house, letter.prospect_id);
    const { touch } = await comesIn(house, reply(letter, AWAY));
    expect(touch).toMatchObject({ reading: 'out_of_office', automatic: true });
    expect(touch?.['waiting']).not.toBe('us');
    const after = await standing(house, letter.prospect_id);
    expect(after).toMatchObject({ stage: before['stage'], ended: null, hold_by: 'away' });
    const days = (after['hold_until'].getTime() - house.clock.now().getTime()) / 86_400_000;
    expect(Math.round(days)).toBe(7);
    expect((await told(house, 'reply.landed')).at(-1)).toMatchObject({
      touch_id: touch?.['id'],
      reading: 'out_of_office',
    });
  });

  test('never shortens or replaces a person’s hold', async () => {
    const letter = await sentLetter(house, campaign);
    const path = `/api/admin/outreach/prospects/${letter.prospect_id}/hold`;
    expect((await house.admin.rest('POST', path, { reason: 'We speak on Friday' })).status).toBe(200);
    await comesIn(house, reply(letter, AWAY));
    expect(await standing(house, letter.prospect_id)).toMatchObject({ hold_by: 'person', hold_until: null });
  });

  test('is no word of theirs for verification or for a later answer', async () => {
    const letter = await sentLetter(house, campaign);
    await comesIn(house, reply(letter, AWAY));
    const facts = await factsFor(
      house.sql,
      [{ hash: letter.person.hash, domain: 'acme.example' }],
      house.clock.now(),
    );
    expect(facts(letter.person.hash).replied_at).toBeNull();
  });
});

test('a campaign that does not stop on replies goes on, and its stage moves all the same', async () => {
  const going = await aCampaign(house, campaign, { stop_on_reply: false });
  const letter = await sentLetter(house, going);
  await comesIn(house, reply(letter));
  expect(await standing(house, letter.prospect_id)).toMatchObject({ stage: 'replied', ended: null });
  // And where it stops by now, the next answer ends it, although the stage is reached.
  await house.sql`update campaigns set stop_on_reply = true where id = ${going.id}`;
  await comesIn(house, reply(letter));
  expect(await standing(house, letter.prospect_id)).toMatchObject({ stage: 'replied', ended: 'replied' });
});

test('an address that answered is known to be one', async () => {
  const letter = await sentLetter(house, campaign);
  await comesIn(house, reply(letter));
  const facts = await factsFor(
    house.sql,
    [{ hash: letter.person.hash, domain: 'acme.example' }],
    house.clock.now(),
  );
  expect(facts(letter.person.hash).replied_at).toBeInstanceOf(Date);
});

describe('whether they wrote since they unsubscribed', () => {
  const wroteSince = async (letter: SentLetter) => {
    await house.sql`update sends set kind = 'answer' where id = ${letter.id}`;
    const now = house.clock.now();
    const facts = (await factsOf(house.sql, [letter.id], now, house.instance.house)).get(letter.id);
    return facts?.suppression?.wrote_since;
  };
  const optedOut = async () => {
    const letter = await sentLetter(house, campaign);
    await comesIn(house, reply(letter, { text: 'unsubscribe' }));
    return letter;
  };

  test('is false of the very word by which they did, and of saying it again', async () => {
    const letter = await optedOut();
    expect(await wroteSince(letter)).toBe(false);
    await comesIn(house, reply(letter, { text: 'unsubscribe' }));
    expect(await wroteSince(letter)).toBe(false);
  });

  test('is false of a machine’s word and of somebody else’s', async () => {
    const letter = await optedOut();
    await comesIn(house, reply(letter, AWAY));
    await comesIn(house, reply(letter, { from: 'bo@acme.example' }));
    expect(await wroteSince(letter)).toBe(false);
  });

  test('is true of whatever else they write later', async () => {
    const letter = await optedOut();
    await comesIn(house, reply(letter, { text: 'One question though: who painted it?' }));
    expect(await wroteSince(letter)).toBe(true);
  });
});

test('an event of an answer carries ids, a channel and a reading, whatever the mail says (red team I8)', async () => {
  const person = await somebody(house, 'Zsófia Wörtlich');
  const letter = await sentLetter(house, campaign, { person });
  const word = fc
    .string({ unit: 'grapheme', minLength: 6, maxLength: 40 })
    .map((text) => `zq${text.replaceAll(/\p{Cc}/gu, '')}`);
  await fc.assert(
    fc.asyncProperty(word, word, word, async (subject, text, name) => {
      const clean = name.replaceAll(/["\\<>]/g, '');
      const { state, touch } = await comesIn(house, {
        from: `"${clean}" <${person.address}>`,
        in_reply_to: letter.message_id,
        subject,
        text,
      });
      expect(state).toBe('landed');
      const rows = await house.sql<{ body: string }[]>`
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

test('what somebody said on the telephone is an answer too: told of, it stops the sequence, and a yes opens a deal', async () => {
  const letter = await sentLetter(house, campaign);
  const { touch } = await comesIn(house, reply(letter, AWAY));
  const logged = await house.admin.rest('POST', `/api/threads/${touch?.['thread_id']}/touches`, {
    channel: 'call',
    direction: 'in',
    text: 'Wants an offer.',
    reading: 'positive',
  });
  expect(logged.status, JSON.stringify(logged.body)).toBe(201);
  expect(await standing(house, letter.prospect_id)).toMatchObject({ stage: 'positive', ended: 'positive' });
  expect((await told(house, 'reply.landed')).at(-1)).toMatchObject({
    person_id: letter.person.id,
    channel: 'call',
    reading: 'positive',
  });
  expect((await told(house, 'deal.opened')).at(-1)).toMatchObject({ person_id: letter.person.id });
});
