// What goes wrong around a screen, in a browser: no network, an upgrade, nothing at an address, something typed and not sent; and
// the page of the kit.
import type { Page } from '@playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  expectAccessibleInEveryLook,
  openBrowser,
  SCREENS,
  type TestBrowser,
  walk,
} from '../support/browser.ts';
import { openTestApp, type PersonClient, type TestApp } from '../support/app.ts';

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

async function signInAs(page: Page, who: PersonClient): Promise<void> {
  const [cookie = '', value = ''] = who.cookie.split(/=(.*)/s);
  await page.context().addCookies([{ name: cookie, value, url: app.url }]);
}

const name = (page: Page) => page.getByRole('textbox', { name: 'Name', exact: true });
const save = (page: Page) =>
  page.getByRole('form', { name: 'Profile' }).getByRole('button', { name: 'Save' });

test('offline, an act says so at once and what was typed stays; with the network back it goes', async () => {
  const person = await app.person();
  const page = await browser.page(person, '/settings/profile');
  await name(page).fill('Renamed Offline');
  await page.context().setOffline(true);
  await save(page).click();
  await page.getByText(/You’re offline\. Nothing was changed/).waitFor();
  expect(await name(page).inputValue()).toBe('Renamed Offline');
  await page.getByText(/You’re offline. This page may be out of date/).waitFor();
  await page.context().setOffline(false);
  await page.getByText(/You’re offline. This page may be out of date/).waitFor({ state: 'detached' });
  await save(page).click();
  await expect
    .poll(async () => (await person.rest('GET', '/api/me')).body.principal.name)
    .toBe('Renamed Offline');
  await page.close();
});

test('whoever leaves with something typed is asked first, and stays or goes', async () => {
  const person = await app.person();
  const page = await browser.page(person, '/settings/profile');
  const question = page.getByRole('dialog', { name: 'Leave without saving?' });
  await name(page).fill('Half a name');
  await page.getByRole('link', { name: 'Approvals' }).click();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await question.waitFor({ state: 'detached' });
  expect(new URL(page.url()).pathname).toBe('/settings/profile');
  expect(await name(page).inputValue()).toBe('Half a name');
  await page.getByRole('link', { name: 'Approvals' }).click();
  await question.getByRole('button', { name: 'Leave' }).click();
  await page.waitForURL('**/approvals');

  // What was saved is no draft any more.
  const main = page.getByRole('navigation', { name: 'Main' });
  await main.getByRole('link', { name: 'Settings' }).click();
  await name(page).fill('A whole name');
  await save(page).click();
  await expect
    .poll(async () => (await person.rest('GET', '/api/me')).body.principal.name)
    .toBe('A whole name');
  await page.getByRole('form', { name: 'Profile' }).and(page.locator(':not([inert])')).waitFor();
  await page.getByRole('link', { name: 'Approvals' }).click();
  await page.waitForURL('**/approvals');
  await page.close();
});

const NONE = '0198c0de-0000-7000-8000-000000000041';
const LISTS = ['/deals', '/people', '/settings/users'];
const MORE_LISTS = [
  '/campaigns',
  '/companies',
  '/people/imports',
  '/settings/api',
  '/settings/capabilities',
  '/settings/domains',
  '/settings/forms',
  '/settings/groups',
  '/settings/identities',
  '/settings/policies',
  '/settings/postal-addresses',
  '/settings/suppressions',
  '/settings/templates',
];

test.each(process.env['TEST_LONG'] === '1' ? [...LISTS, ...MORE_LISTS] : LISTS)(
  'whoever may not read what stands at %s is not offered to make it, by a button or by a key',
  async (path) => {
    const offered = (on: Page) => on.locator('#screen header').locator('button, a[download]');
    const admin = await browser.page(app.admin, path);
    await expect.poll(() => offered(admin).count()).toBeGreaterThan(0);
    await admin.keyboard.press('?');
    await admin.getByRole('dialog').getByText('n', { exact: true }).first().waitFor();
    await admin.close();

    // Not even beside it, by an address that opens one of them.
    const page = await browser.page(await app.person(), `${path}?open=${NONE}`);
    await page.getByText('You don’t have access').first().waitFor();
    await expect.poll(() => offered(page).count()).toBe(0);
    await page.keyboard.press('n');
    await page.keyboard.press('?');
    const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await keys.getByText('Show keyboard shortcuts').waitFor();
    expect(await keys.getByText('n', { exact: true }).count()).toBe(0);
    expect(new URL(page.url()).search).toBe(`?open=${NONE}`);
    await page.close();
  },
);

