// Importing people in a real browser: a file through every step to its rollback, files with problems and files that are none,
// who is suppressed and stays so, progress that is left and found again, and axe on every one of these screens.
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { csv, list } from '../imports/support.ts';
import {
  expectAccessibleCrosswise,
  expectAccessibleInEveryLook,
  openBrowser,
  SCREENS,
  type TestBrowser,
} from '../support/browser.ts';
import { openTestApp, type TestApp } from '../support/app.ts';

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

/** Loopback under the load of the other test files. */
const SOON = { timeout: 60_000 };
/** Axe looks at each of the screens in several ways, and the machine has other tests to run. */
const LOOKED_AT_MS = 90_000;
const PEOPLE = '/api/admin/crm/people';

const wide = (page: Page): Promise<void> => page.setViewportSize({ width: 1440, height: 900 });

const button = (on: Page | Locator, name: string | RegExp): Locator =>
  on.getByRole('button', { name, exact: typeof name === 'string' });
const dialog = (page: Page, name: string | RegExp): Locator => page.getByRole('dialog', { name });
const heading = (page: Page, name: string): Locator => page.getByRole('heading', { name, exact: true });
const becomes = (page: Page, column: string): Locator =>
  page.getByLabel(`${column} goes to`, { exact: true });
const rows = (page: Page): Locator => page.locator('tbody tr[data-row]');
const focused = (page: Page): Promise<string | undefined> =>
  page.evaluate(() => document.activeElement?.textContent?.slice(0, 80));

/** By the button, as someone at the keyboard does it. */
async function give(page: Page, name: string, bytes: string | Buffer): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await button(page, /^Choose (a|another) file$/).press('Enter');
  await (await chooser).setFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(bytes) });
}

async function personAt(address: string): Promise<any> {
  const { body } = await app.admin.rest('GET', `${PEOPLE}?query=${encodeURIComponent(address)}`);
  return body.items[0] ?? null;
}

test(
  'a list goes through all steps, is written as it was shown, and is rolled back',
  async () => {
    await app.sql`truncate people, companies cascade`;
    const page = await browser.page(app.admin, '/people');
    await page.getByText('No people yet').waitFor();
    await button(page, 'Import a list').click();
    await heading(page, 'Choose a list of people').waitFor();
    await expectAccessibleInEveryLook(page);
    await wide(page);

    const old = await app.admin.rest('POST', PEOPLE, {
      name: 'Old Olga',
      addresses: [{ value: 'olga@list.example' }],
    });
    const file = csv(
      ['E-Mail', 'Full name', 'Position', 'Score', 'Lead Status'],
      [
        ['ann@list.example', 'Ann Lee', 'Buyer', 7, 'open'],
        ['bob@list.example', 'Bob Roe', 'Clerk', 9, 'open'],
        ['olga@list.example', 'Olga Old', 'Head', 3, 'won'],
      ],
    );
    await give(page, 'fair.csv', file);
    await page.waitForURL('**/people/import?view=columns');
    await expect.poll(() => focused(page), SOON).toBe('Match the columns');
    await page.getByText('ann@list.example · bob@list.example').waitFor();
    await expect.poll(() => becomes(page, 'E-Mail').inputValue()).toBe('email');
    await expect.poll(() => becomes(page, 'Score').inputValue()).toBe('');
    await page.getByText('A person’s stage follows from what happened, so imports don’t set it.').waitFor();
    await expectAccessibleInEveryLook(page);
    await wide(page);

    // A field of one column alone moves in sight.
    await becomes(page, 'Score').selectOption('title');
    await expect.poll(() => becomes(page, 'Position').inputValue()).toBe('');
    await becomes(page, 'Position').selectOption('title');
    await expect.poll(() => becomes(page, 'Score').inputValue()).toBe('');
    await page.getByLabel('Use the file’s values').check();
    await page.getByLabel('Source').fill('Fair 2026');
    await page.getByRole('combobox', { name: 'Basis' }).selectOption('consent');
    await page.getByPlaceholder('Type a tag, then press Enter').fill('fair');
    await page.keyboard.press('Enter');
    await button(page, 'Create plan').click();
    await page.waitForURL('**/people/import?view=plan');
    await expect.poll(() => focused(page), SOON).toBe('Plan for fair.csv');
    await page.getByRole('heading', { name: 'Updated 1' }).waitFor();
    await expect.poll(() => personAt('ann@list.example')).toBeNull();

    // Looking at someone and coming back loses nothing; what is changed asks for a new plan.
    await page.getByRole('link', { name: 'Olga Old' }).click();
    await page.waitForURL(`**/people/${old.body.person.id}`);
    await page.goBack();
    await button(page, 'Change columns').last().click();
    await page.getByLabel('Source').fill('Fair of 2026');
    await button(page, 'Create plan').click();
    await page.waitForURL('**/people/import?view=plan');
    await button(page, 'Import 3 people').waitFor();
    // The file, what was said of it and its plan are there after a reload, and can be written as they were.
    await page.reload();
    await page.getByRole('heading', { name: 'Plan for fair.csv' }).waitFor();
    await page.getByRole('heading', { name: 'Updated 1' }).waitFor();
    await button(page, 'Import 3 people').click();
    const question = dialog(page, 'Import 3 people?');
    await question.getByText('2 people are created, 1 person is updated').waitFor();
    await expectAccessibleCrosswise(page);
    await wide(page);
    await button(question, 'Import 3 people').click();

    await page.waitForURL(/\/people\/imports\/[0-9a-f-]{36}$/);
    await expect.poll(() => rows(page).count(), SOON).toBe(3);
    await expect
      .poll(() => personAt('ann@list.example'))
      .toMatchObject({
        name: 'Ann Lee',
        title: 'Buyer',
        source: 'Fair of 2026',
        basis: 'consent',
        tags: ['fair'],
      });
    await expectAccessibleInEveryLook(page);
    await wide(page);
    await page.getByLabel('Rows', { exact: true }).selectOption('update');
    await page.waitForURL('**?outcome=update');
    await expect.poll(() => rows(page).count(), SOON).toBe(1);

    // Someone goes on with Bob: the rollback keeps them, and says why.
    const bob = await personAt('bob@list.example');
    expect(
      (await app.admin.rest('PATCH', `${PEOPLE}/${bob.id}`, { revision: bob.revision, title: 'Boss' }))
        .status,
    ).toBe(200);
    await button(page, 'Roll back').click();
    const sure = dialog(page, 'Roll back fair.csv?');
    await sure.getByText('1 person is removed').waitFor();
    await sure.getByText('1 person is kept: they were changed since (1).').waitFor();
    await button(sure, 'Roll back').click();
    const done = page.getByRole('region', { name: 'Rolled back' });
    await done
      .getByRole('listitem')
      .filter({ hasText: 'Bob Roe' })
      .getByText('They were changed since.')
      .waitFor();
    expect((await done.locator('dl').innerText()).split(/\s+/)).toEqual([
      'Removed',
      '1',
      'Restored',
      '1',
      'Kept',
      '1',
    ]);
    await expectAccessibleInEveryLook(page);
    await expect.poll(() => personAt('ann@list.example')).toBeNull();
    await expect.poll(() => personAt('olga@list.example')).toMatchObject({ name: 'Old Olga', title: null });
    await expect.poll(() => personAt('bob@list.example')).toMatchObject({ title: 'Boss' });
  },
  LOOKED_AT_MS,
);

