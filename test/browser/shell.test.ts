// The frame of all screens in a browser: the search over everything, the keys, the tab's title, and the settings found by name.
import type { Page } from '@playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newItem, newProject } from '../support/board.ts';
import { expectAccessibleCrosswise, openBrowser, SCREENS, type TestBrowser } from '../support/browser.ts';
import { newCampaign } from '../support/campaigns.ts';
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

const SOON = { timeout: 60_000 };
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });
const search = (page: Page) => dialog(page, 'Search and jump');
const field = (page: Page) => search(page).getByRole('textbox', { name: 'Search and jump' });
const rows = (page: Page) => search(page).locator('[data-action]');

async function open(page: Page): Promise<void> {
  await page.keyboard.press('Control+k');
  await field(page).waitFor();
  await expect.poll(() => field(page).evaluate((it) => it === document.activeElement), SOON).toBe(true);
}

async function take(page: Page, words: string, name: string | RegExp): Promise<void> {
  await open(page);
  await page.keyboard.type(words);
  await search(page).getByRole('button', { name }).first().waitFor();
  await page.keyboard.press('Enter');
}

test('the search finds records of every kind, and acts, and what was taken lately is first', async () => {
  const given = { name: 'Quill Zephyr', addresses: [{ value: 'quill@zephyr.example' }] };
  const { body } = await app.admin.rest('POST', '/api/admin/crm/people', given);
  const campaign = await newCampaign(app.admin, { name: 'Zephyr in spring' });
  const project = await newProject(app);
  await newItem(app.admin, project.key, { title: 'Thank the zephyr people' });

  const page = await browser.page(app.admin, '/settings/profile');
  await page.getByRole('heading', { name: 'Permissions' }).waitFor();
  await open(page);
  await page.keyboard.type('zephyr');
  for (const name of [/Quill Zephyr/, /Zephyr in spring/, /Thank the zephyr people/])
    await search(page).getByRole('button', { name }).waitFor();
  await expectAccessibleCrosswise(page);
  await page.keyboard.press('Escape');
  await search(page).waitFor({ state: 'detached' });

  await take(page, 'quill', /Quill Zephyr/);
  await page.waitForURL(`**/people/${body.person.id}`);
  await take(page, 'zephyr in', /Zephyr in spring/);
  await page.waitForURL(`**/campaigns/${campaign.id}`);

  await take(page, 'new campaign', 'New campaign');
  await page.waitForURL('**/campaigns?new=campaign');
  await dialog(page, 'New campaign').waitFor();
  await page.keyboard.press('Escape');
  await dialog(page, 'New campaign').waitFor({ state: 'detached' });

  await open(page);
  await expect
    .poll(
      () =>
        rows(page)
          .allTextContents()
          .then((all) => all.slice(0, 3)),
      SOON,
    )
    .toEqual([
      expect.stringContaining('New campaign'),
      expect.stringContaining('Zephyr in spring'),
      expect.stringContaining('Quill Zephyr'),
    ]);
  await page.close();
});

test('dark mode and compact rows are chosen from anywhere, and are that person’s on this browser', async () => {
  const page = await browser.page(app.admin, '/approvals');
  const html = page.locator('html');
  await page.getByRole('heading', { level: 1, name: 'Approvals' }).waitFor();
  await take(page, 'dark mode', 'Dark mode');
  await html.and(page.locator('[data-mantine-color-scheme="dark"]')).waitFor();
  await take(page, 'compact', 'Compact rows');
  await html.and(page.locator('[data-density="compact"]')).waitFor();

  // Someone else sits down at the same browser: what they see is their own, and hers is there again afterwards.
  const other = await app.person();
  const cookies = await page.context().cookies();
  const [name = '', value = ''] = other.cookie.split(/=(.*)/s);
  await page.context().addCookies([{ name, value, url: app.url }]);
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Approvals' }).waitFor();
  await take(page, 'light mode', 'Light mode');
  await take(page, 'comfortable', 'Comfortable rows');
  await html.and(page.locator('[data-density="comfortable"]')).waitFor();
  await page.context().addCookies(cookies);
  await page.reload();
  await html.and(page.locator('[data-mantine-color-scheme="dark"][data-density="compact"]')).waitFor();
  await page.close();
});

test('g and a letter goes to every place of the navigation, and the sheet of keys shows exactly those', async () => {
  const page = await browser.page(app.admin, '/settings/profile');
  const links = page.getByRole('navigation', { name: 'Main' }).getByRole('listitem').getByRole('link');
  await links.first().waitFor();
  const places = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
  await page.keyboard.press('?');
  const go = dialog(page, 'Keyboard shortcuts')
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: 'Go' }) });
  await go.waitFor();
  const keys = await go.locator('dd .unseen').allTextContents();
  expect(keys).toHaveLength(places.length);
  await page.keyboard.press('Escape');
  await dialog(page, 'Keyboard shortcuts').waitFor({ state: 'detached' });

  const reached: string[] = [];
  for (const [i, key] of keys.entries()) {
    await page.keyboard.press('g');
    await page.keyboard.press(key.split(' ')[1] ?? '');
    const to = places[i] === '/settings' ? '/settings/profile' : (places[i] ?? '');
    await page.waitForURL((url) => url.pathname === to);
    reached.push(to);
  }
  expect(new Set(reached).size).toBe(places.length);
  await page.close();
});

test('the tab says where one is and how much waits, and what is above a screen leads up', async () => {
  const project = await newProject(app);
  const agent = await app.token({ name: 'scout' });
  const item = await newItem(agent, project.key, { title: 'Write to Ghent' });
  const page = await browser.page(app.admin, `/work/${project.key}/${item.key}`);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.goto(`${app.url}/settings/security`);
  await expect.poll(() => page.title(), SOON).toBe('Security · Dunnock');
  const parked = await agent.rest('POST', `/api/work/items/${item.id}/move`, {
    status: 'done',
    revision: (await agent.rest('GET', `/api/work/items/${item.id}`)).body.item.revision,
  });
  expect(parked.status, JSON.stringify(parked.body)).toBe(200);
  await expect.poll(() => page.title(), SOON).toBe('(1) Security · Dunnock');
  await page.getByRole('main').getByRole('link', { name: 'Settings', exact: true }).click();
  await page.waitForURL('**/settings/profile');
  await page.close();
});

test('a setting is found by its name or by what it does, and is lit where it exists', async () => {
  const page = await browser.page(app.admin, '/settings/profile');
  const field = page.getByRole('searchbox', { name: 'Search settings' });
  await field.fill('smtp');
  const found = page.getByRole('list', { name: 'Matching settings' });
  await found.getByRole('link', { name: /^Mail/ }).click();
  await page.waitForURL('**/settings/instance#Mail');
  await page.locator('[data-lit]', { hasText: 'Mail' }).waitFor();
  await expectAccessibleCrosswise(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await field.fill('nothing has this name');
  await page.getByText('No matching settings.').first().waitFor();
  await field.press('Escape');
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Policies' }).waitFor();
  // By its address alone, too.
  await page.goto(`${app.url}/settings/sessions#Second%20factor`);
  await page.locator('[data-lit]', { hasText: 'Second factor' }).waitFor();
  await page.close();
});
