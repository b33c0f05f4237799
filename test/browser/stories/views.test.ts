// A story: someone looks at the same part of a list every morning. It is kept under a name, with its columns, found on another
// machine, called something else, taken along as a file, and forgotten when it is no longer wanted.
import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import type { Page } from '@playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser, SCREENS, type TestBrowser } from '../../support/browser.ts';
import { openTestApp, type TestApp } from '../../support/app.ts';
import { AT_A_DESK, LONG_MS, looksRight, ON_A_PHONE, SOON } from './told.ts';

let app: TestApp;
let browser: TestBrowser;

beforeAll(async () => {
  app = await openTestApp({ screens: SCREENS });
  browser = await openBrowser(app);
  await app.admin.rest('POST', '/api/admin/samples', {});
  for (const [name, tag] of [
    ['Ann One', 'buyer'],
    ['Ben Two', 'clerk'],
  ])
    await app.admin.rest('POST', '/api/admin/crm/people', { name, tags: [tag] });
});

afterAll(async () => {
  await browser?.close();
  await app?.close();
});

const rows = (page: Page) => page.locator('tbody tr[data-row]');
const views = (page: Page) => page.getByRole('button', { name: 'Saved views' });
const heads = (page: Page) => page.locator('thead th').allInnerTexts();
const item = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true });

async function choose(page: Page, name: string): Promise<void> {
  await views(page).click();
  await item(page, name).click();
}

async function name(page: Page, form: string, text: string, act: string): Promise<void> {
  const dialog = page.getByRole('form', { name: form });
  await dialog.getByLabel('Name').fill(text);
  await dialog.getByRole('button', { name: act }).click();
  await dialog.waitFor({ state: 'detached' });
  await views(page).getByText(text, { exact: true }).waitFor();
}

async function saved(page: Page, act: () => Promise<void>): Promise<Record<string, string>[]> {
  const download = page.waitForEvent('download');
  await act();
  return parse(await readFile(await (await download).path(), 'utf8'), { bom: true, columns: true });
}

test.each(AT_A_DESK)(
  'what a list shows is kept under a name, found again elsewhere, renamed and forgotten, at %i px',
  async (width) => {
    const first = `Buyers ${width}`;
    const page = await browser.page(app.admin, '/people?tag=buyer&columns=tags', { width });
    await page.getByText('Ann One').waitFor();
    await choose(page, 'Save this view…');
    await looksRight(page, 'views-save');
    await name(page, 'Save this view', first, 'Save view');
    await looksRight(page, 'views-people');
    await page.close();

    const other = await browser.page(app.admin, '/people', { width });
    await other.getByText('Ben Two').waitFor();
    await views(other).click();
    await item(other, first).waitFor();
    await looksRight(other, 'views-menu');
    await item(other, first).click();
    await expect.poll(() => rows(other).count(), SOON).toBe(1);
    await other.reload();
    await views(other).getByText(first).waitFor();
    await expect.poll(() => rows(other).count(), SOON).toBe(1);
    await choose(other, `Rename ${first}…`);
    await name(other, 'Rename this view', `${first}, daily`, 'Rename');
    await choose(other, 'Default view');
    await other.getByText('Ben Two').waitFor();
    await choose(other, `${first}, daily`);
    await other.getByText('Ben Two').waitFor({ state: 'detached' });
    await choose(other, `Delete ${first}, daily`);
    await views(other).getByText('Views', { exact: true }).waitFor();
    await views(other).click();
    await item(other, 'Save this view…').waitFor();
    expect(await other.getByText('Your views').count()).toBe(0);
    await other.close();
  },
  LONG_MS,
);

test(
  'views are kept and gone to by keys alone',
  async () => {
    const page = await browser.page(app.admin, '/companies?sort=updated');
    await rows(page).first().waitFor();
    await views(page).focus();
    await page.keyboard.press('Enter');
    await item(page, 'Save this view…').waitFor();
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('role')), SOON)
      .toBe('menuitem');
    await page.keyboard.press('Enter');
    const field = page.getByRole('form', { name: 'Save this view' }).getByLabel('Name');
    await expect.poll(() => field.evaluate((node) => node === document.activeElement), SOON).toBe(true);
    await page.keyboard.type('Newest');
    await page.keyboard.press('Enter');
    await views(page).getByText('Newest', { exact: true }).waitFor();
    await page.close();
  },
  LONG_MS,
);

/** By the address of a list: one of its columns, and the field of its file that each row shows. */
const LISTS: [path: string, label: string, column: string, first: string][] = [
  ['/people', 'People', 'Company', 'name'],
  ['/companies', 'Companies', 'Country', 'name'],
  ['/deals?view=list', 'Deals', 'Stage', 'name'],
  ['/campaigns', 'Campaigns', 'State', 'name'],
  ['/sends', 'Letters', 'State', 'person'],
  ['/settings/suppressions', 'Suppressions', 'Reason', 'value'],
  ['/activity?view=acts', 'Activity', 'Outcome', 'act'],
];

test(
  'each list has its columns chosen, keeps them over a reload, and gives what it shows as a file',
  async () => {
    const page = await browser.page(app.admin, '/people');
    for (const [path, label, column, first] of LISTS) {
      await page.goto(app.url + path);
      await rows(page).first().waitFor();
      expect(await heads(page), label).toContain(column);
      await page.getByRole('button', { name: 'Columns' }).click();
      await page.getByRole('checkbox', { name: column, exact: true }).uncheck();
      await expect.poll(() => heads(page), SOON).not.toContain(column);
      await page.keyboard.press('Escape');
      await page.reload();
      await rows(page).first().waitFor();
      expect(await heads(page), label).not.toContain(column);
      await looksRight(page, `lists-${label}`);
      const file = await saved(page, () => page.getByRole('link', { name: 'Export' }).click());
      // Lines of the activity gather several rows.
      const shown = label === 'Activity' ? [] : await rows(page).allInnerTexts();
      shown.forEach((text, at) => expect(text, label).toContain(file[at]?.[first]));
      expect(file.length).toBeGreaterThanOrEqual(Math.max(shown.length, 1));
    }
    await page.close();
  },
  LONG_MS,
);

test(
  'on a phone the file is in the menu of views',
  async () => {
    const page = await browser.page(app.admin, '/people?tag=buyer', { width: 375 });
    await page.getByText('Ann One').waitFor();
    await views(page).click();
    const file = await saved(page, () => item(page, 'Export as CSV').click());
    expect(file.map((row) => row['name'])).toEqual(['Ann One']);
    await page.close();
  },
  LONG_MS,
);

const FILES = ['/settings/users', '/settings/api', '/settings/integrations'] as const;

test.each(ON_A_PHONE)(
  'lists that are short have their file alone, at %i px',
  async (width) => {
    await app.token({ name: `clerk-${width}` });
    const page = await browser.page(app.admin, FILES[0], { width });
    for (const path of FILES) {
      await page.goto(app.url + path);
      await page.getByRole('link', { name: 'Export' }).waitFor();
      await looksRight(page, `files${path.replaceAll('/', '-')}`);
    }
    await page.close();
  },
  LONG_MS,
);