test(
  'what is wrong with a file is first, by row and column, and the rest can be written without it',
  async () => {
    const page = await browser.page(app.admin, '/people/import');
    const file = csv(
      ['Email', 'Name', 'Country', 'Telefon'],
      [
        ['good@problems.example', 'Good One', 'DE', ''],
        ['not an address', 'Bad Address', 'DE', ''],
        ['', 'No Address', 'DE', ''],
        ['good2@problems.example', 'Good Two', 'Atlantis', ''],
        ['good@problems.example', 'Good Again', 'DE', ''],
      ],
    );
    await give(page, 'problems.csv', file);
    await button(page, 'See the plan').click();
    const groups = page.getByRole('heading', { level: 3 });
    await page.getByRole('heading', { name: 'Rejected 2' }).waitFor();
    await expect
      .poll(() => groups.allInnerTexts())
      .toEqual(['Rejected 2', 'Values left out 1', 'Skipped 1', 'Created 2', 'Columns']);
    const rejected = page.getByRole('region', { name: 'Rejected 2' }).getByRole('listitem');
    await expect.poll(() => rejected.first().innerText()).toContain('Row 3');
    await expect.poll(() => rejected.first().innerText()).toContain('Email:');
    await expect
      .poll(() => page.getByRole('region', { name: 'Values left out 1' }).innerText())
      .toContain('Country: It isn’t a country such as DE or Germany.');
    await expectAccessibleInEveryLook(page);
    await wide(page);
    await button(page, 'Import 2 people').click();
    await button(dialog(page, 'Import 2 people?'), 'Import 2 people').click();
    await page.waitForURL(/\/people\/imports\/[0-9a-f-]{36}$/);
    await expect.poll(() => rows(page).count(), SOON).toBe(5);
    await page.getByLabel('Rows', { exact: true }).selectOption('reject');
    await expect.poll(() => rows(page).count(), SOON).toBe(2);
    await expect.poll(() => rows(page).first().innerText()).toContain('Email:');
  },
  LOOKED_AT_MS,
);

