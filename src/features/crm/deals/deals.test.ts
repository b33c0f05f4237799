// Owns deals through the entry points: what one is, what changes it, what closes and opens it, who may, and what its history says.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aPerson, CRM, newDeal } from '../../../../test/support/crm.ts';
import { openTestApp, type PersonClient, type TestApp } from '../../../../test/support/app.ts';

let app: TestApp;
let editor: PersonClient;

beforeAll(async () => {
  app = await openTestApp();
  editor = await app.person({ name: 'Eve Editor', policies: ['crm-editor'] });
});
afterAll(() => app.close());

const patch = (id: string, body: object) => editor.rest('PATCH', `${CRM}/deals/${id}`, body);
const settle = (id: string, body: object) => editor.rest('POST', `${CRM}/deals/${id}/state`, body);
const history = async (id: string) => (await editor.rest('GET', `${CRM}/deals/${id}/history`)).body.items;

test('a deal begins open, in the first stage, and says who opened it', async () => {
  const person_id = await aPerson(app);
  const deal = await newDeal(editor, { person_id, amount: 125_000, currency: 'EUR', owner: 'me' });
  expect(deal).toMatchObject({
    state: 'open',
    stage: 'new',
    amount: 125_000,
    amount_minor: 125_000,
    amount_text: '1,250.00 EUR',
    currency: 'EUR',
    opened_by: 'person',
    person_id,
    person_name: 'Dana Roe',
    owner: editor.id,
    owner_name: 'Eve Editor',
    revision: 1,
    closed_at: null,
  });
  expect(await history(deal.id)).toMatchObject([{ kind: 'opened', by: { id: editor.id } }]);
});

test("an agent's deal is the agent's", async () => {
  const token = await app.token({ user_id: editor.id });
  const body = { name: 'By an agent' };
  const made = await token.tool('admin_request', { method: 'POST', path: `${CRM}/deals`, body });
  expect(made.isError, made.text).toBe(false);
  expect(made.text).toContain('"opened_by":"agent"');
});

test('a change needs the revision that was read, and lands in the history field by field', async () => {
  const deal = await newDeal(editor);
  const changed = await patch(deal.id, { revision: 1, stage: 'proposal', amount: 5, currency: 'EUR' });
  expect(changed.body.deal).toMatchObject({ stage: 'proposal', amount: 5, revision: 2 });
  const stale = await patch(deal.id, { revision: 1, name: 'Late' });
  expect(stale.status).toBe(409);
  expect(stale.body.error.details).toEqual({ revision: 2 });
  expect((await history(deal.id))[0]).toMatchObject({
    kind: 'changed',
    changes: [
      { field: 'stage', from: 'new', to: 'proposal' },
      { field: 'amount', from: null, to: 5 },
      { field: 'currency', from: null, to: 'EUR' },
    ],
  });
});

test('putting a card elsewhere in its stage is no change of the deal', async () => {
  const deal = await newDeal(editor);
  const put = await patch(deal.id, { revision: 1, position: 12.5 });
  expect(put.body.deal).toMatchObject({ position: 12.5, revision: 1, updated_at: deal.updated_at });
  expect(await history(deal.id)).toHaveLength(1);
});

test('everything that leads nowhere is named at once', async () => {
  const nobody = randomUUID();
  const answer = await editor.rest('POST', `${CRM}/deals`, {
    name: 'Nowhere',
    person_id: nobody,
    company_id: nobody,
    campaign_id: nobody,
    owner: nobody,
    stage: 'nowhere',
  });
  expect(answer.status).toBe(400);
  expect(Object.keys(answer.body.error.details.fields).sort()).toEqual([
    'campaign_id',
    'company_id',
    'owner',
    'person_id',
    'stage',
  ]);
});

test.each([
  [{ amount: 5 }, 'currency'],
  [{ currency: 'EUR' }, 'amount'],
  [{ amount: -1, currency: 'EUR' }, 'amount'],
  [{ amount: 1.5, currency: 'EUR' }, 'amount'],
  [{ amount: 1e300, currency: 'EUR' }, 'amount'],
  [{ amount: 5, currency: 'eur' }, 'currency'],
  [{ probability: 101 }, 'probability'],
  [{ expected_on: '0000-01-01' }, 'expected_on'],
  [{ name: 'a\u0000b' }, 'name'],
])('%o is refused, naming %s', async (given, field) => {
  const answer = await editor.rest('POST', `${CRM}/deals`, { name: 'Bad', ...given });
  expect(answer.status).toBe(400);
  expect(Object.keys(answer.body.error.details.fields)).toEqual([field]);
});

test('without an amount there is no currency either', async () => {
  const deal = await newDeal(editor, { amount: 5, currency: 'EUR' });
  const changed = await patch(deal.id, { revision: 1, amount: null });
  expect(changed.body.deal).toMatchObject({ amount: null, currency: null });
});

