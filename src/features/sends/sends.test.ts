// Letters through the doors: drafted, read, approved, edited, held and let go, called off; red team A23, A24, A26, A27 and the
// side doors 7, 8, 9 and 24 of domain.md §4.3.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestHouse, type TestHouse, type TokenClient } from '../../../test/support/house.ts';
import {
  aCampaign,
  aDesk,
  aLetter,
  approved,
  type Desk,
  drafted,
  enrolled,
  heldEvents,
  O,
  readSend,
  somebody,
  type TestCampaign,
} from '../../../test/support/letters.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../kernel/clock.ts';
import { WIRE_REQUIRED } from '../../kernel/sentences.ts';
import { cancelLetters, wakeLetters } from './flow.store.ts';
import { factsOf } from './facts.store.ts';
import { gates } from './gates.rules.ts';
import { RESOLVED_BY_PEOPLE } from './moves.contract.ts';
import { applyStop } from './stops.ts';
import { lockRows } from './send.store.ts';
import { SEQUENCE } from '../../../test/support/letters.ts';

let house: TestHouse;
let desk: Desk;
let campaign: TestCampaign;
let wire: TokenClient;
let plain: TokenClient;
beforeAll(async () => {
  house = await openTestHouse();
  desk = await aDesk(house);
  campaign = await aCampaign(house, desk);
  wire = await house.token({ scopes: { wire: true } });
  plain = await house.token();
});
afterAll(async () => house.close());

const now = () => house.clock.now();
const transact = <T>(work: Parameters<typeof house.instance.house.ground.transact<T>>[0]) =>
  house.instance.house.ground.transact(work);
const recheck = () => house.instance.jobs.run('letters_recheck');
const verdict = async (id: string) => {
  const facts = (await factsOf(house.sql, [id], now(), house.instance.house)).get(id);
  if (!facts) throw new Error('no facts');
  return gates(facts, now());
};
/** What the sender does with a due letter that its gates stop. */
const stopDue = async (id: string) => {
  const found = await verdict(id);
  if (!found) return null;
  await transact(async (tx) => {
    const [row] = await lockRows(tx, [id]);
    if (!row) throw new Error('gone');
    const emit = async (event: never, data: never) => {
      await house.instance.house.ground.emit(tx, event, data, now());
    };
    await applyStop(tx, row, found.stop, { by: SEQUENCE, now: now(), emit: emit as never });
  });
  return found;
};
const state = async (id: string) => (await readSend(house.admin, id)).send.state;

describe('a drafted letter', () => {
  test('is rendered for its person with signature, way out and postal address, and waits in review', async () => {
    const { send_id, person, prospect_id } = await aLetter(house, campaign, 'Dana Roe');
    const { send, template, previous, history } = await readSend(house.admin, send_id);
    expect(send).toMatchObject({
      kind: 'sequence',
      campaign_id: campaign.id,
      prospect_id,
      person_id: person.id,
      step_id: campaign.step_id,
      identity_id: campaign.identity_id,
      state: 'review',
      review_reason: 'every_letter',
      subject: 'Your bridge, Dana Roe',
      to: person.address,
      waiting_for: null,
      hold: null,
      delivery: null,
      approved_by: null,
      sent_at: null,
      revision: 1,
      person_name: 'Dana Roe',
    });
    expect(send.text).toMatch(/^Dear Dana Roe,\nwe saw your bridge\./);
    expect(send.text).toContain('/u/');
    expect(send.text).toContain('Main Street 1');
    expect(send.message_id).toMatch(/^<[0-9a-f-]{36}@d[0-9a-f]{8}\.example>$/);
    expect(template).toEqual({
      subject: 'Your bridge, {{ person.name }}',
      text: expect.stringContaining('{{'),
    });
    expect(previous).toBeNull();
    expect(history.map(({ kind }: { kind: string }) => kind)).toEqual(['drafted']);
  });

  test('is one for a step: two draftings at once leave one', async () => {
    const prospect_id = await enrolled(house, campaign, await somebody(house));
    const both = await Promise.allSettled([
      drafted(house, campaign, prospect_id),
      drafted(house, campaign, prospect_id),
    ]);
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await house.sql`select 1 from sends where prospect_id = ${prospect_id}`).toHaveLength(1);
  });

  test('pins the identity of its prospect; with an empty pool there is none to draft it', async () => {
    const { prospect_id } = await aLetter(house, campaign);
    const [row] = await house.sql`select identity_id from prospects where id = ${prospect_id}`;
    expect(row?.['identity_id']).toBe(campaign.identity_id);
    const poor = await aCampaign(house, desk);
    await house.sql`delete from campaign_identities where campaign_id = ${poor.id}`;
    const nobody = await enrolled(house, poor, await somebody(house));
    await expect(drafted(house, poor, nobody)).rejects.toThrow('pool_empty');
  });
});

