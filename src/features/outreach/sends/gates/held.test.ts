// Letters that their gates hold, that wait, and that would be one too many: told once, let go when the cause is gone.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type TestApp, type TokenClient } from '../../../../../test/support/app.ts';
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
  stopDue as stopLetter,
  type TestCampaign,
  verdict as verdictOf,
} from '../../../../../test/support/letters.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../kernel/clock.ts';
import { wakeLetters } from '../letter/flow.store.ts';

let app: TestApp;
let desk: Desk;
let campaign: TestCampaign;
let wire: TokenClient;
let plain: TokenClient;
beforeAll(async () => {
  app = await openTestApp();
  desk = await aDesk(app);
  campaign = await aCampaign(app, desk);
  wire = await app.token({ scopes: { wire: true } });
  plain = await app.token();
});
afterAll(async () => app.close());

const now = () => app.clock.now();
const transact = <T>(work: Parameters<typeof app.instance.app.database.transact<T>>[0]) =>
  app.instance.app.database.transact(work);
const recheck = () => app.instance.jobs.run('letters_recheck');
const verdict = (id: string) => verdictOf(app, id);
const stopDue = (id: string) => stopLetter(app, id);
const state = async (id: string) => (await readSend(app.admin, id)).send.state;

describe('a letter that its gates hold', () => {
  const suppressed = async (address: string) =>
    (await app.admin.rest('POST', `${O}/suppressions`, { address })).body.suppression.id as string;

  test('tells the world once, says who lifts it, and goes on with its approval when the cause is gone', async () => {
    const { send_id, person } = await aLetter(app, campaign);
    await approved(wire, send_id);
    const suppression = await suppressed(person.address);
    expect(await stopDue(send_id)).toMatchObject({ stop: { hold: 'suppressed' } });
    const held = (await readSend(app.admin, send_id)).send;
    expect(held.hold).toMatchObject({ reason: 'suppressed', who: 'person', fix: expect.any(String) });
    expect(held.hold.sentence).toContain('manual');
    expect(await heldEvents(app, send_id)).toEqual(['suppressed']);
    // Looked at again and again: still held, and no one is told twice.
    for (let n = 0; n < 3; n++) {
      app.clock.advance(11 * MINUTE_MS);
      await recheck();
    }
    expect(await heldEvents(app, send_id)).toEqual(['suppressed']);
    expect((await readSend(app.admin, send_id)).send).toMatchObject({
      state: 'held',
      hold: { since: held.hold.since },
    });
    await app.admin.rest('DELETE', `${O}/suppressions/${suppression}`);
    app.clock.advance(11 * MINUTE_MS);
    await recheck();
    expect((await readSend(app.admin, send_id)).send).toMatchObject({
      state: 'scheduled',
      hold: null,
      approved_by: { name: app.admin.name },
    });
    await suppressed(person.address);
    await stopDue(send_id);
    expect(await heldEvents(app, send_id)).toEqual(['suppressed', 'suppressed']);
  });

  test('in review says first that its address is suppressed, leaves review, and comes back when that is lifted', async () => {
    const { send_id, person } = await aLetter(app, campaign);
    expect(await state(send_id)).toBe('review');
    const suppression = await suppressed(person.address);
    expect((await readSend(app.admin, send_id)).outlook.why_not).toMatchObject({ reason: 'suppressed' });
    const sweep = () => app.instance.jobs.run('letters_suppressed');
    for (let n = 0; n < 3; n++) {
      await sweep();
      app.clock.advance(11 * MINUTE_MS);
      await recheck();
    }
    const held = await readSend(app.admin, send_id);
    expect(held.send).toMatchObject({ state: 'held', hold: { reason: 'suppressed' } });
    expect(held.history[0]).toMatchObject({
      kind: 'held',
      details: { from: 'review', reason: 'suppressed' },
    });
    expect(await heldEvents(app, send_id)).toEqual(['suppressed']);
    // Other words do not bring it back to a reader either.
    const edited = { text: 'Other words', revision: held.send.revision };
    await app.admin.rest('PATCH', `${O}/sends/${send_id}`, edited);
    await recheck();
    expect(await state(send_id)).toBe('held');
    await app.admin.rest('DELETE', `${O}/suppressions/${suppression}`);
    await recheck();
    await sweep();
    expect((await readSend(app.admin, send_id)).send).toMatchObject({ state: 'review', hold: null });
    expect(await heldEvents(app, send_id)).toEqual(['suppressed']);
  });

  test('that was cancelled keeps the note that was given with it', async () => {
    const { send_id } = await aLetter(app, campaign);
    await plain.rest('POST', `${O}/sends/${send_id}/cancel`, { note: 'They merged with a rival.' });
    const { send, history } = await readSend(app.admin, send_id);
    expect(send).toMatchObject({ state: 'cancelled', note: 'They merged with a rival.' });
    expect(history[0]).toMatchObject({ kind: 'cancelled', details: { note: 'They merged with a rival.' } });
  });

  test('does not come free for one cause while another exists, and the next cause is told', async () => {
    const own = await aDesk(app);
    const { send_id, person } = await aLetter(app, await aCampaign(app, own));
    await approved(wire, send_id);
    const suppression = await suppressed(person.address);
    await stopDue(send_id);
    await app.sql`update identities set active = false where id = ${own.identity_id}`;
    await app.admin.rest('DELETE', `${O}/suppressions/${suppression}`);
    const asked = await plain.rest('POST', `${O}/sends/${send_id}/recheck`, {});
    expect(asked.body.send).toMatchObject({ state: 'held', hold: { reason: 'identity_inactive' } });
    expect(await heldEvents(app, send_id)).toEqual(['suppressed', 'identity_inactive']);
    await app.sql`update identities set active = true where id = ${own.identity_id}`;
    await transact((tx) => wakeLetters(tx, { identity_id: own.identity_id }, now()));
    await recheck();
    expect(await state(send_id)).toBe('scheduled');
  });

  test('an approval that went stale is fixed by approving again', async () => {
    const token = await app.token({ scopes: { wire: true } });
    const { send_id } = await aLetter(app, campaign);
    await approved(token, send_id);
    await app.admin.rest('DELETE', `/api/admin/tokens/${token.id}`);
    await stopDue(send_id);
    expect((await readSend(app.admin, send_id)).send.hold.reason).toBe('approval_stale');
    expect((await approved(app.admin, send_id)).body.send).toMatchObject({
      state: 'scheduled',
      hold: null,
    });
    expect(await verdict(send_id)).toBeNull();
  });

  test('by hand stays back until someone lets it go, whatever wakes it', async () => {
    const { send_id } = await aLetter(app, campaign);
    await approved(wire, send_id);
    const held = await plain.rest('POST', `${O}/sends/${send_id}/hold`, { note: 'after the fair' });
    expect(held.body.send).toMatchObject({ state: 'held', hold: { reason: 'letter_on_hold' } });
    await transact((tx) => wakeLetters(tx, { campaign_id: campaign.id }, now()));
    app.clock.advance(HOUR_MS);
    await recheck();
    expect(await state(send_id)).toBe('held');
    const free = await plain.rest('POST', `${O}/sends/${send_id}/recheck`, {});
    expect(free.body.send).toMatchObject({ state: 'scheduled', approved_by: { name: app.admin.name } });
  });

  test('in review goes back to review when it is let go: a hold is no way around a reader', async () => {
    const { send_id } = await aLetter(app, campaign);
    await plain.rest('POST', `${O}/sends/${send_id}/hold`, {});
    const free = await plain.rest('POST', `${O}/sends/${send_id}/recheck`, {});
    expect(free.body.send).toMatchObject({ state: 'review', hold: null });
    const answer = await approved(wire, send_id);
    expect(answer.body.send.state).toBe('scheduled');
  });

  test('is what service://sends/held shows', async () => {
    const { send_id } = await aLetter(app, campaign);
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
    const one = await aCampaign(app, desk, { state: 'paused', paused_reason: 'person' });
    const { send_id } = await aLetter(app, one);
    const other = await aLetter(app, one);
    await approved(wire, send_id);
    await approved(wire, other.send_id);
    expect(await stopDue(send_id)).toMatchObject({ stop: { defer: 'campaign_paused' } });
    await app.sql`update sends set waiting_for = 'greylisted', not_before = now() + interval '1 day' where id = ${other.send_id}`;
    const read = await readSend(app.admin, send_id);
    expect(read.send).toMatchObject({ state: 'scheduled', waiting_for: 'campaign_paused' });
    expect(read.outlook).toMatchObject({
      goes_at: null,
      why_not: { reason: 'campaign_paused', who: 'person' },
    });
    expect(await heldEvents(app, send_id)).toEqual([]);
    await app.sql`update campaigns set state = 'active', paused_reason = null where id = ${one.id}`;
    expect(await transact((tx) => wakeLetters(tx, { campaign_id: one.id }, now()))).toBe(1);
    expect((await readSend(app.admin, send_id)).send).toMatchObject({
      waiting_for: null,
      not_before: null,
    });
    expect((await readSend(app.admin, other.send_id)).send.waiting_for).toBe('greylisted');
  });

  test('says the time at which its hours open', async () => {
    const tomorrow = new Date(now().getTime() + DAY_MS);
    const day = ((tomorrow.getUTCDay() + 6) % 7) + 1;
    const one = await aCampaign(app, desk, {
      windows: app.sql.json([{ days: [day], from: '09:00', to: '10:00' }]),
    });
    const { send_id } = await aLetter(app, one);
    await approved(wire, send_id);
    const { outlook } = await readSend(app.admin, send_id);
    expect(outlook.goes_at).toBe(`${tomorrow.toISOString().slice(0, 10)}T09:00:00.000Z`);
    const clock = outlook.gates.find(({ gate }: { gate: string }) => gate === 'clock');
    expect(clock).toMatchObject({ verdict: 'wait', reason: 'outside_window', who: 'time' });
    expect(outlook.gates).toHaveLength(15);
  });
});

describe('how much one person has', () => {
  const wentOut = (id: string, at: Date) =>
    app.sql`update sends set state = 'sent', sending_at = ${at}, sent_at = ${at} where id = ${id}`;

  test('no more letters in a week than the campaign allows, one-off letters counted', async () => {
    const person = await somebody(app);
    const campaigns = await Promise.all(
      [1, 2].map(() => aCampaign(app, desk, { exclusive: false, max_touches_per_week_per_person: 2 })),
    );
    const ids: string[] = [];
    for (const each of campaigns) ids.push(await drafted(app, each, await enrolled(app, each, person)));
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

  test('someone who is live in an exclusive campaign is not written to by a later one', async () => {
    const person = await somebody(app);
    const [one, two] = [await aCampaign(app, desk), await aCampaign(app, desk, { exclusive: false })];
    const first = await drafted(app, one, await enrolled(app, one, person));
    app.clock.advance(1000);
    const second = await drafted(app, two, await enrolled(app, two, person));
    await approved(wire, first);
    await approved(wire, second);
    expect(await verdict(first)).toBeNull();
    expect(await verdict(second)).toMatchObject({ stop: { hold: 'duplicate_in_campaign' } });
  });
});
