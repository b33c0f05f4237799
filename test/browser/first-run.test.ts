// The first steps in a real browser: each leads to where it is done, sample data fills the screens with one click and goes with
// one click, and whoever puts the steps away finds them again.
import type { Locator, Page } from '@playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectAccessibleInEveryLook, openBrowser, SCREENS, type TestBrowser } from '../support/browser.ts';
import { openTestHouse, type TestHouse } from '../support/house.ts';

let house: TestHouse;
let browser: TestBrowser;

beforeAll(async () => {
  house = await openTestHouse({ screens: SCREENS });
  browser = await openBrowser(house);
});

afterAll(async () => {
  await browser?.close();
  await house?.close();
});

const button = (on: Page | Locator, name: string): Locator => on.getByRole('button', { name, exact: true });
const heading = (page: Page, name: string): Locator => page.getByRole('heading', { name, exact: true });

test('each step leads to the place where it is taken', async () => {
  const page = await browser.page(house.admin, '/start');
  await heading(page, 'Before the first letter').waitFor();
  await expectAccessibleInEveryLook(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  for (const [name, path] of [
    ['Add a domain', '/settings/domains'],
    ['Add an identity', '/settings/identities'],
    ['Bring in people', '/people'],
    ['Write a campaign', '/campaigns'],
    ['Connect an agent', '/settings/api/connect'],
  ] as const) {
    await page.getByRole('link', { name, exact: true }).click();
    await expect.poll(() => new URL(page.url()).pathname, { timeout: 60_000 }).toBe(path);
    await page.goBack();
    await heading(page, 'Before the first letter').waitFor();
  }
  await page.context().close();
});

test('sample data comes with one click, fills the screens, and goes with one click', async () => {
  const page = await browser.page(house.admin, '/start');
  await button(page, 'Make sample data').click();
  await heading(page, 'Sample data is in this instance').waitFor();
  await expectAccessibleInEveryLook(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  for (const path of [
    '/inbox',
    '/review',
    '/people',
    '/companies',
    '/deals',
    '/campaigns',
    '/work/SAMPLE',
    '/approvals',
  ]) {
    await page.goto(house.url + path);
    await page
      .getByText(/Sample|Shipyard|Rigging|Marine|Halyard|Ferries|Boatbuilders|rope/)
      .filter({ visible: true })
      .first()
      .waitFor();
  }
  await page.goto(`${house.url}/start`);
  await button(page, 'Remove sample data').click();
  const question = page.getByRole('dialog', { name: 'Remove the sample data?' });
  await question.getByText('also what you edited in it').waitFor();
  await button(question, 'Remove sample data').click();
  await heading(page, 'Try it with sample data').waitFor();
  expect(await house.sql`select 1 from people`).toEqual([]);
  await page.context().close();
});
