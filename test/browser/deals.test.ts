// Deals in a real browser: the board by pointer and by keyboard alone, closing and opening again, the list, the settings of the
// pipeline and of custom fields, and all of it for everyone.
import type { Page } from '@playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  expectAccessibleCrosswise,
  expectAccessibleInEveryLook,
  openBrowser,
  SCREENS,
  type TestBrowser,
} from '../support/browser.ts';
import { aPerson, CRM, newDeal } from '../support/crm.ts';
import { openTestApp, type PersonClient, type TestApp } from '../support/app.ts';

let app: TestApp;
let browser: TestBrowser;
let person: string;

beforeAll(async () => {
  app = await openTestApp({ screens: SCREENS });
  browser = await openBrowser(app);
  person = await aPerson(app, 'Dana Roe');
});

afterAll(async () => {
  await browser?.close();
  await app?.close();
});

/** Loopback under the load of the other test files. */
const SOON = { timeout: 60_000 };

/** Someone of their own for a test: the board shows their deals alone, by `owner=me`. */
const editor = (): Promise<PersonClient> => app.person({ policies: ['crm-editor'] });
const mine = (by: PersonClient, given: Record<string, unknown>) => newDeal(by, { owner: 'me', ...given });
const read = async (deal: { id: string }) =>
  (await app.admin.rest('GET', `${CRM}/deals/${deal.id}`)).body.deal;

const column = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true });
const cardIn = (page: Page, title: string, name: string) =>
  column(page, title).locator('article', { hasText: name });

test('a board without deals says what they are and opens the first', async () => {
  const by = await editor();
  const page = await browser.page(by, '/deals');
  await page.getByRole('button', { name: 'Open the first deal' }).click();
  const form = page.getByRole('form', { name: 'New deal' });
  await form.getByLabel('Name').fill('Forty seats');
  await form.getByLabel('Amount').fill('1250.50');
  await form.getByRole('button', { name: 'Create' }).click();
  await cardIn(page, 'New', 'Forty seats').waitFor();
  const listed = await by.rest('GET', `${CRM}/deals?owner=me`);
  expect(listed.body.items[0]).toMatchObject({ amount: 125_050, currency: 'EUR', owner: by.id });
  await page.close();
});

test('a column says what it comes to, by currency and weighted', async () => {
  const by = await editor();
  await mine(by, { name: 'One', stage: 'proposal', amount: 100_000, currency: 'EUR' });
  await mine(by, { name: 'Two', stage: 'proposal', amount: 50_000, currency: 'EUR' });
  const page = await browser.page(by, '/deals?owner=me');
  const sums = column(page, 'Proposal').getByRole('list', { name: 'Total value' });
  await expect.poll(() => sums.textContent(), SOON).toMatch(/€1,500.*€900/);
  await page.close();
});

test('a deal is dragged to another stage and between two others', async () => {
  const by = await editor();
  await mine(by, { name: 'First', stage: 'qualified' });
  await mine(by, { name: 'Second', stage: 'qualified' });
  const dragged = await mine(by, { name: 'Dragged' });
  const page = await browser.page(by, '/deals?owner=me');
  await cardIn(page, 'New', 'Dragged').waitFor();
  // What drags is fetched after the board exists.
  await page.waitForFunction(() => document.querySelector('article[draggable="true"]') !== null);
  const target = cardIn(page, 'Qualified', 'Second');
  const { height = 0 } = (await target.boundingBox()) ?? {};
  await cardIn(page, 'New', 'Dragged').dragTo(target, { targetPosition: { x: 60, y: height * 0.2 } });
  await expect.poll(async () => (await read(dragged)).stage, SOON).toBe('qualified');
  await expect
    .poll(() => column(page, 'Qualified').locator('[data-card-link]').allTextContents(), SOON)
    .toEqual(['First', 'Dragged', 'Second']);
  await page.close();
});

