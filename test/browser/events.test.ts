// Settings › Revenue › Integrations in a real browser: the address, the secret that is shown once, deliveries, sending again.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { expectAccessible, openBrowser, SCREENS, type TestBrowser } from '../support/browser.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { receiver, type Receiver } from '../support/receiver.ts';
import { address, desk, emit, pass, setWebhook } from '../events/outbox.ts';

const PATH = '/settings/integrations';

let app: TestApp;
let browser: TestBrowser;
let server: Receiver;
let status = 200;

beforeAll(async () => {
  app = await openTestApp({ screens: SCREENS, allowPrivate: true });
  browser = await openBrowser(app);
  server = await receiver((response) => void response.writeHead(status).end());
  await desk(app);
});
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
  await app?.close();
});
beforeEach(async () => {
  status = 200;
  await app.sql`delete from events_webhook`;
  await app.sql`delete from event_deliveries`;
});

test('turning delivery on shows the secret once; rotating asks, and shows the new one once', async () => {
  const page = await browser.page(app.admin, PATH);
  await page.getByRole('textbox', { name: 'Address' }).fill('ftp://hooks.example.com');
  await page.getByRole('button', { name: 'Save and turn on' }).click();
  await page.getByText('Only http and https addresses can be called').waitFor();
  await page.getByRole('textbox', { name: 'Address' }).fill(address(server));
  await page.getByRole('button', { name: 'Save and turn on' }).click();
  const dialog = page.getByRole('dialog', { name: 'Signing secret for events' });
  const first = await dialog.getByText(/^whsec_/).textContent();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'I’ve copied it' }).click();
  await dialog.waitFor({ state: 'hidden' });
  expect(await page.content()).not.toContain('whsec_');

  await page.getByRole('button', { name: 'Rotate' }).click();
  await page
    .getByRole('dialog', { name: 'Rotate the signing secret?' })
    .getByRole('button', { name: 'Rotate' })
    .click();
  const second = await dialog.getByText(/^whsec_/).textContent();
  expect(second).toMatch(/^whsec_[\w-]{43}$/);
  expect(second).not.toBe(first);
  await dialog.getByRole('button', { name: 'I’ve copied it' }).click();
  await page.reload();
  await page.getByText('Stored encrypted.').waitFor();
  expect(await page.content()).not.toContain('whsec_');
  await page.close();
});

test('a failed delivery says why, shows its exact body, and is sent again', async () => {
  await setWebhook(app, address(server));
  status = 503;
  const [id] = await emit(app, 1, 'work.review_parked');
  await pass(app);
  await app.sql`update event_deliveries set state = 'failed', attempts = 4, next_attempt_at = null`;
  const page = await browser.page(app.admin, PATH);
  await page.getByText('Failing since').waitFor();
  const row = page.getByRole('row').filter({ hasText: 'work.review_parked' });
  await row.getByText('Status 503').waitFor();
  await row.click();
  const drawer = page.getByRole('dialog', { name: 'work.review_parked' });
  await expect
    .poll(() => drawer.getByLabel('event body', { exact: true }).textContent())
    .toContain(`"id":"${id}"`);
  await expectAccessible(page);
  status = 200;
  await drawer.getByRole('button', { name: 'Send again' }).click();
  await drawer.getByText('Pending').waitFor();
  await pass(app);
  // The change notifications of the finished batch is heard by the open page.
  await drawer.getByText('Delivered', { exact: true }).first().waitFor();
  await page.close();
});

test('all that failed in a span of time is sent again at once; while delivery is off the button says why not', async () => {
  await setWebhook(app, address(server));
  await emit(app, 12);
  await app.sql`update event_deliveries set state = 'failed', attempts = 4, next_attempt_at = null, last_error = 'timeout'`;
  const page = await browser.page(app.admin, `${PATH}?state=failed`);
  await page.getByText('No response within 10 seconds').first().waitFor();
  await page.getByRole('button', { name: 'Resend all failed' }).click();
  await page.getByRole('menuitem', { name: 'Last hour' }).click();
  await page.getByText('12 queued again.').waitFor();
  await page.getByText('No matching deliveries').waitFor();
  await page.getByRole('switch', { name: 'Deliver' }).click({ force: true });
  await page.getByText('Delivery turned off. New events will be marked as skipped.').waitFor();
  const button = page.getByRole('button', { name: 'Resend all failed', disabled: true });
  await button.waitFor();
  await expect.poll(() => button.getAttribute('aria-description')).toContain('Delivery is off');
  await page.close();
});

test.each([
  [1440, false],
  [1440, true],
  [375, false],
  [375, true],
] as const)('at %i px (dark: %s) nothing is found by axe and nothing sticks out', async (width, dark) => {
  await setWebhook(app, address(server));
  await emit(app, 6, 'reply.landed');
  await pass(app);
  status = 500;
  await emit(app, 4, 'domain.paused');
  await pass(app);
  const page = await browser.page(app.admin, PATH, { width, dark });
  await page.getByText('Status 500').first().waitFor();
  await page.getByText('Verify deliveries in your receiver').click();
  await page.getByRole('tab', { name: 'Python' }).click();
  await expectAccessible(page);
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  const shots = process.env['SHOTS'];
  if (shots) await page.screenshot({ path: `${shots}/events-${width}-${dark ? 'dark' : 'light'}.png` });
  await page.close();
});
