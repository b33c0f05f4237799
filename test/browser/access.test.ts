// Set-up, sign-in and Settings in a real browser: the newcomer's first minutes, sessions that end, what is shown once, what is
// refused, the keyboard alone, and axe on every one of these screens.
import type { Locator, Page } from '@playwright/test';
import { generateSync } from 'otplib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newItem, newProject } from '../support/board.ts';
import {
  expectAccessible,
  expectAccessibleCrosswise,
  expectAccessibleInEveryLook,
  openBrowser,
  SCREENS,
  type TestBrowser,
  walk,
} from '../support/browser.ts';
import { openTestApp, type PersonClient, type TestApp, type TokenClient } from '../support/app.ts';

let app: TestApp;
let browser: TestBrowser;
let ben: PersonClient;

beforeAll(async () => {
  app = await openTestApp({ screens: SCREENS });
  browser = await openBrowser(app);
  ben = await app.person({ name: 'Ben Okafor' });
});

afterAll(async () => {
  await browser?.close();
  await app?.close();
});

/** Loopback under the load of the other test files. */
const SOON = { timeout: 60_000 };
const MINUTE_MS = 60_000;

const button = (on: Page | Locator, name: string | RegExp): Locator =>
  on.getByRole('button', { name, exact: typeof name === 'string' });
const field = (on: Page | Locator, name: string): Locator => on.getByRole('textbox', { name, exact: true });
const password = (on: Page | Locator, name = 'Password'): Locator => on.getByLabel(name, { exact: true });
const dialog = (page: Page, name: string): Locator => page.getByRole('dialog', { name });
const heading = (page: Page, name: string): Locator => page.getByRole('heading', { name, exact: true });
const shown = (on: Page | Locator, label: string): Locator => on.locator(`pre[aria-label="${label}"]`);

async function enter(page: Page, who: PersonClient): Promise<void> {
  await field(page, 'Email').fill(who.email);
  await password(page).fill(who.password);
  await button(page, 'Continue').click();
}

const stepUp = async (): Promise<void> => {
  const { password: own } = app.admin;
  expect((await app.admin.rest('POST', '/api/auth/step-up', { password: own })).status).toBe(200);
};

/** Axe finds nothing at this address once these words are there. */
async function looksRight(
  page: Page,
  url: string,
  stands: string,
  look = expectAccessibleInEveryLook,
): Promise<void> {
  await page.goto(url);
  await shows(page, stands);
  await look(page);
}

const shows = (page: Page, words: string): Promise<void> =>
  page.getByText(words, { exact: true }).filter({ visible: true }).first().waitFor();

test('a newcomer sets up with the key of the link, connects an agent, and sees its first call arrive', async () => {
  const fresh = await openTestApp({ screens: SCREENS, setUp: false });
  const chrome = await openBrowser(fresh);
  try {
    const page = await chrome.page(null, '/');
    await page.waitForURL('**/setup');
    await heading(page, 'Set up this instance').waitFor();
    await expectAccessibleInEveryLook(page);

    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`${fresh.url}/setup?key=${fresh.key}`);
    await expect.poll(() => field(page, 'Provisioning key').inputValue()).toBe(fresh.key);
    await field(page, 'Your name').fill('Ada Operator');
    await field(page, 'Email').fill('ada@example.com');
    await password(page).fill('correct horse battery');
    await button(page, 'Set up and sign in').click();

    await page.waitForURL('**/start');
    for (const [path, stands] of [
      ['/settings/api', 'No tokens yet'],
      ['/settings/groups', 'No groups yet'],
      ['/settings/users?query=nobody', 'No matching users'],
    ] as const)
      await looksRight(page, fresh.url + path, stands, expectAccessibleCrosswise);
    await page.setViewportSize({ width: 1440, height: 900 });
    await button(page, 'Notifications').click();
    await page.getByText('You’re all caught up').waitFor();
    await expectAccessibleCrosswise(page);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`${fresh.url}/settings/api/connect`);
    await page.getByText('<ACCESS_TOKEN>').first().waitFor();
    await button(page, 'Mint token').click();
    const value = (await shown(page, 'token value').textContent()) ?? '';
    expect(value).toMatch(/^nck_/);
    const clients = await page.getByRole('tab').all();
    expect(clients.length).toBeGreaterThan(2);
    for (const client of clients) {
      await client.click();
      const lines = shown(page, `${await client.textContent()} configuration`);
      await expect.poll(() => lines.textContent()).toContain(value);
      await expect.poll(() => lines.textContent()).toContain('/mcp');
    }
    await page.getByText('Waiting for the first call').waitFor();
    await expectAccessibleInEveryLook(page);
    const called = await fresh.bearer(value).tool('work_search', { query: 'letters' });
    expect(called.isError, called.text).toBe(false);
    await page.getByText('Connected: first call received').waitFor();
    await page.reload();
    await heading(page, 'Connect an agent').waitFor();
    expect(await page.content()).not.toContain(value);
  } finally {
    await chrome.close();
    await fresh.close();
  }
});

