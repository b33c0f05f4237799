// What sets workflows off: the five events, people who were imported, forms, schedules, and an end to workflows that set each
// other off.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { list, planAndWrite } from '../../../../../test/imports/support.ts';
import { openTestApp, type TestApp } from '../../../../../test/support/app.ts';
import { activeBy, step, worked } from '../../../../../test/support/workflows.ts';
import { EVENT_NAMES } from '../../../../kernel/events.rules.ts';
import { MOST_DEEP } from './triggers.store.ts';

let app: TestApp;

beforeAll(async () => {
  app = await openTestApp();
  await app.admin.rest('POST', '/api/work/projects', { key: 'OUT', name: 'Outreach' });
});
afterAll(() => app.close());

const bell = step('bell', 'notify', { sentence: 'heard at {{ trigger.at }}' });
const runsOf = async (workflow: string): Promise<any[]> =>
  (await app.admin.rest('GET', `/api/workflows/runs?workflow=${workflow}&limit=200`)).body.items;

const data = () => ({
  touch_id: randomUUID(),
  send_id: randomUUID(),
  person_id: randomUUID(),
  campaign_id: null,
  domain_id: randomUUID(),
  domain: 'acme.example',
  reason: 'x',
  deal_id: randomUUID(),
  prospect_id: null,
  state: 'open',
  channel: 'email',
  reading: 'positive',
  item_id: randomUUID(),
  project_id: randomUUID(),
  title: 'x',
  approval_id: randomUUID(),
  moved_by: { kind: 'agent', id: 'x', name: 'x' },
});

describe.each(EVENT_NAMES)('%s', (event) => {
  test('sets off a run with its data once it is committed, and only while the workflow is active', async () => {
    const { database } = app.instance.app;
    const emit = (given: ReturnType<typeof data>, fails = false) =>
      database.transact(async (tx) => {
        await database.emit(tx, event, given as never, app.clock.now());
        if (fails) throw new Error('undone');
      });
    await emit(data());
    const workflow = await activeBy(app.admin, [bell], { kind: 'event', event });
    const given = data();
    await emit(given);
    await emit(data(), true).catch(() => undefined);
    await worked(app);
    const runs = await runsOf(workflow);
    expect(runs).toMatchObject([{ state: 'succeeded', trigger: { kind: 'event', event } }]);
    expect(given).toMatchObject(runs[0].trigger.data);
    await app.admin.rest('POST', `/api/workflows/${workflow}/deactivate`, {});
    await emit(data());
    await worked(app);
    expect(await runsOf(workflow)).toHaveLength(1);
  });
});

test('person.imported sets off a run for each person that a list made', async () => {
  const workflow = await activeBy(app.admin, [bell], { kind: 'event', event: 'person.imported' });
  await planAndWrite(app.admin, { file: list(3), filename: 'people.csv' });
  await worked(app);
  const runs = await runsOf(workflow);
  expect(runs).toHaveLength(3);
  const people = await app.sql<{ id: string }[]>`select id from people`;
  expect(runs.map(({ trigger }) => trigger.data.person_id).toSorted()).toEqual(
    people.map(({ id }) => id).toSorted(),
  );
  expect(
    runs.every(({ state, trigger }) => state === 'succeeded' && trigger.data.outcome === 'created'),
  ).toBe(true);
  await app.admin.rest('POST', `/api/workflows/${workflow}/deactivate`, {});
});

