// Sequences through the entry points: steps that keep their ids, every fault at once, revisions and reusable letters.
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LETTER, newCampaign, O, saveSteps } from '../../../../test/support/campaigns.ts';
import { openTestApp, type TestApp } from '../../../../test/support/app.ts';

let app: TestApp;
let id: string;

beforeAll(async () => {
  app = await openTestApp();
  id = (await newCampaign(app.admin)).id;
  await app.admin.rest('PUT', '/api/admin/crm/fields', {
    noun: 'person',
    revision: 1,
    fields: [{ key: 'plan', title: 'Plan', kind: 'text' }],
  });
});
afterAll(() => app?.close());

const read = async (campaign = id) =>
  (await app.admin.rest('GET', `${O}/campaigns/${campaign}/sequence`)).body.sequence;
const put = async (steps: unknown[], campaign = id) =>
  app.admin.rest('PUT', `${O}/campaigns/${campaign}/sequence`, {
    revision: (await read(campaign)).revision,
    steps,
  });
describe('saving steps', () => {
  test('keeps the ids that are given, through reorders and changes, and gives new ones to new steps', async () => {
    const first = await saveSteps(app.admin, id, [LETTER, { kind: 'wait', wait: { days: 2, hours: 0 } }]);
    const [letter, wait] = first.steps;
    const second = await saveSteps(app.admin, id, [
      { id: wait!.id, kind: 'wait', wait: { days: 5, hours: 1 } },
      { id: letter!.id, ...LETTER, text: 'Other words' },
      { kind: 'task', task: { title: 'Call {{ person.name }}' } },
    ]);
    expect(second.revision).toBe(first.revision + 1);
    expect(second.steps.map((step: any) => [step.id, step.position])).toEqual([
      [wait!.id, 0],
      [letter!.id, 1],
      [second.steps[2]!.id, 2],
    ]);
    expect(second.steps[0]!.wait).toEqual({ days: 5, hours: 1 });
    expect(second.steps[2]!.fields).toEqual(['person.name']);
    expect(second.merge_fields).toEqual(
      expect.arrayContaining(['custom.plan', 'person.given', 'company.name', 'unsubscribe_url']),
    );
    expect(second.changed_by).toMatchObject({ name: 'Ada Operator' });
  });

  test('a wait may name its days or its hours alone', async () => {
    const { steps } = await saveSteps(app.admin, id, [
      { ...LETTER, wait: { days: 3 } },
      { ...LETTER, wait: { hours: 4 } },
    ]);
    expect(steps.map(({ wait }) => wait)).toEqual([
      { days: 3, hours: 0 },
      { days: 0, hours: 4 },
    ]);
  });

  test('needs the revision that was read, and keeps every one as it was saved', async () => {
    const { revision } = await read();
    const answers = await Promise.all(
      ['one', 'two', 'three'].map((text) =>
        app.admin.rest('PUT', `${O}/campaigns/${id}/sequence`, { revision, steps: [{ ...LETTER, text }] }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.error.message).toContain(
      `the current revision is ${revision + 1}`,
    );
    const rows =
      await app.sql`select revision, steps from sequence_revisions where campaign_id = ${id} order by revision`;
    expect(rows.map((row) => row['revision'])).toEqual(Array.from({ length: revision }, (_, at) => at + 2));
  });

  test('a step that was taken out stays for its letters, and can be put back', async () => {
    const saved = await saveSteps(app.admin, id, [LETTER, { ...LETTER, text: 'Second' }]);
    const [kept, out] = saved.steps;
    await saveSteps(app.admin, id, [{ id: kept!.id, ...LETTER }]);
    expect((await read()).steps).toHaveLength(1);
    const [row] = await app.sql`select text, removed_at from sequence_steps where id = ${out!.id}`;
    expect(row).toMatchObject({ text: 'Second', removed_at: expect.any(Date) });
    const back = await saveSteps(app.admin, id, [
      { id: kept!.id, ...LETTER },
      { id: out!.id, ...LETTER },
    ]);
    expect(back.steps[1]!.id).toBe(out!.id);
  });

  test('names every fault of every step at once and writes nothing', async () => {
    const before = await read();
    const nowhere = randomUUID();
    const [early, late] = [randomUUID(), randomUUID()];
    const answer = await put([
      { id: early, kind: 'letter', subject: '', text: '  ', same_thread: true },
      { kind: 'letter', subject: 'Hi\r\nBcc: x@example.com', text: '{{ person.nope }} {{ custom.nope }}' },
      {
        kind: 'letter',
        subject: 'x',
        text: '{% for a in b %}',
        html: '<p>{{ person.given | raw }}</p>',
        attachments: [nowhere],
      },
      { kind: 'task', task: { title: '  ' } },
      { kind: 'task' },
      { kind: 'wait' },
      { kind: 'branch', branch: { on: { kind: 'tag', tag: 'x' }, yes: nowhere, no: early } },
      {
        kind: 'branch',
        branch: { on: { kind: 'field_equals', field: 'person.nope', value: 'x' }, yes: late, no: late },
      },
      { kind: 'branch' },
      { id: late, kind: 'wait', wait: { days: 1, hours: 0 }, subject: 'a wait has none' },
      { id: late, ...LETTER },
    ]);
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body.error.details.fields)).toEqual([
      'steps.0.text',
      'steps.0.same_thread',
      'steps.1.subject',
      'steps.1.text',
      'steps.2.text',
      'steps.2.html',
      'steps.2.attachments.0',
      'steps.3.task.title',
      'steps.4.task',
      'steps.5.wait',
      'steps.6.branch.yes',
      'steps.6.branch.no',
      'steps.7.branch',
      'steps.7.branch.on.field',
      'steps.8.branch',
      'steps.9.subject',
      'steps.10.id',
    ]);
    const { fields } = answer.body.error.details;
    expect(fields['steps.1.text']).toMatch(
      /^steps\.1\.text: there is no merge field "person\.nope", did you mean person\.\w+\? Fields: person\.name, given, family,.*; company\.name, domain,/,
    );
    expect(fields['steps.2.text']).toBe('steps.2.text: line 1: letters have no tag "for"');
    expect(answer.body.error.message.length).toBeLessThan(300);
    expect(await read()).toEqual(before);
  });

  test('has at most fifty steps', async () => {
    expect(
      (await put(Array.from({ length: 51 }, () => LETTER))).body.error.details.fields['steps'],
    ).toContain('at most 50');
    expect((await put(Array.from({ length: 50 }, () => LETTER))).status).toBe(200);
  });

  test('a step of another campaign is no one’s to take', async () => {
    const other = await newCampaign(app.admin);
    const [theirs] = (await saveSteps(app.admin, other.id, [LETTER])).steps;
    const answer = await put([{ ...LETTER, id: theirs!.id, text: 'Taken over' }]);
    expect(answer.body.error.details.fields).toHaveProperty(['steps.0.id']);
    expect((await read(other.id)).steps[0].text).toBe(LETTER.text);
  });

  test('whatever is sent as steps is a saved sequence or a named fault, never a fault of ours', async () => {
    const any = fc.oneof(
      fc.string({ maxLength: 8 }),
      fc.integer(),
      fc.constant(null),
      fc.constant('{{ person.given }}'),
      fc.uuid(),
    );
    const step = fc.record(
      {
        id: any,
        kind: fc.constantFrom('letter', 'task', 'wait', 'branch', 'x'),
        subject: any,
        text: any,
        html: any,
        wait: fc.record({ days: fc.integer(), hours: fc.integer() }, { requiredKeys: [] }),
        task: fc.record({ title: any, description: any }, { requiredKeys: [] }),
        branch: fc.record({
          on: fc.record({ kind: fc.constantFrom('tag', 'x'), tag: any }),
          yes: any,
          no: any,
        }),
        attachments: fc.array(any, { maxLength: 2 }),
      },
      { requiredKeys: ['kind'] },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 4 }), async (steps) => {
        const answer = await put(steps);
        expect([200, 400], JSON.stringify(answer.body)).toContain(answer.status);
      }),
      { numRuns: 60 },
    );
  });
});

