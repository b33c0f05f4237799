// A test run: every act rehearsed, nothing waited for, and nothing left behind. And a script that is rehearsed.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fingerprint } from '../../../../test/support/fingerprint.ts';
import { openTestApp, type TestApp } from '../../../../test/support/app.ts';
import { savedBy, step } from '../../../../test/support/workflows.ts';
import { aPerson } from '../../../../test/support/crm.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
  await app.admin.rest('POST', '/api/work/projects', { key: 'OUT', name: 'Outreach' });
});
afterAll(() => app.close());

const testOf = async (id: string, body: object = {}) => {
  const answer = await app.admin.rest('POST', `/api/workflows/${id}/test`, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
};

test('each step says what it would do, and nothing is done', async () => {
  const person = await aPerson(app);
  const { id } = await savedBy(app.admin, [
    step('tag', 'tag', { person: '{{ trigger.person_id }}', add: ['called'] }, { next: 'rest' }),
    step('rest', 'wait', { minutes: 60 }, { next: 'ask' }),
    step('ask', 'ask_person', { question: 'Call them?' }, { next: 'card' }),
    step(
      'card',
      'create_work_item',
      { project: 'OUT', title: 'Call {{ trigger.person_id }}', due_in_days: 2 },
      { next: 'sure' },
    ),
    step('sure', 'condition', { value: '{{ steps.card.item.key }}', is: 'present' }, { next: 'post' }),
    step('post', 'http', { url: 'https://example.com/', body: { key: '{{ steps.card.item.key }}' } }),
  ]);
  const before = await fingerprint(app);
  const ran = await testOf(id, { trigger: { person_id: person } });
  expect(await fingerprint(app)).toBe(before);
  expect(ran.ended).toBe('succeeded');
  expect(ran.steps.map(({ step: of, came }: { step: string; came: string }) => `${of} ${came}`)).toEqual([
    'tag done',
    'rest skipped',
    'ask skipped',
    'card done',
    'sure done',
    'post skipped',
  ]);
  const [tag, , ask, card, , post] = ran.steps;
  expect(tag.changes).toEqual([{ what: 'person changed', count: 1 }]);
  expect(ask.says).toBe('A person is asked; here they approve.');
  expect(card.changes).toContainEqual({ what: 'work item added', count: 1 });
  expect(card.output.item.key).toMatch(/^OUT-\d+$/);
  // What a step would answer is what the next ones read.
  expect(post.input.body.key).toBe(card.output.item.key);
});

test('it ends at the step that would be refused, and says why', async () => {
  const { id } = await savedBy(app.admin, [
    step('card', 'create_work_item', { project: 'NONE', title: 'Call' }, { next: 'rest' }),
    step('rest', 'wait', { minutes: 60 }),
  ]);
  const ran = await testOf(id);
  expect([ran.ended, ran.steps.length, ran.steps[0].came]).toEqual(['failed', 1, 'failed']);
  expect(ran.steps[0].says).toContain('project');
  const asked = await savedBy(app.admin, [step('ask', 'ask_person', { question: 'Call them?' })]);
  expect((await testOf(asked.id, { approve: false })).ended).toBe('failed');
  const member = await app.person();
  expect((await member.rest('POST', `/api/workflows/${id}/test`, {})).status).toBe(403);
});

test('a script that is rehearsed is answered as it would be, and changes nothing', async () => {
  const token = await app.token({ name: 'lua', scopes: { scripts: true } });
  await token.rpc('ping');
  const before = await fingerprint(app);
  const script = `
    local made = dunnock.call('item_create', { project = 'OUT', title = 'From a script' })
    local ok, why = dunnock.try('item_create', { project = 'NONE', title = 'x' })
    return { key = made.item.key, why = why }`;
  const { json, text } = await token.tool('run', { script, rehearse: true });
  expect(await fingerprint(app)).toBe(before);
  expect(json?.state, text).toBe('finished');
  expect(json.result.key).toMatch(/^OUT-\d+$/);
  expect(json.result.why).toContain('project');
  expect(json.rehearsed).toEqual([
    {
      act: 'item_create',
      needs: [],
      changes: expect.arrayContaining([{ what: 'work item added', count: 1 }]),
      events: [],
    },
  ]);
});