describe('states', () => {
  test('a deal is won, and its stage is kept', async () => {
    const deal = await newDeal(editor, { stage: 'proposal' });
    const won = await settle(deal.id, { revision: 1, state: 'won' });
    expect(won.body.deal).toMatchObject({ state: 'won', stage: 'proposal', revision: 2 });
    expect(won.body.deal.closed_at).not.toBeNull();
    expect((await patch(deal.id, { revision: 2, stage: 'new' })).status).toBe(409);
    expect((await history(deal.id))[0]).toMatchObject({ kind: 'won' });
  });

  test('a lost deal says why', async () => {
    const deal = await newDeal(editor);
    expect((await settle(deal.id, { revision: 1, state: 'lost' })).body.error.details.fields).toHaveProperty(
      'lost_reason',
    );
    const lost = await settle(deal.id, { revision: 1, state: 'lost', lost_reason: 'Too dear' });
    expect(lost.body.deal).toMatchObject({ state: 'lost', lost_reason: 'Too dear' });
  });

  test('a closed deal is opened again with a reason, and only then closed the other way', async () => {
    const deal = await newDeal(editor);
    await settle(deal.id, { revision: 1, state: 'lost', lost_reason: 'Too dear' });
    expect((await settle(deal.id, { revision: 2, state: 'won' })).status).toBe(409);
    expect((await settle(deal.id, { revision: 2, state: 'open' })).body.error.details.fields).toHaveProperty(
      'reason',
    );
    const open = await settle(deal.id, { revision: 2, state: 'open', reason: 'They called back' });
    expect(open.body.deal).toMatchObject({ state: 'open', lost_reason: null, closed_at: null, revision: 3 });
    expect((await history(deal.id)).map((fact: { kind: string }) => fact.kind)).toEqual([
      'reopened',
      'lost',
      'opened',
    ]);
    expect((await history(deal.id))[0].reason).toBe('They called back');
  });

  test('asking for the state that it has changes nothing; a stale revision is refused', async () => {
    const deal = await newDeal(editor);
    expect((await settle(deal.id, { revision: 1, state: 'open' })).body.deal.revision).toBe(1);
    expect((await settle(deal.id, { revision: 7, state: 'won' })).status).toBe(409);
  });

  test('of ten who close a deal at once one does', async () => {
    const deal = await newDeal(editor);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => settle(deal.id, { revision: 1, state: 'won' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)]);
  });
});

describe('lists', () => {
  test('filters narrow, pages go on where they stopped, in every order', async () => {
    const owner = await app.person({ name: 'Olga Owner', policies: ['crm-editor'] });
    const days = ['2027-03-01', null, '2027-01-01', '2027-02-01', null];
    const made = [];
    for (const [n, expected_on] of days.entries())
      made.push(
        await newDeal(owner, {
          name: `Paged number${n}`,
          owner: 'me',
          expected_on,
          ...(n !== 1 && { amount: n, currency: 'USD' }),
        }),
      );
    await owner.rest('POST', `${CRM}/deals/${made[4]!.id}/state`, { revision: 1, state: 'won' });
    const all = async (query: string) => {
      const names: string[] = [];
      for (let cursor = ''; ;) {
        const page = await owner.rest('GET', `${CRM}/deals?owner=me&limit=2${query}${cursor}`);
        expect(page.status, JSON.stringify(page.body)).toBe(200);
        names.push(...page.body.items.map((deal: { name: string }) => deal.name.at(-1)));
        if (page.body.next_cursor === null) return names.join('');
        cursor = `&cursor=${page.body.next_cursor}`;
      }
    };
    expect(await all('')).toBe('43210');
    expect(await all('&sort=amount')).toBe('43201');
    expect(await all('&sort=expected')).toMatch(/^230(14|41)$/);
    expect(await all('&state=open')).toBe('3210');
    expect(await all('&state=won')).toBe('4');
    expect(await all('&query=number2')).toBe('2');
    expect(await all('&query=!!!')).toBe('');
    expect(await all(`&person=${randomUUID()}`)).toBe('');
    expect((await owner.rest('GET', `${CRM}/deals?sort=amount&cursor=bm8`)).status).toBe(400);
  });

  test('whoever may not read deals sees none; one that is denied is not there at all', async () => {
    const member = await app.person({});
    expect((await member.rest('GET', `${CRM}/deals`)).status).toBe(403);
    const hidden = await newDeal(editor, { name: 'Secret' });
    await app.admin.rest('POST', '/api/admin/policies', {
      name: 'all-but-one',
      version: 1,
      statements: [
        { effect: 'allow', actions: ['crm.deal.*'], resources: ['*'] },
        { effect: 'deny', actions: ['crm.deal.*'], resources: [`crm:deal/${hidden.id}`] },
      ],
    });
    const reader = await app.person({ policies: ['all-but-one'] });
    expect((await reader.rest('GET', `${CRM}/deals/${hidden.id}`)).status).toBe(404);
    const listed = await reader.rest('GET', `${CRM}/deals?query=secret`);
    expect(listed.body.items).toEqual([]);
    // The name of a person is for those who may read people.
    const person_id = await aPerson(app);
    const deal = await newDeal(editor, { person_id });
    expect((await reader.rest('GET', `${CRM}/deals/${deal.id}`)).body.deal.person_name).toBeNull();
  });
});

test('a deleted deal is gone with its history', async () => {
  const deal = await newDeal(editor);
  expect((await editor.rest('DELETE', `${CRM}/deals/${deal.id}`)).body).toEqual({ ok: true });
  expect((await editor.rest('GET', `${CRM}/deals/${deal.id}`)).status).toBe(404);
  expect((await editor.rest('GET', `${CRM}/deals/${deal.id}/history`)).status).toBe(404);
});