describe('reusable letters', () => {
  test('are saved, listed by name, changed by revision and deleted; one name exists once', async () => {
    const made = await app.admin.rest('POST', `${O}/templates`, {
      name: 'Hello',
      subject: 'Hi',
      text: 'Dear {{ person.given }}',
    });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const { template } = made.body;
    expect(template).toMatchObject({ name: 'Hello', fields: ['person.given'], html: null, revision: 1 });
    expect((await app.admin.rest('POST', `${O}/templates`, { name: 'HELLO', text: 'x' })).status).toBe(409);
    await app.admin.rest('POST', `${O}/templates`, { name: 'Again', text: 'x' });
    const list = (await app.admin.rest('GET', `${O}/templates`)).body;
    expect(list.items.map((it: any) => it.name)).toEqual(['Again', 'Hello']);
    const change = { revision: 1, name: 'Again' };
    expect((await app.admin.rest('PATCH', `${O}/templates/${template.id}`, change)).status).toBe(409);
    const changed = await app.admin.rest('PATCH', `${O}/templates/${template.id}`, {
      revision: 1,
      text: 'Other',
    });
    expect(changed.body.template).toMatchObject({ text: 'Other', revision: 2, fields: [] });
    expect(
      (await app.admin.rest('PATCH', `${O}/templates/${template.id}`, { revision: 1, text: 'x' })).status,
    ).toBe(409);
    expect((await app.admin.rest('DELETE', `${O}/templates/${template.id}`)).body).toEqual({ ok: true });
    expect((await app.admin.rest('DELETE', `${O}/templates/${template.id}`)).status).toBe(404);
  });

  test('carry no pool, no policy and no people, and name every fault at once', async () => {
    const carrying = await app.admin.rest('POST', `${O}/templates`, {
      name: 'x',
      text: 'x',
      identity_pool: [],
      review_policy: 'none',
    });
    expect(Object.keys(carrying.body.error.details.fields)).toEqual(['identity_pool', 'review_policy']);
    const faulty = await app.admin.rest('POST', `${O}/templates`, {
      name: 'x',
      subject: '{{ a }}',
      text: '{% x %}',
      html: '{{ b',
    });
    expect(Object.keys(faulty.body.error.details.fields)).toEqual(['subject', 'text', 'html']);
  });
});
