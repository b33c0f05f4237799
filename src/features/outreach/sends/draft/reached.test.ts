// What an edit of steps or of the sender does to letters that have not started (domain.md §1.2): they are made again and lose
// their approval, and by someone without wire they go to review. The side door 6 is the confirmation; this is the letters.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type TestApp, type TokenClient } from '../../../../../test/support/app.ts';
import {
  aCampaign,
  aDesk,
  aLetter,
  approved,
  drafted,
  enrolled,
  O,
  readSend,
  SEQUENCE,
  somebody,
  type TestCampaign,
  verdict,
} from '../../../../../test/support/letters.ts';
import { factsOf } from '../gates/facts.store.ts';
import { gates } from '../gates/gates.rules.ts';
import { lettersTouchedByIdentity, lettersTouchedBySequence, rerenderMore } from './reached.store.ts';

let app: TestApp;
let plain: TokenClient;
beforeAll(async () => {
  app = await openTestApp();
  plain = await app.token();
});
afterAll(async () => app.close());

const now = () => app.clock.now();
const edit = (by_wire: boolean) => ({ by_wire, by: SEQUENCE, now: now() });
const touched = async (campaign: TestCampaign, text: string, by_wire: boolean) => {
  await app.sql`update sequence_steps set text = ${text} where id = ${campaign.step_id}`;
  return app.instance.app.database.transact((tx) =>
    lettersTouchedBySequence(
      tx,
      app.instance.app,
      { campaign_id: campaign.id, step_ids: [campaign.step_id] },
      edit(by_wire),
    ),
  );
};
const send = async (id: string) => (await readSend(app.admin, id)).send;

describe('an edit of the steps', () => {
  test('makes letters again and voids their approval; a letter that someone has rewritten keeps its words', async () => {
    const campaign = await aCampaign(app, await aDesk(app));
    const one = (await aLetter(app, campaign, 'Dana Roe')).send_id;
    const own = (await aLetter(app, campaign, 'Finn Lark')).send_id;
    await plain.rest('PATCH', `${O}/sends/${own}`, { revision: 1, subject: 'My own' });
    for (const id of [one, own]) expect((await approved(app.admin, id)).status).toBe(200);
    expect(await touched(campaign, 'Hello {{ person.name }}', true)).toBe(1);
    const after = await send(one);
    expect(after).toMatchObject({ state: 'review', approved_by: null });
    expect(after.text).toMatch(/^Hello Dana Roe/);
    expect(await send(own)).toMatchObject({ state: 'scheduled', subject: 'My own' });
  });

  test('by someone without wire sends letters to review that no one was to read', async () => {
    for (const by_wire of [true, false]) {
      const campaign = await aCampaign(app, await aDesk(app), { review_policy: 'changed' });
      const { send_id } = await aLetter(app, campaign);
      expect((await send(send_id)).state).toBe('scheduled');
      await touched(campaign, 'Buy now {{ person.name }}', by_wire);
      expect(await send(send_id)).toMatchObject(
        by_wire
          ? { state: 'scheduled', review_reason: null }
          : { state: 'review', review_reason: 'sequence_changed' },
      );
    }
  });

  test('fixes a letter that lacked a value, and leaves one that did not change as it was', async () => {
    const campaign = await aCampaign(app, await aDesk(app));
    await app.sql`update sequence_steps set text = 'At {{ company.name }}' where id = ${campaign.step_id}`;
    const { send_id } = await aLetter(app, campaign);
    expect((await send(send_id)).unresolved).toEqual(['company.name']);
    await touched(campaign, 'At home', true);
    expect((await send(send_id)).unresolved).toEqual([]);
    await approved(app.admin, send_id);
    expect(await touched(campaign, 'At home', false)).toBe(0);
    expect((await send(send_id)).state).toBe('scheduled');
  });

  test('of its files alone makes the letter another, and the files follow', async () => {
    const campaign = await aCampaign(app, await aDesk(app));
    const attached = async (filename: string) => {
      const row = {
        id: randomUUID(),
        filename,
        media_type: 'text/plain',
        size_bytes: 1,
        bytes: Buffer.from('x'),
      };
      await app.sql`insert into attachments ${app.sql({ ...row, sha256: filename, created_at: now() })}`;
      await app.sql`delete from step_attachments where step_id = ${campaign.step_id}`;
      await app.sql`insert into step_attachments ${app.sql({ step_id: campaign.step_id, attachment_id: row.id, position: 0 })}`;
      return row.id;
    };
    const files = async (id: string) =>
      (await app.sql`select attachment_id from send_attachments where send_id = ${id}`).map(
        (row) => row['attachment_id'],
      );
    const old = await attached('old.txt');
    const { send_id } = await aLetter(app, campaign);
    expect(await files(send_id)).toEqual([old]);
    await approved(app.admin, send_id);
    const other = await attached('other.txt');
    const [{ text } = {}] = await app.sql`select text from sequence_steps where id = ${campaign.step_id}`;
    expect(await touched(campaign, text, false)).toBe(1);
    expect(await files(send_id)).toEqual([other]);
    expect(await send(send_id)).toMatchObject({ state: 'review', approved_by: null });
  });

  test('reaches no letter that has started', async () => {
    const campaign = await aCampaign(app, await aDesk(app));
    const { send_id } = await aLetter(app, campaign);
    await approved(app.admin, send_id);
    await app.sql`update sends set state = 'sending', sending_at = now() where id = ${send_id}`;
    expect(await touched(campaign, 'Other', false)).toBe(0);
  });

  test('goes through hundreds of letters in pieces', async () => {
    const campaign = await aCampaign(app, await aDesk(app));
    const written = async (n: number) =>
      drafted(app, campaign, await enrolled(app, campaign, await somebody(app, `P ${n}`)));
    const ids = await Promise.all(Array.from({ length: 205 }, (_, n) => written(n)));
    expect(await touched(campaign, 'Hi {{ person.name }}', true)).toBe(205);
    for (const n of [0, 204]) expect((await send(ids[n] ?? '')).text).toMatch(new RegExp(`^Hi P ${n}\\b`));
  });
});