describe('approving', () => {
  test('needs wire on every road, and leaves a letter that was refused as it was', async () => {
    const { send_id } = await aLetter(house, campaign);
    const { send } = await readSend(house.admin, send_id);
    const body = { fingerprint: send.fingerprint };
    const one = await plain.rest('POST', `${O}/sends/${send_id}/approve`, body);
    const many = await plain.rest('POST', `${O}/sends/approve`, { sends: [{ id: send_id, ...body }] });
    const tool = await plain.tool('api_request', {
      method: 'POST',
      path: `${O}/sends/${send_id}/approve`,
      body,
    });
    expect([one.status, one.body.error.message]).toEqual([403, WIRE_REQUIRED]);
    expect([many.status, many.body.error.message]).toEqual([403, WIRE_REQUIRED]);
    expect(tool.text).toBe(`HTTP 403: ${WIRE_REQUIRED}`);
    expect((await readSend(house.admin, send_id)).send).toEqual(send);
  });

  test('is for the letter as it was read: who and when are kept, and it is on its way', async () => {
    const { send_id } = await aLetter(house, campaign);
    const answer = await approved(wire, send_id);
    expect(answer.body.send).toMatchObject({
      state: 'scheduled',
      approved_by: { kind: 'person', name: house.admin.name },
    });
    expect((await readSend(house.admin, send_id)).outlook).toMatchObject({ why_not: null });
    const again = await approved(house.admin, send_id);
    expect([again.status, again.body.error.message]).toEqual([
      409,
      'this letter was approved already, by Ada Operator: it goes when it is due',
    ]);
  });

  test('A23: a letter that is edited after approval loses it and goes to review again (side door 7)', async () => {
    for (const change of [{ subject: 'Send money' }, { text: 'Send money' }, { html: '<p>Send money</p>' }]) {
      const { send_id } = await aLetter(house, campaign);
      await approved(wire, send_id);
      const { send } = await readSend(house.admin, send_id);
      const edit = await plain.rest('PATCH', `${O}/sends/${send_id}`, { revision: send.revision, ...change });
      expect(edit.status, JSON.stringify(edit.body)).toBe(200);
      expect(edit.body.send).toMatchObject({ state: 'review', review_reason: 'edited', approved_by: null });
      expect(edit.body.send.fingerprint).not.toBe(send.fingerprint);
      const old = await wire.rest('POST', `${O}/sends/${send_id}/approve`, { fingerprint: send.fingerprint });
      expect([old.status, old.body.error.details.fingerprint]).toEqual([409, edit.body.send.fingerprint]);
      expect(await state(send_id)).toBe('review');
    }
  });

  test('A23: another recipient is another letter, and only an address of the same person can be one', async () => {
    const { send_id, person } = await aLetter(house, campaign);
    await approved(wire, send_id);
    const revision = async () => (await readSend(house.admin, send_id)).send.revision;
    const foreign = await plain.rest('PATCH', `${O}/sends/${send_id}`, {
      revision: await revision(),
      to: 'victim@elsewhere.example',
    });
    expect(foreign.status).toBe(400);
    await house.sql`insert into person_addresses (id, person_id, value, normalised, domain, hash, is_primary, position)
      values (${randomUUID()}, ${person.id}, ${`x${person.address}`}, ${`x${person.address}`}, 'acme.example', 'h', false, 1)`;
    const own = await plain.rest('PATCH', `${O}/sends/${send_id}`, {
      revision: await revision(),
      to: `x${person.address}`,
    });
    expect(own.body.send).toMatchObject({ state: 'review', approved_by: null, to: `x${person.address}` });
  });

  test('A23: an approval does not outlive the name of its sender', async () => {
    const own = await aDesk(house);
    const { send_id } = await aLetter(house, await aCampaign(house, own));
    await approved(wire, send_id);
    expect(await verdict(send_id)).toBeNull();
    await house.sql`update identities set name = 'Your Bank' where id = ${own.identity_id}`;
    expect(await verdict(send_id)).toMatchObject({ gate: 'review', stop: { hold: 'approval_stale' } });
  });

  test('A24: approving and editing at once never leave an approval of words that it was not given for', async () => {
    for (let n = 0; n < 12; n++) {
      const { send_id } = await aLetter(house, campaign);
      const { send } = await readSend(house.admin, send_id);
      const [approval, edit] = await Promise.all([
        wire.rest('POST', `${O}/sends/${send_id}/approve`, { fingerprint: send.fingerprint }),
        plain.rest('PATCH', `${O}/sends/${send_id}`, { revision: send.revision, text: `Other words ${n}` }),
      ]);
      const after = (await readSend(house.admin, send_id)).send;
      // One came first; whichever it was, what stands is either the approved letter or the edited one in review.
      const outcomes = [approval.status, edit.status];
      expect([
        [200, 409],
        [409, 200],
      ]).toContainEqual(outcomes);
      if (edit.status === 200) expect(after).toMatchObject({ state: 'review', approved_by: null });
      else expect(after).toMatchObject({ state: 'scheduled', text: send.text });
    }
  });

  test('fifty at once: all or none, and every fault is named (side door 8)', async () => {
    const letters = await Promise.all([1, 2, 3].map(() => aLetter(house, campaign)));
    const sends = await Promise.all(
      letters.map(async ({ send_id }) => {
        const { send } = await readSend(house.admin, send_id);
        return { id: send_id, fingerprint: send.fingerprint };
      }),
    );
    const [first, second, third] = sends as [(typeof sends)[0], (typeof sends)[0], (typeof sends)[0]];
    const bad = await wire.rest('POST', `${O}/sends/approve`, {
      sends: [first, { ...second, fingerprint: 'other' }, { ...third, id: randomUUID() }],
    });
    expect(bad.status).toBe(409);
    expect(bad.body.error.message).toMatch(/^none was approved, because 2 of 3 cannot be/);
    expect(bad.body.error.details.sends.map((each: { id: string }) => each.id)).toContain(second.id);
    expect(bad.body.error.details.sends).toHaveLength(2);
    expect(await Promise.all(sends.map(({ id }) => state(id)))).toEqual(['review', 'review', 'review']);
    const good = await wire.rest('POST', `${O}/sends/approve`, { sends });
    expect(good.status, JSON.stringify(good.body)).toBe(200);
    expect(good.body.sends.map((each: { state: string }) => each.state)).toEqual(Array(3).fill('scheduled'));
    const many = Array.from({ length: 51 }, () => ({ id: randomUUID(), fingerprint: 'x' }));
    expect((await wire.rest('POST', `${O}/sends/approve`, { sends: many })).status).toBe(400);
  });

  test('of many who approve the same letters at once one approves them all, and the others none', async () => {
    const letters = await Promise.all([1, 2, 3, 4].map(() => aLetter(house, campaign)));
    const sends = await Promise.all(
      letters.map(async ({ send_id }) => ({
        id: send_id,
        fingerprint: (await readSend(house.admin, send_id)).send.fingerprint,
      })),
    );
    const answers = await Promise.all(
      [sends, sends.toReversed(), sends, sends.toReversed()].map((list) =>
        wire.rest('POST', `${O}/sends/approve`, { sends: list }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
  });
});

describe('whose word a letter leans on is asked again when it is due', () => {
  const standing = async (id: string) => (await verdict(id)) === null;

  test('A26, A27: an approval by a token that was deleted, or lost wire, is stale', async () => {
    for (const lose of ['delete', 'wire', 'expired'] as const) {
      const token = await house.token({ scopes: { wire: true } });
      const { send_id } = await aLetter(house, campaign);
      await token.tool('work_search', {});
      await approved(token, send_id);
      expect((await readSend(house.admin, send_id)).send.approved_by.kind).toBe('agent');
      expect(await standing(send_id)).toBe(true);
      if (lose === 'delete') await house.admin.rest('DELETE', `/api/admin/tokens/${token.id}`);
      if (lose === 'wire') await house.sql`update tokens set wire = false where id = ${token.id}`;
      if (lose === 'expired')
        await house.sql`update tokens set expires_at = created_at + interval '1 millisecond' where id = ${token.id}`;
      expect(await verdict(send_id)).toMatchObject({ stop: { hold: 'approval_stale' } });
    }
  });

  test("a person's own token takes its word along too, although the approval is the person's", async () => {
    const token = await house.token({ scopes: { wire: true } });
    const { send_id } = await aLetter(house, campaign);
    await approved(token, send_id);
    expect((await readSend(house.admin, send_id)).send.approved_by.kind).toBe('person');
    await house.admin.rest('DELETE', `/api/admin/tokens/${token.id}`);
    expect(await standing(send_id)).toBe(false);
  });

  test('a disabled user, and one whose policy was taken away, no longer stand for theirs', async () => {
    for (const lose of ['disabled', 'policy'] as const) {
      const person = await house.person({ policies: ['outreach-operator'] });
      const { send_id } = await aLetter(house, campaign);
      expect((await approved(person, send_id)).status).toBe(200);
      expect(await standing(send_id)).toBe(true);
      if (lose === 'disabled') await house.admin.rest('POST', `/api/admin/users/${person.id}/disable`, {});
      else await house.sql`delete from user_policies where user_id = ${person.id}`;
      expect(await standing(send_id)).toBe(false);
    }
  });

  test('A26: with policy none it is the confirmation and the activation that must still stand', async () => {
    const token = await house.token({ scopes: { wire: true } });
    const maker = (name: string) => ({
      [`${name}_kind`]: 'agent',
      [`${name}_id`]: token.id,
      [`${name}_name`]: token.name,
    });
    const confirmed = {
      review_policy: 'none',
      ...maker('no_human_review_by'),
      no_human_review_at: now(),
      no_human_review_revision: 1,
    };
    const one = await aCampaign(house, desk, { ...confirmed, ...maker('activated_by') });
    const { send_id } = await aLetter(house, one);
    expect(await state(send_id)).toBe('scheduled');
    expect(await standing(send_id)).toBe(true);
    await house.admin.rest('DELETE', `/api/admin/tokens/${token.id}`);
    expect(await verdict(send_id)).toMatchObject({ gate: 'review', stop: { hold: 'approval_stale' } });
    // A person reads it, and it goes on under their word.
    await stopDue(send_id);
    expect((await approved(house.admin, send_id)).body.send.state).toBe('scheduled');
    expect(await standing(send_id)).toBe(true);
  });

  test('with policy none an edit of the steps makes the confirmation stale, and letters hold', async () => {
    const one = await aCampaign(house, desk, {
      review_policy: 'none',
      no_human_review_by_kind: 'person',
      no_human_review_by_id: house.admin.id,
      no_human_review_by_name: house.admin.name,
      no_human_review_at: now(),
      no_human_review_revision: 1,
    });
    const { send_id } = await aLetter(house, one);
    await house.sql`update campaigns set sequence_revision = 2 where id = ${one.id}`;
    expect(await verdict(send_id)).toMatchObject({ stop: { hold: 'review_confirmation_stale' } });
  });
});

describe('a letter that its gates hold', () => {
  const suppressed = async (address: string) =>
    (await house.admin.rest('POST', `${O}/suppressions`, { address })).body.suppression.id as string;

  test('tells the world once, says who lifts it, and goes on with its approval when the cause is gone', async () => {
    const { send_id, person } = await aLetter(house, campaign);
    await approved(wire, send_id);
    const suppression = await suppressed(person.address);
    expect(await stopDue(send_id)).toMatchObject({ stop: { hold: 'suppressed' } });
    const held = (await readSend(house.admin, send_id)).send;
    expect(held.hold).toMatchObject({ reason: 'suppressed', who: 'person', fix: expect.any(String) });
    expect(held.hold.sentence).toContain('manual');
    expect(await heldEvents(house, send_id)).toEqual(['suppressed']);
    // Looked at again and again: still held, and nobody is told twice.
    for (let n = 0; n < 3; n++) {
      house.clock.advance(11 * MINUTE_MS);
      await recheck();
    }
    expect(await heldEvents(house, send_id)).toEqual(['suppressed']);
    expect((await readSend(house.admin, send_id)).send).toMatchObject({
      state: 'held',
      hold: { since: held.hold.since },
    });
    await house.admin.rest('DELETE', `${O}/suppressions/${suppression}`);
    house.clock.advance(11 * MINUTE_MS);
    await recheck();
    expect((await readSend(house.admin, send_id)).send).toMatchObject({
      state: 'scheduled',
      hold: null,
      approved_by: { name: house.admin.name },
    });
    await suppressed(person.address);
    await stopDue(send_id);
    expect(await heldEvents(house, send_id)).toEqual(['suppressed', 'suppressed']);
  });

  test('does not come free for one cause while another stands, and the next cause is told', async () => {
    const own = await aDesk(house);
    const { send_id, person } = await aLetter(house, await aCampaign(house, own));
    await approved(wire, send_id);
    const suppression = await suppressed(person.address);
    await stopDue(send_id);
    await house.sql`update identities set active = false where id = ${own.identity_id}`;
    await house.admin.rest('DELETE', `${O}/suppressions/${suppression}`);
    const asked = await plain.rest('POST', `${O}/sends/${send_id}/recheck`, {});
    expect(asked.body.send).toMatchObject({ state: 'held', hold: { reason: 'identity_inactive' } });
    expect(await heldEvents(house, send_id)).toEqual(['suppressed', 'identity_inactive']);
    await house.sql`update identities set active = true where id = ${own.identity_id}`;
    await transact((tx) => wakeLetters(tx, { identity_id: own.identity_id }, now()));
    await recheck();
    expect(await state(send_id)).toBe('scheduled');
  });

  test('an approval that went stale is mended by approving again', async () => {
    const token = await house.token({ scopes: { wire: true } });
    const { send_id } = await aLetter(house, campaign);
    await approved(token, send_id);
    await house.admin.rest('DELETE', `/api/admin/tokens/${token.id}`);
    await stopDue(send_id);
    expect((await readSend(house.admin, send_id)).send.hold.reason).toBe('approval_stale');
    expect((await approved(house.admin, send_id)).body.send).toMatchObject({
      state: 'scheduled',
      hold: null,
    });
    expect(await verdict(send_id)).toBeNull();
  });

  test('by hand stays back until somebody lets it go, whatever wakes it', async () => {
    const { send_id } = await aLetter(house, campaign);
    await approved(wire, send_id);
    const held = await plain.rest('POST', `${O}/sends/${send_id}/hold`, { note: 'after the fair' });
    expect(held.body.send).toMatchObject({ state: 'held', hold: { reason: 'letter_on_hold' } });
    await transact((tx) => wakeLetters(tx, { campaign_id: campaign.id }, now()));
    house.clock.advance(HOUR_MS);
    await recheck();
    expect(await state(send_id)).toBe('held');
    const free = await plain.rest('POST', `${O}/sends/${send_id}/recheck`, {});
    expect(free.body.send).toMatchObject({ state: 'scheduled', approved_by: { name: house.admin.name } });
  });

  test('in review goes back to review when it is let go: a hold is no way around a reader', async () => {
    const { send_id } = await aLetter(house, campaign);
    await plain.rest('POST', `${O}/sends/${send_id}/hold`, {});
    const free = await plain.rest('POST', `${O}/sends/${send_id}/recheck`, {});
    expect(free.body.send).toMatchObject({ state: 'review', hold: null });
    const answer = await approved(wire, send_id);
    expect(answer.body.send.state).toBe('scheduled');
  });

  test('is what service://sends/held shows', async () => {
    const { send_id } = await aLetter(house, campaign);
    await approved(wire, send_id);
    await plain.rest('POST', `${O}/sends/${send_id}/hold`, {});
    const shelf = await plain.rpc('resources/read', { uri: 'service://sends/held' });
    const { items } = JSON.parse(shelf.result.contents[0].text);
    expect(items.every((each: { state: string }) => each.state === 'held')).toBe(true);
    expect(items.map((each: { id: string }) => each.id)).toContain(send_id);
  });
});

describe('a letter that waits', () => {
  test('is asked again at once when it is woken, save what the next hop put off', async () => {
    const one = await aCampaign(house, desk, { state: 'paused', paused_reason: 'person' });
    const { send_id } = await aLetter(house, one);
    const other = await aLetter(house, one);
    await approved(wire, send_id);
    await approved(wire, other.send_id);
    expect(await stopDue(send_id)).toMatchObject({ stop: { defer: 'campaign_paused' } });
    await house.sql`update sends set waiting_for = 'greylisted', not_before = now() + interval '1 day' where id = ${other.send_id}`;
    const read = await readSend(house.admin, send_id);
    expect(read.send).toMatchObject({ state: 'scheduled', waiting_for: 'campaign_paused' });
    expect(read.outlook).toMatchObject({
      goes_at: null,
      why_not: { reason: 'campaign_paused', who: 'person' },
    });
    expect(await heldEvents(house, send_id)).toEqual([]);
    await house.sql`update campaigns set state = 'active', paused_reason = null where id = ${one.id}`;
    expect(await transact((tx) => wakeLetters(tx, { campaign_id: one.id }, now()))).toBe(1);
    expect((await readSend(house.admin, send_id)).send).toMatchObject({
      waiting_for: null,
      not_before: null,
    });
    expect((await readSend(house.admin, other.send_id)).send.waiting_for).toBe('greylisted');
  });

  test('says the time at which its hours open', async () => {
    const tomorrow = new Date(now().getTime() + DAY_MS);
    const day = ((tomorrow.getUTCDay() + 6) % 7) + 1;
    const one = await aCampaign(house, desk, {
      windows: house.sql.json([{ days: [day], from: '09:00', to: '10:00' }]),
    });
    const { send_id } = await aLetter(house, one);
    await approved(wire, send_id);
    const { outlook } = await readSend(house.admin, send_id);
    expect(outlook.goes_at).toBe(`${tomorrow.toISOString().slice(0, 10)}T09:00:00.000Z`);
    const clock = outlook.gates.find(({ gate }: { gate: string }) => gate === 'clock');
    expect(clock).toMatchObject({ verdict: 'wait', reason: 'outside_window', who: 'time' });
    expect(outlook.gates).toHaveLength(15);
  });
});

describe('how much one person has', () => {
  const wentOut = (id: string, at: Date) =>
    house.sql`update sends set state = 'sent', sending_at = ${at}, sent_at = ${at} where id = ${id}`;

  test('no more letters in a week than the campaign allows, one-off letters counted', async () => {
    const person = await somebody(house);
    const campaigns = await Promise.all(
      [1, 2].map(() => aCampaign(house, desk, { exclusive: false, max_touches_per_week_per_person: 2 })),
    );
    const ids: string[] = [];
    for (const each of campaigns) ids.push(await drafted(house, each, await enrolled(house, each, person)));
    const first = new Date(now().getTime() - 2 * DAY_MS);
    await wentOut(ids[0] ?? '', first);
    await approved(wire, ids[1] ?? '');
    expect(await verdict(ids[1] ?? '')).toBeNull();
    const single = await plain.rest('POST', `${O}/letters`, {
      person_id: person.id,
      identity_id: desk.identity_id,
      subject: 'By the way',
      text: 'Dear Dana',
    });
    expect(single.status, JSON.stringify(single.body)).toBe(201);
    await wentOut(single.body.send.id, now());
    expect(await verdict(ids[1] ?? '')).toMatchObject({
      stop: { defer: 'frequency_cap', until: new Date(first.getTime() + 7 * DAY_MS) },
    });
  });

  test('somebody who is live in an exclusive campaign is not written to by a later one', async () => {
    const person = await somebody(house);
    const [one, two] = [await aCampaign(house, desk), await aCampaign(house, desk, { exclusive: false })];
    const first = await drafted(house, one, await enrolled(house, one, person));
    house.clock.advance(1000);
    const second = await drafted(house, two, await enrolled(house, two, person));
    await approved(wire, first);
    await approved(wire, second);
    expect(await verdict(first)).toBeNull();
    expect(await verdict(second)).toMatchObject({ stop: { hold: 'duplicate_in_campaign' } });
  });
});

describe('a single letter', () => {
  const write = async (more: Record<string, unknown> = {}) => {
    const person = await somebody(house);
    const answer = await plain.rest('POST', `${O}/letters`, {
      person_id: person.id,
      identity_id: desk.identity_id,
      subject: 'Your talk',
      text: 'Dear Dana, I heard your talk.',
      ...more,
    });
    return { person, answer };
  };

  test('always waits in review with a way out, and approving it is wire (side door 9)', async () => {
    const { answer } = await write();
    expect(answer.status).toBe(201);
    const { send } = answer.body;
    expect(send).toMatchObject({
      kind: 'one_off',
      state: 'review',
      review_reason: 'one_off',
      campaign_id: null,
    });
    expect(send.text).toContain('/u/');
    expect((await approved(plain, send.id)).body.error.message).toBe(WIRE_REQUIRED);
    expect((await approved(wire, send.id)).body.send.state).toBe('scheduled');
    expect(await verdict(send.id)).toBeNull();
  });

  test('meets the gates of every other: suppression and basis hold it', async () => {
    const { person, answer } = await write();
    await approved(wire, answer.body.send.id);
    await house.sql`update people set basis = 'none' where id = ${person.id}`;
    expect(await verdict(answer.body.send.id)).toMatchObject({ stop: { hold: 'no_basis' } });
    await house.admin.rest('POST', `${O}/suppressions`, { address: person.address });
    expect(await verdict(answer.body.send.id)).toMatchObject({ stop: { hold: 'suppressed' } });
  });

  test('is not written under an identity that is not active, nor to a foreign address', async () => {
    const own = await aDesk(house);
    await house.sql`update identities set active = false where id = ${own.identity_id}`;
    const { answer } = await write({ identity_id: own.identity_id });
    expect([answer.status, answer.body.error.message]).toEqual([
      409,
      expect.stringContaining('is not active'),
    ]);
    expect((await write({ to: 'victim@elsewhere.example' })).answer.status).toBe(400);
    expect((await write({ identity_id: randomUUID() })).answer.status).toBe(404);
  });
});

describe('rewriting', () => {
  test('letter_draft writes one letter anew under the name of who did it, and sends it to review', async () => {
    const { send_id, person } = await aLetter(house, campaign);
    const before = (await readSend(house.admin, send_id)).send;
    const done = await plain.tool('letter_draft', {
      campaign: campaign.id,
      person_id: person.id,
      step: 0,
      text: 'Dear {{ person.name }}, congratulations.',
      reason: 'The bridge opened',
    });
    expect(done.isError, done.text).toBe(false);
    expect(done.json.send).toMatchObject({
      id: send_id,
      state: 'review',
      review_reason: 'rewritten',
      rewritten: { by: { kind: 'agent', name: plain.name }, reason: 'The bridge opened' },
    });
    expect(done.json.send.text).toMatch(/^Dear Dana Roe, congratulations\./);
    expect(done.json.send.text).toContain('/u/');
    expect(done.json.send.fingerprint).not.toBe(before.fingerprint);
    const { previous } = await readSend(house.admin, send_id);
    expect(previous.text).toBe(before.text);
    await approved(wire, send_id);
    const late = await plain.tool('letter_draft', {
      campaign: campaign.id,
      person_id: person.id,
      step: campaign.step_id,
      text: 'Something else',
      reason: 'late',
    });
    expect(late.isError).toBe(true);
    expect(await state(send_id)).toBe('scheduled');
  });

  test('returned with a note it is a draft; edited it comes back; rejected it never goes', async () => {
    const { send_id } = await aLetter(house, campaign);
    const back = await plain.rest('POST', `${O}/sends/${send_id}/return`, { note: 'Shorter' });
    expect(back.body.send).toMatchObject({ state: 'drafted', note: 'Shorter' });
    expect((await approved(wire, send_id)).status).toBe(409);
    const edit = await plain.rest('PATCH', `${O}/sends/${send_id}`, {
      revision: back.body.send.revision,
      text: 'Short.',
    });
    expect(edit.body.send.state).toBe('review');
    const stale = await plain.rest('PATCH', `${O}/sends/${send_id}`, { revision: 1, text: 'Late.' });
    expect(stale.status).toBe(409);
    expect((await plain.rest('POST', `${O}/sends/${send_id}/reject`, {})).body.send).toMatchObject({
      state: 'cancelled',
      cancel_reason: 'rejected',
    });
    expect((await plain.rest('POST', `${O}/sends/${send_id}/cancel`, {})).status).toBe(409);
  });

  test('an edited letter without its way out is held before it goes', async () => {
    const { send_id } = await aLetter(house, campaign);
    const other = (await readSend(house.admin, (await aLetter(house, campaign)).send_id)).send.text;
    for (const text of ['No link.', other]) {
      const { send } = await readSend(house.admin, send_id);
      await plain.rest('PATCH', `${O}/sends/${send_id}`, { revision: send.revision, text });
      await approved(wire, send_id);
      expect(await verdict(send_id)).toMatchObject({ stop: { hold: 'missing_unsubscribe' } });
    }
  });
});

describe('a letter that nobody knows of', () => {
  const uncertain = async () => {
    const { send_id } = await aLetter(house, campaign);
    await approved(wire, send_id);
    await house.sql`update sends set state = 'uncertain', sending_at = now() where id = ${send_id}`;
    return send_id;
  };

  test('is resolved by a person alone, since "not sent" sends it again (side door 24)', async () => {
    const send_id = await uncertain();
    const agent = await house.token({ scopes: { wire: true } });
    await agent.tool('work_search', {});
    for (const client of [
      agent,
      await house.token({ mode: 'service', policies: ['outreach-operator'], scopes: { wire: true } }),
    ]) {
      const refused = await client.rest('POST', `${O}/sends/${send_id}/resolve`, { outcome: 'not_sent' });
      expect([refused.status, refused.body.error.message]).toEqual([403, RESOLVED_BY_PEOPLE]);
    }
    const tool = await agent.tool('api_request', {
      method: 'POST',
      path: `${O}/sends/${send_id}/resolve`,
      body: { outcome: 'not_sent' },
    });
    expect(tool.text).toBe(`HTTP 403: ${RESOLVED_BY_PEOPLE}`);
    expect(await state(send_id)).toBe('uncertain');
    const again = await house.admin.rest('POST', `${O}/sends/${send_id}/resolve`, { outcome: 'not_sent' });
    expect(again.body.send).toMatchObject({ state: 'scheduled', approved_by: { name: house.admin.name } });
  });

  test('is never called off or edited', async () => {
    const send_id = await uncertain();
    const { send } = await readSend(house.admin, send_id);
    expect((await plain.rest('POST', `${O}/sends/${send_id}/cancel`, {})).status).toBe(409);
    expect(
      (await plain.rest('PATCH', `${O}/sends/${send_id}`, { revision: send.revision, text: 'x' })).status,
    ).toBe(409);
    expect(
      await transact((tx) =>
        cancelLetters(tx, { prospect_id: send.prospect_id }, 'replied', SEQUENCE, now()),
      ),
    ).toEqual([]);
    const sent = await house.admin.rest('POST', `${O}/sends/${send_id}/resolve`, { outcome: 'sent' });
    expect(sent.body.send).toMatchObject({ state: 'sent', sent_at: expect.any(String) });
  });
});

describe('lists', () => {
  test('find by state, campaign, person and reason, from both ends, page by page', async () => {
    const one = await aCampaign(house, desk);
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.push((await aLetter(house, one)).send_id);
    const pages = async (query: string) => {
      const seen: string[] = [];
      let cursor = '';
      do {
        const answer = await plain.rest('GET', `${O}/sends?campaign=${one.id}&limit=2${query}${cursor}`);
        expect(answer.status, JSON.stringify(answer.body)).toBe(200);
        seen.push(...answer.body.items.map((each: { id: string }) => each.id));
        cursor = answer.body.next_cursor ? `&cursor=${answer.body.next_cursor}` : '';
      } while (cursor !== '');
      return seen;
    };
    expect(await pages('&state=review&order=oldest')).toEqual(ids);
    expect(await pages('')).toEqual(ids.toReversed());
    expect(await pages('&reason=suppressed')).toEqual([]);
    expect((await plain.rest('GET', `${O}/sends?cursor=AAAA`)).status).toBe(400);
  });

  test('show nothing of what policies deny, and a letter that may not be read is not there', async () => {
    const { send_id } = await aLetter(house, campaign);
    const other = await aCampaign(house, desk);
    const seen = await aLetter(house, other);
    const made = await house.admin.rest('POST', '/api/admin/policies', {
      name: 'one-campaign',
      version: 1,
      statements: [
        { effect: 'allow', actions: ['outreach.send.read'], resources: [`outreach:campaign/${other.id}`] },
      ],
    });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const narrow = await house.token({ mode: 'service', policies: ['one-campaign'], scopes: { wire: true } });
    const list = await narrow.rest('GET', `${O}/sends`);
    expect(list.body.items.map((each: { id: string }) => each.id)).toEqual([seen.send_id]);
    expect(list.body.items[0].person_name).toBeNull();
    expect((await narrow.rest('GET', `${O}/sends/${send_id}`)).status).toBe(404);
    expect((await narrow.rest('POST', `${O}/sends/${send_id}/cancel`, {})).status).toBe(403);
  });
});