describe('sign-in', () => {
  test('a wrong password is said in a sentence, the second factor is asked, and the way leads back', async () => {
    const eve = await app.person({ name: 'Eve Lind' });
    const { secret } = (await eve.rest('POST', '/api/me/totp', {})).body;
    const code = (): string => generateSync({ secret, epoch: Math.floor(app.clock.now().getTime() / 1000) });
    expect((await eve.rest('POST', '/api/me/totp', { code: code() })).status).toBe(200);
    // A code opens once, so the next one is due.
    app.clock.advance(31_000);

    const page = await browser.page(null, '/settings/sessions');
    await page.waitForURL('**/sign-in?to=*');
    await enter(page, { ...eve, password: 'not her password' });
    await page.getByRole('alert').getByText('wrong email or password').waitFor();
    await password(page).fill(eve.password);
    await button(page, 'Continue').click();
    await heading(page, 'Enter your code').waitFor();
    await expect.poll(() => field(page, 'Code').evaluate((it) => it === document.activeElement)).toBe(true);
    await field(page, 'Code').fill('000000');
    await page.keyboard.press('Enter');
    await page.getByText('the code is wrong').waitFor();
    await field(page, 'Code').fill(code());
    await page.keyboard.press('Enter');
    await page.waitForURL('**/settings/sessions');
    await page.getByText('This session').waitFor();
    await page.close();
  });

  test('signing out ends the session and shows sign-in', async () => {
    const page = await browser.page(null, '/sign-in');
    await enter(page, ben);
    await heading(page, 'Today').waitFor();
    const [cookie] = await page.context().cookies();
    const session = { cookie: `${cookie?.name}=${cookie?.value}` };
    expect((await app.bearer(null).rest('GET', '/api/me', undefined, session)).status).toBe(200);
    await button(page, /Ben Okafor/).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await heading(page, 'Sign in').waitFor();
    expect((await app.bearer(null).rest('GET', '/api/me', undefined, session)).status).toBe(401);
    await page.goto(`${app.url}/approvals`);
    await page.waitForURL('**/sign-in?to=*');
    await page.close();
  });

  test('a session that is lost while the desk is open is begun again over the page, which then goes on', async () => {
    const lost = await app.person({ name: 'Lost Person' });
    const page = await browser.page(lost, '/settings/profile');
    await heading(page, 'Permissions').waitFor();
    // Lost just as the next screen asks; before that whatever the desk asks on its own could find it out. A pointer over the link
    // would have the screen ask before the click.
    await page.route('**/api/approvals?*', async (route) => {
      await app.sql`delete from sessions where user_id = ${lost.id}`;
      await route.continue();
    });
    await page.getByRole('link', { name: 'Approvals' }).dispatchEvent('click');
    const again = dialog(page, 'Sign in again');
    await again.waitFor();
    await page.unroute('**/api/approvals?*');
    await password(again).fill(lost.password);
    await page.keyboard.press('Enter');
    await again.waitFor({ state: 'detached' });
    await heading(page, 'Approvals').waitFor();
    expect(new URL(page.url()).pathname).toBe('/approvals');
    await page.close();
  });
});

