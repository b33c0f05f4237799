// Undoing an approval within ten seconds, and deciding many at once, through the entry points.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  approvalOf,
  decide,
  eventsOf,
  move,
  newItem,
  newProject,
  parkedBy,
  read,
  sentence,
} from '../../../../test/support/board.ts';
import {
  openTestApp,
  type PersonClient,
  type TestApp,
  type TokenClient,
} from '../../../../test/support/app.ts';
import { AGENT_DOES_NOT_DECIDE } from '../../../kernel/sentences.ts';
import { YOU_WROTE_THIS } from './rules.ts';

let app: TestApp;
let dana: PersonClient;
let ben: PersonClient;
let scout: TokenClient;

beforeAll(async () => {
  app = await openTestApp();
  dana = await app.person({ name: 'Dana Roe' });
  ben = await app.person({ name: 'Ben Low' });
  scout = await app.token({ name: 'scout', user_id: dana.id });
});
afterAll(() => app?.close());

describe('undoing an approval', () => {
  const undo = (by: PersonClient, ...approvals: string[]) =>
    by.rest('POST', '/api/approvals/undo', { approvals });

  test('puts the card back in review within ten seconds, where it waited, and tells no one of a new review', async () => {
    const { key } = await newProject(app);
    const { item, approval_id } = await parkedBy(scout, key);
    const before = await approvalOf(ben, approval_id);
    await decide(ben, approval_id, 'approve');
    const { undone, refused } = (await undo(ben, approval_id)).body;
    expect([undone.length, refused]).toEqual([1, []]);
    const again = await approvalOf(ben, undone[0].approval);
    expect(again).toMatchObject({
      state: 'pending',
      requested_by: before.requested_by,
      author: before.author,
      created_at: before.created_at,
      can_decide: true,
    });
    expect(await read(dana, item)).toMatchObject({
      status: 'in_review',
      approval_id: again.id,
      completed_at: null,
    });
    expect((await approvalOf(ben, approval_id)).state).toBe('approved');
    expect(await eventsOf(app, item)).toHaveLength(1);
    const history = (await dana.rest('GET', `/api/work/items/${item.id}/history`)).body.items;
    expect(history).toContainEqual(
      expect.objectContaining({ field: 'status', from: 'done', to: 'in_review' }),
    );
    expect((await decide(ben, again.id, 'approve')).status).toBe(200);
    expect((await read(dana, item)).status).toBe('done');
  });

  test('is for whoever approved it, for ten seconds, of a card that is as it landed', async () => {
    const { key } = await newProject(app);
    const [foreign, late, changed] = [
      await parkedBy(scout, key),
      await parkedBy(scout, key),
      await parkedBy(scout, key),
    ];
    for (const { approval_id } of [foreign, late, changed]) await decide(ben, approval_id, 'approve');
    const said = async (by: PersonClient, id: string) => (await undo(by, id)).body.refused[0]?.sentence;
    expect(await said(dana, foreign.approval_id)).toBe('you can only undo an approval of your own');
    const agent = await scout.tool('api_request', {
      method: 'POST',
      path: '/api/approvals/undo',
      body: { approvals: [foreign.approval_id] },
    });
    expect(agent.text).toContain(AGENT_DOES_NOT_DECIDE);
    await move(ben, changed.item, 'todo');
    expect(await said(ben, changed.approval_id)).toBe(
      `${changed.item.key} changed since you approved it: move it back on the board`,
    );
    app.clock.advance(10_001);
    expect(await said(ben, late.approval_id)).toBe(
      `the 10 seconds to undo this approval are over: move ${late.item.key} back on the board`,
    );
    expect((await read(dana, late.item)).status).toBe('done');
  });
});

describe('deciding many', () => {
  const decideMany = (by: PersonClient, body: Record<string, unknown>) =>
    by.rest('POST', '/api/approvals/decide', body);

  test('covers exactly what was shown: what changed since drops out with a sentence, the rest is decided', async () => {
    const { key } = await newProject(app, { review_limit: 20 });
    const parked = [await parkedBy(scout, key), await parkedBy(scout, key), await parkedBy(scout, key)];
    const approvals = [];
    for (const { approval_id } of parked) {
      const { id, subject } = await approvalOf(ben, approval_id);
      approvals.push({ id, revision: subject.revision });
    }
    const [first, , third] = parked;
    if (!first || !third) throw new Error('nothing was parked');
    const { revision } = await read(dana, first.item);
    await dana.rest('PATCH', `/api/work/items/${first.item.id}`, { revision, title: 'Another title' });
    const { decided, refused } = (await decideMany(ben, { approvals, decision: 'approve' })).body;
    expect(decided).toHaveLength(2);
    expect(refused).toEqual([
      {
        id: first.approval_id,
        code: 'conflict',
        sentence: expect.stringContaining('was superseded by Dana Roe'),
      },
    ]);
    expect([(await read(dana, first.item)).status, (await read(dana, third.item)).status]).toEqual([
      'in_review',
      'done',
    ]);
  });

  test('is a person’s, never the author’s, and needs a note where it is no', async () => {
    const { key } = await newProject(app);
    const own = await newItem(ben, key);
    await move(ben, own, 'in_review');
    const { approval_id } = await read(ben, own);
    const { subject } = await approvalOf(ben, approval_id ?? '');
    const approvals = [{ id: approval_id, revision: subject.revision }];
    const mine = await decideMany(ben, { approvals, decision: 'approve' });
    expect(mine.body.refused[0].sentence).toBe(YOU_WROTE_THIS);
    const bare = await decideMany(dana, { approvals, decision: 'return' });
    expect(bare.body.refused[0].sentence).toContain('note: say why you return this');
    const twice = await decideMany(dana, { approvals: [...approvals, ...approvals], decision: 'approve' });
    expect([twice.status, sentence(twice)]).toEqual([400, 'approvals: list each approval only once']);
    const noted = await decideMany(dana, { approvals, decision: 'return', note: 'Say more.' });
    expect(noted.body.decided).toEqual([{ id: approval_id, state: 'returned' }]);
    expect((await read(ben, own)).status).toBe('in_progress');
  });
});
