// A story: a workflow is begun from one of the places to start from, read once more before it is activated, and then a good
// answer that lands puts a card on the board without anyone.
import type { Page } from '@playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newProject } from '../../support/board.ts';
import { openBrowser, SCREENS, type TestBrowser } from '../../support/browser.ts';
import { openTestApp, type TestApp } from '../../support/app.ts';
import { worked } from '../../support/workflows.ts';
import { LONG_MS, looksRight, ON_A_PHONE, SOON } from './told.ts';

let app: TestApp;
let browser: TestBrowser;

beforeAll(async () => {
  app = await openTestApp({ screens: SCREENS });
  browser = await openBrowser(app);
});

afterAll(async () => {
  await browser?.close();
  await app?.close();
});

const idIn = (page: Page): string => new URL(page.url()).pathname.split('/').at(-1) ?? '';

test.each(ON_A_PHONE)(
  'a workflow is begun from a place to start from, activated, and works when an answer lands, at %i px',
  async (width) => {
    await app.sql`truncate workflows, people, work_items cascade`;
    const { key } = await newProject(app, { name: `Answers ${width}` });
    const page = await browser.page(app.admin, '/workflows', { width });
    const starts = page.getByRole('list', { name: 'Templates' });
    await starts.getByRole('button', { name: /^Work item for every positive reply/ }).waitFor();
    await looksRight(page, 'workflow-starts');
    await starts.getByRole('button', { name: /^Work item for every positive reply/ }).click();
    await page.getByRole('button', { name: /^2\. Create work item/ }).click();
    const card = page.getByRole('region', { name: /^Step 2\./ });
    await card.getByLabel('Project').fill(key);
    await page.keyboard.press('Escape');
    await looksRight(page, 'workflow-editor');
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByRole('button', { name: 'Activate', exact: true }).click();
    const asking = page.getByRole('dialog', { name: 'Activate version 1' });
    await asking.getByText('Creates a work item on a board').waitFor();
    await looksRight(page, 'workflow-activate');
    await asking.getByRole('button', { name: 'Activate as Ada Operator' }).click();
    await asking.waitFor({ state: 'detached' });
    const workflow = idIn(page);

    // They answer by mail that a person writes down, and it is read as a yes.
    const { body: made } = await app.admin.rest('POST', '/api/admin/crm/people', {
      name: `Dana Roe${width}`,
      addresses: [{ value: `dana${width}@firm.example` }],
    });
    const landed = await app.admin.rest('POST', '/api/threads', {
      person: made.person.id,
      channel: 'call',
      direction: 'in',
      text: 'Yes, gladly: call me on Monday.',
      reading: 'positive',
    });
    expect(landed.status, JSON.stringify(landed.body)).toBe(201);
    await worked(app);
    await page.goto(`${app.url}/workflows/${workflow}?view=runs`);
    const run = page.getByRole('row').filter({ hasText: 'Done' }).first();
    await run.waitFor();
    await looksRight(page, 'workflow-runs');
    await run.click();
    await page
      .getByRole('list', { name: 'Steps of this run' })
      .getByText('Create work item')
      .first()
      .waitFor();
    await looksRight(page, 'workflow-run');
    await page.goto(`${app.url}/work/${key}`);
    await page
      .getByRole('region', { name: 'Backlog', exact: true })
      .locator('article', { hasText: `Dana Roe${width}` })
      .waitFor();
    await looksRight(page, 'workflow-board');
    await expect.poll(async () => (await app.sql`select 1 from work_items`).length, SOON).toBe(1);
    await page.close();
  },
  LONG_MS,
);
