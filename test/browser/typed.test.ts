// What someone types into a field that is on a screen is never lost unsaid: not while the screen hears of other changes, not
// by a save that is refused or comes late, not by leaving, and not in a form that was sent already.
import type { Locator, Page } from '@playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser, SCREENS, type TestBrowser } from '../support/browser.ts';
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
const PEOPLE = '/api/admin/crm/people';

const field = (on: Page | Locator, name: string): Locator => on.getByRole('textbox', { name, exact: true });

async function newPerson(name: string, more: Record<string, unknown> = {}): Promise<string> {
  const address = `${name.toLowerCase().replaceAll(' ', '.')}@acme.example`;
  const made = await app.admin.rest('POST', PEOPLE, { name, addresses: [{ value: address }], ...more });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body.person.id;
}

const readPerson = async (id: string): Promise<any> =>
  (await app.admin.rest('GET', `${PEOPLE}/${id}`)).body.person;

/** Holds what fits back until it is let go. */
async function held(page: Page, url: string, method?: string): Promise<() => void> {
  const gate = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    if (!method || route.request().method() === method) await gate.promise;
    await route.continue();
  });
  return gate.resolve;
}

test('a form that was sent takes nothing more while the next screen is on its way', async () => {
  const page = await browser.page(app.admin, '/people?new=person');
  const form = page.getByRole('dialog', { name: 'New person' });
  await field(form, 'Name').fill('Sent Once');
  const letGo = await held(page, '**/assets/person-*.js');
  await form.getByRole('button', { name: 'Add', exact: true }).click();
  await page.waitForURL(/\/people\/[0-9a-f-]{36}$/);
  // Its address is there and the screen is not: the form may still be seen, but there is nowhere to type.
  const open = page.locator('form:not([inert])').getByLabel('Title', { exact: true });
  expect(await open.count()).toBe(0);
  await page.keyboard.type('Nowhere');
  await page.keyboard.press('Enter');
  letGo();
  const title = field(page.getByRole('region', { name: 'Fields' }), 'Title');
  await title.fill('Head of Sales');
  await page.keyboard.press('Enter');
  const id = page.url().split('/').at(-1) ?? '';
  await expect.poll(async () => (await readPerson(id)).title, SOON).toBe('Head of Sales');
  const found = await app.admin.rest('GET', `${PEOPLE}?query=sent`);
  expect(found.body.items).toHaveLength(1);
});

test('what is being typed stays when the screen hears that the field was changed, and overwrites it only when told to', async () => {
  const id = await newPerson('Ty Ping', { title: 'Clerk' });
  const page = await browser.page(app.admin, `/people/${id}`);
  const title = field(page, 'Title');
  await title.fill('Manag');
  const { revision } = await readPerson(id);
  await app.admin.rest('PATCH', `${PEOPLE}/${id}`, { revision, title: 'Director' });
  await page
    .getByText('Director · acme')
    .or(page.getByText('Director', { exact: true }))
    .first()
    .waitFor();
  expect(await title.inputValue()).toBe('Manag');
  await title.press('End');
  await page.keyboard.type('er');
  await page.keyboard.press('Enter');
  const panel = page.getByRole('alert', { name: 'The record changed' });
  await panel.getByText('was “Clerk”, is now “Director”; yours is “Manager”').waitFor();
  expect((await readPerson(id)).title).toBe('Director');

  // Another field that is saved meanwhile does not take the choice away.
  await field(page, 'Phone').fill('+49 30 1234567');
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await readPerson(id)).phone, SOON).toBeTruthy();
  await panel.getByRole('button', { name: 'Save my changes' }).click();
  await expect.poll(async () => (await readPerson(id)).title, SOON).toBe('Manager');
  await expect.poll(() => title.inputValue(), SOON).toBe('Manager');
});

test('what is typed on while a save is under way is saved after it', async () => {
  const id = await newPerson('Quick Hand');
  const page = await browser.page(app.admin, `/people/${id}`);
  const title = field(page, 'Title');
  await title.waitFor();
  const letGo = await held(page, `**${PEOPLE}/${id}`, 'PATCH');
  await title.fill('Head');
  await page.keyboard.press('Enter');
  await title.fill('Head of Sales');
  letGo();
  await expect.poll(async () => (await readPerson(id)).title, SOON).toBe('Head');
  // Told to the screen in its answer and by the change notification; the second text is still in the field.
  await page.getByText('Head', { exact: true }).first().waitFor();
  expect(await title.inputValue()).toBe('Head of Sales');
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await readPerson(id)).title, SOON).toBe('Head of Sales');
});

test('what was refused stays in its field until it is fixed or undone', async () => {
  const id = await newPerson('Re Fused');
  const page = await browser.page(app.admin, `/people/${id}`);
  const country = field(page, 'Country');
  await country.fill('Nowhere');
  await page.keyboard.press('Enter');
  await page.locator('input[aria-label="Country"][aria-invalid="true"]').waitFor();
  expect(await country.inputValue()).toBe('Nowhere');
  await country.fill('PT');
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await readPerson(id)).country, SOON).toBe('PT');
  await expect.poll(() => country.getAttribute('aria-invalid'), SOON).toBeNull();

  await page.route(`**${PEOPLE}/${id}`, (route) =>
    route.request().method() === 'PATCH' ? route.abort() : route.continue(),
  );
  await country.fill('FR');
  await page.keyboard.press('Enter');
  await page.locator('input[aria-label="Country"][aria-invalid="true"]').waitFor();
  await country.press('Escape');
  expect(await country.inputValue()).toBe('PT');
});

test('going elsewhere with a text half typed saves it', async () => {
  const id = await newPerson('Go Away');
  const page = await browser.page(app.admin, '/people?query=go%20away');
  await page.getByRole('row').filter({ hasText: 'Go Away' }).getByText('Go Away').click();
  await page.waitForURL(`**/people/${id}*`);
  await field(page, 'Title').fill('Left in the middle');
  await page.goBack();
  await page.waitForURL('**/people?query=go*');
  await expect.poll(async () => (await readPerson(id)).title, SOON).toBe('Left in the middle');
});

test('whom a form names is looked for again once the network is back, and its absence is said at once', async () => {
  expect((await app.admin.rest('POST', '/api/admin/crm/companies', { name: 'Far Away' })).status).toBe(201);
  const page = await browser.page(app.admin, '/people?new=person');
  const form = page.getByRole('dialog', { name: 'New person' });
  const company = form.getByRole('combobox', { name: 'Company' });
  await field(form, 'Name').fill('Off Line');
  await page.context().setOffline(true);
  await company.fill('Far');
  await page.keyboard.press('Enter');
  await page.getByText('You’re offline. Results appear when you’re back online.').waitFor();
  // Nothing waits for it: the form says what it lacks.
  await form.getByRole('button', { name: 'Add', exact: true }).click();
  await form.getByText('Choose a company from the list, or clear the field.').waitFor();
  await page.context().setOffline(false);
  await page.getByRole('option', { name: 'Far Away' }).waitFor();
  await page.keyboard.press('Enter');
  await expect.poll(() => company.inputValue(), SOON).toBe('Far Away');

  await page.route('**/api/admin/crm/companies?*query=Fur*', (route) => route.fulfill({ status: 500 }));
  await company.fill('Fur');
  const again = page.getByRole('button', { name: 'Try again' });
  await again.waitFor();
  await page.unroute('**/api/admin/crm/companies?*query=Fur*');
  await again.click();
  await page.getByText('No matching companies.').waitFor();
  await page.close();
});