test('a deal is walked to, moved, carried and won by the keyboard alone', async () => {
  const by = await editor();
  await mine(by, { name: 'Above' });
  const deal = await mine(by, { name: 'Walked to' });
  const page = await browser.page(by, '/deals?owner=me');
  await cardIn(page, 'New', 'Walked to').waitFor();
  for (const key of ['j', 'j', 'm']) await page.keyboard.press(key);
  await page.getByRole('menu').waitFor();
  await page.keyboard.press('3');
  await cardIn(page, 'Proposal', 'Walked to').waitFor();
  await expect.poll(async () => (await read(deal)).stage, SOON).toBe('proposal');
  // It is said, and can be undone.
  await page.getByText('Walked to moved to Proposal.').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(async () => (await read(deal)).stage, SOON).toBe('new');
  await cardIn(page, 'New', 'Walked to').locator('[data-card-link]').focus();
  for (const key of ['m', '3']) await page.keyboard.press(key);
  await cardIn(page, 'Proposal', 'Walked to').waitFor();
  await expect.poll(async () => (await read(deal)).stage, SOON).toBe('proposal');
  // The focus stays on the card, so the next key acts on it.
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent), SOON).toBe('Walked to');
  await page.keyboard.press('Shift+L');
  await expect.poll(async () => (await read(deal)).stage, SOON).toBe('negotiation');
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent), SOON).toBe('Walked to');
  await page.keyboard.press('w');
  await expect.poll(async () => (await read(deal)).state, SOON).toBe('won');
  await expect.poll(() => cardIn(page, 'Negotiation', 'Walked to').count(), SOON).toBe(0);
  // One key won it, and one undoes it.
  await page.getByText('Walked to closed as won.').waitFor();
  await page.getByRole('button', { name: 'Undo' }).last().waitFor();
  await page.keyboard.press('z');
  await cardIn(page, 'Negotiation', 'Walked to').waitFor();
  expect((await read(deal)).state).toBe('open');
  // `x` selects in lists, and closes no deal.
  await cardIn(page, 'Negotiation', 'Walked to').locator('[data-card-link]').focus();
  await page.keyboard.press('x');
  await page.keyboard.press('d');
  await page.getByRole('dialog', { name: 'Close Walked to as lost' }).waitFor();
  await page.keyboard.press('Escape');
  await page.close();
});

test('a deal is lost with a reason and opened again with one, and its history keeps both', async () => {
  const by = await editor();
  const deal = await mine(by, { name: 'Comes back', amount: 5_000, currency: 'EUR', person_id: person });
  const page = await browser.page(by, `/deals/${deal.id}`);
  await page.getByRole('button', { name: 'Lost…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Close as lost' }).click();
  await dialog.getByText('say why the deal was lost').waitFor();
  await dialog.getByLabel('Why was it lost?').fill('Too dear');
  await dialog.getByRole('button', { name: 'Close as lost' }).click();
  await page.getByText('Lost because: Too dear').waitFor();
  await page.getByRole('button', { name: 'Reopen…' }).click();
  await dialog.getByLabel('Why reopen it?').fill('They called back');
  await dialog.getByRole('button', { name: 'Reopen' }).click();
  const history = page.getByRole('region', { name: 'History' });
  await history.getByText('They called back').waitFor();
  await history.getByText('Too dear').waitFor();
  expect((await read(deal)).state).toBe('open');
  await page.close();
});

test('fields are changed where they exist', async () => {
  const by = await editor();
  const deal = await mine(by, { name: 'Edited', amount: 5_000, currency: 'EUR' });
  const page = await browser.page(by, `/deals/${deal.id}`);
  const amount = page.getByRole('textbox', { name: 'Amount' });
  await amount.fill('75,5');
  await amount.press('Enter');
  await expect.poll(async () => (await read(deal)).amount, SOON).toBe(7_550);
  await page.getByRole('button', { name: 'Stage: New' }).click();
  await page.getByRole('menuitem', { name: 'Qualified' }).click();
  await expect.poll(async () => (await read(deal)).stage, SOON).toBe('qualified');
  await page.getByRole('region', { name: 'History' }).getByText('changed stage').waitFor();
  await page.getByRole('combobox', { name: 'Person' }).click();
  await page.getByRole('option', { name: 'Dana Roe' }).click();
  await expect.poll(async () => (await read(deal)).person_id, SOON).toBe(person);
  await page.close();
});

