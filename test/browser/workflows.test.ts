// Workflows in a real browser: one is built by the keyboard, a fault is at its step, it is activated and run, and a run is
// watched as it goes on, fails, and is tried again.
import type { Page } from '@playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MINUTE_MS } from '../../src/kernel/clock.ts';
import { newProject } from '../support/board.ts';
import {
  expectAccessibleCrosswise,
  expectAccessibleInEveryLook,
  openBrowser,
  SCREENS,
  type TestBrowser,
} from '../support/browser.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { activeBy, runNow, savedBy, startedBy, step, worked } from '../support/workflows.ts';

let app: TestApp;
let browser: TestBrowser;
let project: string;

beforeAll(async () => {
  app = await openTestApp({ screens: SCREENS });
  browser = await openBrowser(app);
  project = (await newProject(app, { name: 'Outreach' })).key;
});

afterAll(async () => {
  await browser?.close();
  await app?.close();
});

const LONG_MS = 180_000;

const read = async (id: string) => (await app.admin.rest('GET', `/api/workflows/${id}`)).body.workflow;
const idIn = (page: Page): string => new URL(page.url()).pathname.split('/').at(-1) ?? '';
const kinds = async (id: string) => (await read(id)).steps.map(({ kind }: { kind: string }) => kind);
const bell = (sentence = 'Something came in') => step('bell', 'notify', { sentence });

test(
  'a list without workflows offers places to start from, and one with them says how each last ran',
  async () => {
    const page = await browser.page(app.admin, '/workflows');
    const starts = page.getByRole('list', { name: 'Templates' });
    await starts.getByRole('button', { name: /^Work item for every positive reply/ }).waitFor();
    await expectAccessibleInEveryLook(page);
    await page.setViewportSize({ width: 1440, height: 900 });
    const id = await activeBy(app.admin, [bell()], { kind: 'manual' }, 'Rings a bell');
    const run = await startedBy(app.admin, id);
    await worked(app);
    const row = page.getByRole('row', { name: /Rings a bell/ });
    await row.getByText('Done').waitFor();
    expect((await runNow(app, run)).state).toBe('succeeded');
    await row.getByText('Started by hand').waitFor();
    await expectAccessibleInEveryLook(page);
    await page.close();
  },
  LONG_MS,
);

test(
  'a workflow is built, activated and run with the keyboard alone',
  async () => {
    const page = await browser.page(app.admin, '/workflows');
    await page.getByRole('row', { name: /Rings a bell/ }).waitFor();
    await page.keyboard.press('n');
    const name = page.getByRole('textbox', { name: 'Name', exact: true });
    await name.waitFor();
    await name.focus();
    await page.keyboard.type('Built by hand');
    // The first step is there; a card is put behind it.
    await page.getByRole('button', { name: 'Add a step after 1. Notify people' }).focus();
    await page.keyboard.press('Enter');
    const card = page.getByRole('menuitem', { name: /^Work item/ });
    await card.waitFor();
    await card.focus();
    await page.keyboard.press('Enter');
    const second = page.getByRole('region', { name: /^Step 2\./ });
    const called = second.getByRole('textbox', { name: 'Name' });
    await expect.poll(() => called.evaluate((field) => field === document.activeElement)).toBe(true);
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('A card');
    await page.keyboard.press('Tab');
    await page.keyboard.type(project);
    // The list of projects closes, and the field keeps what was typed.
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Look at {{ trigger.what }}');
    await page.getByRole('button', { name: /^Move up: 2\. A card/ }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /^2\. Notify people/ }).focus();
    await page.keyboard.press('Enter');
    const first = page.getByRole('region', { name: /^Step 2\. Notify people/ });
    await first.getByRole('textbox', { name: 'Message' }).focus();
    await page.keyboard.type('A card is there');
    await page.keyboard.press('ControlOrMeta+s');
    await page.getByRole('button', { name: 'Activate', exact: true }).waitFor();
    const id = idIn(page);
    expect(await kinds(id)).toEqual(['create_work_item', 'notify']);
    expect((await read(id)).steps[0].next).toBe('notify');

    await page.getByRole('button', { name: 'Activate', exact: true }).focus();
    await page.keyboard.press('Enter');
    const asking = page.getByRole('dialog', { name: 'Activate version 1' });
    await asking.getByText('Creates a work item on a board').waitFor();
    await expectAccessibleCrosswise(page);
    const yes = asking.getByRole('button', { name: 'Activate as Ada Operator' });
    await yes.focus();
    await page.keyboard.press('Enter');
    const run = page.getByRole('button', { name: 'Run', exact: true });
    await run.waitFor();
    await asking.waitFor({ state: 'detached' });
    await run.focus();
    await page.keyboard.press('Enter');
    const starting = page.getByRole('form', { name: 'Start a run' });
    await starting.getByRole('textbox', { name: 'what' }).fill('this');
    await expectAccessibleCrosswise(page);
    await starting.getByRole('textbox', { name: 'what' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('list', { name: 'Steps of this run' }).waitFor();
    await worked(app);
    await page.getByRole('list', { name: 'Steps of this run' }).getByText('2. Notify people').waitFor();
    await expect.poll(async () => (await runNow(app, idIn(page))).state).toBe('succeeded');
    const { body } = await app.admin.rest('GET', `/api/work/items?project=${project}`);
    expect(body.items.map(({ title }: { title: string }) => title)).toContain('Look at this');
    await page.close();
  },
  LONG_MS,
);

test(
  'every fault is at its step and field by name, in the steps and in the JSON, and goes when it is fixed',
  async () => {
    const { id } = await savedBy(
      app.admin,
      [step('card', 'create_work_item', { project, title: 'A card' }, { next: 'bell' }), bell()],
      { kind: 'manual' },
      'Faulty',
    );
    const page = await browser.page(app.admin, `/workflows/${id}`);
    await page.getByRole('button', { name: /^1\. create_work_item card/ }).click();
    const card = page.getByRole('region', { name: /^Step 1\./ });
    await card.getByRole('textbox', { name: 'Title' }).fill('Answer {{ steps.nowhere.text }}');
    await page.getByRole('button', { name: /^2\. notify bell/ }).click();
    const second = page.getByRole('region', { name: /^Step 2\./ });
    await second.getByRole('textbox', { name: 'Message' }).fill('');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const title = card.getByRole('textbox', { name: 'Title' });
    await expect.poll(() => title.getAttribute('aria-invalid')).toBe('true');
    await card.getByText('no step has that id').waitFor();
    const sentence = second.getByRole('textbox', { name: 'Message' });
    await expect.poll(() => sentence.getAttribute('aria-invalid')).toBe('true');
    const all = page.getByRole('list', { name: 'Problems' });
    await all.getByText('1. create_work_item card, title').waitFor();
    await all.getByText('2. notify bell, sentence').waitFor();
    await expectAccessibleInEveryLook(page);

    await title.fill('Answer them');
    await expect.poll(() => title.getAttribute('aria-invalid')).not.toBe('true');
    await page.getByText('JSON', { exact: true }).click();
    const json = page.getByRole('textbox', { name: 'Trigger and steps as JSON' });
    const text = await json.inputValue();
    await json.fill(text.replace('"notify"', '"nothing"'));
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await all.getByText('"nothing" isn’t a kind of step').waitFor();
    await json.fill('{');
    await page.getByRole('alert').getByText('Invalid JSON').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);
    await json.fill(text.replace('"sentence": ""', '"sentence": "There it is"'));
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.poll(async () => (await read(id)).steps[1].input.sentence).toBe('There it is');
    await page.close();
  },
  LONG_MS,
);

