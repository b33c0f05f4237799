// Owns approvals through the entry points: what waits, who may decide it, and what each decision makes of the card.
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
import { DECIDE_ON_SCREEN, YOU_WROTE_THIS } from './rules.ts';

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
afterAll(() => app.close());

describe('what a decision makes of the card', () => {
  test('approve: the card is done, completed, and held by no one', async () => {
    const { key } = await newProject(app);
    const item = await newItem(scout, key);
    await scout.tool('work_claim', { item_id: item.id });
    const { approval_id } = (await scout.tool('work_move', { item_id: item.id, status: 'done' })).json;
    const decided = await decide(ben, approval_id, 'approve');
    expect(decided.body.approval).toMatchObject({
      state: 'approved',
      decided_by: { kind: 'person', id: ben.id },
      decided_at: expect.any(String),
      note: null,
      can_decide: false,
    });
    expect(await read(dana, item)).toMatchObject({
      status: 'done',
      completed_at: expect.any(String),
      approval_id: null,
      claim: null,
    });
    const history = (await dana.rest('GET', `/api/work/items/${item.id}/history`)).body.items;
    expect(history).toContainEqual(
      expect.objectContaining({
        field: 'status',
        from: 'in_review',
        to: 'done',
        by: { kind: 'person', id: ben.id, name: 'Ben Low' },
      }),
    );
  });

  test('return: the card is in progress, assigned to who moved it, and the note is a comment', async () => {
    const { key } = await newProject(app);
    const { item, approval_id } = await parkedBy(scout, key, { assignee: ben.id });
    const refused = await decide(ben, approval_id, 'return');
    expect([refused.status, refused.body.error.details.fields.note]).toEqual([
      400,
      `note: say why you return this; your note becomes a comment on ${item.key}`,
    ]);
    expect(
      (await decide(ben, approval_id, 'return', { note: 'Two are missing.' })).body.approval,
    ).toMatchObject({ state: 'returned', note: 'Two are missing.' });
    expect(await read(dana, item)).toMatchObject({
      status: 'in_progress',
      approval_id: null,
      claim: null,
      assignee: { kind: 'agent', id: scout.id },
    });
    const comments = (await dana.rest('GET', `/api/work/items/${item.id}/comments`)).body.items;
    expect(comments).toMatchObject([{ text: 'Two are missing.', author: { kind: 'person', id: ben.id } }]);
  });

  test('reject: the card is cancelled, and the note is a comment', async () => {
    const { key } = await newProject(app);
    const { item, approval_id } = await parkedBy(scout, key);
    expect((await decide(ben, approval_id, 'reject')).status).toBe(400);
    expect((await decide(ben, approval_id, 'reject', { note: 'We do not write to them.' })).status).toBe(200);
    expect(await read(dana, item)).toMatchObject({
      status: 'cancelled',
      approval_id: null,
      completed_at: null,
    });
  });

  test('after a return the agent parks it again, under another approval and with another event', async () => {
    const { key } = await newProject(app);
    const { item, approval_id } = await parkedBy(scout, key);
    await decide(ben, approval_id, 'return', { note: 'Again.' });
    const again = await scout.tool('work_move', { item_id: item.id, status: 'done' });
    expect(again.json.approval_id).not.toBe(approval_id);
    expect(await eventsOf(app, item)).toHaveLength(2);
  });
});

describe('who decides', () => {
  test('the author does not, on screen or with a token of their own', async () => {
    const { key } = await newProject(app);
    const item = await newItem(dana, key);
    const { approval_id } = (await move(ben, item, 'in_review')).body;
    const own = await app.token({ user_id: dana.id });
    for (const author of [dana, own]) {
      const answer = await decide(author, approval_id, 'approve');
      expect([answer.status, sentence(answer)]).toEqual([403, YOU_WROTE_THIS]);
    }
    expect(await approvalOf(dana, approval_id)).toMatchObject({ can_decide: false, why_not: YOU_WROTE_THIS });
    expect(await approvalOf(ben, approval_id)).toMatchObject({ can_decide: true, why_not: null });
  });

  test('the person behind the agent that wrote it may: a one-person instance is not deadlocked', async () => {
    const { key } = await newProject(app);
    const { item, approval_id } = await parkedBy(scout, key);
    expect((await decide(dana, approval_id, 'approve')).status).toBe(200);
    expect((await read(dana, item)).status).toBe('done');
  });

  test("a person's own item moved by their agent needs another person", async () => {
    const { key } = await newProject(app);
    const item = await newItem(dana, key);
    const { approval_id } = (await scout.tool('work_move', { item_id: item.id, status: 'done' })).json;
    expect(sentence(await decide(dana, approval_id, 'approve'))).toBe(YOU_WROTE_THIS);
    expect((await decide(ben, approval_id, 'approve')).status).toBe(200);
  });

  test('a person decides with a token of their own, unless the instance wants it on screen', async () => {
    const { key } = await newProject(app);
    const own = await app.token({ user_id: ben.id });
    const [first, second] = [await parkedBy(scout, key), await parkedBy(scout, key)];
    expect((await decide(own, first.approval_id, 'approve')).status).toBe(200);
    const set = (on: boolean) =>
      app.admin.rest('PATCH', '/api/admin/settings/security', { decide_on_screen_only: on });
    expect((await set(true)).status).toBe(200);
    expect(await approvalOf(own, second.approval_id)).toMatchObject({
      can_decide: false,
      why_not: DECIDE_ON_SCREEN,
    });
    const answer = await decide(own, second.approval_id, 'approve');
    expect([answer.status, sentence(answer)]).toEqual([403, DECIDE_ON_SCREEN]);
    expect((await decide(ben, second.approval_id, 'approve')).status).toBe(200);
    await set(false);
  });

  test('a decision is about the revision that was shown', async () => {
    const { key } = await newProject(app);
    const { item, approval_id } = await parkedBy(scout, key);
    const { subject } = await approvalOf(ben, approval_id);
    expect(subject).toEqual({
      kind: 'item',
      id: item.id,
      key: item.key,
      title: item.title,
      revision: item.revision,
    });
    const stale = await decide(ben, approval_id, 'approve', { revision: subject.revision - 1 });
    expect([stale.status, sentence(stale)]).toEqual([
      409,
      `item ${item.key} changed since you read it: the current revision is ${subject.revision}. Re-read it and retry against that.`,
    ]);
  });

  test('a second decision is refused, naming who decided and when', async () => {
    const { key } = await newProject(app);
    const { approval_id } = await parkedBy(scout, key);
    await decide(ben, approval_id, 'approve');
    const again = await decide(dana, approval_id, 'reject', { note: 'No.' });
    expect(again.status).toBe(409);
    expect(sentence(again)).toMatch(
      /^this approval was already decided: approved by Ben Low on \d{4}-\d\d-\d\d at \d\d:\d\dZ$/,
    );
  });
});