describe('the connection', () => {
  test('a cut is said, and its return fetches what was missed', async () => {
    const page = await browser.page(app.admin, '/settings/groups');
    await heading(page, 'Groups').waitFor();
    await page.context().setOffline(true);
    await page.getByText('You’re offline.').waitFor();
    const missed = await app.admin.rest('POST', '/api/admin/groups', { name: 'Made meanwhile' });
    expect(missed.status, JSON.stringify(missed.body)).toBe(201);
    await page.context().setOffline(false);
    await page.getByText('Made meanwhile').waitFor();
    await page.getByText('You’re offline.').waitFor({ state: 'detached' });
    await page.close();
  });

  test('a product that does not answer is said, and its return fetches what was missed', async () => {
    const page = await browser.page(null, '/sign-in');
    await page.route('**/api/events', (route) => route.abort());
    await enter(page, ben);
    await page.getByText('Dunnock isn’t responding.').waitFor();
    await expectAccessibleCrosswise(page);
    const again = page.waitForRequest('**/api/today**');
    await page.unroute('**/api/events');
    await page.getByText('Dunnock isn’t responding.').waitFor({ state: 'detached' });
    await again;
    await page.close();
  });
});

describe('Settings, API', () => {
  test('a token is minted with its scopes explained, shown once, and revoked after a question', async () => {
    await stepUp();
    const page = await browser.page(app.admin, '/settings/api');
    await button(page, 'Mint a token').click();
    await field(page, 'Name').fill('Not a name');
    await button(page, 'Mint token').click();
    await expect.poll(() => field(page, 'Name').getAttribute('aria-invalid'), SOON).toBe('true');
    await field(page, 'Name').fill('scout');
    await page.getByRole('checkbox', { name: 'Can put letters on the wire' }).check();
    await page.getByText('The 16 acts', { exact: true }).click();
    await expect.poll(() => page.locator('details[open] li').count()).toBe(16);
    await page.getByText('Rotating the events signing secret').waitFor();
    await button(page, 'Mint token').click();

    const minted = dialog(page, 'Token "scout"');
    const value = (await shown(minted, 'token value').textContent()) ?? '';
    expect(value).toMatch(/^nck_/);
    // A slip does not lose it.
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    await expect.poll(() => shown(minted, 'token value').textContent()).toBe(value);
    await button(minted, 'I’ve copied it').click();
    await minted.waitFor({ state: 'detached' });
    await page.getByRole('row', { name: /scout/ }).waitFor();
    expect(await page.content()).not.toContain(value);

    const agent = app.bearer(value);
    expect((await agent.rest('GET', '/api/me')).status).toBe(200);
    await page.getByRole('row', { name: /scout/ }).click();
    const drawer = dialog(page, 'scout');
    await drawer.getByText('Can put letters on the wire').waitFor();
    await button(drawer, 'Revoke').click();
    await button(dialog(page, 'Revoke "scout"?'), 'Cancel').click();
    expect((await agent.rest('GET', '/api/me')).status).toBe(200);
    await button(drawer, 'Revoke').click();
    await button(dialog(page, 'Revoke "scout"?'), 'Revoke').click();
    await page.getByText('Token revoked').waitFor();
    expect((await agent.rest('GET', '/api/me')).status).toBe(401);
    await page.close();
  });

  test('ten minutes after the sign-in a password is asked, and the act is done with what was entered', async () => {
    const page = await browser.page(app.admin, '/settings/api?new=token');
    await field(page, 'Name').fill('late');
    app.clock.advance(11 * MINUTE_MS);
    await button(page, 'Mint token').click();
    const asked = dialog(page, 'Confirm it’s you');
    await button(asked, 'Cancel').click();
    await asked.waitFor({ state: 'detached' });
    await expect.poll(() => field(page, 'Name').inputValue()).toBe('late');
    await button(page, 'Mint token').click();
    await password(asked).fill('not the password');
    await page.keyboard.press('Enter');
    await asked.getByText('this is not your password').waitFor();
    await password(asked).fill(app.admin.password);
    await page.keyboard.press('Enter');
    await shown(dialog(page, 'Token "late"'), 'token value').waitFor();
    const { items } = (await app.admin.rest('GET', '/api/admin/tokens')).body;
    expect(items.filter((token: { name: string }) => token.name === 'late')).toHaveLength(1);
    await page.close();
  });
});

