// Owns the proof that a list whose rows a policy denies is paged as if those were not there: no page is short or empty because
// of them, and no cursor says that there are more.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newItem, newProject } from '../../../test/support/board.ts';
import { CRM, newDeal } from '../../../test/support/crm.ts';
import { openTestHouse, type RestClient, type TestHouse } from '../../../test/support/house.ts';

let house: TestHouse;
beforeAll(async () => {
  house = await openTestHouse();
});
afterAll(() => house?.close());

const made = async (path: string, body: object): Promise<any> => {
  const { status, body: answer } = await house.admin.rest('POST', path, body);
  expect(status, JSON.stringify(answer)).toBe(201);
  return answer;
};

type Kind = { list: string; noun: string; actions: string; make: () => Promise<string> };

const KINDS: Record<string, () => Promise<Kind>> = {
  people: async () => ({
    list: `${CRM}/people`,
    noun: 'crm:person/',
    actions: 'crm.person.*',
    make: async () => (await made(`${CRM}/people`, { name: 'Robin Row' })).person.id,
  }),
  companies: async () => ({
    list: `${CRM}/companies`,
    noun: 'crm:company/',
    actions: 'crm.company.*',
    make: async () => (await made(`${CRM}/companies`, { name: 'Row Ltd' })).company.id,
  }),
  deals: async () => ({
    list: `${CRM}/deals`,
    noun: 'crm:deal/',
    actions: 'crm.deal.*',
    make: async () => (await newDeal(house.admin)).id,
  }),
  'work items': async () => {
    const { key } = await newProject(house);
    return {
      list: '/api/work/items',
      noun: 'work:item/',
      actions: 'work.*',
      make: async () => (await newItem(house.admin, key)).id,
    };
  },
};

/** Every page of one row each. */
async function pagesOf(by: RestClient, list: string): Promise<string[][]> {
  const pages: string[][] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const { status, body } = await by.rest(
      'GET',
      `${list}?limit=1${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
    );
    expect(status, JSON.stringify(body)).toBe(200);
    pages.push(body.items.map(({ id }: { id: string }) => id));
    cursor = body.next_cursor;
  }
  return pages;
}

test.each(Object.keys(KINDS))('what is denied to somebody fills no page of %s', async (name) => {
  const { list, noun, actions, make } = await KINDS[name]!();
  const ids: string[] = [];
  for (let at = 0; at < 5; at += 1) {
    house.clock.advance(1_000);
    ids.push(await make());
  }
  // In the order of the list, whatever that is.
  const order = (await pagesOf(house.admin, list)).flat();
  expect(order).toEqual(expect.arrayContaining(ids));
  const [first, second, , , last] = order;
  const slug = name.replace(' ', '-');
  const reader = async (policy: string, statements: object[]): Promise<RestClient> => {
    await made('/api/admin/policies', { name: `${policy}-${slug}`, version: 1, statements });
    return house.person({ policies: [`${policy}-${slug}`] });
  };
  const allow = { effect: 'allow', actions: [actions], resources: ['*'] };
  const names = [first, second, last].map((id) => noun + id);
  const most = await reader('most', [allow, { ...allow, effect: 'deny', resources: names }]);
  const left = order.filter((id) => ![first, second, last].includes(id));
  expect(await pagesOf(most, list)).toEqual(left.map((id) => [id]));
});

test('whoever may read one person alone has a list of one', async () => {
  const { make, list } = await KINDS['people']!();
  const [, one] = [await make(), await make(), await make()];
  await made('/api/admin/policies', {
    name: 'one-person',
    version: 1,
    statements: [{ effect: 'allow', actions: ['crm.person.read'], resources: [`crm:person/${one}`] }],
  });
  expect(await pagesOf(await house.person({ policies: ['one-person'] }), list)).toEqual([[one]]);
});

test('whoever may read one project has its items but for those that are denied by name', async () => {
  const { key } = await newProject(house);
  const [first, second] = [await newItem(house.admin, key), await newItem(house.admin, key)];
  await newItem(house.admin, (await newProject(house)).key);
  await made('/api/admin/policies', {
    name: 'one-project',
    version: 1,
    statements: [
      { effect: 'allow', actions: ['work.*'], resources: [`work:project/${key}`] },
      { effect: 'deny', actions: ['work.item.read'], resources: [`work:item/${second.id}`] },
    ],
  });
  const by = await house.token({ mode: 'service', policies: ['one-project'] });
  for (const list of ['/api/work/items', `/api/work/items?project=${key}`]) {
    const { body } = await by.rest('GET', list);
    expect([body.items.map(({ id }: { id: string }) => id), body.next_cursor]).toEqual([[first.id], null]);
  }
});