describe('what waits follows the card', () => {
  test('title, description or custom fields change: superseded, and another approval waits for the new revision', async () => {
    const { key } = await newProject(app, {
      custom_fields: [{ key: 'size', title: 'Size', kind: 'number' }],
    });
    const { item, approval_id } = await parkedBy(scout, key);
    let last = { id: approval_id, revision: item.revision };
    for (const change of [
      { title: 'Write to twenty' },
      { description: 'All of them.' },
      { custom: { size: 20 } },
    ]) {
      const saved = await scout.tool('work_update', { item_id: item.id, revision: last.revision, ...change });
      expect(saved.json.item).toMatchObject({ status: 'in_review', approval_id: expect.any(String) });
      expect(saved.json.item.approval_id).not.toBe(last.id);
      expect((await approvalOf(ben, last.id)).state).toBe('superseded');
      const stale = await decide(ben, last.id, 'approve');
      expect([stale.status, sentence(stale)]).toEqual([409, expect.stringContaining('superseded')]);
      last = { id: saved.json.item.approval_id, revision: saved.json.item.revision };
    }
    expect(await approvalOf(ben, last.id)).toMatchObject({
      state: 'pending',
      subject: { title: 'Write to twenty', revision: last.revision },
      requested_by: { id: scout.id },
    });
    expect(await eventsOf(app, item)).toHaveLength(1);
    expect((await scout.tool('work_move', { item_id: item.id, status: 'done' })).json.approval_id).toBe(
      last.id,
    );
    expect(await eventsOf(app, item)).toHaveLength(1);
    expect((await decide(ben, last.id, 'approve')).status).toBe(200);
  });

  test('another field changes: the same approval waits on', async () => {
    const { key } = await newProject(app);
    const { item, approval_id } = await parkedBy(scout, key);
    const saved = await scout.tool('work_update', {
      item_id: item.id,
      revision: item.revision,
      priority: 'high',
      labels: ['x'],
    });
    expect(saved.json.item.approval_id).toBe(approval_id);
    expect((await decide(ben, approval_id, 'approve')).status).toBe(200);
  });

  test('a card that is deleted while it waits: an agent is refused, a person withdraws its approval', async () => {
    const { key } = await newProject(app);
    const { item, approval_id } = await parkedBy(scout, key);
    const byAgent = await scout.tool('api_request', { method: 'DELETE', path: `/api/work/items/${item.id}` });
    expect(byAgent.text).toBe(
      `HTTP 403: ${item.key} is in review: only a person can decide on it or delete it`,
    );
    expect((await dana.rest('DELETE', `/api/work/items/${item.id}`)).status).toBe(200);
    const decided = await decide(ben, approval_id, 'approve');
    expect([decided.status, sentence(decided)]).toEqual([
      409,
      expect.stringMatching(/^this approval was withdrawn by Dana Roe/),
    ]);
  });
});

describe('the inbox', () => {
  test('lists what waits, oldest first, with who may decide and why not, and other states where asked', async () => {
    const { key, id } = await newProject(app);
    const [first, second, third] = [
      await parkedBy(scout, key),
      await parkedBy(scout, key),
      await parkedBy(scout, key),
    ];
    await decide(ben, second.approval_id, 'approve');
    const inbox = (await scout.tool('approvals_inbox', { project: key })).json;
    expect(inbox.items.map((a: { id: string }) => a.id)).toEqual([first.approval_id, third.approval_id]);
    expect(inbox.items[0]).toMatchObject({
      kind: 'work_review',
      project_id: id,
      can_decide: false,
      why_not: AGENT_DOES_NOT_DECIDE,
      author: { name: 'scout' },
    });
    const list = async (query: string) =>
      (await ben.rest('GET', `/api/approvals?project=${key}${query}`)).body;
    expect((await list('')).items.map((a: { can_decide: boolean }) => a.can_decide)).toEqual([true, true]);
    expect((await list('&state=approved')).items.map((a: { id: string }) => a.id)).toEqual([
      second.approval_id,
    ]);
    expect((await list('&state=any&kind=work_review')).items).toHaveLength(3);
    expect((await list('&kind=chat_action')).items).toEqual([]);
    const page = await list('&limit=1');
    expect((await list(`&limit=1&cursor=${page.next_cursor}`)).items[0].id).toBe(third.approval_id);
  });
});
