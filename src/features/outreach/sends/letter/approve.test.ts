// Approving: for the letter as it was read, by wire, and for as long as whoever gave it could; red team A23, A24, A26, A27 and the
// side doors 7 and 8 of domain.md §4.3.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type TestApp, type TokenClient } from '../../../../../test/support/app.ts';
import {
  aCampaign,
  aDesk,
  aLetter,
  approved,
  type Desk,
  O,
  readSend,
  stopDue as stopLetter,
  type TestCampaign,
  verdict as verdictOf,
} from '../../../../../test/support/letters.ts';
import { WIRE_REQUIRED } from '../../../../kernel/sentences.ts';

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
const verdict = (id: string) => verdictOf(app, id);
const stopDue = (id: string) => stopLetter(app, id);
const state = async (id: string) => (await readSend(app.admin, id)).send.state;

describe('approving', () => {
  test('needs wire on every route, and leaves a letter that was refused as it was', async () => {
    const { send_id } = await aLetter(app, campaign);
    const { send } = await readSend(app.admin, send_id);
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
    expect((await readSend(app.admin, send_id)).send).toEqual(send);
  });

  test('is for the letter as it was read: who and when are kept, and it is on its way', async () => {
    const { send_id } = await aLetter(app, campaign);
    const answer = await approved(wire, send_id);
    expect(answer.body.send).toMatchObject({
      state: 'scheduled',
      approved_by: { kind: 'person', name: app.admin.name },
    });
    expect((await readSend(app.admin, send_id)).outlook).toMatchObject({ why_not: null });
    const again = await approved(app.admin, send_id);
    expect([again.status, again.body.error.message]).toEqual([
      409,
      'this letter was already approved by Ada Operator: it will be sent when it is due',
    ]);
  });

  test('A23: a letter that is edited after approval loses it and goes to review again (side door 7)', async () => {
    for (const change of [{ subject: 'Send money' }, { text: 'Send money' }, { html: '<p>Send money</p>' }]) {
      const { send_id } = await aLetter(app, campaign);
      await approved(wire, send_id);
      const { send } = await readSend(app.admin, send_id);
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
    const { send_id, person } = await aLetter(app, campaign);
    await approved(wire, send_id);
    const revision = async () => (await readSend(app.admin, send_id)).send.revision;
    const foreign = await plain.rest('PATCH', `${O}/sends/${send_id}`, {
      revision: await revision(),
      to: 'victim@elsewhere.example',
    });
    expect(foreign.status).toBe(400);
    await app.sql`insert into person_addresses (id, person_id, value, normalised, domain, hash, is_primary, position)
      values (${randomUUID()}, ${person.id}, ${`x${person.address}`}, ${`x${person.address}`}, 'acme.example', 'h', false, 1)`;
    const own = await plain.rest('PATCH', `${O}/sends/${send_id}`, {
      revision: await revision(),
      to: `x${person.address}`,
    });
    expect(own.body.send).toMatchObject({ state: 'review', approved_by: null, to: `x${person.address}` });
  });

  test('A23: an approval does not outlive the name of its sender', async () => {
    const own = await aDesk(app);
    const { send_id } = await aLetter(app, await aCampaign(app, own));
    await approved(wire, send_id);
    expect(await verdict(send_id)).toBeNull();
    await app.sql`update identities set name = 'Your Bank' where id = ${own.identity_id}`;
    expect(await verdict(send_id)).toMatchObject({ gate: 'review', stop: { hold: 'approval_stale' } });
  });

  test('A24: approving and editing at once never leave an approval of words that it was not given for', async () => {
    for (let n = 0; n < 12; n++) {
      const { send_id } = await aLetter(app, campaign);
      const { send } = await readSend(app.admin, send_id);
      const [approval, edit] = await Promise.all([
        wire.rest('POST', `${O}/sends/${send_id}/approve`, { fingerprint: send.fingerprint }),
        plain.rest('PATCH', `${O}/sends/${send_id}`, { revision: send.revision, text: `Other words ${n}` }),
      ]);
      const after = (await readSend(app.admin, send_id)).send;
      // One came first; whichever it was, what exists is either the approved letter or the edited one in review.
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
    const letters = await Promise.all([1, 2, 3].map(() => aLetter(app, campaign)));
    const sends = await Promise.all(
      letters.map(async ({ send_id }) => {
        const { send } = await readSend(app.admin, send_id);
        return { id: send_id, fingerprint: send.fingerprint };
      }),
    );
    const [first, second, third] = sends as [(typeof sends)[0], (typeof sends)[0], (typeof sends)[0]];
    const bad = await wire.rest('POST', `${O}/sends/approve`, {
      sends: [first, { ...second, fingerprint: 'other' }, { ...third, id: randomUUID() }],
    });
    expect(bad.status).toBe(409);
    expect(bad.body.error.message).toMatch(/^no letter was approved, because 2 of 3 can’t be/);
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
    const letters = await Promise.all([1, 2, 3, 4].map(() => aLetter(app, campaign)));
    const sends = await Promise.all(
      letters.map(async ({ send_id }) => ({
        id: send_id,
        fingerprint: (await readSend(app.admin, send_id)).send.fingerprint,
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
      const token = await app.token({ scopes: { wire: true } });
      const { send_id } = await aLetter(app, campaign);
      await token.tool('work_search', {});
      await approved(token, send_id);
      expect((await readSend(app.admin, send_id)).send.approved_by.kind).toBe('agent');
      expect(await standing(send_id)).toBe(true);
      if (lose === 'delete') await app.admin.rest('DELETE', `/api/admin/tokens/${token.id}`);
      if (lose === 'wire') await app.sql`update tokens set wire = false where id = ${token.id}`;
      if (lose === 'expired')
        await app.sql`update tokens set expires_at = created_at + interval '1 millisecond' where id = ${token.id}`;
      expect(await verdict(send_id)).toMatchObject({ stop: { hold: 'approval_stale' } });
    }
  });

  test("a person's own token takes its word along too, although the approval is the person's", async () => {
    const token = await app.token({ scopes: { wire: true } });
    const { send_id } = await aLetter(app, campaign);
    await approved(token, send_id);
    expect((await readSend(app.admin, send_id)).send.approved_by.kind).toBe('person');
    await app.admin.rest('DELETE', `/api/admin/tokens/${token.id}`);
    expect(await standing(send_id)).toBe(false);
  });

  test('a disabled user, and one whose policy was taken away, no longer represent theirs', async () => {
    for (const lose of ['disabled', 'policy'] as const) {
      const person = await app.person({ policies: ['outreach-operator'] });
      const { send_id } = await aLetter(app, campaign);
      expect((await approved(person, send_id)).status).toBe(200);
      expect(await standing(send_id)).toBe(true);
      if (lose === 'disabled') await app.admin.rest('POST', `/api/admin/users/${person.id}/disable`, {});
      else await app.sql`delete from user_policies where user_id = ${person.id}`;
      expect(await standing(send_id)).toBe(false);
    }
  });

  test('A26: with policy none it is the confirmation and the activation that must still be', async () => {
    const token = await app.token({ scopes: { wire: true } });
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
    const one = await aCampaign(app, desk, { ...confirmed, ...maker('activated_by') });
    const { send_id } = await aLetter(app, one);
    expect(await state(send_id)).toBe('scheduled');
    expect(await standing(send_id)).toBe(true);
    await app.admin.rest('DELETE', `/api/admin/tokens/${token.id}`);
    expect(await verdict(send_id)).toMatchObject({ gate: 'review', stop: { hold: 'approval_stale' } });
    // A person reads it, and it goes on under their word.
    await stopDue(send_id);
    expect((await approved(app.admin, send_id)).body.send.state).toBe('scheduled');
    expect(await standing(send_id)).toBe(true);
  });

  test('with policy none an edit of the steps makes the confirmation stale, and letters hold', async () => {
    const one = await aCampaign(app, desk, {
      review_policy: 'none',
      no_human_review_by_kind: 'person',
      no_human_review_by_id: app.admin.id,
      no_human_review_by_name: app.admin.name,
      no_human_review_at: now(),
      no_human_review_revision: 1,
    });
    const { send_id } = await aLetter(app, one);
    await app.sql`update campaigns set sequence_revision = 2 where id = ${one.id}`;
    expect(await verdict(send_id)).toMatchObject({ stop: { hold: 'review_confirmation_stale' } });
  });
});
