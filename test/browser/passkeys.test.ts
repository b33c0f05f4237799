// Passkeys and recovery codes in a real browser, with the browser's own authenticator: added under a name, used to sign in and to
// confirm, removed; codes shown once and entered in place of an authenticator's.
import { readFileSync } from 'node:fs';
import { type Browser, type Locator, type Page } from '@playwright/test';
import { generateSync } from 'otplib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openChromium } from '../../scripts/looks/chromium.ts';
import { expectAccessibleInEveryLook, SCREENS } from '../support/browser.ts';
import { openTestApp, type PersonClient, type TestApp } from '../support/app.ts';

/** Passkeys belong to a host name; this one never leaves the machine, and the browser is told where it is. */
const AT = 'http://desk.localhost';
const PATIENCE_MS = 60_000;
const MINUTE_MS = 60_000;

let app: TestApp;
let browser: Browser;

beforeAll(async () => {
  app = await openTestApp({ screens: SCREENS, baseUrl: AT });
  browser = await openChromium([
    `--host-resolver-rules=MAP desk.localhost 127.0.0.1:${new URL(app.url).port}`,
  ]);
});

afterAll(async () => {
  await browser?.close();
  await app?.close();
});

/** A page with an authenticator that knows its person at once. */
async function open(who: PersonClient | null, path: string): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
    acceptDownloads: true,
  });
  context.setDefaultTimeout(PATIENCE_MS);
  if (who) {
    const [name = '', value = ''] = who.cookie.split(/=(.*)/s);
    await context.addCookies([{ name, value, url: AT }]);
  }
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await page.goto(AT + path);
  return page;
}

const button = (on: Page | Locator, name: string): Locator => on.getByRole('button', { name, exact: true });
const field = (on: Page | Locator, name: string): Locator => on.getByRole('textbox', { name, exact: true });
const heading = (page: Page, name: string): Locator => page.getByRole('heading', { name, exact: true });

async function signOut(page: Page): Promise<void> {
  await page.context().clearCookies();
  await page.goto(`${AT}/sign-in`);
}

test('a passkey is added under a name, signs in alone, confirms in place of the password, and is removed', async () => {
  const ben = await app.person({ name: 'Ben Okafor' });
  const page = await open(ben, '/settings/sessions');
  await button(page, 'Add a passkey').click();
  await field(page, 'Name').fill('Laptop');
  await button(page, 'Add').click();
  await page.getByText('never used').waitFor();
  await expectAccessibleInEveryLook(page);
  await page.setViewportSize({ width: 1440, height: 900 });

  await signOut(page);
  await button(page, 'Use a passkey').waitFor();
  await expectAccessibleInEveryLook(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await button(page, 'Use a passkey').click();
  await expect.poll(() => new URL(page.url()).pathname, { timeout: PATIENCE_MS }).not.toBe('/sign-in');
  await page.goto(`${AT}/settings/sessions`);
  await button(page, 'Remove Laptop').waitFor();

  app.clock.advance(11 * MINUTE_MS);
  await button(page, 'Remove Laptop').click();
  await button(page.getByRole('dialog', { name: 'Remove Laptop?' }), 'Remove passkey').click();
  const question = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await button(question, 'Use a passkey').click();
  await page.getByText('No passkeys yet.').waitFor();
  await page.context().close();
});

test('a passkey that is not known here is refused in a sentence', async () => {
  const carl = await app.person({ name: 'Carl Weiss' });
  const page = await open(carl, '/settings/sessions');
  await button(page, 'Add a passkey').click();
  await field(page, 'Name').fill('Phone');
  await button(page, 'Add').click();
  await page.getByText('never used').waitFor();
  await app.sql`delete from passkeys where user_id = ${carl.id}`;
  await signOut(page);
  await button(page, 'Use a passkey').click();
  await page.getByRole('alert').getByText('doesn’t work on this instance').waitFor();
  await page.context().close();
});

test('recovery codes are shown once, kept as a file, and one of them signs in', async () => {
  const eve = await app.person({ name: 'Eve Lind' });
  const { secret } = (await eve.rest('POST', '/api/me/totp', {})).body;
  const code = generateSync({ secret, epoch: Math.floor(app.clock.now().getTime() / 1000) });
  expect((await eve.rest('POST', '/api/me/totp', { code })).status).toBe(200);
  const page = await open(eve, '/settings/sessions');
  await button(page, 'Create recovery codes').click();
  const shown = page.locator('pre[aria-label="recovery codes"]');
  await shown.waitFor();
  const codes = ((await shown.textContent()) ?? '').split('\n');
  expect(codes).toHaveLength(10);
  await expectAccessibleInEveryLook(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download' }).click(),
  ]);
  expect(
    readFileSync(await file.path(), 'utf8')
      .trim()
      .split('\n'),
  ).toEqual(codes);
  await button(page, 'I’ve saved the codes').click();
  await shown.waitFor({ state: 'detached' });
  await page.getByText('10 left').waitFor();

  await signOut(page);
  await field(page, 'Email').fill(eve.email);
  await page.getByLabel('Password', { exact: true }).fill(eve.password);
  await button(page, 'Continue').click();
  await heading(page, 'Enter your code').waitFor();
  await button(page, 'Use a recovery code').click();
  await field(page, 'Recovery code').fill(codes[3] ?? '');
  await expectAccessibleInEveryLook(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await button(page, 'Sign in').click();
  await expect.poll(() => new URL(page.url()).pathname, { timeout: PATIENCE_MS }).not.toBe('/sign-in');
  await page.goto(`${AT}/settings/sessions`);
  await page.getByText('9 left').waitFor();
  await page.context().close();
});
