// A campaign's policy made stricter: no letter that no one has read goes on as if someone had (domain.md §1.2).
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seenBy } from '../../../../../test/support/campaigns.ts';
import { openTestApp, type TestApp, type TokenClient } from '../../../../../test/support/app.ts';
import { planAndWrite } from '../../../../../test/imports/support.ts';
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
} from '../../../../../test/support/letters.ts';
import { lettersTouchedBySequence } from './reached.store.ts';

let app: TestApp;
let desk: Desk;
beforeAll(async () => {
  app = await openTestApp();
  desk = await aDesk(app);
});
afterAll(async () => app.close());

const unread = {
  review_policy: 'first_touch',
  review_bound_revision: 1,
} as const;
const send = async (id: string) => (await readSend(app.admin, id)).send;
const setPolicy = async (id: string, review_policy: string) => {
  const { body } = await app.admin.rest('GET', `${O}/campaigns/${id}`);
  return await app.admin.rest('PUT', `${O}/campaigns/${id}/review-policy`, {
    seen: await seenBy(app.admin, `${O}/campaigns/${id}`),
    review_policy,
    revision: body.campaign.revision,
  });
};

test('letters that no one has read go to review when the policy comes to want every letter read', async () => {
  const campaign = await aCampaign(app, desk, { ...unread, review_policy: 'sample', review_sample: 0 });
  // The first twenty are read whatever the sample says: this one is as if it had been drawn past.
  const { send_id } = await aLetter(app, campaign);
  await app.sql`update sends set state = 'scheduled', review_reason = null, scheduled_for = now() where id = ${send_id}`;
  expect((await setPolicy(campaign.id, 'every_letter')).status).toBe(200);
  expect(await send(send_id)).toMatchObject({ state: 'review', review_reason: 'every_letter' });
});

test('a letter that was read stays on its way, whatever the policy becomes', async () => {
  const campaign = await aCampaign(app, desk, unread);
  const { send_id } = await aLetter(app, campaign);
  await approved(app.admin, send_id);
  expect((await setPolicy(campaign.id, 'every_letter')).status).toBe(200);
  expect(await send(send_id)).toMatchObject({ state: 'scheduled' });
});

test('a looser policy takes nothing out of review', async () => {
  const campaign = await aCampaign(app, desk);
  const { send_id } = await aLetter(app, campaign);
  expect((await setPolicy(campaign.id, 'changed')).status).toBe(200);
  expect(await send(send_id)).toMatchObject({ state: 'review' });
});

