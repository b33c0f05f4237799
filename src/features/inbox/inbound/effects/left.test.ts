// Whoever left the company, help desks, and wishes to be erased: the same seven readings, with effects of their own.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type RestClient, type TestApp } from '../../../../../test/support/app.ts';
import { comesIn, standing, told, type Written } from '../../../../../test/support/inbound.ts';
import {
  aCampaign,
  aDesk,
  drafted,
  enrolled,
  type TestCampaign,
} from '../../../../../test/support/letters.ts';
import { type SentLetter, sentLetter } from '../../../../../test/support/sent.ts';
import { addressHash } from '../../../../mail/address.ts';
import { unsubscribeMark } from '../../../../mail/compose/verp.ts';

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
const AUTO = ['Auto-Submitted: auto-replied'];
const suppressionsOf = (hash: string) => app.sql`select reason from suppressions where value_hash = ${hash}`;
const today = async (name: string) => {
  const { body } = await app.admin.rest('GET', '/api/today');
  return body.sections.find((section: { name: string }) => section.name === name)?.rows ?? [];
};

describe('whoever no longer works there', () => {
  const GONE: Written = {
    subject: 'Automatic reply: Your bridge',
    text: 'I no longer work here, contact Petra Meier <petra@acme.example>.',
    fields: AUTO,
  };

  test('gets no further letter of any campaign, and no stage moves by a machine’s word', async () => {
    const letter = await sentLetter(app, campaign);
    const other = await aCampaign(app, campaign, { exclusive: false });
    const elsewhere = await enrolled(app, other, letter.person);
    const waiting = await drafted(app, other, elsewhere);
    const before = await standing(app, letter.prospect_id);
    const { touch } = await comesIn(app, reply(letter, GONE));
    expect(touch).toMatchObject({
      reading: 'referral',
      automatic: true,
      details: { left: true, referred_to: 'Petra Meier <petra@acme.example>' },
    });
    for (const id of [letter.prospect_id, elsewhere])
      expect(await standing(app, id)).toMatchObject({ ended: 'left', hold_by: null, next_at: null });
    expect((await standing(app, letter.prospect_id))['stage']).toBe(before['stage']);
    const [row] = await app.sql`select state, cancel_reason from sends where id = ${waiting}`;
    expect(row).toEqual({ state: 'cancelled', cancel_reason: 'left' });
    expect(await suppressionsOf(letter.person.hash)).toEqual([]);
    expect((await told(app, 'reply.landed')).at(-1)).toMatchObject({ reading: 'referral' });
  });

  test('and says so in person has answered, whether or not the campaign stops on replies', async () => {
    const going = await aCampaign(app, campaign, { stop_on_reply: false });
    const letter = await sentLetter(app, going);
    await comesIn(app, reply(letter, { text: 'Sorry, I no longer work at Acme.' }));
    expect(await standing(app, letter.prospect_id)).toMatchObject({ stage: 'replied', ended: 'left' });
  });

  test('names a colleague, who is proposed until they are a person here, and is never written to by it', async () => {
    const letter = await sentLetter(app, campaign);
    const address = `petra.${randomUUID()}@acme.example`;
    const people = async () => (await app.sql`select from person_addresses where value = ${address}`).length;
    const { touch } = await comesIn(
      app,
      reply(letter, { ...GONE, text: `I no longer work here. Please contact Petra Meier, ${address}.` }),
    );
    expect(await people()).toBe(0);
    const named = async () =>
      (await today('named')).find((row: { place: string }) =>
        row.place.includes(String(touch?.['thread_id'])),
      );
    expect((await named()).title).toBe('Petra Meier');
    expect((await named()).says).toContain('no longer works there');
    const made = await app.admin.rest('POST', '/api/admin/crm/people', {
      name: 'Petra Meier',
      addresses: [{ value: address }],
    });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    expect(await named()).toBeUndefined();
    expect(await app.sql`select from prospects where person_id = ${made.body.person.id}`).toEqual([]);
  });

  test('is named to no one who may not read the letter that names them', async () => {
    const letter = await sentLetter(app, campaign);
    const { touch } = await comesIn(app, reply(letter, GONE));
    const thread = String(touch?.['thread_id']);
    const statements = [
      { effect: 'deny', actions: ['mail.message.read'], resources: [`inbox:thread/${thread}`] },
    ];
    await app.admin.rest('POST', '/api/auth/step-up', { password: app.admin.password });
    const made = await app.admin.rest('POST', '/api/admin/policies', {
      name: 'kept',
      version: 1,
      statements,
    });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const [all, kept] = [
      await app.person({ name: 'Mo', policies: ['read-all'] }),
      await app.person({ name: 'Kim', policies: ['read-all', 'kept'] }),
    ];
    const sees = async (by: RestClient) => {
      const { body } = await by.rest('GET', '/api/today');
      const named = body.sections.find((section: { name: string }) => section.name === 'named');
      return JSON.stringify(named?.rows ?? []).includes(thread);
    };
    expect([await sees(all), await sees(kept)]).toEqual([true, false]);
  });

  test('is so by a person’s correction, and no longer where the correction says away', async () => {
    const letter = await sentLetter(app, campaign);
    const { touch } = await comesIn(
      app,
      reply(letter, { text: 'Gone.', subject: 'Out of office', fields: AUTO }),
    );
    expect((await standing(app, letter.prospect_id))['hold_by']).toBe('away');
    const said = await app.admin.rest('POST', `/api/threads/${touch?.['thread_id']}/reading`, {
      reading: 'referral',
      details: { left: true },
    });
    expect(said.status, JSON.stringify(said.body)).toBe(200);
    expect(await standing(app, letter.prospect_id)).toMatchObject({ ended: 'left' });
  });
});