test('a field that someone else changed is not overwritten unseen', async () => {
  const by = await editor();
  const deal = await mine(by, { name: 'Read by two' });
  const page = await browser.page(by, '/');
  // Without change notifications the screen goes on showing what it read.
  await page.route('**/api/events', (route) => route.abort());
  await page.goto(`${app.url}/deals/${deal.id}`);
  const name = page.getByRole('textbox', { name: 'Name' });
  await name.fill('Mine');
  await app.admin.rest('PATCH', `${CRM}/deals/${deal.id}`, { revision: 1, name: 'Theirs' });
  await name.press('Enter');
  const conflict = page.getByRole('alert', { name: 'The deal changed' });
  await conflict.getByText('is now “Theirs”').waitFor();
  expect((await read(deal)).name).toBe('Theirs');
  await conflict.getByRole('button', { name: 'Save my changes' }).click();
  await expect.poll(async () => (await read(deal)).name, SOON).toBe('Mine');
  await page.close();
});

test('the list is narrowed and ordered by its address, and walked by the keyboard', async () => {
  const by = await editor();
  await mine(by, { name: 'Small', amount: 100, currency: 'EUR' });
  const large = await mine(by, { name: 'Large', amount: 900, currency: 'EUR' });
  await mine(by, { name: 'Medium', amount: 500, currency: 'EUR' });
  const page = await browser.page(by, '/deals?owner=me&view=list&sort=amount');
  const names = page.getByRole('table', { name: 'Deals' }).locator('tbody tr td:first-child');
  await expect
    .poll(async () => (await names.allTextContents()).map((name) => name.trim()), SOON)
    .toEqual(['Large', 'Medium', 'Small']);
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Large' }).waitFor();
  expect(page.url()).toContain(`open=${large.id}`);
  await page.keyboard.press('Escape');
  await page.getByRole('tab', { name: 'Won' }).click();
  await page.getByText('No matching deals').waitFor();
  expect(page.url()).toContain('state=won');
  // The arrows walk the states, through those without a row as well.
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await page.keyboard.press('ArrowRight');
  await page.waitForURL(/state=lost/);
  await page.getByText('No matching deals').waitFor();
  expect(await focused()).toBe('Lost');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await page.waitForURL(/state=open/);
  await names.first().waitFor();
  expect(await focused()).toBe('Open');
  await page.close();
});

test('whoever may not read deals is told so', async () => {
  const member = await app.person({});
  const page = await browser.page(member, '/deals');
  await page.getByText('You don’t have access').waitFor();
  await page.getByText(/no policy lets/i).waitFor();
  await page.close();
});

test('people of one name are told apart by address and company where one of them is chosen', async () => {
  const company = await app.admin.rest('POST', `${CRM}/companies`, { name: 'Müller Bau' });
  for (const [value, company_id] of [
    ['bjoern@nord.example', null],
    ['bm@bau.example', company.body.company.id],
  ])
    await app.admin.rest('POST', `${CRM}/people`, {
      name: 'Björn Müller',
      addresses: [{ value }],
      company_id,
    });
  const page = await browser.page(await editor(), '/deals?new=deal');
  await page.getByRole('form', { name: 'New deal' }).getByRole('combobox', { name: 'Person' }).fill('Björn');
  await page.getByRole('option', { name: 'bjoern@nord.example' }).waitFor();
  await page.getByRole('option', { name: 'bm@bau.example · Müller Bau' }).click();
  await expect
    .poll(() => page.getByRole('combobox', { name: 'Person' }).inputValue(), SOON)
    .toBe('Björn Müller');
  await page.close();
});

