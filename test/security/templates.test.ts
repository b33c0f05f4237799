// What a caller with few rights saves is text from outside as well: templates of letters and of workflows, and lists of people.
// Reading and rendering them takes time by their length alone, and what they become is bounded.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { planOf } from '../imports/support.ts';
import { held, HELD_AT_MOST_MS } from '../support/held.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { activeBy, ran, step } from '../support/workflows.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
  await app.admin.rest('POST', '/api/work/projects', { key: 'OUT', name: 'Outreach' });
});
afterAll(() => app.close());

const spaces = (count: number): string => ' '.repeat(count);

describe('D3', () => {
  test.each([4_000, 60_000])(
    'a workflow with %i spaces behind an open brace is saved, and no one waits for it',
    async (count) => {
      const steps = [step('a', 'notify', { sentence: `{{${spaces(count)}x` })];
      const { held_ms } = await held(app, () =>
        app.admin.rest('POST', '/api/workflows', { name: 'Spaces', trigger: { kind: 'manual' }, steps }),
      );
      expect(held_ms).toBeLessThan(HELD_AT_MOST_MS);
    },
  );

  test.each([
    ['spaces in a field', `{{ "}"${spaces(4_000)}x }}`],
    ['spaces before what closes nothing', `{{${spaces(4_000)}"}" }}`],
    ['60 KB of spaces', `{{${spaces(60_000)}"}" | default: "x" }}`],
    ['open braces in a comment', `{% comment %}${'{{'.repeat(1_900)}${spaces(90_000)}{% endcomment %}`],
    ['a long condition', `{% if a ${'and a '.repeat(16_000)}%}x{% endif %}`],
    ['names within names', `{{ a${'[a'.repeat(4_000)}${']'.repeat(4_000)} }}`],
    ['spaces in a tag', `{% if${spaces(60_000)}person.given %}x{% endif %}`],
    ['spaces and no end', `{%${spaces(60_000)}`],
    ['quotes', `{{ ${'"'.repeat(60_000)} }}`],
    ['bars', `{{ a ${'| default: "x" '.repeat(5_000)} }}`],
    ['dots', `{{ a${'.b'.repeat(30_000)} }}`],
    ['brackets', `{{ a${'['.repeat(30_000)}${']'.repeat(30_000)} }}`],
    ['tags within tags', `${'{% if a %}'.repeat(900)}${'{% endif %}'.repeat(900)}`],
  ])('a template of a letter with %s is read, and nobody waits for it', async (_, text) => {
    const { made, held_ms } = await held(app, () =>
      app.admin.rest('POST', '/api/admin/outreach/templates', {
        name: 'Hostile',
        subject: 'Hello',
        text: text.slice(0, 100_000),
      }),
    );
    expect([201, 400], JSON.stringify(made.body).slice(0, 300)).toContain(made.status);
    expect(held_ms).toBeLessThan(HELD_AT_MOST_MS);
  });

  test.each([
    ['Email', spaces(60_000)],
    ['Email', `a${'\t \u00a0'.repeat(20_000)}@`],
    ['Email', 'a@;'.repeat(20_000)],
    ['Email', ':::'.repeat(20_000)],
    ['Tags', `x${spaces(60_000)}y`],
    ['Tags', `${'x ::: '.repeat(10_000)}`],
    ['Name', `a,${'\t'.repeat(60_000)},`],
  ])('a cell of 60 KB under %s is read, and nobody waits for it', async (heading, cell) => {
    const file = `Address,${heading}\nann@list.example,"y${cell}z"\n`.replace(/^Address,Email/, 'Name,Email');
    const { made, held_ms } = await held(app, () => planOf(app.admin, { file }));
    expect(made.totals).toBeDefined();
    expect(held_ms).toBeLessThan(HELD_AT_MOST_MS);
  });
});

describe('D4', () => {
  test('a step with more than 200 references is not saved, and says so', async () => {
    const steps = [
      step('a', 'notify', { sentence: 'x' }, { next: 'b' }),
      step('b', 'http', { url: 'https://example.com/', body: '{{ steps.a }}'.repeat(60_000) }),
    ];
    const { made, held_ms } = await held(app, () =>
      app.admin.rest('POST', '/api/workflows', { name: 'Many', trigger: { kind: 'manual' }, steps }),
    );
    expect(made).toMatchObject({
      status: 400,
      body: { error: { message: 'b has more than 200 references' } },
    });
    expect(held_ms).toBeLessThan(HELD_AT_MOST_MS);
  });

  const card = step(
    'card',
    'create_work_item',
    { project: 'OUT', title: 'Long', description: 'x'.repeat(19_000) },
    { next: 'more' },
  );

  test('references that become more than 200,000 characters end the step with one sentence', async () => {
    const more = step('more', 'create_work_item', {
      project: 'OUT',
      title: 'More',
      description: '{{ steps.card.item }}'.repeat(199),
    });
    const workflow = await activeBy(app.admin, [card, more]);
    const { made, held_ms } = await held(app, () => ran(app, app.admin, workflow));
    expect(made).toMatchObject({
      state: 'failed',
      error:
        'the references of this step expand to more than 200000 characters: refer to the fields you need instead of the whole record',
    });
    expect(held_ms).toBeLessThan(HELD_AT_MOST_MS);
  });

  test('a version that was activated with more references ends its step with one sentence', async () => {
    const workflow = await activeBy(app.admin, [card, step('more', 'notify', { sentence: 'x' })]);
    const input = { sentence: '{{ steps.card.item }}'.repeat(60_000) };
    await app.sql`
      update workflow_versions set steps = jsonb_set(steps, '{1,input}', ${app.sql.json(input)})
      where workflow_id = ${workflow}`;
    const { made, held_ms } = await held(app, () => ran(app, app.admin, workflow));
    expect(made).toMatchObject({
      state: 'failed',
      error: expect.stringMatching(
        /^the input of this step has more than 200 references|^the references of this step/,
      ),
    });
    expect(held_ms).toBeLessThan(HELD_AT_MOST_MS);
  });

  test('what fits is rendered as before', async () => {
    const more = step('more', 'create_work_item', {
      project: 'OUT',
      title: 'After {{ steps.card.item.key }}',
      description: '{{ steps.card.item.title }} '.repeat(199),
    });
    const workflow = await activeBy(app.admin, [card, more]);
    expect(await ran(app, app.admin, workflow)).toMatchObject({ state: 'succeeded', error: null });
    const [item] = await app.sql<{ title: string; description: string }[]>`
      select title, description from work_items where title like 'After %'`;
    expect(item?.description.trim()).toBe('Long '.repeat(199).trim());
  });
});
