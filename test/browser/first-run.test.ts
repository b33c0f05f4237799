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
  // A link between pages stays in the app; the product’s words are explained there.
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

test('from set-up to where only DNS is missing takes less than 30 clicks', { timeout: 240_000 }, async () => {
  const fresh = await openTestApp({ screens: SCREENS, setUp: false, baseUrl: 'https://desk.example' });
  const own = await openBrowser(fresh);
  const page = await own.page(null, '/');
  await page.addInitScript(() => {
    const count = (event: MouseEvent): void => {
      if (event.isTrusted && event.detail > 0)
        sessionStorage.setItem('clicks', String(Number(sessionStorage.getItem('clicks') ?? 0) + 1));
    };
    addEventListener('click', count, true);
  });
  const press = (name: string, within: Page | Locator = page): Promise<void> =>
    within.getByRole('button', { name, exact: true }).first().click();
  const next = (act: string): Promise<void> =>
    page.getByRole('link', { name: `Next step: ${act}`, exact: true }).click();
  const form = (name: string): Locator => page.getByRole('form', { name, exact: true });

  await page.goto(`${fresh.url}/setup?key=${fresh.key}`);
  await page.getByRole('textbox', { name: 'Your name' }).fill('Ada Operator');
  await page.getByRole('textbox', { name: 'Email' }).fill('ada@example.com');
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery');
  await press('Set up and sign in');
  // The first screen after set-up is the list of steps.
  await heading(page, 'Send your first letter').waitFor();

  await page.getByRole('link', { name: 'Add domain', exact: true }).click();
  await form('Add a sending domain').getByLabel('Domain', { exact: true }).fill('mail.bridges.example');
  await press('Add domain', form('Add a sending domain'));
  await heading(page, 'mail.bridges.example').waitFor();
  await next('Add identity');
  const identity = form('Set up an identity');
  await identity.getByLabel('Name').fill('Ann Example');
  await identity.getByLabel('Address').fill('ann@mail.bridges.example');
  await identity.getByText('Sandbox').click();
  await press('Create identity', identity);
  await press('Activate');
  await press('Activate', page.getByRole('dialog'));
  await page.getByRole('button', { name: 'Deactivate' }).waitFor();
  await next('Add postal address');
  const postal = form('Add a postal address');
  await postal.getByLabel('Name').fill('Office');
  await postal.getByLabel('Address').fill('Bridges Ltd\nQuay 1\nGhent');
  await press('Add', postal);
  await postal.waitFor({ state: 'detached' });
  await next('Add people');
  await press('Add a person');
  await form('New person').getByLabel('Name').fill('Dana Roe');
  await form('New person').getByLabel('Address').fill('dana@firm.example');
  await press('Add', form('New person'));
  await heading(page, 'Dana Roe').first().waitFor();
  await next('Create campaign');
  await form('New campaign').getByLabel('Name').fill('Head offices');
  await press('Create draft', form('New campaign'));
  await press('Write: Write the steps');
  await press('Write the first letter');
  await page.getByRole('textbox', { name: 'Subject' }).fill('Your bridge');
  await page.getByRole('textbox', { name: 'Text' }).fill('Dear Dana,\n\nyour bridge is fine work.');
  await press('Save steps');
  await page.getByRole('button', { name: 'Save steps' }).waitFor({ state: 'detached' });
  await page.getByRole('tab', { name: 'People', exact: true }).click();
  await press('Enrol people');
  const enrol = form('Enrol people');
  await enrol.getByText('People by name').click();
  await enrol.getByPlaceholder('No one').click();
  await page.getByRole('option', { name: 'Dana Roe' }).click();
  await press('Preview', enrol);
  await press('Enrol 1 person', enrol);
  await enrol.waitFor({ state: 'detached' });

  const clicks = Number(await page.evaluate(() => sessionStorage.getItem('clicks')));
  const [campaign] = await fresh.sql<{ id: string }[]>`select id from campaigns`;
  const missing = await page.evaluate(async (id) => {
    const answer = await fetch(`/api/admin/outreach/campaigns/${id}/preflight`);
    const { checks } = (await answer.json()) as {
      checks: { code: string; required: boolean; ok: boolean | null }[];
    };
    return checks.filter(({ required, ok }) => required && ok !== true).map(({ code }) => code);
  }, campaign?.id);
  expect(clicks).toBeGreaterThan(15);
  expect(clicks).toBeLessThan(30);
  expect(missing.filter((code) => !/domain|auth|dns/.test(code))).toEqual([]);
  await own.close();
  await fresh.close();
});