test('an invitation shows its link once, and the link makes a person', async () => {
  await stepUp();
  const page = await browser.page(app.admin, '/settings/users');
  await button(page, 'Invite').click();
  const form = dialog(page, 'Invite someone');
  await field(form, 'Email').fill('not an address');
  await button(form, 'Invite').click();
  await expect.poll(() => field(form, 'Email').getAttribute('aria-invalid'), SOON).toBe('true');
  await field(form, 'Email').fill('cleo@example.com');
  await button(form, 'Invite').click();
  const invited = dialog(page, 'cleo@example.com invited');
  const link = (await shown(invited, 'invitation link').textContent()) ?? '';
  await button(invited, 'Done').click();
  await page.getByRole('row', { name: /cleo@example\.com/ }).waitFor();
  expect(await page.content()).not.toContain(link);

  const guest = await browser.page(null, new URL(link).pathname);
  await field(guest, 'Your name').fill('Cleo Marsh');
  await password(guest).fill('four words, unrelated');
  await button(guest, 'Accept and sign in').click();
  await heading(guest, 'Today').waitFor();
  await button(guest, /Cleo Marsh/).waitFor();
  await guest.close();
  await page.getByRole('row', { name: /Cleo Marsh/ }).waitFor();
  await page.close();
});

test('a policy that names no action is refused at its field, and what a policy decides is explained', async () => {
  await stepUp();
  const page = await browser.page(app.admin, '/settings/policies');
  await button(page, 'New policy').click();
  const form = dialog(page, 'New policy');
  await field(form, 'Name').fill('readers');
  await form.getByLabel('Actions', { exact: true }).fill('work.item.raed');
  await page.keyboard.press('Enter');
  // Leaving the field closes its proposals.
  await page.keyboard.press('Tab');
  await button(form, 'Save policy').click();
  const refused = form.getByText('no such action "work.item.raed"');
  await refused.waitFor();
  // At the statements, above the button that adds one, and not at the end of the form.
  expect(
    await refused.evaluate((it) => it.closest('form')?.querySelectorAll('[role="alert"] p').length),
  ).toBe(0);
  await page.close();

  const asking = await browser.page(app.admin, '/settings/policies/explain');
  await asking.getByRole('combobox', { name: 'User' }).or(field(asking, 'User')).click();
  await asking.getByRole('option', { name: /Ben Okafor/ }).click();
  const action = asking.getByRole('combobox', { name: 'Action' });
  await action.fill('work.item.move');
  await button(asking, 'Explain').click();
  await asking.getByText('Allowed by policy').waitFor();
  await action.fill('crm.person.export');
  await button(asking, 'Explain').click();
  await asking.getByText('Denied', { exact: true }).waitFor();
  await asking.close();
});

test('a refusal is apart in the activity, with its sentence', async () => {
  await stepUp();
  const token: TokenClient = await app.token({ name: 'eager' });
  await token.rpc('tools/list');
  const refused = await token.rest('POST', '/api/admin/users/invite', { email: 'x@example.com' });
  const { message } = refused.body.error;
  expect(refused.status).toBe(403);
  const page = await browser.page(app.admin, '/activity');
  const row = page.getByRole('row', { name: new RegExp(message.slice(0, 40)) });
  await row.waitFor();
  await expect.poll(() => row.getAttribute('data-tone')).toBe('warn');
  const others = page.getByRole('row').and(page.locator(':not([data-tone])'));
  expect(await row.evaluate((it) => getComputedStyle(it).backgroundColor)).not.toBe(
    await others.nth(1).evaluate((it) => getComputedStyle(it).backgroundColor),
  );
  await row.click();
  await page.getByRole('dialog').getByText(message).waitFor();
  await page.close();
});

/** What has the focus, in a word, and whether its focus can be seen. */
const focus = (page: Page): Promise<{ on: string; seen: boolean }> =>
  page.evaluate(() => {
    const it = document.activeElement as HTMLElement;
    const { outlineStyle, boxShadow } = getComputedStyle(it);
    return {
      on:
        it.getAttribute('aria-label') ?? (it === document.body ? 'nothing' : (it.textContent?.trim() ?? '')),
      seen: it !== document.body && (outlineStyle !== 'none' || boxShadow !== 'none'),
    };
  });

const focusIsOn = async (page: Page, on: RegExp | string): Promise<void> => {
  await expect
    .poll(() => focus(page), SOON)
    .toEqual({ on: typeof on === 'string' ? on : expect.stringMatching(on), seen: true });
};

