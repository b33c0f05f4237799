// The activity in a real browser: turns as a timeline, runs of reads folded, refusals in their sentence, each thing's own history
// by its address, and what happens elsewhere shown as it happens.
import type { Page } from '@playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newItem, newProject } from '../support/board.ts';
import { expectAccessibleInEveryLook, openBrowser, SCREENS, type TestBrowser } from '../support/browser.ts';
import { openTestApp, type TestApp, type TokenClient } from '../support/app.ts';

let app: TestApp;
let browser: TestBrowser;
let agent: TokenClient;
let item: { id: string; key: string };
let project: { key: string };

beforeAll(async () => {
  app = await openTestApp({ screens: SCREENS });
  browser = await openBrowser(app);
  agent = await app.token({ name: 'scout' });
  project = await newProject(app, { name: 'Autumn letters' });
  item = await newItem(agent, project.key, { title: 'List the bridges of Ghent' });
  for (const args of [{}, { status: 'todo' }, { status: 'done' }]) await agent.tool('work_search', args);
  await agent.tool('work_get', { item_id: item.id });
  // They are written a moment later, in a batch.
  const written = async (): Promise<number> =>
    (await app.sql<{ n: number }[]>`select coalesce(sum(count), 0)::int as n from activity_reads`)[0]?.n ?? 0;
  while ((await written()) < 4) await new Promise((resolve) => setTimeout(resolve, 50));
  const refused = await agent.tool('admin_request', {
    method: 'POST',
    path: '/api/admin/users/invite',
    body: { email: 'x@example.com' },
  });
  expect(refused.isError).toBe(true);
});

afterAll(async () => {
  await browser?.close();
  await app?.close();
});

const SOON = { timeout: 60_000 };
const rowsOf = (page: Page) => page.getByRole('row').and(page.locator('[data-row]'));
const folded = (page: Page) => page.getByRole('row', { name: /read 2 records/ });
const link = (page: Page, name: RegExp) => page.getByRole('link', { name });

test('an agent’s turn reads from the top: what it was refused, what it read, what it changed', async () => {
  const page = await browser.page(app.admin, `/activity?actor=${agent.id}`);
  await folded(page).waitFor();
  const said = await rowsOf(page).allInnerTexts();
  expect(said).toHaveLength(3);
  expect(said[0]).toContain('wire');
  expect(said[1]).toContain('item list');
  expect(said[2]).toContain('List the bridges of Ghent');
  await expect.poll(() => rowsOf(page).first().getAttribute('data-tone')).toBe('warn');
  await expectAccessibleInEveryLook(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await link(page, /List the bridges of Ghent/).click();
  await page.waitForURL(`**/work/${project.key}/${item.key}`);
  await page.close();
});

test('with the keyboard alone one walks the turn, unfolds what was read, and asks for refusals alone', async () => {
  const page = await browser.page(app.admin, `/activity?actor=${agent.id}`);
  await folded(page).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  const drawer = page.getByRole('dialog');
  await drawer.getByRole('list', { name: 'Records read' }).getByText('item list').first().waitFor();
  await drawer.getByText('3 times').waitFor();
  await expectAccessibleInEveryLook(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  await page.keyboard.press('r');
  await folded(page).waitFor({ state: 'detached' });
  await page.waitForURL('**outcome=refused**');
  await expect.poll(() => rowsOf(page).count(), SOON).toBe(1);
  await page.close();
});

test('after a filter is chosen the keys still work, and a typing error is no refusal', async () => {
  const slip = await app.token({ name: 'slip' });
  await slip.tool('work_search', { query: 'x' });
  expect((await slip.rest('POST', '/api/admin/users/invite', { email: 'x@x.example' })).status).toBe(403);
  expect((await slip.rest('POST', '/api/admin/crm/people', { name: 5 })).status).toBe(400);
  const page = await browser.page(app.admin, `/activity?actor=${slip.id}`);
  await page.getByText('Refused', { exact: true }).first().click();
  await page.waitForURL('**outcome=refused**');
  await page.getByRole('row', { name: /user invite.*Refused/ }).waitFor();
  expect(await page.getByRole('row', { name: /person create/ }).count()).toBe(0);
  await page.keyboard.press('/');
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')), SOON)
    .toBe('Act');
  await page.getByText('Invalid input', { exact: true }).first().click();
  await page.getByRole('row', { name: /person create.*Invalid input/ }).waitFor();
  expect(await page.getByRole('row', { name: /user invite/ }).count()).toBe(0);
  await page.close();
});

test('every record leads to its own history', async () => {
  const page = await browser.page(app.admin, `/work/${project.key}/${item.key}`);
  await link(page, /History/).click();
  await page.waitForURL(`**/activity?noun=item&id=${item.id}`);
  await page.getByText(`for ${item.key}`, { exact: true }).waitFor();
  await page.getByRole('row', { name: /item create/ }).waitFor();
  await page.getByRole('row', { name: /read 1 record/ }).waitFor();
  await page.close();
});

test('what is done, refused and read elsewhere shows on its own', async () => {
  const page = await browser.page(app.admin, '/activity?noun=item');
  await page.getByRole('row', { name: /item create/ }).waitFor();
  const other = await app.token({ name: 'carrier' });
  const made = await newItem(other, project.key, { title: 'Count the arches' });
  await link(page, /Count the arches/).waitFor();
  await other.tool('work_get', { item_id: made.id });
  await page.getByRole('row', { name: /carrier.*read 1 record/ }).waitFor();
  await other.rest('PATCH', `/api/work/items/${made.id}`, { revision: 999, title: 'Another' });
  await page.getByRole('row', { name: /item update/ }).waitFor();
  await page.close();
});

test('nothing that fits says so, on a phone too', async () => {
  const page = await browser.page(app.admin, '/activity?noun=deal&view=reads', { width: 375 });
  await page.getByText('No matching activity').waitFor();
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(375);
  await expectAccessibleInEveryLook(page);
  await page.getByRole('button', { name: 'Show all activity' }).click();
  await folded(page).waitFor();
  await page.close();
});