test('who is suppressed is named in the plan, and is suppressed after it', async () => {
  const suppressed = await app.admin.rest('POST', '/api/admin/outreach/suppressions', {
    suppressions: [{ address: 'no@closed.example', reason: 'unsubscribe' }],
  });
  expect(suppressed.status, JSON.stringify(suppressed.body)).toBe(201);
  const page = await browser.page(app.admin, '/people/import');
  await give(
    page,
    'closed.csv',
    csv(
      ['Email', 'Name', 'Opted out'],
      [
        ['no@closed.example', 'Nora No', 'false'],
        ['yes@closed.example', 'Yan Yes', 'false'],
      ],
    ),
  );
  await button(page, 'See the plan').click();
  const group = page.getByRole('region', { name: 'Already suppressed 1' });
  await group.getByText('Nora No').waitFor();
  await expect.poll(() => group.innerText()).toContain('Unsubscribed');
  await button(page, 'Import 2 people').click();
  const question = dialog(page, 'Import 2 people?');
  await question.getByText('1 of these people is suppressed and stays suppressed.').waitFor();
  await button(question, 'Import 2 people').click();
  await page.waitForURL(/\/people\/imports\/[0-9a-f-]{36}$/);
  await expect
    .poll(() => personAt('no@closed.example'), SOON)
    .toMatchObject({ suppressed: { reason: 'unsubscribe' } });
  await expect.poll(() => personAt('yes@closed.example')).toMatchObject({ suppressed: null });
});

test(
  'a long list is left while it is written, and found again',
  async () => {
    const page = await browser.page(app.admin, '/people/import');
    await give(page, 'long.csv', list(4_000));
    await button(page, 'See the plan').click();
    await page.getByText('The plan shows the first 50 of 4,000.').waitFor();
    await button(page, 'Import 4,000 people').click();
    await button(dialog(page, 'Import 4,000 people?'), 'Import 4,000 people').click();
    await page.waitForURL(/\/people\/imports\/[0-9a-f-]{36}$/);
    await page.getByText(/of 4,000 rows/).waitFor();
    await expectAccessibleInEveryLook(page);
    await page.goto(`${app.url}/people`);
    await page.goto(`${app.url}/people/imports`);
    await rows(page)
      .first()
      .getByText(/Writing/)
      .waitFor();
    await expectAccessibleInEveryLook(page);
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/people\/imports\/[0-9a-f-]{36}$/);
    await page.getByText(/of 4,000 rows/).waitFor();
    for (let turn = 0; turn < 8; turn += 1) await app.instance.jobs.run('imports');
    await page.getByRole('heading', { name: 'long.csv' }).waitFor();
    await page.getByText('Written', { exact: true }).waitFor();
    await expect.poll(() => rows(page).count(), SOON).toBeGreaterThan(50);
  },
  LOOKED_AT_MS,
);

test(
  'a file that is no list, an empty one and one that is too large are refused with what to do',
  async () => {
    const page = await browser.page(app.admin, '/people/import');
    await give(page, 'picture.png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13, 0, 255, 254]));
    await page.getByText('this file is not a list: save it as CSV or as an Excel workbook (.xlsx)').waitFor();
    await expectAccessibleInEveryLook(page);
    await wide(page);
    await give(page, 'empty.csv', '');
    await page.getByText('this file is empty: choose a CSV or Excel file of people').waitFor();
    const folder = await mkdtemp(join(tmpdir(), 'dunnock-import-'));
    const huge = join(folder, 'huge.csv');
    await writeFile(huge, '');
    await truncate(huge, 51 * 1024 * 1024);
    await page.locator('input[type="file"]').setInputFiles(huge);
    await page.getByText('This file is 51 MiB. The limit is 50 MiB').waitFor();
    await rm(folder, { recursive: true });
    await give(page, 'good.csv', list(1));
    await heading(page, 'Match the columns').waitFor();
  },
  LOOKED_AT_MS,
);

test('whoever may not import is told so', async () => {
  const member = await app.person({ name: 'Mo Member' });
  const page = await browser.page(member, '/people/import');
  await page.getByText('You don’t have access').waitFor();
  expect(await page.locator('input[type=file]').count()).toBe(0);
  await page.goto(`${app.url}/people/imports`);
  await page.getByText('You don’t have access').waitFor();
});

test(
  'while nothing was imported the history says what to do',
  async () => {
    await app.sql`truncate import_batches cascade`;
    const page = await browser.page(app.admin, '/people/imports');
    await page.getByText('No imports yet').waitFor();
    await expectAccessibleInEveryLook(page);
    await button(page, 'Import people').click();
    await page.waitForURL('**/people/import');
  },
  LOOKED_AT_MS,
);

test(
  'a file that the browser keeps goes when its person signs out',
  async () => {
    const ned = await app.person({ name: 'Ned Out', admin: true });
    const page = await browser.page(ned, '/people/import');
    await give(page, 'fair.csv', list(2));
    await page.waitForURL('**/people/import?view=columns');
    await page.getByLabel('Source').fill('Fair 2026');
    await page.getByRole('combobox', { name: 'Basis' }).selectOption('consent');
    await button(page, 'Create plan').click();
    await page.waitForURL('**/people/import?view=plan');
    const kept = () => page.evaluate(async () => (await indexedDB.databases()).map(({ name = '' }) => name));
    await expect.poll(kept, SOON).toContain('dunnock-import');
    await page.getByRole('button', { name: 'Ned Out' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL(/\/sign-in/);
    expect(await kept()).not.toContain('dunnock-import');
    await page.close();
  },
  LOOKED_AT_MS,
);