describe('a help desk’s acknowledgment', () => {
  const DESK = ['X-Mailer: Zendesk Mailer', 'Auto-Submitted: auto-generated'];

  test('changes nothing, and the answer behind it in the ticket’s thread counts as one', async () => {
    const letter = await sentLetter(app, campaign);
    const before = await standing(app, letter.prospect_id);
    const ack = `<ack-${randomUUID()}@acme.zendesk.com>`;
    const { touch } = await comesIn(
      app,
      reply(letter, {
        from: 'Acme Support <support@acme.example>',
        subject: '[Request received] Re: Your bridge',
        text: 'We have received your request [#1234]. We will come back to you.',
        message_id: ack,
        fields: DESK,
      }),
    );
    expect(touch).toMatchObject({ reading: 'out_of_office', automatic: true, details: { ticket: '1234' } });
    expect(touch?.['waiting']).not.toBe('us');
    const after = await standing(app, letter.prospect_id);
    for (const key of ['stage', 'ended', 'hold_by', 'hold_until', 'next_at', 'due_at'])
      expect([key, after[key]]).toEqual([key, before[key]]);

    const answer = await comesIn(app, {
      from: 'Acme Support <support@acme.example>',
      subject: '[#1234] Re: Your bridge',
      text: 'Hello Ada,\n\nwhat would it cost?\n\nBo',
      in_reply_to: ack,
      fields: DESK,
    });
    expect(answer.touch).toMatchObject({
      reading: 'unread',
      automatic: false,
      thread_id: touch?.['thread_id'],
    });
    expect(await standing(app, letter.prospect_id)).toMatchObject({ stage: 'replied', ended: 'replied' });
  });
});

