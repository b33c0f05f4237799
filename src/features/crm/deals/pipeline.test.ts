// Owns the pipeline through the entry points: its stages, what may go, and the board with what its columns come to.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CRM, newDeal } from '../../../../test/support/crm.ts';
import { openTestApp, type TestApp } from '../../../../test/support/app.ts';

let app: TestApp;

beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const get = async () => (await app.admin.rest('GET', `${CRM}/pipeline`)).body;
const put = (body: object) => app.admin.rest('PUT', `${CRM}/pipeline`, body);
const board = async (query = '') => (await app.admin.rest('GET', `${CRM}/pipeline/board${query}`)).body;

test('the pipeline begins with new, qualified, proposal, negotiation', async () => {
  expect((await get()).stages.map((stage: { key: string }) => stage.key)).toEqual([
    'new',
    'qualified',
    'proposal',
    'negotiation',
  ]);
});

test('a column says how many deals are in it and what they come to, by currency and weighted', async () => {
  await newDeal(app.admin, { name: 'Big', stage: 'proposal', amount: 1000, currency: 'EUR' });
  await newDeal(app.admin, { stage: 'proposal', amount: 500, currency: 'EUR', probability: 10 });
  await newDeal(app.admin, { stage: 'proposal', amount: 300, currency: 'USD' });
  await newDeal(app.admin, { stage: 'proposal' });
  const closed = await newDeal(app.admin, { stage: 'proposal', amount: 9, currency: 'EUR' });
  await app.admin.rest('POST', `${CRM}/deals/${closed.id}/state`, { revision: 1, state: 'won' });
  const { columns } = await board();
  expect(columns[2]).toMatchObject({
    stage: { key: 'proposal', probability: 60 },
    count: 4,
    more: 0,
    sums: [
      { currency: 'EUR', amount: 1500, weighted: 650 },
      { currency: 'USD', amount: 300, weighted: 180 },
    ],
  });
  expect(columns[2].deals).toHaveLength(4);
  expect((await board('?query=big')).columns[2]).toMatchObject({ count: 1, sums: [{ amount: 1000 }] });
  expect((await board('?query=!!')).columns[2]).toMatchObject({ count: 0, sums: [], deals: [] });
  expect((await board('?owner=none')).columns[2].count).toBe(4);
  expect((await board('?owner=me')).columns[2].count).toBe(0);
});

test('cards are in the order of their positions', async () => {
  const first = await newDeal(app.admin, { stage: 'negotiation' });
  const last = await newDeal(app.admin, { stage: 'negotiation' });
  await app.admin.rest('PATCH', `${CRM}/deals/${last.id}`, { revision: 1, position: first.position - 1 });
  expect((await board()).columns[3].deals.map((deal: { id: string }) => deal.id)).toEqual([
    last.id,
    first.id,
  ]);
});

test('stages are renamed, ordered and added; a stage that deals are in goes only with where they go', async () => {
  const { revision, stages } = await get();
  const deal = await newDeal(app.admin, { stage: 'qualified' });
  const without = stages.filter((stage: { key: string }) => stage.key !== 'qualified').reverse();
  const refused = await put({ revision, stages: without });
  expect(refused.status).toBe(409);
  expect(refused.body.error.message).toContain('qualified (1 deal)');
  expect((await put({ revision, stages: without, move: { qualified: 'nowhere' } })).status).toBe(400);
  expect((await put({ revision, stages: without, move: { new: 'proposal' } })).status).toBe(400);
  const done = await put({ revision, stages: without, move: { qualified: 'new' } });
  expect(done.body).toMatchObject({ revision: revision + 1 });
  expect((await get()).stages).toEqual(without);
  const moved = (await app.admin.rest('GET', `${CRM}/deals/${deal.id}`)).body.deal;
  expect(moved).toMatchObject({ stage: 'new', revision: 2 });
  const facts = (await app.admin.rest('GET', `${CRM}/deals/${deal.id}/history`)).body.items;
  expect(facts[0].changes).toEqual([{ field: 'stage', from: 'qualified', to: 'new' }]);
});

test('of two changes of the pipeline against one revision one lands', async () => {
  const { revision, stages } = await get();
  const answers = await Promise.all([put({ revision, stages }), put({ revision, stages })]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
});

test('two stages of one key are refused, and a pipeline without a stage is none', async () => {
  const { revision, stages } = await get();
  expect((await put({ revision, stages: [stages[0], stages[0]] })).status).toBe(400);
  expect((await put({ revision, stages: [] })).status).toBe(400);
});

test('an editor of deals reads the pipeline and does not change it', async () => {
  const editor = await app.person({ policies: ['crm-editor'] });
  expect((await editor.rest('GET', `${CRM}/pipeline`)).status).toBe(200);
  const { revision, stages } = await get();
  expect((await editor.rest('PUT', `${CRM}/pipeline`, { revision, stages })).status).toBe(403);
});
