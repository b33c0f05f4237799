// Why a letter was not taken, in a real browser: on the letter, in the person's timeline and on the domain's page, as text and
// never as markup; and on Get started that links in letters lead nowhere outside.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectAccessibleCrosswise, openBrowser, SCREENS, type TestBrowser } from '../support/browser.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { aCampaign, aDesk } from '../support/letters.ts';
import { report, type SentLetter, sentLetter } from '../support/sent.ts';

const SAID = '550 5.1.1 <img src=x onerror=alert(1)> no such user';

let app: TestApp;
let browser: TestBrowser;
let letter: SentLetter;
let domain: string;

beforeAll(async () => {
  app = await openTestApp({ screens: SCREENS });
  browser = await openBrowser(app);
  const campaign = await aCampaign(app, await aDesk(app));
  letter = await sentLetter(app, campaign);
  await report(app, letter, {
    kind: 'hard',
    source: 'session',
    status: '5.1.1',
    cause: 'no_such_address',
    said: SAID,
  });
  const [row] = await app.sql`select domain_id from identities where id = ${campaign.identity_id}`;
  domain = row!['domain_id'];
});

afterAll(async () => {
  await browser?.close();
  await app?.close();
});

test.each([
  ['the letter', () => `/sends/${letter.id}`, 'Delivery reports'],
  ["the person's timeline", () => `/people/${letter.person.id}`, 'Timeline'],
  ["the domain's page", () => `/settings/domains/${domain}`, 'Bounces and refusals'],
])('why a letter bounced stands on %s, in the words of the server as text', async (name, path, place) => {
  const page = await browser.page(app.admin, path());
  const words = page.locator('blockquote').filter({ hasText: 'no such user' });
  await words.waitFor();
  expect(await words.textContent()).toBe(SAID);
  expect(await words.locator('img').count()).toBe(0);
  await page.getByText(place).first().waitFor();
  await expectAccessibleCrosswise(page);
  if (process.env['LOOKS']) await looks(page, name.replaceAll(/\W/g, ''));
});

test('the list of letters says why beside each', async () => {
  const page = await browser.page(app.admin, '/sends');
  await page.getByText('The address doesn’t exist').first().waitFor();
});

test('a campaign says which of its letters were not taken, and why', async () => {
  await app.sql`update sends set state = 'failed', failed_reason = 'hard', sent_at = null where id = ${letter.id}`;
  const page = await browser.page(app.admin, `/campaigns/${letter.campaign.id}?view=held`);
  await page.getByRole('heading', { name: '1 letter not accepted' }).waitFor();
  await page.getByText('The address doesn’t exist').waitFor();
  await expectAccessibleCrosswise(page);
});

test('Get started and Today say that recipients could not open links, and how to set the address', async () => {
  const page = await browser.page(app.admin, '/start');
  await page.getByRole('heading', { name: 'Set the public address of this instance' }).waitFor();
  await page.getByText('SERVICE_BASE_URL=https://desk.example.com npm start').first().waitFor();
  await expectAccessibleCrosswise(page);
  if (process.env['LOOKS']) await looks(page, 'start');
  const today = await browser.page(app.admin, '/');
  await today.getByText('Letters are held until this instance has a public https address').waitFor();
});

async function looks(page: Awaited<ReturnType<TestBrowser['page']>>, name: string): Promise<void> {
  for (const [look, width, scheme] of [
    ['light', 1280, 'light'],
    ['dark', 1280, 'dark'],
    ['wide', 1920, 'light'],
    ['phone', 375, 'light'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme: scheme });
    await page.screenshot({ path: `${process.env['LOOKS']}/${name}-${look}.png`, fullPage: true });
  }
}