test('a screen that makes something is open to whoever may make it, and to no one who may only read', async () => {
  const MAKERS = [
    { path: '/people/import', action: 'crm.import.create', form: 'input[type=file]' },
    {
      path: '/settings/identities/new',
      action: 'outreach.identity.create',
      form: 'form[aria-label="Set up an identity"]',
    },
    { path: '/workflows/new', action: 'workflow.create', form: '[data-autofocus]' },
  ];
  const policy = {
    name: 'maker',
    version: 1,
    statements: [{ effect: 'allow', actions: MAKERS.map(({ action }) => action), resources: ['*'] }],
  };
  expect((await app.admin.rest('POST', '/api/admin/policies', policy)).status).toBe(201);
  const makes = await browser.page(await app.person({ policies: ['maker'] }), '/settings/profile');
  const reads = await browser.page(await app.person({ policies: ['read-all'] }), '/settings/profile');
  for (const { path, action, form } of MAKERS) {
    await walk(makes, path);
    await makes.locator(form).first().waitFor({ state: 'attached' });
    await walk(reads, path);
    await reads.getByText(`do ${action}`).waitFor();
    expect(await reads.locator(form).count()).toBe(0);
  }
  await makes.close();
  await reads.close();
});

test('a page that comes back out of the browser’s memory asks again who is signed in', async () => {
  const gone = await app.person();
  const page = await browser.page(null, '/sign-in');
  // Without change notifications nothing else asks.
  await page.route('**/api/events', () => {});
  await signInAs(page, gone);
  await page.goto(`${app.url}/settings/profile`);
  await name(page).waitFor();
  await app.sql`delete from sessions where user_id = ${gone.id}`;
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
  await page.waitForURL('**/sign-in?to=*');
  await page.close();
});

test('where someone else has signed in, or out, in another tab, nothing of the one before stays on the screen', async () => {
  const page = await browser.page(await app.person({ name: 'Ann First' }), '/settings/profile');
  await expect.poll(() => name(page).inputValue()).toBe('Ann First');
  await signInAs(page, await app.person({ name: 'Ben Second' }));
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
  await expect.poll(() => name(page).inputValue()).toBe('Ben Second');
  expect(await page.content()).not.toContain('Ann First');

  const other = await page.context().newPage();
  await other.goto(`${app.url}/settings/profile`);
  await other.getByRole('button', { name: 'Ben Second' }).click();
  await other.getByRole('menuitem', { name: 'Sign out' }).click();
  await other.getByLabel('Email', { exact: true }).waitFor();
  // The first learns it with its next call, if nothing told it before.
  const signIn = page.getByLabel('Email', { exact: true }).waitFor();
  await Promise.race([page.getByRole('link', { name: 'Approvals' }).click(), signIn]);
  await signIn;
  expect(await page.content()).not.toContain('Ben Second');
  await page.close();
});

test('a part of the screens that an upgrade took away says to load the page again', async () => {
  const page = await browser.page(app.admin, '/settings/profile');
  await name(page).waitFor();
  await page.route('**/assets/companies-*.js', (route) => route.abort());
  await page.getByRole('link', { name: 'Companies' }).click();
  await page.getByRole('heading', { name: 'Reload the page' }).waitFor();
  await page.unroute('**/assets/companies-*.js');
  await page.getByRole('button', { name: 'Reload' }).click();
  await page.getByRole('heading', { level: 1, name: 'Companies' }).waitFor();
  await page.close();
});

test('an address that leads nowhere, and a record that is gone, say what to do', async () => {
  const page = await browser.page(app.admin, '/no-such-screen');
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  await page.getByRole('button', { name: 'Go to Today' }).waitFor();
  await page.goto(`${app.url}/people/${NONE}`);
  await page.getByText('It may have been deleted, or you may not have access.').waitFor();
  await page.close();
});

test('tabs that are wider than the screen are walked by keys, and the one that has the focus is in sight', async () => {
  const page = await browser.page(app.admin, '/campaigns', { width: 375 });
  const tabs = page.getByRole('tablist', { name: 'State' }).getByRole('tab');
  await tabs.first().focus();
  for (const [key, tab] of [
    ['End', tabs.last()],
    ['ArrowRight', tabs.first()],
    ['ArrowLeft', tabs.last()],
    ['Home', tabs.first()],
  ] as const) {
    await page.keyboard.press(key);
    const stands = () =>
      tab.evaluate((it) => {
        const { left, right } = it.getBoundingClientRect();
        return it === document.activeElement && left >= 0 && right <= innerWidth;
      });
    await expect.poll(stands).toBe(true);
    if (key.startsWith('Arrow')) await expect.poll(() => tab.getAttribute('aria-selected')).toBe('true');
  }
  await page.close();
});

test('every part of the kit is on one page in every state, which axe finds nothing on, in light and dark', async () => {
  const page = await browser.page(app.admin, '/kit');
  await page.getByRole('heading', { name: 'Lists' }).waitFor();
  await page.getByRole('table', { name: 'Rows', exact: true }).getByText('Dana Roe').waitFor();
  await page.getByText('Bold', { exact: true }).waitFor();
  await expectAccessibleInEveryLook(page);
  await page.close();

  const other = await browser.page(await app.person(), '/kit');
  await other.getByText('Only administrators can see the UI kit.').waitFor();
  await other.close();
});
