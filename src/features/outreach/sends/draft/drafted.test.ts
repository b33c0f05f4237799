// Letters as they are drafted, rewritten, written one by one and resolved; side doors 9 and 24 of domain.md §4.3.
import { randomUUID } from 'node:crypto';
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
  O,
  readSend,
  SEQUENCE,
  somebody,
  type TestCampaign,
  verdict as verdictOf,
} from '../../../../../test/support/letters.ts';
import { WIRE_REQUIRED } from '../../../../kernel/sentences.ts';
import { cancelLetters } from '../letter/flow.store.ts';
import { RESOLVED_BY_PEOPLE } from '../moves.contract.ts';

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
const verdict = (id: string) => verdictOf(app, id);
const state = async (id: string) => (await readSend(app.admin, id)).send.state;

describe('a drafted letter', () => {
  test('is rendered for its person with signature, unsubscribe link and postal address, and waits in review', async () => {
    const { send_id, person, prospect_id } = await aLetter(app, campaign, 'Dana Roe');
    const { send, template, previous, history } = await readSend(app.admin, send_id);
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
    const prospect_id = await enrolled(app, campaign, await somebody(app));
    const both = await Promise.allSettled([
      drafted(app, campaign, prospect_id),
      drafted(app, campaign, prospect_id),
    ]);
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await app.sql`select 1 from sends where prospect_id = ${prospect_id}`).toHaveLength(1);
  });

  test('pins the identity of its prospect; with an empty pool there is none to draft it', async () => {
    const { prospect_id } = await aLetter(app, campaign);
    const [row] = await app.sql`select identity_id from prospects where id = ${prospect_id}`;
    expect(row?.['identity_id']).toBe(campaign.identity_id);
    const poor = await aCampaign(app, desk);
    await app.sql`delete from campaign_identities where campaign_id = ${poor.id}`;
    const nobody = await enrolled(app, poor, await somebody(app));
    await expect(drafted(app, poor, nobody)).rejects.toThrow('pool_empty');
  });
});

describe('a single letter', () => {
  const write = async (more: Record<string, unknown> = {}) => {
    const person = await somebody(app);
    const answer = await plain.rest('POST', `${O}/letters`, {
      person_id: person.id,
      identity_id: desk.identity_id,
      subject: 'Your talk',
      text: 'Dear Dana, I heard your talk.',
      ...more,
    });
    return { person, answer };
  };

  test('always waits in review with an unsubscribe link, and approving it is wire (side door 9)', async () => {
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
    await app.sql`update people set basis = 'none' where id = ${person.id}`;
    expect(await verdict(answer.body.send.id)).toMatchObject({ stop: { hold: 'no_basis' } });
    await app.admin.rest('POST', `${O}/suppressions`, { address: person.address });
    expect(await verdict(answer.body.send.id)).toMatchObject({ stop: { hold: 'suppressed' } });
  });

  test('is not written under an identity that is not active, nor to a foreign address', async () => {
    const own = await aDesk(app);
    await app.sql`update identities set active = false where id = ${own.identity_id}`;
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
  test('letter_draft writes one letter again under the name of who did it, and sends it to review', async () => {
    const { send_id, person } = await aLetter(app, campaign);
    const before = (await readSend(app.admin, send_id)).send;
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
    const { previous } = await readSend(app.admin, send_id);
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
    const { send_id } = await aLetter(app, campaign);
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

  test('an edited letter without its unsubscribe link is held before it goes', async () => {
    const { send_id } = await aLetter(app, campaign);
    const other = (await readSend(app.admin, (await aLetter(app, campaign)).send_id)).send.text;
    for (const text of ['No link.', other]) {
      const { send } = await readSend(app.admin, send_id);
      await plain.rest('PATCH', `${O}/sends/${send_id}`, { revision: send.revision, text });
      await approved(wire, send_id);
      expect(await verdict(send_id)).toMatchObject({ stop: { hold: 'missing_unsubscribe' } });
    }
  });
});

describe('a letter that no one knows of', () => {
  const uncertain = async () => {
    const { send_id } = await aLetter(app, campaign);
    await approved(wire, send_id);
    await app.sql`update sends set state = 'uncertain', sending_at = now() where id = ${send_id}`;
    return send_id;
  };

  test('is resolved by a person alone, since "not sent" sends it again (side door 24)', async () => {
    const send_id = await uncertain();
    const agent = await app.token({ scopes: { wire: true } });
    await agent.tool('work_search', {});
    for (const client of [
      agent,
      await app.token({ mode: 'service', policies: ['outreach-operator'], scopes: { wire: true } }),
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
    const again = await app.admin.rest('POST', `${O}/sends/${send_id}/resolve`, { outcome: 'not_sent' });
    expect(again.body.send).toMatchObject({ state: 'scheduled', approved_by: { name: app.admin.name } });
  });

  test('is never called off or edited', async () => {
    const send_id = await uncertain();
    const { send } = await readSend(app.admin, send_id);
    expect((await plain.rest('POST', `${O}/sends/${send_id}/cancel`, {})).status).toBe(409);
    expect(
      (await plain.rest('PATCH', `${O}/sends/${send_id}`, { revision: send.revision, text: 'x' })).status,
    ).toBe(409);
    expect(
      await transact((tx) =>
        cancelLetters(tx, { prospect_id: send.prospect_id }, 'replied', SEQUENCE, now()),
      ),
    ).toEqual([]);
    const sent = await app.admin.rest('POST', `${O}/sends/${send_id}/resolve`, { outcome: 'sent' });
    expect(sent.body.send).toMatchObject({ state: 'sent', sent_at: expect.any(String) });
  });
});
