// Every list that can be had as a file, through the entry points: the file holds the rows that the list shows by the same filters, over
// every page and in its order, is no one's who may not read the list, starts no formula, and is written down.
import { randomUUID } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { features } from '../../src/features.ts';
import { type Answer, openTestApp, type PersonClient, type TestApp } from '../support/app.ts';
import { aCampaign, aDesk, aLetter } from '../support/letters.ts';
import { activeBy, startedBy, step } from '../support/workflows.ts';

let app: TestApp;
let member: PersonClient;
let campaign: string;

beforeAll(async () => {
  app = await openTestApp();
  member = await app.person();
  await app.admin.rest('POST', '/api/admin/samples', {});
  campaign = (await app.admin.rest('GET', '/api/admin/outreach/campaigns')).body.items[0].id;
  // What samples have none of.
  await app.token();
  await startedBy(app.admin, await activeBy(app.admin, [step('card', 'notify', { sentence: 'x' })]));
  const { database } = app.instance.app;
  const opened = { deal_id: randomUUID(), campaign_id: null, person_id: randomUUID(), prospect_id: null };
  await database.transact((tx) =>
    database.emit(tx, 'deal.opened', { ...opened, state: 'open' }, app.clock.now()),
  );
  await app.instance.jobs.run('deliveries');
});
afterAll(() => app?.close());

type Row = Record<string, string>;

async function fileOf(path: string, query = ''): Promise<{ rows: Row[]; name: string | null }> {
  const answer = await fetch(`${app.url}${path}/export${query && `?${query}`}`, {
    headers: { cookie: app.admin.cookie },
  });
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  const rows = parse(await answer.text(), { bom: true, columns: true, relax_column_count: false }) as Row[];
  return { rows, name: answer.headers.get('content-disposition') };
}

async function listed(path: string, query: string): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page = `limit=7${query && `&${query}`}${cursor && `&cursor=${cursor}`}`;
    const { body }: Answer = await app.admin.rest('GET', `${path}?${page}`);
    ids.push(...body.items.map(({ id }: { id: string }) => id));
    cursor = body.next_cursor;
  }
  return ids;
}

/** By the route of the list: filters that narrow it, and what a file of it is called. */
const LISTS: [path: () => string, filters: string[], name: string][] = [
  [() => '/api/admin/crm/companies', ['', 'sort=updated', 'query=a'], 'companies'],
  [() => '/api/admin/crm/deals', ['', 'state=open', 'sort=amount'], 'deals'],
  [() => '/api/admin/outreach/campaigns', ['', 'state=active'], 'campaigns'],
  [
    () => `/api/admin/outreach/campaigns/${campaign}/prospects`,
    ['', 'standing=going'],
    'people-of-a-campaign',
  ],
  [() => '/api/admin/outreach/sends', ['', 'state=review', 'order=oldest'], 'letters'],
  [() => '/api/admin/outreach/suppressions', ['', 'state=standing'], 'suppressions'],
  [() => '/api/work/items', ['', 'status=todo'], 'work-items'],
  [() => '/api/admin/users', ['', 'state=active'], 'users'],
  [() => '/api/admin/tokens', [''], 'tokens'],
  [() => '/api/admin/events/recent', ['', 'state=skipped'], 'deliveries-of-events'],
  [() => '/api/workflows/runs', [''], 'runs'],
];

test.each(LISTS)('the file of list %# holds what the list shows', async (path, filters, name) => {
  for (const query of filters) {
    const file = await fileOf(path(), query);
    expect(file.name).toMatch(new RegExp(`^attachment; filename="${name}-\\d{4}-\\d\\d-\\d\\d\\.csv"$`));
    // Nothing is as long as nothing.
    expect(file.rows.length, query).toBeGreaterThan(0);
    expect(
      file.rows.map((row) => row['id']),
      query,
    ).toEqual(await listed(path(), query));
  }
});

test('the file of the activity holds what the list shows, and that it was asked for is the next line of it', async () => {
  const path = '/api/admin/activity';
  await fileOf(path, 'outcome=done&act=view_save');
  const before = await listed(path, 'act=activity_export');
  const file = await fileOf(path, 'act=activity_export');
  expect(file.rows.map((row) => row['id'])).toEqual(before);
  expect(file.rows[0]?.['sentence']).toBe('activity as CSV, by show=all act=view_save outcome=done');
  expect(await listed(path, 'act=activity_export')).toHaveLength(before.length + 1);
});

test('every file of a list is in the tests above', () => {
  const files = features
    .flatMap((feature) => feature.operations.map(({ operation }) => operation))
    .filter(({ answers, path }) => 'file' in answers && path.endsWith('/export'))
    .map(({ path }) => path.replace('/export', '').replace(':campaign', campaign));
  const tried = [...LISTS.map(([path]) => path()), '/api/admin/activity', '/api/admin/crm/people'];
  expect(files.toSorted()).toEqual(tried.toSorted());
});

describe('of letters', () => {
  test('more than one page of them are all there, and none starts a formula', async () => {
    const made = await aCampaign(app, await aDesk(app), { name: '=1+1' });
    for (const name of ['Ann One', 'Ben Two', 'Cleo Three']) await aLetter(app, made, name);
    // Longer than one page of the list may be.
    await app.sql`update sends set text = repeat('x', 40000) where campaign_id = ${made.id}`;
    const { rows } = await fileOf('/api/admin/outreach/sends', `campaign=${made.id}`);
    expect(rows.map((row) => row['campaign'])).toEqual(["'=1+1", "'=1+1", "'=1+1"]);
  });
});

test('a file is refused to whoever may not read the list, and shows no one more rows than the list', async () => {
  for (const path of ['/api/admin/users', '/api/admin/tokens', '/api/admin/activity', '/api/admin/crm/deals'])
    expect((await member.rest('GET', `${path}/export`)).status, path).toBe(403);
  const items = await fetch(`${app.url}/api/work/items/export`, { headers: { cookie: member.cookie } });
  const mine = (await member.rest('GET', '/api/work/items?limit=200')).body.items;
  expect(parse(await items.text(), { bom: true, columns: true })).toHaveLength(mine.length);
});

test('what the list refuses is refused, and no file is begun that breaks off', async () => {
  const nowhere = '/api/admin/outreach/campaigns/0198c0de-0000-7000-8000-000000000099/prospects/export';
  expect((await app.admin.rest('GET', nowhere)).status).toBe(404);
});

test('filters that the list does not know are refused, and no page of it can be asked for', async () => {
  for (const query of ['colour=red', 'limit=5', 'cursor=x', 'sort=loudest'])
    expect((await app.admin.rest('GET', `/api/admin/crm/companies/export?${query}`)).status, query).toBe(400);
});

test('that a file was asked for is in the audit log by its filters; words that were looked for are not', async () => {
  await fileOf('/api/admin/outreach/suppressions', 'state=standing&query=secret@example.com');
  const [row] = (await app.admin.rest('GET', '/api/admin/audit?act=suppression_export&limit=1')).body.items;
  expect(row).toMatchObject({ outcome: 'done', principal: { id: app.admin.id } });
  expect(row.sentence).toBe('suppressions as CSV, by state=standing query');
});

test('a request tool is told what to read instead of a file', async () => {
  const agent = await app.token();
  const told = await agent.tool('api_request', { method: 'GET', path: '/api/admin/crm/deals/export' });
  expect(told).toMatchObject({ isError: true });
  expect(told.text).toContain('read GET /api/admin/crm/deals with the same filters, page by page');
});