describe('where letters are read that say an edited value', () => {
  const C = '/api/admin/crm';
  const asking = 'Dear {{ person.name }}, {{ custom.opener }}';
  let plain: TokenClient;
  let wired: TokenClient;
  beforeAll(async () => {
    plain = await app.token();
    wired = await app.token({ scopes: { wire: true } });
    const [set] = (await app.admin.rest('GET', `${C}/fields?noun=person`)).body.items;
    const fields = [...set.fields, { key: 'opener', title: 'Opener', kind: 'text' }];
    const made = await app.admin.rest('PUT', `${C}/fields`, {
      noun: 'person',
      revision: set.revision,
      fields,
    });
    expect(made.status, JSON.stringify(made.body)).toBe(200);
  });
  const changed = async (text: string) => {
    const campaign = await aCampaign(app, desk, { ...unread, review_policy: 'changed' });
    await app.sql`update sequence_steps set text = ${text} where id = ${campaign.step_id}`;
    const person = await somebody(app);
    const prospect = await enrolled(app, campaign, person);
    const patch = async (as: TokenClient, custom: object) => {
      const { revision } = (await as.rest('GET', `${C}/people/${person.id}`)).body.person;
      const answer = await as.rest('PATCH', `${C}/people/${person.id}`, { revision, custom });
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    };
    return { campaign, prospect, patch };
  };

  test('a letter is read when someone without wire wrote what it says', async () => {
    const { campaign, prospect, patch } = await changed(asking);
    await patch(plain, { opener: 'pay at evil.example' });
    const letter = await send(await drafted(app, campaign, prospect));
    expect(letter).toMatchObject({ state: 'review', review_reason: 'changed' });
    expect(letter.text).toContain('evil.example');
  });

  test('it goes on when someone with wire wrote it, since or alone', async () => {
    const { campaign, prospect, patch } = await changed(asking);
    await patch(plain, { opener: 'pay at evil.example' });
    await patch(wired, { opener: 'we saw your bridge' });
    expect(await send(await drafted(app, campaign, prospect))).toMatchObject({ state: 'scheduled' });
  });

  test('it goes on when it does not say it', async () => {
    const { campaign, prospect, patch } = await changed('Dear {{ person.name }}');
    await patch(plain, { opener: 'pay at evil.example' });
    expect(await send(await drafted(app, campaign, prospect))).toMatchObject({ state: 'scheduled' });
  });

  test('an edit of the steps with wire takes no such value along unread', async () => {
    const { campaign, prospect, patch } = await changed('Dear {{ person.name }}');
    const id = await drafted(app, campaign, prospect);
    await patch(plain, { opener: 'pay at evil.example' });
    await app.sql`update sequence_steps set text = ${asking} where id = ${campaign.step_id}`;
    const { app: parts } = app.instance;
    const edit = { by_wire: true, by: SEQUENCE, now: app.clock.now() };
    const steps = { campaign_id: campaign.id, step_ids: [campaign.step_id] };
    await parts.database.transact((tx) => lettersTouchedBySequence(tx, parts, steps, edit));
    expect(await send(id)).toMatchObject({ state: 'review', review_reason: 'changed' });
  });

  describe('hole A3: of the company that their person works for', () => {
    const company = async (as: TokenClient, given: object) =>
      (await as.rest('POST', `${C}/companies`, given)).body.company as { id: string; revision: number };
    const employed = async (text: string) => {
      const of = await changed(text);
      const firm = await company(plain, { name: 'Acme', size: '10' });
      const { person_id } = (
        await app.sql<{ person_id: string }[]>`select person_id from prospects where id = ${of.prospect}`
      )[0]!;
      await app.sql`update people set company_id = ${firm.id} where id = ${person_id}`;
      const patch = async (as: TokenClient, given: object) => {
        const { revision } = (await as.rest('GET', `${C}/companies/${firm.id}`)).body.company;
        const answer = await as.rest('PATCH', `${C}/companies/${firm.id}`, { revision, ...given });
        expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      };
      const move = async (as: TokenClient, company_id: string | null) => {
        const { revision } = (await as.rest('GET', `${C}/people/${person_id}`)).body.person;
        const answer = await as.rest('PATCH', `${C}/people/${person_id}`, { revision, company_id });
        expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      };
      const letter = async () => send(await drafted(app, of.campaign, of.prospect));
      return { firm, patch, move, letter };
    };
    const AT = 'At {{ company.name }}';
    const READ = { state: 'review', review_reason: 'changed' };

    test('a letter is read when someone without wire wrote the value that it says', async () => {
      const { patch, letter } = await employed(AT);
      await patch(plain, { name: 'Pay at evil.example' });
      expect(await letter()).toMatchObject(READ);
    });

    test('it goes on when it says another value, or someone with wire wrote it since', async () => {
      const [one, other] = [await employed(AT), await employed(AT)];
      await one.patch(plain, { size: '20' });
      await other.patch(plain, { name: 'Pay at evil.example' });
      await other.patch(wired, { name: 'Acme' });
      expect(await one.letter()).toMatchObject({ state: 'scheduled' });
      expect(await other.letter()).toMatchObject({ state: 'scheduled' });
    });

    test('another company is another value of every kind, and so is none', async () => {
      const [one, other, third] = [await employed(AT), await employed(AT), await employed(AT)];
      await one.move(plain, (await company(plain, { name: 'Pay at evil.example' })).id);
      await other.move(wired, (await company(plain, { name: 'Acme Two' })).id);
      expect((await plain.rest('DELETE', `${C}/companies/${third.firm.id}`)).status).toBe(200);
      expect(await one.letter()).toMatchObject(READ);
      expect(await other.letter()).toMatchObject({ state: 'scheduled' });
      expect(await third.letter()).toMatchObject(READ);
    });
  });

  test('hole A3: an import counts as an edit of everything that it changes', async () => {
    for (const [column, asked] of [
      ['phone', 'person.phone'],
      ['country', 'person.country'],
      ['source', 'person.source'],
      ['tags', 'person.tags'],
      ['company', 'company.name'],
    ]) {
      const { campaign, prospect } = await changed(`It is {{ ${asked} }}`);
      const [{ value } = { value: '' }] = await app.sql<{ value: string }[]>`
        select a.value from prospects p join person_addresses a using (person_id) where p.id = ${prospect}`;
      const given = { phone: '+49 30 901820', country: 'DE' }[column ?? ''] ?? 'evil.example';
      const file = `email,${column}\n${value},${given}\n`;
      const done = await planAndWrite(plain, { file, on_duplicate: 'update' });
      expect(done).toMatchObject({ updated: 1 });
      const letter = await send(await drafted(app, campaign, prospect));
      expect(letter, column).toMatchObject({ state: 'review', review_reason: 'changed' });
    }
  });

  test('hole A3: values that go with their field count as edited', async () => {
    const { campaign, prospect, patch } = await changed(
      'Dear {{ person.name }}, {{ custom.opener | default: "pay at once" }}',
    );
    await patch(wired, { opener: 'we saw your bridge' });
    const [set] = (await plain.rest('GET', `${C}/fields?noun=person`)).body.items;
    const without = { noun: 'person', revision: set.revision, fields: [], drop_values: true };
    expect((await plain.rest('PUT', `${C}/fields`, without)).status).toBe(200);
    expect(await send(await drafted(app, campaign, prospect))).toMatchObject({ review_reason: 'changed' });
  });
});