test('a form sets off the workflow of that form with the person, and no other form does', async () => {
  const form = async (name: string) => (await app.admin.rest('POST', '/api/admin/forms', { name })).body.form;
  const [contact, other] = [await form('Contact'), await form('Other')];
  const workflow = await activeBy(app.admin, [bell], { kind: 'form', form_id: contact.id });
  const every = await activeBy(app.admin, [bell], { kind: 'event', event: 'form.submitted' });
  for (const { url } of [contact, other])
    await fetch(app.url + new URL(url).pathname, {
      method: 'POST',
      body: new URLSearchParams({ email: 'dana@acme.example', name: 'Dana Roe', message: 'Tell me more.' }),
      redirect: 'manual',
    });
  await worked(app);
  const [dana] = await app.sql<{ person_id: string }[]>`
    select person_id from person_addresses where normalised = 'dana@acme.example'`;
  expect(await runsOf(workflow)).toMatchObject([
    { state: 'succeeded', trigger: { data: { form_id: contact.id, person_id: dana?.person_id } } },
  ]);
  expect(await runsOf(every)).toHaveLength(2);

  // A form post is a reply too: the event names the touch, and the run that it starts the conversation as well.
  const replied = await activeBy(
    app.admin,
    [step('bell', 'notify', { sentence: 'in {{ trigger.thread_id }}' })],
    {
      kind: 'event',
      event: 'reply.landed',
    },
  );
  const [touch] = await app.sql<{ id: string; thread_id: string }[]>`
    select id, thread_id from touches where channel = 'form' limit 1`;
  const { database } = app.instance.app;
  await database.transact((tx) =>
    database.emit(tx, 'reply.landed', { ...data(), touch_id: touch?.id } as never, app.clock.now()),
  );
  await worked(app);
  expect(await runsOf(replied)).toMatchObject([
    { state: 'succeeded', trigger: { data: { thread_id: touch?.thread_id } } },
  ]);
});

test('a schedule is due in its zone, and what was missed is made up for once', async () => {
  const cron = { kind: 'schedule', cron: '0 8 * * *', zone: 'Europe/Oslo' };
  const workflow = await activeBy(app.admin, [bell], cron);
  const { next_at } = (await app.admin.rest('GET', `/api/workflows/${workflow}`)).body.workflow;
  const hour = new Intl.DateTimeFormat('en-GB', {
    timeZone: 'Europe/Oslo',
    hour: '2-digit',
    minute: '2-digit',
  });
  expect(hour.format(new Date(next_at))).toBe('08:00');
  await worked(app);
  expect(await runsOf(workflow)).toHaveLength(0);
  app.clock.advance(3 * 86_400_000);
  await worked(app);
  expect(await runsOf(workflow)).toMatchObject([{ state: 'succeeded', trigger: { kind: 'schedule' } }]);
  const again = (await app.admin.rest('GET', `/api/workflows/${workflow}`)).body.workflow.next_at;
  expect(new Date(again) > app.clock.now()).toBe(true);
});

test.each([
  ['0 8 * *', 'UTC', /five fields/],
  ['0 8 31 2 *', 'UTC', /never due/],
  ['0 8 * * *', 'Mars/Olympus', /isn’t a time zone/],
  ['61 8 * * *', 'UTC', /five fields/],
])('a schedule of "%s" in %s is refused', async (cron, zone, says) => {
  const saved = await app.admin.rest('POST', '/api/workflows', {
    name: 'x',
    trigger: { kind: 'schedule', cron, zone },
    steps: [bell],
  });
  expect(saved.status).toBe(400);
  expect(saved.body.error.message).toMatch(says);
});

test('workflows that set each other off come to an end, with a sentence', async () => {
  const parks = `local made = dunnock.item_create{ project = "OUT", title = "again" }
    dunnock.item_move{ item_id = made.item.id, status = "done" }`;
  const workflow = await activeBy(app.admin, [step('park', 'lua', { script: parks })], {
    kind: 'event',
    event: 'work.review_parked',
  });
  const first = await activeBy(app.admin, [step('park', 'lua', { script: parks })]);
  await app.admin.rest('POST', `/api/workflows/${first}/runs`, {});
  for (let i = 0; i < MOST_DEEP + 3; i += 1) await worked(app);
  const runs = await runsOf(workflow);
  expect(runs.map(({ state }) => state)).toEqual(['failed', ...Array(MOST_DEEP).fill('succeeded')]);
  expect(runs[0].error).toMatch(/set each other off 5 times in a row/);
});
