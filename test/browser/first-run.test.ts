// The first steps in a real browser: each leads to where it is done, on a screen that axe finds nothing on.
import type { Locator, Page } from '@playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectAccessibleInEveryLook, openBrowser, SCREENS, type TestBrowser } from '../support/browser.ts';
import { activate, enrolled, readyCampaign } from '../support/campaigns.ts';
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

const heading = (page: Page, name: string): Locator => page.getByRole('heading', { name, exact: true });

test('each step leads to the place where it is taken', async () => {
  const page = await browser.page(app.admin, '/start');
  await heading(page, 'Send your first letter').waitFor();
  await expectAccessibleInEveryLook(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  for (const [name, path] of [
    ['Add domain', '/settings/domains'],
    ['Add identity', '/settings/identities/new'],
    ['Add postal address', '/settings/postal-addresses'],
    ['Add people', '/people'],
    ['Create campaign', '/campaigns'],
    ['Connect agent', '/settings/api/connect'],
    ['Set up mail', '/settings/instance'],
    ['Secure sign-in', '/settings/sessions'],
  ] as const) {
    await page.getByRole('link', { name, exact: true }).click();
    await expect.poll(() => new URL(page.url()).pathname, { timeout: 60_000 }).toBe(path);
    await page.goBack();
    await heading(page, 'Send your first letter').waitFor();
  }
  await page.close();
});

test('each step explains itself in one line, and its Learn more opens the guide at what it is about', async () => {
  const page = await browser.page(app.admin, '/start');
  await page.getByRole('link', { name: 'Learn more about Add a sending domain' }).click();
  const section = heading(page, '2. A domain to send from');
  await section.waitFor();
  await page.waitForURL('**/guide/getting-started#2-a-domain-to-send-from');
  await expect
    .poll(async () => (await section.boundingBox())?.y ?? 9_000, { timeout: 60_000 })
    .toBeLessThan(300);
  await expectAccessibleInEveryLook(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  // A link between pages stays in the app; the words of the house are explained there.
  await page.getByRole('link', { name: 'Words' }).first().click();
  await page.waitForURL('**/guide/words');
  await page.getByText('warden', { exact: true }).first().waitFor();
  await page.close();
});

test('an instance whose links no one can open says so on Today, also when every step is taken', async () => {
  const campaign = await readyCampaign(app);
  await enrolled(app, campaign.id);
  expect((await activate(app.admin, campaign.id)).status).toBe(200);
  await app.sql`update domains set verified_at = now()`;
  await (await app.token()).tool('work_search', { query: 'x' });
  await app.admin.rest('POST', '/api/auth/step-up', { password: app.admin.password });
  const mail = { host: 'smtp.mail.example', port: 465, security: 'tls', user: null };
  const from = { from_name: 'The desk', from_address: 'desk@mail.example' };
  expect((await app.admin.rest('PUT', '/api/admin/settings/mail', { ...mail, ...from })).status).toBe(200);
  await app.sql`update users set totp_secret = 'x', totp_confirmed_at = now() where id = ${app.admin.id}`;
  const { body } = await app.admin.rest('GET', '/api/admin/start');
  expect(new Set(body.steps.map(({ state }: { state: string }) => state))).toEqual(new Set(['done']));
  const page = await browser.page(app.admin, '/');
  await heading(page, 'Set the public address of this instance').waitFor();
  await page.getByText('Letters are held until this instance has a public https address').waitFor();
  await page.close();
});
