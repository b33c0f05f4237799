// Checks that a list whose rows a policy denies is paged as if those were not there: no page is short or empty because
// of them, and no cursor says that there are more.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newItem, newProject, parkedBy } from '../../../../test/support/board.ts';
import { enrolled, newCampaign, O } from '../../../../test/support/campaigns.ts';
import { CRM, newDeal } from '../../../../test/support/crm.ts';
import { openTestApp, type RestClient, type TestApp } from '../../../../test/support/app.ts';
import { aCampaign, aDesk } from '../../../../test/support/letters.ts';
import { sentLetter } from '../../../../test/support/sent.ts';
import { talksIn } from '../../../../test/support/threads.ts';
import { activeBy, savedBy, startedBy, step } from '../../../../test/support/workflows.ts';

let app: TestApp;
const talks = talksIn(() => app);
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app?.close());

const made = async (path: string, body: object): Promise<any> => {
  const { status, body: answer } = await app.admin.rest('POST', path, body);
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
    make: async () => (await newDeal(app.admin)).id,
  }),
  'work items': async () => {
    const { key } = await newProject(app);
    return {
      list: '/api/work/items',
      noun: 'work:item/',
      actions: 'work.*',
      make: async () => (await newItem(app.admin, key)).id,
    };
  },
};

/** The kinds whose lists once removed what is denied after their page was read. */
const OTHERS: Record<string, () => Promise<Kind>> = {
  segments: async () => ({
    list: `${CRM}/segments`,
    noun: 'crm:segment/',
    actions: 'crm.segment.*',
    make: async () => {
      const filter = { all: [{ field: 'country', op: 'is', value: 'DE' }] };
      return (await made(`${CRM}/segments`, { name: `Row ${randomUUID()}`, filter })).segment.id;
    },
  }),
  campaigns: async () => ({
    list: `${O}/campaigns`,
    noun: 'outreach:campaign/',
    actions: 'outreach.campaign.*',
    make: async () => (await newCampaign(app.admin)).id,
  }),
  prospects: async () => {
    const { id } = await newCampaign(app.admin);
    return {
      list: `${O}/campaigns/${id}/prospects`,
      noun: 'outreach:prospect/',
      actions: 'outreach.*',
      make: async () => (await enrolled(app, id)).prospect_id,
    };
  },
  letters: async () => {
    const campaign = await aCampaign(app, await aDesk(app));
    return {
      list: `${O}/sends`,
      noun: 'outreach:send/',
      actions: 'outreach.*',
      make: async () => (await sentLetter(app, campaign)).id,
    };
  },
  threads: async () => ({
    list: '/api/threads',
    noun: 'inbox:thread/',
    actions: 'inbox.*',
    make: () => talks.aThread(),
  }),
  inbox: async () => ({
    list: '/api/inbox?state=unanswered',
    noun: 'inbox:thread/',
    actions: 'inbox.*',
    make: async () => {
      const id = await talks.aThread();
      await talks.say(id, 'in');
      return id;
    },
  }),
  workflows: async () => ({
    list: '/api/workflows',
    noun: 'workflow:',
    actions: 'workflow.*',
    make: async () => (await savedBy(app.admin, [step('a', 'wait', { minutes: 60 })])).id,
  }),
  runs: async () => {
    const workflow = await activeBy(app.admin, [step('a', 'wait', { minutes: 60 })]);
    return {
      list: `/api/workflows/runs?workflow=${workflow}`,
      noun: 'run:',
      actions: 'run.*',
      make: () => startedBy(app.admin, workflow),
    };
  },
  approvals: async () => {
    const agent = await app.token({ name: 'scout' });
    const { key } = await newProject(app);
    return {
      list: `/api/approvals?project=${key}`,
      noun: 'approval:work_review/',
      actions: 'approval.*',
      make: async () => (await parkedBy(agent, key)).approval_id,
    };
  },
  users: async () => ({
    list: '/api/admin/users?query=rowan',
    noun: 'admin:user/',
    actions: 'admin.*',
    make: async () => (await app.person({ name: 'Rowan Row' })).id,
  }),
};

