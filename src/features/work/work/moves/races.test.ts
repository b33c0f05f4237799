// Owns what happens when many act on one card at the same moment: one wins, the others hear why, and nothing is left between.
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  approvalOf,
  eventsOf,
  move,
  newItem,
  newProject,
  parkedBy,
  read,
} from '../../../../../test/support/board.ts';
import {
  openTestApp,
  type PersonClient,
  type TestApp,
  type TokenClient,
} from '../../../../../test/support/app.ts';
import type { Item } from '../items.contract.ts';

const MANY = 50;

let app: TestApp;
let dana: PersonClient;
let workers: TokenClient[];

beforeAll(async () => {
  app = await openTestApp();
  dana = await app.person({ name: 'Dana Roe' });
  workers = [];
  for (let n = 0; n < 10; n += 1) workers.push(await app.token({ name: `worker-${n}`, user_id: dana.id }));
});
afterAll(() => app.close());

const many = <T>(act: (worker: TokenClient, n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: MANY }, (_, n) => act(workers[n % workers.length] as TokenClient, n)));

test('of fifty claims at once one worker wins, and every other is told who holds the card', async () => {
  const { key } = await newProject(app);
  const item = await newItem(dana, key);
  const answers = await many((worker) => worker.tool('work_claim', { item_id: item.id }));
  const holder = (await read(dana, item)).claim?.holder;
  const won = answers.filter((a) => !a.isError);
  expect(won).toHaveLength(MANY / workers.length);
  for (const answer of won) expect(answer.json.item.claim.holder.id).toBe(holder?.id);
  for (const answer of answers.filter((a) => a.isError))
    expect(answer.text).toContain(`${item.key} is held by ${holder?.name} (token), until `);
});

test('fifty workers who take the next item at once take fifty different ones', async () => {
  const { key } = await newProject(app);
  const made = await Promise.all(Array.from({ length: MANY }, () => newItem(dana, key, { status: 'todo' })));
  const taken = await many((worker) =>
    worker.rest('POST', `/api/work/projects/${key}/claim-next`, { another: true }),
  );
  expect(new Set(taken.map((a) => a.body.item?.id))).toEqual(new Set(made.map((item) => item.id)));
});

test('of fifty changes against one revision one lands', async () => {
  const { key } = await newProject(app);
  const item = await newItem(dana, key);
  const answers = await many((worker, n) =>
    worker.tool('work_update', { item_id: item.id, revision: 1, title: `Title ${n}` }),
  );
  expect(answers.filter((a) => !a.isError)).toHaveLength(1);
  for (const answer of answers.filter((a) => a.isError))
    expect(answer.text).toContain('the current revision is 2');
  const history = (await dana.rest('GET', `/api/work/items/${item.id}/history`)).body.items;
  expect(history).toHaveLength(1);
  expect((await read(dana, item)).title).toBe(history[0].to);
});

test('fifty moves to done at once park a card once: one approval, one event, one line of history', async () => {
  const { key } = await newProject(app);
  const item = await newItem(dana, key);
  const answers = await many((worker) => worker.tool('work_move', { item_id: item.id, status: 'done' }));
  expect(new Set(answers.map((a) => a.json.approval_id)).size).toBe(1);
  expect(await eventsOf(app, item)).toHaveLength(1);
  expect((await dana.rest('GET', `/api/work/items/${item.id}/history`)).body.items).toHaveLength(1);
});

test('B16: of two who decide at once, or one who decides twice, exactly one decision exists', async () => {
  const { key } = await newProject(app);
  const deciders = [dana, await app.person(), await app.person(), app.admin];
  for (let round = 0; round < 5; round += 1) {
    const { item, approval_id } = await parkedBy(workers[0] as TokenClient, key);
    const { revision } = (await approvalOf(dana, approval_id)).subject;
    const answers = await Promise.all(
      [...deciders, ...deciders].map((by, n) =>
        by.rest('POST', `/api/approvals/${approval_id}/decide`, {
          decision: n % 2 ? 'reject' : 'approve',
          note: 'x',
          revision,
        }),
      ),
    );
    expect(answers.map((a) => a.status).toSorted()).toEqual([200, ...Array.from({ length: 7 }, () => 409)]);
    const won = answers.find((a) => a.status === 200)?.body.approval.state;
    expect((await read(dana, item)).status).toBe(won === 'approved' ? 'done' : 'cancelled');
  }
});

test('a decision, a change and a move out of review at once end in one order, never in between', async () => {
  const { key } = await newProject(app);
  const agent = workers[0] as TokenClient;
  const ends = new Set<string>();
  for (let round = 0; round < 12; round += 1) {
    const { item, approval_id } = await parkedBy(agent, key);
    const acts: (() => Promise<unknown>)[] = [
      () =>
        dana.rest('POST', `/api/approvals/${approval_id}/decide`, {
          decision: 'approve',
          revision: item.revision,
        }),
      () => agent.tool('work_update', { item_id: item.id, revision: item.revision, title: 'Another letter' }),
      () => move(app.admin, item, 'todo'),
    ];
    const order = [...acts.slice(round % 3), ...acts.slice(0, round % 3)];
    await Promise.all(order.map((act) => act()));
    const now = await read(dana, item);
    const open =
      await app.sql`select id, subject_revision from approvals where subject_id = ${item.id} and state = 'pending'`;
    expect(open.map((a) => a['id'])).toEqual(now.status === 'in_review' ? [now.approval_id] : []);
    const [first] = await app.sql`select state from approvals where id = ${approval_id}`;
    // Whatever was approved was approved as it was read.
    if (first?.['state'] === 'approved')
      expect((await dana.rest('GET', `/api/work/items/${item.id}/history`)).body.items.at(-2)?.to).toBe(
        'done',
      );
    ends.add(`${first?.['state']}`);
  }
  expect(ends.size).toBeGreaterThan(1);
});

test('two items hung under each other at once do not become a circle', async () => {
  const { key } = await newProject(app);
  for (let round = 0; round < 10; round += 1) {
    const [a, b] = [await newItem(dana, key), await newItem(dana, key)];
    const hang = (child: Item, parent: Item) =>
      dana.rest('PATCH', `/api/work/items/${child.id}`, { revision: 1, parent_id: parent.id });
    const answers = await Promise.all([hang(a, b), hang(b, a)]);
    expect(answers.map((it) => it.status).toSorted()).toEqual([200, 400]);
  }
});
