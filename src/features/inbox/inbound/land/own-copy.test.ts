// Copies of what we wrote ourselves, and letters of which no one knew whether they went: what proves that they did, what a person
// wrote by hand, and how long a copy is kept.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../../../test/support/app.ts';
import {
  arrives,
  comesIn,
  landAll,
  landed,
  standing,
  type Written,
} from '../../../../../test/support/inbound.ts';
import { aCampaign, aDesk, O, type TestCampaign } from '../../../../../test/support/letters.ts';
import { type SentLetter, sentLetter } from '../../../../../test/support/sent.ts';
import { inboundPass } from './pass.ts';

let app: TestApp;
let campaign: TestCampaign;
beforeAll(async () => {
  app = await openTestApp();
  campaign = await aCampaign(app, await aDesk(app));
});
afterAll(() => app.close());

const aLetter = (more: Parameters<typeof sentLetter>[2] = {}) => sentLetter(app, campaign, more);
const from = (letter: SentLetter, more: Written = {}): Written => ({
  from: `Dana Roe <${letter.person.address}>`,
  ...more,
});

describe('what lies in our own Sent folder', () => {
  const copy = (mail: Written) => comesIn(app, mail, { folder_role: 'sent' });

  test('proves that an uncertain letter went', async () => {
    const letter = await aLetter({ state: 'uncertain' });
    const { state } = await copy({ message_id: letter.message_id, to: letter.person.address });
    expect(state).toBe('matched');
    const [row] = await app.sql`select state, delivery, thread_id from sends where id = ${letter.id}`;
    expect(row).toMatchObject({ state: 'sent', delivery: 'accepted', thread_id: expect.any(String) });
    expect((await standing(app, letter.prospect_id))['stage']).toBe('contacted');
  });

  test('of a letter that went as it should changes nothing', async () => {
    const letter = await aLetter();
    expect((await copy({ message_id: letter.message_id })).state).toBe('matched');
    expect(await app.sql`select from send_outcomes where send_id = ${letter.id}`).toHaveLength(1);
  });

  test('of a letter that someone sends again keeps it back, and is proof for the next attempt, too', async () => {
    const letter = await aLetter({ state: 'uncertain' });
    const again = async () => {
      const said = await app.admin.rest('POST', `${O}/sends/${letter.id}/resolve`, { outcome: 'not_sent' });
      expect(said.status, JSON.stringify(said.body)).toBe(200);
    };
    await again();
    await copy({ message_id: letter.message_id, to: letter.person.address });
    const [kept] = await app.sql`select state, hold_reason from sends where id = ${letter.id}`;
    expect(kept).toEqual({ state: 'held', hold_reason: 'letter_on_hold' });
    await copy({ message_id: letter.message_id, to: letter.person.address });
    const facts = await app.sql`select kind from send_facts where send_id = ${letter.id} and kind = 'held'`;
    expect(facts).toHaveLength(1);
  });

  test('of a letter that is kept back lets a person say that it went the first time', async () => {
    const letter = await aLetter({ state: 'uncertain' });
    const resolve = (outcome: string) =>
      app.admin.rest('POST', `${O}/sends/${letter.id}/resolve`, { outcome });
    expect((await resolve('not_sent')).status).toBe(200);
    await copy({ message_id: letter.message_id, to: letter.person.address });
    expect((await resolve('not_sent')).status).toBe(409);
    const said = await resolve('sent');
    expect(said.status, JSON.stringify(said.body)).toBe(200);
    const [row] = await app.sql`select state, hold_reason, thread_id from sends where id = ${letter.id}`;
    expect(row).toEqual({ state: 'sent', hold_reason: null, thread_id: expect.any(String) });
    expect((await standing(app, letter.prospect_id))['stage']).toBe('contacted');
  });

  test('of a letter that is sent again keeps it back where it is to be reviewed first, too', async () => {
    const letter = await aLetter({ state: 'uncertain' });
    await app.admin.rest('POST', `${O}/sends/${letter.id}/resolve`, { outcome: 'not_sent' });
    await app.sql`update sends set state = 'review' where id = ${letter.id}`;
    await copy({ message_id: letter.message_id, to: letter.person.address });
    const [kept] = await app.sql`select state, hold_reason from sends where id = ${letter.id}`;
    expect(kept).toEqual({ state: 'held', hold_reason: 'letter_on_hold' });
  });

  test('proves each uncertain attempt again', async () => {
    const letter = await aLetter({ state: 'uncertain' });
    const [{ state }] = [await copy({ message_id: letter.message_id })];
    expect(state).toBe('matched');
    await app.sql`
      update sends set state = 'uncertain', sent_at = null, resent_at = ${app.clock.now()} where id = ${letter.id}`;
    await copy({ message_id: letter.message_id });
    expect((await app.sql`select state from sends where id = ${letter.id}`)[0]).toEqual({ state: 'sent' });
  });

  test('waits a minute while its letter is still being sent', async () => {
    const letter = await aLetter({ state: 'sending' });
    const id = await arrives(app, { message_id: letter.message_id }, { folder_role: 'sent' });
    expect((await landed(app, id)).state).toBe('new');
    await app.sql`update sends set state = 'uncertain' where id = ${letter.id}`;
    app.clock.advance(61_000);
    expect((await landed(app, id)).state).toBe('matched');
  });

  test('written by hand into a known thread is ours, and no one waits any more', async () => {
    const letter = await aLetter();
    const theirs = `<${randomUUID()}@acme.example>`;
    const { touch } = await comesIn(
      app,
      from(letter, { in_reply_to: letter.message_id, message_id: theirs }),
      {
        received_at: new Date(app.clock.now().getTime() - 60_000),
      },
    );
    const hand = await copy({ from: 'ada@desk.example', to: letter.person.address, in_reply_to: theirs });
    expect(hand).toMatchObject({
      state: 'landed',
      touch: { direction: 'out', thread_id: touch?.['thread_id'], waiting: 'them', reading: null },
    });
    const again = await copy({ message_id: hand.touch?.['message_id'] });
    expect(again.state).toBe('ignored');
  });

  test('to no one we have a thread with is no one’s concern', async () => {
    expect((await copy({ from: 'ada@desk.example', to: 'mum@home.example' })).state).toBe('ignored');
  });
});