test(
  'a run is watched live as it asks a person, goes on and fails, and goes on from the step that failed',
  async () => {
    const host = 'hooks.example.com';
    const id = await activeBy(
      app.admin,
      [
        step('ask', 'ask_person', { question: 'Shall we tell them?' }, { next: 'tell' }),
        step('tell', 'http', { method: 'POST', url: `https://${host}/told` }),
      ],
      { kind: 'manual' },
      'Asks and tells',
    );
    const run = await startedBy(app.admin, id);
    const page = await browser.page(app.admin, `/workflows/runs/${run}`);
    const steps = page.getByRole('list', { name: 'Steps of this run' });
    await steps.getByText('Starting…').waitFor();
    await worked(app);
    await steps.getByText('Waiting', { exact: true }).waitFor();
    await steps.getByRole('link', { name: 'Shall we tell them?' }).waitFor();
    await expectAccessibleInEveryLook(page);

    const { items } = (await app.admin.rest('GET', '/api/approvals?kind=workflow_step')).body;
    const { id: approval, subject } = items[0];
    const decided = await app.admin.rest('POST', `/api/approvals/${approval}/decide`, {
      decision: 'approve',
      revision: subject.revision,
    });
    expect(decided.status, JSON.stringify(decided.body)).toBe(200);
    await worked(app);
    await page.getByRole('alert').getByText(`${host} isn’t an allowed host`).waitFor();
    await steps.getByText('Failed', { exact: true }).waitFor();
    await steps.getByText('Input and output').first().click();
    await steps.getByLabel('Output of ask_person ask').getByText('"approved": true').waitFor();
    await expectAccessibleInEveryLook(page);

    await page.getByRole('button', { name: 'Retry' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await runNow(app, run)).state).toBe('queued');
    await worked(app);
    await steps.getByText('attempt 2').waitFor();
    expect((await runNow(app, run)).steps.map(({ attempt }) => attempt)).toEqual([1, 2]);

    const other = await startedBy(app.admin, id);
    await worked(app);
    await page.goto(`${app.url}/workflows/runs/${other}`);
    await page.getByRole('button', { name: 'Cancel run' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel run' }).click();
    await expect.poll(async () => (await runNow(app, other)).state).toBe('cancelled');
    await page.close();
  },
  LONG_MS,
);

test(
  'the wire is given to a workflow by someone who says once more who they are, and held from whoever has none',
  async () => {
    const token = await app.token();
    const enrols = step('enrol', 'enrol', {
      campaign: '{{ trigger.campaign_id }}',
      people: ['{{ trigger.person_id }}'],
    });
    const { id } = await savedBy(app.admin, [enrols], { kind: 'manual' }, 'Enrols them');
    const page = await browser.page(app.admin, `/workflows/${id}`);
    const begin = page.getByRole('button', { name: 'Activate', exact: true });
    await begin.waitFor();
    app.clock.advance(11 * MINUTE_MS);
    await begin.press('Enter');
    const asking = page.getByRole('dialog', { name: 'Activate version 1' });
    await asking.getByText('needs wire scope').waitFor();
    await asking.getByRole('button', { name: 'Activate as Ada Operator' }).press('Enter');
    const asked = page.getByRole('dialog', { name: 'Confirm it’s you' });
    await asked.getByLabel('Password', { exact: true }).fill(app.admin.password);
    expect((await read(id)).state).toBe('draft');
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await read(id)).state).toBe('active');

    const run = await startedBy(token, id, { campaign_id: id, person_id: id });
    await page.goto(`${app.url}/workflows/runs/${run}`);
    await worked(app);
    await page.getByRole('alert').getByText('who started this run, has no wire scope').waitFor();
    expect(await runNow(app, run)).toMatchObject({ state: 'waiting', held: 'wire_required' });
    await expectAccessibleCrosswise(page);
    await page.getByRole('button', { name: 'Cancel run' }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel run' }).press('Enter');
    await expect.poll(async () => (await runNow(app, run)).state).toBe('cancelled');
    await page.close();
  },
  LONG_MS,
);

test(
  'what was changed is not left behind unasked, and versions say what each changed',
  async () => {
    const id = await activeBy(app.admin, [bell('Once')], { kind: 'manual' }, 'Versions of it');
    const page = await browser.page(app.admin, `/workflows/${id}`);
    await page.getByRole('button', { name: /^1\. notify bell/ }).click();
    await page.getByRole('textbox', { name: 'Message' }).fill('Twice');
    await page.getByRole('link', { name: 'Workflows' }).first().click();
    await page.getByRole('dialog').getByText('unsaved changes').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.poll(async () => (await read(id)).version).toBe(2);
    await page.getByRole('tab', { name: 'Versions' }).click();
    const versions = page.getByRole('region', { name: 'Versions' });
    await versions.getByText('Saved, not active').waitFor();
    await versions.getByText('Twice').waitFor();
    await expectAccessibleCrosswise(page);
    await page.getByRole('tab', { name: 'Runs' }).click();
    await page.getByText('No runs yet').waitFor();
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Turn off', exact: true }).click();
    await expect.poll(async () => (await read(id)).state).toBe('inactive');
    await page.close();
  },
  LONG_MS,
);

test(
  'hosts that workflows may reach are listed by an administrator',
  async () => {
    const page = await browser.page(app.admin, '/settings/workflows');
    const form = page.getByRole('form', { name: 'Hosts' });
    await form.getByPlaceholder('hooks.example.com').fill('hooks.example.com');
    await page.keyboard.press('Enter');
    await form.getByText('hooks.example.com', { exact: true }).waitFor();
    await form.getByRole('button', { name: 'Save hosts' }).click();
    const listed = async () => (await app.admin.rest('GET', '/api/admin/workflows/hosts')).body.hosts;
    await expect.poll(listed).toEqual(['hooks.example.com']);
    await expectAccessibleCrosswise(page);
    await page.close();
  },
  LONG_MS,
);

test(
  'a test shows what each step would do, and does none of it',
  async () => {
    const card = { project, title: 'Call {{ trigger.name }}' };
    const { id } = await savedBy(app.admin, [
      step('rest', 'wait', { minutes: 60 }, { next: 'card' }),
      step('card', 'create_work_item', card, { next: 'post' }),
      step('post', 'http', { url: 'https://example.com/' }),
    ]);
    const page = await browser.page(app.admin, `/workflows/${id}`);
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    const form = page.getByRole('form', { name: 'Test' });
    await form.getByLabel('name', { exact: true }).fill('Dana Roe');
    await form.getByRole('button', { name: 'Test', exact: true }).click();
    const result = page.getByRole('status', { name: 'Test result' });
    await result.getByText('The run would come to its end.').waitFor();
    await result.getByText('1 work item added').waitFor();
    await result.getByText('No request is sent in a test.').waitFor();
    if (process.env['SHOTS']) await page.screenshot({ path: `${process.env['SHOTS']}/workflow-test.png` });
    await expectAccessibleCrosswise(page);
    if (process.env['SHOTS']) await page.screenshot({ path: `${process.env['SHOTS']}/workflow-test-2.png` });
    expect(await app.sql`select 1 from work_items where title = 'Call Dana Roe'`).toHaveLength(0);
    await page.close();
  },
  LONG_MS,
);