describe('by the keyboard alone', () => {
  test('the search goes to screens, projects, and work items by key or words', async () => {
    const project = await newProject(app, { name: 'Autumn letters' });
    const item = await newItem(app.admin, project.key, { title: 'Thank the earliest patrons' });
    const page = await browser.page(app.admin, '/settings/profile');
    await heading(page, 'Permissions').waitFor();
    const jump = async (words: string, stands: string | null, to: string): Promise<void> => {
      await page.keyboard.press('Control+k');
      await expect.poll(() => focus(page), SOON).toMatchObject({ on: 'Search and jump' });
      await page.keyboard.type(words);
      if (stands) await dialog(page, 'Search and jump').getByRole('button', { name: stands }).waitFor();
      await page.keyboard.press('Enter');
      await page.waitForURL(`**${to}`);
      await dialog(page, 'Search and jump').waitFor({ state: 'detached' });
    };
    await jump('polic', 'Policies', '/settings/policies');
    await jump('autumn', 'Autumn letters', `/work/${project.key}`);
    await jump(item.key.toLowerCase(), item.title, `/work/${project.key}/${item.key}`);
    await jump('audit', 'Activity', '/activity');
    // Enter before anything was found takes what is found.
    await jump('patrons earliest', null, `/work/${project.key}/${item.key}`);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('nothing has this name');
    await dialog(page, 'Search and jump').getByText('No matches.').waitFor();
    await page.close();
  });

  test('g and a letter goes to a place, and the sheet of keys says so', async () => {
    const page = await browser.page(app.admin, '/settings/profile');
    await heading(page, 'Permissions').waitFor();
    for (const [key, to] of [
      ['a', '/approvals'],
      ['h', '/activity'],
      ['s', '/settings/profile'],
    ] as const) {
      await page.keyboard.press('g');
      await page.keyboard.press(key);
      await page.waitForURL(`**${to}`);
    }
    await page.keyboard.press('?');
    await dialog(page, 'Keyboard shortcuts').getByText('Go to Approvals').waitFor();
    await dialog(page, 'Keyboard shortcuts').getByText('Search and jump').waitFor();
    await page.close();
  });

  test('the focus is seen, and goes back to where it was when what lay over the screen closes', async () => {
    await stepUp();
    await app.token({ name: 'keeper' });
    const page = await browser.page(app.admin, '/settings/api');
    await page.getByRole('row', { name: /keeper/ }).waitFor();
    await page.keyboard.press('Tab');
    await focusIsOn(page, 'Skip to content');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    // The page of Settings one is on, or the list of them, comes first; the buttons of the screen after it.
    for (let i = 0; i < 60 && (await focus(page)).on !== 'Mint a token'; i++) {
      expect(await focus(page)).toMatchObject({ seen: true });
      await page.keyboard.press('Tab');
    }
    await focusIsOn(page, 'Mint a token');
    for (const [open, over] of [
      ['Enter', 'Mint a token'],
      ['?', 'Keyboard shortcuts'],
      ['Control+k', 'Search and jump'],
    ] as const) {
      await page.keyboard.press(open);
      await dialog(page, over).waitFor();
      // Once more inside, so that leaving by Escape starts within the dialog.
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.closest('[role="dialog"]') !== null), SOON)
        .toBe(true);
      await page.keyboard.press('Escape');
      await dialog(page, over).waitFor({ state: 'detached' });
      await focusIsOn(page, 'Mint a token');
    }
    await page.keyboard.press('j');
    await focusIsOn(page, /keeper/);
    await page.keyboard.press('Enter');
    await dialog(page, 'keeper').waitFor();
    for (let i = 0; i < 6 && (await focus(page)).on !== 'Revoke'; i++) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await dialog(page, 'Revoke "keeper"?').waitFor();
    await page.keyboard.press('Escape');
    await dialog(page, 'Revoke "keeper"?').waitFor({ state: 'detached' });
    await focusIsOn(page, 'Revoke');
    await page.keyboard.press('Escape');
    await dialog(page, 'keeper').waitFor({ state: 'detached' });
    await focusIsOn(page, /keeper/);
    for (const [from, over] of [
      [/^Notifications/, dialog(page, 'Notifications')],
      [/Ada Operator/, page.getByRole('menu')],
    ] as const) {
      await button(page, from).focus();
      await page.keyboard.press('Enter');
      await over.waitFor();
      await page.keyboard.press('Escape');
      await over.waitFor({ state: 'hidden' });
      await focusIsOn(page, from);
    }
    await page.close();
  });
});

