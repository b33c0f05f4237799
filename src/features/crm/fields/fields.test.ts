// Owns custom fields through the entry points: their definitions, what guards the values that records hold, and the fields of a work
// item, which hold for every project.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newItem, newProject } from '../../../../test/support/board.ts';
import { CRM, newDeal } from '../../../../test/support/crm.ts';
import { openTestApp, type TestApp } from '../../../../test/support/app.ts';

let app: TestApp;

beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const of = async (noun: string) => (await app.admin.rest('GET', `${CRM}/fields?noun=${noun}`)).body.items[0];
const put = (body: object) => app.admin.rest('PUT', `${CRM}/fields`, body);
/** Defines these fields of a noun, whatever was there. */
async function define(noun: string, fields: object[]): Promise<number> {
  const { revision } = await of(noun);
  const done = await put({ noun, revision, fields, drop_values: true });
  expect(done.status, JSON.stringify(done.body)).toBe(200);
  return done.body.revision;
}

const REGION = { key: 'region', title: 'Region', kind: 'select', options: ['north', 'south'] };
const SIZE = { key: 'size', title: 'Size', kind: 'number' };

test('every noun has its fields, in the order in which they were put', async () => {
  await define('person', [SIZE, REGION]);
  const listed = await app.admin.rest('GET', `${CRM}/fields`);
  expect(listed.body.items.map((set: { noun: string }) => set.noun).sort()).toEqual([
    'company',
    'deal',
    'person',
    'work_item',
  ]);
  expect((await of('person')).fields).toEqual([SIZE, REGION]);
  expect((await of('company')).fields).toEqual([]);
});

test('the revision that was read is needed, and of two at once one lands', async () => {
  const { revision } = await of('company');
  const answers = await Promise.all([
    put({ noun: 'company', revision, fields: [SIZE] }),
    put({ noun: 'company', revision, fields: [REGION] }),
  ]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
});

test.each([
  [[{ key: 'Bad key', title: 'X', kind: 'text' }]],
  [[SIZE, SIZE]],
  [[{ key: 'a', title: 'A', kind: 'select' }]],
  [[{ key: 'a', title: 'A', kind: 'text', options: ['x'] }]],
  [[{ key: 'a', title: 'A', kind: 'colour' }]],
  [Array.from({ length: 101 }, (_, n) => ({ key: `k${n}`, title: 'K', kind: 'text' }))],
])('definitions that cannot stand are refused', async (fields) => {
  const { revision } = await of('person');
  expect((await put({ noun: 'person', revision, fields })).status).toBe(400);
  expect((await of('person')).revision).toBe(revision);
});

test('values of a deal are checked against its fields, and null takes one away', async () => {
  await define('deal', [REGION, SIZE]);
  const deal = await newDeal(app.admin, { custom: { region: 'north', size: 3 } });
  expect(deal.custom).toEqual({ region: 'north', size: 3 });
  const patch = (body: object) => app.admin.rest('PATCH', `${CRM}/deals/${deal.id}`, body);
  const bad = await patch({ revision: 1, custom: { region: 'east', other: 1 } });
  expect(Object.keys(bad.body.error.details.fields)).toEqual(['custom.region', 'custom.other']);
  const less = await patch({ revision: 1, custom: { size: null } });
  expect(less.body.deal.custom).toEqual({ region: 'north' });
});

test('a field that records hold goes only with its values, and never turns to another kind', async () => {
  await define('deal', [REGION, SIZE]);
  const deal = await newDeal(app.admin, { custom: { region: 'north', size: 1 } });
  await newDeal(app.admin, { custom: { region: 'south' } });
  const { revision } = await of('deal');
  const gone = await put({ noun: 'deal', revision, fields: [SIZE] });
  expect(gone.status).toBe(409);
  expect(gone.body.error.message).toMatch(/region \(\d+ records\)/);
  const turned = await put({
    noun: 'deal',
    revision,
    fields: [SIZE, { key: 'region', title: 'Region', kind: 'text' }],
    drop_values: true,
  });
  expect(turned.status).toBe(409);
  const done = await put({ noun: 'deal', revision, fields: [SIZE], drop_values: true });
  expect(done.body.fields).toEqual([SIZE]);
  const read = await app.admin.rest('GET', `${CRM}/deals/${deal.id}`);
  expect(read.body.deal.custom).toEqual({ size: 1 });
});

test('what no record holds goes and turns freely', async () => {
  await define('company', [REGION, SIZE]);
  const { revision } = await of('company');
  const turned = [{ key: 'region', title: 'Region', kind: 'text' }];
  expect((await put({ noun: 'company', revision, fields: turned })).body.fields).toEqual(turned);
});

test("fields of a work item hold in every project beside its own, and a project's own of the same key wins", async () => {
  await define('work_item', [REGION, SIZE]);
  const own = [{ key: 'size', title: 'Size', kind: 'text' }];
  const { key } = await newProject(app, { custom_fields: own });
  const item = await newItem(app.admin, key, { custom: { region: 'north', size: 'large' } });
  expect(item.custom).toEqual({ region: 'north', size: 'large' });
  const wrong = await app.admin.rest('PATCH', `/api/work/items/${item.id}`, {
    revision: item.revision,
    custom: { size: 3, region: 'east' },
  });
  expect(Object.keys(wrong.body.error.details.fields)).toEqual(['custom.size', 'custom.region']);
  const project = await app.admin.rest('GET', `/api/work/projects/${key}`);
  expect(project.body.item_fields).toEqual([...own, REGION]);
  expect(project.body.project.custom_fields).toEqual(own);
  // What this project means by `size` is its own: the instance's field goes without it.
  const { revision } = await of('work_item');
  expect((await put({ noun: 'work_item', revision, fields: [REGION] })).status).toBe(200);
  expect((await put({ noun: 'work_item', revision: revision + 1, fields: [] })).body.error.message).toContain(
    'region (1 record)',
  );
  await put({ noun: 'work_item', revision: revision + 1, fields: [], drop_values: true });
  const read = await app.admin.rest('GET', `/api/work/items/${item.id}`);
  expect(read.body.item.custom).toEqual({ size: 'large' });
});

test('an editor of people reads the fields and does not change them', async () => {
  const editor = await app.person({ policies: ['crm-editor'] });
  const { revision } = await of('deal');
  expect((await editor.rest('GET', `${CRM}/fields`)).status).toBe(200);
  expect((await editor.rest('PUT', `${CRM}/fields`, { noun: 'deal', revision, fields: [] })).status).toBe(
    403,
  );
});