describe('an edit of the sender', () => {
  const signed = async (identity_id: string, by_wire: boolean) => {
    await app.sql`update identities set signature_text = ${`Ada ${randomUUID()}`} where id = ${identity_id}`;
    return app.instance.app.database.transact((tx) =>
      lettersTouchedByIdentity(tx, app.instance.app, identity_id, edit(by_wire)),
    );
  };

  test('signs letters again, and without wire sends them to review, those still to be drafted too', async () => {
    const desk = await aDesk(app);
    const campaign = await aCampaign(app, desk, { review_policy: 'first_touch' });
    const { send_id } = await aLetter(app, campaign);
    await approved(app.admin, send_id);
    const quiet = await aCampaign(app, desk, { review_policy: 'changed' });
    const early = (await aLetter(app, quiet)).send_id;
    expect((await send(early)).state).toBe('scheduled');
    app.clock.advance(1000);
    expect(await signed(desk.identity_id, false)).toBe(2);
    expect((await send(send_id)).text).toMatch(/Ada [0-9a-f]{8}-/);
    for (const id of [send_id, early]) expect((await send(id)).state).toBe('review');
    expect((await send((await aLetter(app, quiet)).send_id)).review_reason).toBe('sequence_changed');
  });

  test('of hundreds comes to the rest by and by, and none of them leaves as it was', async () => {
    const desk = await aDesk(app);
    const campaign = await aCampaign(app, desk, { review_policy: 'changed' });
    const written = async (n: number) =>
      drafted(app, campaign, await enrolled(app, campaign, await somebody(app, `P ${n}`)));
    const ids = (await Promise.all(Array.from({ length: 405 }, (_, n) => written(n)))).toSorted();
    const [first = '', last = ''] = [ids[0], ids.at(-1)];
    expect(await verdict(app, last)).toBeNull();
    app.clock.advance(1000);
    expect(await signed(desk.identity_id, false)).toBe(200);
    // By someone with wire, before the first edit is done: what no one has read by then is read all the same.
    expect(await signed(desk.identity_id, true)).toBe(200);
    expect(await send(first)).toMatchObject({ state: 'review' });
    expect(await send(last)).toMatchObject({ state: 'scheduled' });
    expect(await verdict(app, last)).toMatchObject({ gate: 'letter', stop: { defer: 'being_remade' } });
    for (let round = 0; round < 5; round++) await app.instance.jobs.run('letters_remake');
    for (const id of [first, last]) {
      const made = await send(id);
      expect(made.state).toBe('review');
      expect(made.text).toMatch(/Ada [0-9a-f]{8}-/);
      expect(await verdict(app, id)).not.toMatchObject({ gate: 'letter' });
    }
    expect(await app.sql`select 1 from letters_to_remake`).toHaveLength(0);
  });

  test('that comes while the rest is made again begins again, and the batch in between changes nothing', async () => {
    const desk = await aDesk(app);
    const campaign = await aCampaign(app, desk, { review_policy: 'changed' });
    const { send_id } = await aLetter(app, campaign);
    await signed(desk.identity_id, true);
    const lease = { id: randomUUID(), from: now(), until: new Date(now().getTime() + 60_000) };
    const of = { of_kind: 'identity', of_id: desk.identity_id, after: null } as const;
    const before = (await send(send_id)).text;
    await app.sql`update identities set signature_text = 'Eve' where id = ${desk.identity_id}`;
    const more = () =>
      app.instance.app.database.transact((tx) => rerenderMore(tx, app.instance.app, of, lease));
    await more();
    expect((await send(send_id)).text).toBe(before);
    await app.sql`insert into letters_to_remake ${app.sql({
      ...of,
      by_wire: true,
      by_kind: 'person',
      by_id: app.admin.id,
      by_name: 'Ada',
      at: now(),
      lease: lease.id,
      lease_until: lease.until,
    })}`;
    await more();
    expect((await send(send_id)).text).toContain('Eve');
  });

  test('with wire keeps what no one reads on its way, under the present name', async () => {
    const desk = await aDesk(app);
    const campaign = await aCampaign(app, desk, { review_policy: 'changed' });
    const { send_id } = await aLetter(app, campaign);
    await signed(desk.identity_id, true);
    expect((await send(send_id)).state).toBe('scheduled');
    const facts = (await factsOf(app.sql, [send_id], now(), app.instance.app)).get(send_id);
    expect(facts && gates(facts, now())).toBeNull();
  });
});