describe('axe finds nothing, light and dark, wide and narrow', () => {
  beforeAll(async () => {
    await stepUp();
    await app.token({ name: 'carrier', scopes: { wire: true, scripts: true } });
    await app.token({ name: 'for-ben', user_id: ben.id });
    await app.admin.rest('POST', '/api/admin/groups', {
      name: 'Readers',
      members: [ben.id],
      policies: ['member'],
    });
    await app.bearer('nck_none').rest('GET', '/api/me');
    await ben.rest('POST', '/api/admin/users/invite', { email: 'x@example.com' });
  });

  test('before the desk', async () => {
    const { body } = await app.admin.rest('POST', '/api/admin/users/invite', { email: 'dot@example.com' });
    const page = await browser.page(null, '/');
    await looksRight(page, `${app.url}/sign-in`, 'Continue');
    await enter(page, { ...ben, password: 'wrong' });
    await page.getByRole('alert').getByText('wrong email or password').waitFor();
    await expectAccessibleInEveryLook(page);
    await looksRight(page, app.url + new URL(body.link).pathname, 'Accept and sign in');
    await looksRight(page, `${app.url}/setup`, 'Already set up');
    await page.close();
  });

  const SCREENS_OF_SETTINGS = [
    ['/settings/profile', 'Permissions'],
    ['/settings/sessions', 'This session'],
    ['/settings/api', 'carrier'],
    ['/settings/users', 'Ben Okafor'],
    ['/settings/groups', 'Readers'],
    ['/settings/policies', 'member'],
    ['/settings/policies/explain', 'Find out whether a user or token can perform an action, and why.'],
    ['/settings/security', 'Decide only in the app'],
    ['/settings/instance', 'Tool endpoint'],
    ['/activity?outcome=refused', 'user invite'],
    ['/activity?act=nothing_ever', 'No matching activity'],
    ['/nowhere', 'Page not found'],
  ] as const;
  let desk: Page;
  beforeAll(async () => {
    desk = await browser.page(app.admin, '/settings/profile');
    await heading(desk, 'Permissions').waitFor();
  });
  test.each(SCREENS_OF_SETTINGS)('%s, once it shows %s', async (path, stands) => {
    await walk(desk, path);
    await shows(desk, stands);
    await expectAccessibleInEveryLook(desk);
  });

  const first = async (page: Page): Promise<void> => page.getByRole('row').nth(1).click();
  const OVER: [string, string, (page: Page) => Promise<unknown>, string][] = [
    ['/settings/instance', 'Tool endpoint', (page) => page.keyboard.press('Control+k'), 'Dark mode'],
    ['/settings/instance', 'Tool endpoint', (page) => page.keyboard.press('?'), 'Collapse navigation'],
    ['/settings/instance', 'Tool endpoint', (page) => button(page, /Ada Operator/).click(), 'Sign out'],
    [
      '/settings/profile',
      'Permissions',
      (page) => page.getByLabel('Time zone').first().click(),
      'Africa/Abidjan',
    ],
    ['/settings/api', 'carrier', (page) => button(page, 'Mint a token').click(), 'The 16 acts'],
    ['/settings/api', 'carrier', first, 'Revoke'],
    ['/settings/users', 'Ben Okafor', first, 'Save permissions'],
    ['/settings/users', 'Ben Okafor', (page) => button(page, 'Invite').click(), 'They can change it later.'],
    ['/settings/groups', 'Readers', first, 'Delete group'],
    ['/settings/policies', 'member', (page) => button(page, 'New policy').click(), 'Add a statement'],
    ['/activity?outcome=refused', 'user invite', first, 'On behalf of'],
  ];

  test.each(OVER)('over %s, which shows %s', async (path, stands, open, over) => {
    const page = await browser.page(app.admin, path);
    await shows(page, stands);
    await open(page);
    await page
      .getByText(over, { exact: true })
      .or(page.getByLabel(over, { exact: true }))
      .first()
      .waitFor();
    await expectAccessibleCrosswise(page);
    await page.close();
  });

  test('what opens from the navigation', async () => {
    const page = await browser.page(ben, '/settings/profile');
    await button(page, /^Notifications, 1 unread/).click();
    await page.getByRole('list', { name: 'Newest first' }).waitFor();
    await expectAccessibleCrosswise(page);
    await page.goto(`${app.url}/settings/sessions`);
    await button(page, 'Open navigation').click();
    await dialog(page, 'Navigation').getByRole('link', { name: 'Approvals' }).waitFor();
    await expectAccessible(page);
    await page.close();
  });
});