describe('a wish to be erased', () => {
  const WISH = 'Delete my data under GDPR and never contact me again.';

  test('suppresses at once, and asks a person to erase until they have', async () => {
    const letter = await sentLetter(app, campaign);
    const { touch } = await comesIn(app, reply(letter, { text: WISH }));
    expect(touch).toMatchObject({ reading: 'unsubscribe', details: { erasure: true } });
    expect(await suppressionsOf(letter.person.hash)).toEqual([{ reason: 'unsubscribe' }]);
    expect(await standing(app, letter.prospect_id)).toMatchObject({ stage: 'unsubscribed' });
    const asked = async () =>
      (await today('erasures')).find((row: { id: string }) => row.id === letter.person.id);
    expect(await asked()).toMatchObject({ place: `/people/${letter.person.id}` });
    const { body } = await app.admin.rest('GET', `/api/admin/crm/people/${letter.person.id}`);
    const erased = await app.admin.rest('POST', `/api/admin/crm/people/${letter.person.id}/erase`, {
      revision: body.person.revision,
    });
    expect(erased.status, JSON.stringify(erased.body)).toBe(200);
    expect(await asked()).toBeUndefined();
    expect(await suppressionsOf(letter.person.hash)).toEqual([{ reason: 'unsubscribe' }]);
  });

  test('is dealt with where a person says so, and lifts no suppression', async () => {
    const letter = await sentLetter(app, campaign);
    const { touch } = await comesIn(
      app,
      reply(letter, { text: 'Bitte löschen Sie alle meine Daten gemäß DSGVO.' }),
    );
    const asked = async () =>
      (await today('erasures')).some((row: { id: string }) => row.id === letter.person.id);
    expect(await asked()).toBe(true);
    await app.admin.rest('POST', `/api/threads/${touch?.['thread_id']}/reading`, {
      reading: 'unsubscribe',
      details: { erasure: false },
    });
    expect(await asked()).toBe(false);
    expect(await suppressionsOf(letter.person.hash)).toEqual([{ reason: 'unsubscribe' }]);
  });

  test('is not undone by an agent', async () => {
    const letter = await sentLetter(app, campaign);
    const { touch } = await comesIn(app, reply(letter, { text: WISH }));
    const agent = await app.token();
    await agent.rpc('ping');
    const read = (said: Record<string, unknown>) =>
      agent.rest('POST', `/api/threads/${touch?.['thread_id']}/reading`, said);
    for (const said of [{ reading: 'unsubscribe', details: { erasure: false } }, { reading: 'unread' }]) {
      const { status, body } = await read(said);
      expect(status, JSON.stringify(body)).toBe(409);
    }
    expect((await read({ reading: 'unsubscribe' })).status).toBe(200);
    expect((await today('erasures')).some((row: { id: string }) => row.id === letter.person.id)).toBe(true);
  });

  test('that is only quoted, or only looks like one, suppresses no one', async () => {
    for (const text of [
      'We deleted the old data and never contacted you.',
      `What does this mean?\n\n> ${WISH}`,
    ]) {
      const letter = await sentLetter(app, campaign);
      await comesIn(app, reply(letter, { text }));
      expect(await suppressionsOf(letter.person.hash)).toEqual([]);
    }
  });
});

describe('an unsubscribe from an alias', () => {
  test('by the header of our letter is of whom the letter went to', async () => {
    const letter = await sentLetter(app, campaign);
    const alias = `alias.${randomUUID()}@elsewhere.example`;
    const mark = unsubscribeMark(letter.id, app.instance.app.sealer.key('verp'));
    const { state, touch } = await comesIn(app, { from: alias, subject: `unsubscribe ${mark}`, text: '' });
    expect({ state, reading: touch?.['reading'] }).toEqual({ state: 'landed', reading: 'unsubscribe' });
    for (const hash of [letter.person.hash, addressHash(alias)])
      expect(await suppressionsOf(hash)).toEqual([{ reason: 'unsubscribe' }]);
    expect(await standing(app, letter.prospect_id)).toMatchObject({ stage: 'unsubscribed' });
  });

  test('that anyone made up unsubscribes no one else', async () => {
    const letter = await sentLetter(app, campaign);
    const from = `eve.${randomUUID()}@elsewhere.example`;
    await comesIn(app, { from, subject: `unsubscribe ${letter.id}.0123456789abcdef`, text: '' });
    expect(await suppressionsOf(letter.person.hash)).toEqual([]);
  });

  test('with a tag of theirs in it is theirs, and a word that is no wish is not', async () => {
    const letter = await sentLetter(app, campaign);
    const tagged = letter.person.address.replace('@', '+news@');
    expect((await comesIn(app, { from: tagged, subject: 'Hello', text: 'Who is this?' })).state).toBe(
      'quarantined',
    );
    const { state } = await comesIn(app, { from: tagged, subject: 'Hello', text: 'unsubscribe' });
    expect(state).toBe('landed');
    expect(await suppressionsOf(letter.person.hash)).toEqual([{ reason: 'unsubscribe' }]);
  });
});