/** Every page of one row each. */
async function pagesOf(by: RestClient, list: string): Promise<string[][]> {
  const pages: string[][] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const { status, body } = await by.rest(
      'GET',
      `${list}${list.includes('?') ? '&' : '?'}limit=1${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
    );
    expect(status, JSON.stringify(body)).toBe(200);
    pages.push(body.items.map(({ id }: { id: string }) => id));
    cursor = body.next_cursor;
  }
  return pages;
}

test.each(Object.keys(KINDS))('what is denied to someone fills no page of %s', (name) =>
  fillsNoPage(name, KINDS[name]!),
);

test.each(Object.keys(OTHERS))('hole B2: what is denied to someone fills no page of %s', (name) =>
  fillsNoPage(name, OTHERS[name]!),
);

async function fillsNoPage(name: string, kind: () => Promise<Kind>): Promise<void> {
  const { list, noun, actions, make } = await kind();
  const ids: string[] = [];
  for (let at = 0; at < 5; at += 1) {
    app.clock.advance(1_000);
    ids.push(await make());
  }
  // In the order of the list, whatever that is.
  const order = (await pagesOf(app.admin, list)).flat();
  expect(order).toEqual(expect.arrayContaining(ids));
  const [first, second, , , last] = order;
  const slug = name.replace(' ', '-');
  const reader = async (policy: string, statements: object[]): Promise<RestClient> => {
    await made('/api/admin/policies', { name: `${policy}-${slug}`, version: 1, statements });
    return app.person({ policies: [`${policy}-${slug}`] });
  };
  const allow = { effect: 'allow', actions: [actions], resources: ['*'] };
  const names = [first, second, last].map((id) => noun + id);
  const most = await reader('most', [allow, { ...allow, effect: 'deny', resources: names }]);
  const left = order.filter((id) => ![first, second, last].includes(id));
  expect(await pagesOf(most, list)).toEqual(left.map((id) => [id]));
}

test('hole B2: an approval of a card that is denied by name is in no list, and not there', async () => {
  const agent = await app.token({ name: 'scribe' });
  const { key } = await newProject(app);
  const [seen, denied] = [await parkedBy(agent, key), await parkedBy(agent, key, { title: 'Secret' })];
  await made('/api/admin/policies', {
    name: 'not-that-card',
    version: 1,
    statements: [
      { effect: 'allow', actions: ['work.*', 'approval.*'], resources: ['*'] },
      { effect: 'deny', actions: ['work.*'], resources: [`work:item/${denied.item.id}`] },
    ],
  });
  const by = await app.person({ policies: ['not-that-card'] });
  expect(await pagesOf(by, `/api/approvals?project=${key}`)).toEqual([[seen.approval_id]]);
  expect((await by.rest('GET', `/api/approvals/${denied.approval_id}`)).status).toBe(404);
});

test('hole B2: the counts of the inbox have the threads its reader may read, and no other', async () => {
  const before = (await app.admin.rest('GET', '/api/inbox/counts')).body;
  const [seen, denied] = [await talks.aThread(), await talks.aThread()];
  for (const id of [seen, denied]) await talks.say(id, 'in');
  await made('/api/admin/policies', {
    name: 'not-that-thread',
    version: 1,
    statements: [
      { effect: 'allow', actions: ['inbox.*'], resources: ['*'] },
      { effect: 'deny', actions: ['inbox.*'], resources: [`inbox:thread/${denied}`] },
    ],
  });
  const by = await app.person({ policies: ['not-that-thread'] });
  const { body } = await by.rest('GET', '/api/inbox/counts');
  expect(body.unanswered).toBe(before.unanswered + 1);
  expect(body.open).toBe(before.open + 1);
  expect(body.by_channel.email).toBe((before.by_channel.email ?? 0) + 1);
  expect(body.by_reading.unread).toBe((before.by_reading.unread ?? 0) + 1);
});

test('whoever may read one person alone has a list of one', async () => {
  const { make, list } = await KINDS['people']!();
  const [, one] = [await make(), await make(), await make()];
  await made('/api/admin/policies', {
    name: 'one-person',
    version: 1,
    statements: [{ effect: 'allow', actions: ['crm.person.read'], resources: [`crm:person/${one}`] }],
  });
  expect(await pagesOf(await app.person({ policies: ['one-person'] }), list)).toEqual([[one]]);
});

test('whoever may read one project has its items but for those that are denied by name', async () => {
  const { key } = await newProject(app);
  const [first, second] = [await newItem(app.admin, key), await newItem(app.admin, key)];
  await newItem(app.admin, (await newProject(app)).key);
  await made('/api/admin/policies', {
    name: 'one-project',
    version: 1,
    statements: [
      { effect: 'allow', actions: ['work.*'], resources: [`work:project/${key}`] },
      { effect: 'deny', actions: ['work.item.read'], resources: [`work:item/${second.id}`] },
    ],
  });
  const by = await app.token({ mode: 'service', policies: ['one-project'] });
  for (const list of ['/api/work/items', `/api/work/items?project=${key}`]) {
    const { body } = await by.rest('GET', list);
    expect([body.items.map(({ id }: { id: string }) => id), body.next_cursor]).toEqual([[first.id], null]);
  }
});
