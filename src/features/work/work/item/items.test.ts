// Owns items through the entry points: how they are made, numbered, and changed against a revision.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newItem, newProject, read, sentence } from '../../../../../test/support/board.ts';
import {
  openTestApp,
  type PersonClient,
  type TestApp,
  type TokenClient,
} from '../../../../../test/support/app.ts';
import { aPerson } from '../../../../../test/support/crm.ts';
import type { Item } from '../items.contract.ts';

let app: TestApp;
let dana: PersonClient;
let scout: TokenClient;

beforeAll(async () => {
  app = await openTestApp();
  dana = await app.person({ name: 'Dana Roe' });
  scout = await app.token({ name: 'scout', user_id: dana.id });
});
afterAll(() => app.close());

describe('making an item', () => {
  test('created on an agent turn the agent is its author; created by a person, the person', async () => {
    const { key } = await newProject(app);
    const person = { kind: 'person', id: dana.id, name: 'Dana Roe' };
    expect((await newItem(scout, key)).author).toEqual({
      kind: 'agent',
      id: scout.id,
      name: 'scout',
      on_behalf_of: person,
    });
    expect((await newItem(dana, key)).author).toEqual(person);
  });

  test('items are numbered by project, without a gap, however many are made at once', async () => {
    const { key } = await newProject(app);
    const made = await Promise.all(Array.from({ length: 30 }, () => newItem(dana, key)));
    const numbers = made.map((item) => Number(item.key.split('-')[1])).toSorted((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: 30 }, (_, n) => n + 1));
    expect(made[0]?.key.startsWith(`${key}-`)).toBe(true);
  });

  test('it takes the review that the project asks for, and an agent cannot waive it', async () => {
    const { key } = await newProject(app, { default_needs_review: true });
    expect((await newItem(scout, key)).needs_review).toBe(true);
    expect((await scout.tool('work_create', { project: key, title: 'x', needs_review: false })).text).toMatch(
      /^needs_review can only be set to true on an agent turn/,
    );
    expect((await newItem(dana, key, { needs_review: false })).needs_review).toBe(false);
  });

  test('every bad field is named at once', async () => {
    const { key } = await newProject(app);
    const answer = await dana.rest('POST', '/api/work/items', {
      project: key,
      title: '',
      priority: 'asap',
      colour: 'red',
      links: [{ kind: 'url', ref: 'javascript:alert(1)' }],
    });
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body.error.details.fields).toSorted()).toEqual([
      'colour',
      'links.0',
      'priority',
      'title',
    ]);
  });

  test('a parent and blockers are other items of the same project, and parents make no circle', async () => {
    const [here, there] = [await newProject(app), await newProject(app)];
    const stranger = await newItem(dana, there.key);
    const refused = await dana.rest('POST', '/api/work/items', {
      project: here.key,
      title: 'x',
      parent_id: stranger.id,
      blocked_by: [stranger.id],
    });
    expect(Object.keys(refused.body.error.details.fields).toSorted()).toEqual(['blocked_by', 'parent_id']);
    const [a, b, c] = [
      await newItem(dana, here.key),
      await newItem(dana, here.key),
      await newItem(dana, here.key),
    ];
    const hang = (child: Item, parent: Item) =>
      dana.rest('PATCH', `/api/work/items/${child.id}`, { revision: child.revision, parent_id: parent.id });
    expect((await hang(b, a)).status).toBe(200);
    expect((await hang(c, b)).status).toBe(200);
    expect(sentence(await hang(a, c))).toBe('parent_id: that item is already below this one');
    expect((await hang(a, a)).status).toBe(400);
  });
});