test('whom a deal is with is found by what is typed, however late and in whatever order answers come', async () => {
  for (const name of ['Vera One', 'Vera Two', 'Vito Three'])
    expect((await app.admin.rest('POST', `${CRM}/people`, { name })).status).toBe(201);
  const page = await browser.page(await editor(), '/deals?new=deal');
  const form = page.getByRole('form', { name: 'New deal' });
  const field = form.getByRole('combobox', { name: 'Person' });
  const options = page.getByRole('option');
  const held: [query: string, go: () => void][] = [];
  const free = new Set<string>();
  await page.route(/\/people\?.*query=/, async (route) => {
    const query = new URL(route.request().url()).searchParams.get('query') ?? '';
    if (!free.has(query)) await new Promise<void>((go) => held.push([query, go]));
    // What was given up meanwhile has no one to answer to.
    await route.continue().catch(() => undefined);
  });
  const asked = (query: string) => expect.poll(() => held.map(([one]) => one), SOON).toContain(query);
  const answer = (query: string): void => {
    free.add(query);
    for (const [one, go] of held) if (one === query) go();
  };

  await field.click();
  await options.first().waitFor();
  await page.keyboard.type('Vera');
  await asked('Vera');
  // Nothing that was found by other words is to be chosen.
  expect(await options.count()).toBe(0);
  await page.keyboard.type(' Two');
  await asked('Vera Two');
  answer('Vera Two');
  await expect.poll(() => options.allTextContents(), SOON).toEqual(['Vera Two']);
  answer('Vera');
  await field.fill('Vito');
  await asked('Vito');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  answer('Vito');
  await expect.poll(() => field.inputValue(), SOON).toBe('Vito Three');

  // At full speed the keys come to what they come to when one waits.
  await field.fill('Vera ');
  for (const key of ['ArrowDown', 'Enter']) await page.keyboard.press(key);
  await expect.poll(() => field.inputValue(), SOON).toMatch(/^Vera (One|Two)$/);
  const chosen = await field.inputValue();
  await field.fill('Vera');
  await expect.poll(() => options.count(), SOON).toBe(2);
  expect(await options.nth(1).innerText()).toBe(chosen);
  await page.keyboard.press('Escape');
  expect(await field.inputValue()).toBe(chosen);
  expect(await form.count()).toBe(1);
  await page.close();
});

test('a deal that is made while whom it is with is looked for is with them, and never with whoever was there before', async () => {
  for (const name of ['Walt Former', 'Wanda Late'])
    expect((await app.admin.rest('POST', `${CRM}/people`, { name })).status).toBe(201);
  const page = await browser.page(await editor(), '/deals?new=deal');
  const form = page.getByRole('form', { name: 'New deal' });
  const field = form.getByRole('combobox', { name: 'Person' });
  const create = form.getByRole('button', { name: 'Create' });
  const withWhom = async (deal: string) =>
    await app.sql<{ name: string | null }[]>`
      select people.name from deals left join people on people.id = person_id where deals.name = ${deal}`;
  const asked = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  await page.route(/\/people\?.*query=Wanda/, async (route) => {
    asked.resolve();
    await held.promise;
    await route.continue();
  });
  const walt = async (): Promise<void> => {
    await field.fill('Walt');
    await page.keyboard.press('Enter');
    await expect.poll(() => field.inputValue(), SOON).toBe('Walt Former');
  };

  await form.getByLabel('Name').fill('With Wanda');
  await walt();
  await field.fill('Wanda');
  await page.keyboard.press('Enter');
  await asked.promise;
  await create.click();
  expect(await withWhom('With Wanda')).toEqual([]);
  held.resolve();
  await form.waitFor({ state: 'detached' });
  expect(await withWhom('With Wanda')).toEqual([{ name: 'Wanda Late' }]);

  await page.keyboard.press('n');
  await form.getByLabel('Name').fill('With nobody');
  await walt();
  // Words that are no one: they are said to be, and nothing goes.
  await field.fill('Walter');
  // Not as the field is left: a line that came then would move the button from under the pointer.
  const unchosen = form.getByText('Choose a person from the list, or clear the field.');
  await create.focus();
  expect(await unchosen.count()).toBe(0);
  await create.press('Enter');
  await unchosen.waitFor();
  await expect.poll(() => field.evaluate((it) => it === document.activeElement), SOON).toBe(true);
  expect(await withWhom('With nobody')).toEqual([]);
  await field.fill('');
  await page.keyboard.press('Enter');
  await form.waitFor({ state: 'detached' });
  expect(await withWhom('With nobody')).toEqual([{ name: null }]);
  await page.close();
});

