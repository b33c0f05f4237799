// Policies that allow and deny by name, by pattern and by project, seen through the entry points as a service token's, which has no
// right but those.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type TestApp, type TokenClient } from '../support/app.ts';

let app: TestApp;
const items: Record<string, string> = {};
const projects: Record<string, string> = {};
beforeAll(async () => {
  app = await openTestApp();
  for (const key of ['OUT', 'OUTER', 'HID']) {
    const project = await app.admin.rest('POST', '/api/work/projects', { key, name: key });
    projects[key] = project.body.project?.id ?? project.body.id;
    const made = await app.admin.rest('POST', '/api/work/items', { project: key, title: `Card of ${key}` });
    items[key] = made.body.item?.id ?? made.body.id;
    expect(items[key], JSON.stringify(made.body)).toBeTruthy();
  }
});
afterAll(async () => app?.close());

type Statement = { effect: 'allow' | 'deny'; actions: string[]; resources: string[] };

let count = 0;
/** A service token that carries one policy for each list of statements. */
async function under(...policies: Statement[][]): Promise<TokenClient> {
  const names: string[] = [];
  for (const statements of policies) {
    const name = `policy-${(count += 1)}`;
    const made = await app.admin.rest('POST', '/api/admin/policies', { name, version: 1, statements });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    names.push(name);
  }
  return app.token({ mode: 'service', policies: names });
}

const allow = (actions: string[], resources: string[]): Statement => ({
  effect: 'allow',
  actions,
  resources,
});
const deny = (actions: string[], resources: string[]): Statement => ({ effect: 'deny', actions, resources });

/** The keys of the projects whose card it may read by its id, and those that its list shows. */
async function sees(token: TokenClient): Promise<{ read: string[]; listed: string[] }> {
  const read: string[] = [];
  for (const [key, id] of Object.entries(items)) {
    const { status, body } = await token.rest('GET', `/api/work/items/${id}`);
    if (status === 200) read.push(key);
    else expect(JSON.stringify(body)).not.toContain(`Card of ${key}`);
  }
  const list = await token.rest('GET', '/api/work/items?limit=100');
  const text = JSON.stringify(list.body);
  return { read, listed: Object.keys(items).filter((key) => text.includes(`Card of ${key}"`)) };
}

describe('what a statement names', () => {
  test.each([
    ['everything', [allow(['*'], ['*'])], ['OUT', 'OUTER', 'HID']],
    ['one project, and none that begins as it does', [allow(['work.*'], ['work:project/OUT'])], ['OUT']],
    ['projects that begin so', [allow(['work.*'], ['work:project/OUT*'])], ['OUT', 'OUTER']],
    ['another action of the project', [allow(['work.comment.read'], ['work:project/OUT'])], []],
    ['all reads of one part', [allow(['work.*.read'], ['work:project/*'])], ['OUT', 'OUTER', 'HID']],
    ['another family', [allow(['crm.*'], ['*'])], []],
    ['no thing of its own kind', [allow(['work.*'], ['crm:*'])], []],
  ])('%s', async (_, statements, expected) => {
    const { read, listed } = await sees(await under(statements));
    expect([read, listed]).toEqual([expected, expected]);
  });
});

describe('a deny beats every allow', () => {
  const all = allow(['*'], ['*']);
  test.each([
    ['before it', [[deny(['work.*'], ['work:project/HID']), all]]],
    ['after it', [[all, deny(['work.*'], ['work:project/HID'])]]],
    ['in another policy', [[all], [deny(['work.*'], ['work:project/HID'])]]],
    ['in an earlier policy', [[deny(['work.item.read'], ['work:project/HID'])], [all]]],
    [
      'of a wider pattern, against an allow by name',
      [[all, allow(['work.item.read'], ['work:project/HID'])], [deny(['*'], ['work:project/H*'])]],
    ],
    ['by the name of the card, against an allow of its project', 'item' as const],
  ])('%s', async (_, policies) => {
    const given =
      policies === 'item'
        ? [
            [all, allow(['work.*'], ['work:project/HID'])],
            [deny(['work.item.read'], [`work:item/${items['HID']}`])],
          ]
        : policies;
    const { read, listed } = await sees(await under(...given));
    expect([read, listed]).toEqual([
      ['OUT', 'OUTER'],
      ['OUT', 'OUTER'],
    ]);
  });

  test('and nothing of another action', async () => {
    const token = await under([all, deny(['work.item.delete'], ['*'])]);
    expect((await sees(token)).read).toEqual(['OUT', 'OUTER', 'HID']);
    const gone = await token.rest('DELETE', `/api/work/items/${items['OUT']}`);
    expect([gone.status, gone.body.error.code]).toEqual([403, 'policy_denied']);
  });
});

test('a right to one project writes into no other, by its key, its id or a move', async () => {
  const token = await under([allow(['work.*'], ['work:project/OUT'])]);
  expect((await token.rest('POST', '/api/work/items', { project: 'OUT', title: 'Here' })).status).toBe(201);
  for (const project of ['HID', projects['HID'] ?? ''])
    expect(
      (await token.rest('POST', '/api/work/items', { project, title: 'There' })).status,
    ).toBeGreaterThanOrEqual(403);
  const there = await app.sql`select 1 from work_items where title = 'There'`;
  expect(there).toEqual([]);
  const { status } = await token.rest('PATCH', `/api/work/items/${items['HID']}`, {
    revision: 1,
    title: 'Changed',
  });
  expect(status).toBeGreaterThanOrEqual(403);
  expect(await app.sql`select 1 from work_items where title = 'Changed'`).toEqual([]);
});

test('a pattern is no wildcard in its middle, and what it is not is refused when it is saved', async () => {
  for (const resources of [['work:project/*T'], ['work:pro*/OUT'], ['work:project/O?T']]) {
    const saved = await app.admin.rest('POST', '/api/admin/policies', {
      name: `odd-${(count += 1)}`,
      version: 1,
      statements: [allow(['work.*'], resources)],
    });
    if (saved.status === 201) {
      const token = await app.token({ mode: 'service', policies: [`odd-${count}`] });
      expect((await sees(token)).read, resources[0]).toEqual([]);
    } else expect(saved.status, resources[0]).toBe(400);
  }
});
