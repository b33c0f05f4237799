// The scripts console in a real browser: an operation is found and put in, a script runs, and a limit or a refusal says itself.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectAccessibleInEveryLook, openBrowser, SCREENS, type TestBrowser } from '../support/browser.ts';
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

const LONG_MS = 180_000;

test(
  'an operation is found, put into the script, and run by the keyboard',
  async () => {
    const page = await browser.page(app.admin, '/settings/scripts');
    const script = page.getByRole('textbox', { name: 'Lua script' });
    await script.fill('');
    await page.getByRole('searchbox', { name: 'Find an operation' }).fill('project_list');
    const found = page.getByRole('list', { name: 'Operations found' });
    await found.getByText('project_list', { exact: true }).click();
    await found.locator('details[open]').getByText('limit', { exact: true }).waitFor();
    await expectAccessibleInEveryLook(page);
    await found.getByRole('button', { name: 'Insert into script' }).click();
    await expect.poll(() => script.inputValue()).toContain('dunnock.call("project_list"');
    await script.focus();
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.type('if true then');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.type('print("found", #answer.items)');
    await page.keyboard.press('Enter');
    await page.keyboard.type('end return 6 * 7');
    expect(await script.inputValue()).toContain('\n  print(');
    await page.keyboard.press('ControlOrMeta+Enter');
    const outcome = page.getByRole('status', { name: 'Result' });
    await outcome.getByText('Finished').waitFor();
    await outcome.getByLabel('Returned').getByText('42').waitFor();
    await outcome.getByLabel('Output').getByText('found').waitFor();
    await outcome.getByText('1 call', { exact: false }).waitFor();
    await expectAccessibleInEveryLook(page);
    await page.close();
  },
  LONG_MS,
);

test(
  'Tab stays in the script until Escape, and what a script says of its end is shown',
  async () => {
    const page = await browser.page(app.admin, '/settings/scripts');
    const script = page.getByRole('textbox', { name: 'Lua script' });
    await script.fill('x');
    await script.focus();
    await page.keyboard.press('Tab');
    expect(await script.evaluate((area) => area === document.activeElement)).toBe(true);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    expect(await script.evaluate((area) => area === document.activeElement)).toBe(false);
    const outcome = page.getByRole('status', { name: 'Result' });
    const run = page.getByRole('button', { name: 'Run', exact: true });
    await script.fill('dunnock.call("person_read", { person = "0198c0de-0000-7000-8000-000000000041" })');
    await run.click();
    await outcome.getByText('Failed', { exact: true }).waitFor();
    await outcome.getByText('no person has that id').waitFor();
    await script.fill('for i = 1, 300 do dunnock.try("project_list") end');
    await run.click();
    await outcome.getByText('Stopped', { exact: true }).waitFor();
    await outcome.getByText('the script made more than 200 calls').waitFor();
    await page.close();
  },
  LONG_MS,
);

test(
  'whoever may not run scripts reads who gives the right',
  async () => {
    const dana = await app.person({ name: 'Dana Roe' });
    const page = await browser.page(dana, '/settings/scripts');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByText('An administrator can grant it').waitFor();
    await page.close();
  },
  LONG_MS,
);