test('a stage with deals goes once it is said where they go', async () => {
  const deal = await newDeal(app.admin, { name: 'Moved along', stage: 'negotiation' });
  const page = await browser.page(app.admin, '/settings/pipeline');
  const form = page.getByRole('form', { name: 'Stages' });
  await form.getByRole('button', { name: 'Remove Negotiation' }).click();
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByText(/deals in negotiation/).waitFor();
  await form.getByRole('combobox', { name: 'Move deals in Negotiation to' }).click();
  await page.getByRole('option', { name: 'Proposal' }).click();
  await form.getByRole('button', { name: 'Add a stage' }).click();
  await page.keyboard.type('Legal review');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect.poll(async () => (await read(deal)).stage, SOON).toBe('proposal');
  const { body } = await app.admin.rest('GET', `${CRM}/pipeline`);
  expect(body.stages.at(-1)).toEqual({ key: 'legal_review', title: 'Legal review', probability: null });
  await page.close();
});

test('a custom field is made, filled on a deal, and goes with its values only when that is confirmed', async () => {
  const page = await browser.page(app.admin, '/settings/fields?kind=deal');
  const form = page.getByRole('form', { name: 'Custom fields' });
  await form.getByRole('button', { name: 'Add a field' }).click();
  await form.getByRole('textbox', { name: 'Field title' }).fill('Region');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect
    .poll(async () => (await app.admin.rest('GET', `${CRM}/fields?noun=deal`)).body.items[0].fields, SOON)
    .toEqual([{ key: 'region', title: 'Region', kind: 'text' }]);
  const deal = await newDeal(app.admin, { name: 'With a region' });
  const beside = await browser.page(app.admin, `/deals/${deal.id}`);
  await beside.getByRole('textbox', { name: 'Region' }).fill('North');
  await beside.getByRole('textbox', { name: 'Region' }).press('Enter');
  await expect.poll(async () => (await read(deal)).custom, SOON).toEqual({ region: 'North' });
  await beside.close();
  await form.getByRole('button', { name: 'Remove field Region' }).click();
  await form.getByRole('button', { name: 'Save' }).click();
  const question = page.getByRole('dialog', { name: 'Remove Region?' });
  await question.getByText(/region \(1 record\)/).waitFor();
  await question.getByRole('button', { name: 'Delete values' }).click();
  await expect.poll(async () => (await read(deal)).custom, SOON).toEqual({});
  await page.close();
});

const EVERY_LOOK_MS = 300_000;

test(
  'the board, the list and a deal hold for everyone, in light and dark, wide and narrow',
  async () => {
    const by = await editor();
    const deal = await mine(by, {
      name: 'Forty seats for Roe & Sons',
      amount: 125_000,
      currency: 'EUR',
      probability: 40,
      expected_on: '2020-03-02',
      person_id: person,
    });
    await mine(by, { name: 'A second one', stage: 'proposal', amount: 1, currency: 'USD' });
    const page = await browser.page(by, '/deals?owner=me');
    await cardIn(page, 'New', 'Forty seats').waitFor();
    await expectAccessibleInEveryLook(page);
    await page.goto(`${app.url}/deals?owner=me&view=list`);
    await page.getByRole('table', { name: 'Deals' }).getByText('Forty seats').waitFor();
    await expectAccessibleInEveryLook(page);
    await page.goto(`${app.url}/deals/${deal.id}`);
    await page.getByRole('region', { name: 'History' }).getByText('opened the deal').waitFor();
    await expectAccessibleInEveryLook(page);
    await page.close();
  },
  EVERY_LOOK_MS,
);

test(
  'a new deal, a deal at the side and the settings hold for everyone',
  async () => {
    const deal = await newDeal(app.admin, { name: 'At the side', person_id: person });
    const page = await browser.page(app.admin, '/deals?new=deal');
    await page.getByRole('form', { name: 'New deal' }).waitFor();
    await expectAccessibleCrosswise(page);
    await page.goto(`${app.url}/deals?view=list&open=${deal.id}`);
    await page.getByRole('dialog').getByText('opened the deal').waitFor();
    await expectAccessibleCrosswise(page);
    await page.goto(`${app.url}/settings/pipeline`);
    await page.getByRole('form', { name: 'Stages' }).waitFor();
    await expectAccessibleInEveryLook(page);
    await page.goto(`${app.url}/settings/fields`);
    await page.getByRole('form', { name: 'Custom fields' }).waitFor();
    await page.getByRole('button', { name: 'Add a field' }).click();
    await expectAccessibleInEveryLook(page);
    await page.close();
  },
  EVERY_LOOK_MS,
);