test('a letter that was uncertain and is answered has gone', async () => {
  const letter = await aLetter({ state: 'uncertain' });
  const { touch } = await comesIn(app, from(letter, { in_reply_to: letter.message_id }));
  const [row] = await app.sql`select state, delivery, thread_id from sends where id = ${letter.id}`;
  expect(row).toEqual({ state: 'sent', delivery: 'delivered', thread_id: touch?.['thread_id'] });
  expect(
    await app.sql`select direction from touches where thread_id = ${touch?.['thread_id']} order by direction`,
  ).toEqual([{ direction: 'in' }, { direction: 'out' }]);
});

test('a copy that matched is looked at for a month, and then its words are gone; what landed keeps its mail', async () => {
  const letter = await aLetter();
  const copy = await arrives(app, { message_id: letter.message_id }, { folder_role: 'sent' });
  const reply = await arrives(app, from(letter, { in_reply_to: letter.message_id }));
  await landAll(app);
  const tidied = async (days: number) => {
    const at = new Date(app.clock.now().getTime() + days * 86_400_000);
    await app.instance.app.database.transact((tx) => inboundPass.tidy(tx, at));
    const rows = await app.sql<{ id: string; size: number }[]>`
      select id, size_bytes as size from inbound_mails where id = any(${[copy, reply]}::uuid[])`;
    return rows.filter(({ size }) => size === 0).map(({ id }) => id);
  };
  expect(await tidied(29)).toEqual([]);
  expect(await tidied(31)).toEqual([copy]);
});