describe('changing an item', () => {
  const patch = (by: PersonClient, item: Item, body: Record<string, unknown>) =>
    by.rest('PATCH', `/api/work/items/${item.id}`, { revision: item.revision, ...body });

  test('a change against an old revision is refused, naming the current one', async () => {
    const { key } = await newProject(app);
    const item = await newItem(dana, key);
    expect((await patch(dana, item, { title: 'Write to eleven' })).body.item).toMatchObject({
      title: 'Write to eleven',
      revision: 2,
    });
    const says = `item ${item.key} changed since you read it: the current revision is 2. Re-read it and retry against that.`;
    const refused = await patch(dana, item, { title: 'Write to twelve' });
    expect([refused.status, sentence(refused), refused.body.error.details.revision]).toEqual([409, says, 2]);
    expect((await scout.tool('work_update', { item_id: item.id, revision: 1, title: 'x' })).text).toBe(says);
    expect((await scout.tool('work_move', { item_id: item.id, revision: 1, status: 'todo' })).text).toBe(
      says,
    );
    expect((await read(dana, item)).title).toBe('Write to eleven');
  });

  test('history has a row for every field that really changed', async () => {
    const { key } = await newProject(app);
    const item = await newItem(dana, key, { labels: ['a'] });
    await patch(dana, item, { title: item.title, labels: ['a', 'b'], priority: 'high', assignee: 'me' });
    const { items } = (await dana.rest('GET', `/api/work/items/${item.id}/history`)).body;
    expect(items.map((c: { field: string }) => c.field).toSorted()).toEqual([
      'assignee',
      'labels',
      'priority',
    ]);
    expect(items.find((c: { field: string }) => c.field === 'labels')).toMatchObject({
      from: ['a'],
      to: ['a', 'b'],
      by: { name: 'Dana Roe' },
    });
    expect((await patch(dana, { ...item, revision: 2 }, { priority: 'high' })).body.item.revision).toBe(2);
  });

  test("custom fields are the project's: an unknown key or a wrong kind is refused, naming it", async () => {
    const { key } = await newProject(app, {
      custom_fields: [
        { key: 'size', title: 'Size', kind: 'number' },
        { key: 'region', title: 'Region', kind: 'select', options: ['north'] },
      ],
    });
    const item = await newItem(dana, key, { custom: { size: 3 } });
    const refused = await patch(dana, item, { custom: { size: 'big', regoin: 'north' } });
    expect(refused.body.error.details.fields).toEqual({
      'custom.size': 'custom.size takes a number',
      'custom.regoin': 'custom.regoin isn’t a field of this project',
    });
    expect((await patch(dana, item, { custom: { size: null, region: 'north' } })).body.item.custom).toEqual({
      region: 'north',
    });
  });

  test('an assignee is a person or a token, by id, me or none', async () => {
    const { key } = await newProject(app);
    const item = await newItem(dana, key, { assignee: scout.id });
    expect(item.assignee).toMatchObject({ kind: 'agent', id: scout.id, name: 'scout' });
    const mine = (await scout.tool('work_search', { project: key, assignee: 'me' })).json.items;
    expect(mine.map((it: { id: string }) => it.id)).toEqual([item.id]);
    expect(
      (await scout.tool('work_update', { item_id: item.id, revision: 1, assignee: 'none' })).json.item
        .assignee,
    ).toBeNull();
    const unknown = await patch(dana, { ...item, revision: 2 }, { assignee: item.id });
    expect([unknown.status, sentence(unknown)]).toEqual([
      400,
      'assignee: no active person or token you can see has that id',
    ]);
    const names = (await dana.rest('GET', '/api/work/assignees?query=dan')).body.items;
    expect(names).toMatchObject([{ kind: 'person', name: 'Dana Roe' }]);
  });

  test('an item can be given to those who see a project that the caller sees, and to tokens that work in one', async () => {
    const [mine, theirs] = [await newProject(app), await newProject(app)];
    const on = (name: string, projects: string[]) => app.person({ name, projects });
    const [eve, near, far] = [
      await on('Eve', [mine.key]),
      await on('Near', [mine.key, theirs.key]),
      await on('Far', [theirs.key]),
    ];
    const token = (name: string, user_id?: string) => app.token({ name, ...(user_id && { user_id }) });
    const [hers, author, assignee, holder, unseen] = [
      await token('hers', eve.id),
      await token('author'),
      await token('assignee', near.id),
      await token('holder'),
      await token('unseen', far.id),
    ];
    await newItem(author, mine.key);
    await newItem(app.admin, mine.key, { assignee: assignee.id });
    await holder.tool('work_claim', { item_id: (await newItem(app.admin, mine.key)).id });
    await newItem(unseen, theirs.key);
    const offered = async (who: PersonClient | TokenClient): Promise<string[]> =>
      (await who.rest('GET', '/api/work/assignees?limit=200')).body.items.map((it: { id: string }) => it.id);
    const everywhere = [dana.id, app.admin.id]; // every project is on their board
    const hereabouts = [eve.id, near.id, hers.id, author.id, assignee.id, holder.id];
    expect((await offered(eve)).sort()).toEqual([...everywhere, ...hereabouts].sort());
    expect(await offered(hers)).toEqual(await offered(eve));
    expect(await offered(app.admin)).toEqual(expect.arrayContaining([...hereabouts, far.id, unseen.id]));
    const given = (id: string) =>
      eve.rest('POST', '/api/work/items', { project: mine.key, title: 'x', assignee: id });
    expect((await given(holder.id)).status).toBe(201);
    for (const { id } of [far, unseen]) expect((await given(id)).status).toBe(400);
    const outsider = await app.person({ name: 'Outsider', projects: [] });
    expect(await offered(outsider)).toEqual([]);
  });

  test('an item that would not fit into one answer is refused', async () => {
    const { key } = await newProject(app);
    const links = Array.from({ length: 20 }, (_, n) => ({
      kind: 'url',
      ref: `https://example.com/${n}/${'x'.repeat(1_900)}`,
    }));
    expect(
      (
        await dana.rest('POST', '/api/work/items', {
          project: key,
          title: 'x',
          description: 'y'.repeat(20_000),
          links,
        })
      ).status,
    ).toBe(400);
  });
});

test('a link leads to a record of its kind', async () => {
  const { key } = await newProject(app);
  const person = await aPerson(app);
  const linked = (kind: string, ref: string) =>
    app.admin.rest('POST', '/api/work/items', { project: key, title: 'x', links: [{ kind, ref }] });
  expect((await linked('person', person)).status).toBe(201);
  const refused = await linked('deal', person);
  expect([refused.status, sentence(refused)]).toEqual([400, 'links.0.ref: no deal has that id']);
  expect((await linked('url', 'https://example.com/')).status).toBe(201);
});
