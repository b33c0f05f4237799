// People in a real browser: the list by keyboard and address, a record changed where it exists, what someone else changed
// meanwhile, acts on many that name what failed, suppressions made and lifted, and axe on every one of these screens.
import type { Locator, Page } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  expectAccessibleCrosswise,
  expectAccessibleInEveryLook,
  openBrowser,
  SCREENS,
  type TestBrowser,
} from '../support/browser.ts';
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

/** Loopback under the load of the other test files. */
const SOON = { timeout: 60_000 };
const PEOPLE = '/api/admin/crm/people';

const button = (on: Page | Locator, name: string | RegExp): Locator =>
  on.getByRole('button', { name, exact: typeof name === 'string' });
const field = (on: Page | Locator, name: string): Locator => on.getByRole('textbox', { name, exact: true });
const rows = (page: Page): Locator => page.locator('tbody tr[data-row]');
const dialog = (page: Page, name: string | RegExp): Locator => page.getByRole('dialog', { name });

async function made(path: string, body: Record<string, unknown>): Promise<any> {
  const answer = await app.admin.rest('POST', path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
}

const newPerson = async (name: string, more: Record<string, unknown> = {}): Promise<any> =>
  (
    await made(PEOPLE, {
      name,
      addresses: [{ value: `${name.toLowerCase().replaceAll(' ', '.')}@acme.example` }],
      ...more,
    })
  ).person;

const readPerson = async (id: string): Promise<any> =>
  (await app.admin.rest('GET', `${PEOPLE}/${id}`)).body.person;

describe('the list', () => {
  test('says what to do while it is empty, walks by keyboard, and its address holds what is shown', async () => {
    const page = await browser.page(app.admin, '/people');
    await page.getByText('No people yet').waitFor();
    await expectAccessibleInEveryLook(page);
    await page.setViewportSize({ width: 1440, height: 900 });

    await newPerson('Walk One', { tags: ['vip'] });
    const two = await newPerson('Walk Two');
    await newPerson('Walk Three');
    await page.goto(`${app.url}/people?query=walk`);
    await expect.poll(() => rows(page).count(), SOON).toBe(3);
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await page.keyboard.press('x');
    await page.getByText('1 selected').waitFor();
    await expect.poll(() => rows(page).nth(0).getByLabel('Select this row').isChecked()).toBe(true);
    await page.keyboard.press('x');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('e');
    await page.waitForURL(`**/people/${two.id}?act=edit`);
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')), SOON)
      .toBe('Name');
    await page.goBack();
    await page.waitForURL('**/people?query=walk');

    await page.getByLabel('Order').selectOption('created');
    await page.waitForURL('**/people?query=walk&sort=created');
    await expect.poll(() => rows(page).first().innerText(), SOON).toContain('Walk Three');
    await button(page, 'Columns').click();
    await page.getByLabel('Source').check();
    await page.keyboard.press('Escape');
    await page.getByRole('columnheader', { name: 'Source' }).waitFor();
    await page.goto(`${app.url}/people`);
    await page.getByRole('columnheader', { name: 'Source' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('nobody at all');
    await page.getByText('No matching people').waitFor();
    await button(page, 'Show all people').click();
    await rows(page).first().waitFor();
  });

  test('an act on many is one the product does for each, and names what failed', async () => {
    const [one, two, three] = [
      await newPerson('Many One'),
      await newPerson('Many Two'),
      await newPerson('Many Three'),
    ];
    const page = await browser.page(app.admin, '/people?query=many');
    // The screen hears no change notification, so it acts on what it read.
    await page.route('**/api/events', (route) => route.abort());
    await page.reload();
    await expect.poll(() => rows(page).count(), SOON).toBe(3);
    await page.getByLabel('Select all rows shown').check();
    await page.getByText('3 selected').waitFor();
    await expectAccessibleCrosswise(page);
    await page.setViewportSize({ width: 1440, height: 900 });
    // Someone changes one and deletes another behind the screen's back.
    expect(
      (await app.admin.rest('PATCH', `${PEOPLE}/${one.id}`, { revision: 1, tags: ['kept'] })).status,
    ).toBe(200);
    await app.sql`delete from people where id = ${two.id}`;
    await page.getByRole('toolbar').getByRole('button', { name: 'Tags' }).click();
    await page.getByRole('menuitem', { name: 'Add a tag…' }).click();
    await field(page, 'Tag').fill('autumn');
    await page.keyboard.press('Enter');
    const result = page.getByRole('region', { name: 'Bulk actions' });
    await result.getByText('0 of 3').waitFor();
    await app.instance.jobs.run('bulk');
    await result.getByText('Done for 2 of 3 people; 1 failed.').waitFor();
    await result.getByText('No person has that id').waitFor();
    await result.getByRole('link', { name: 'No longer available' }).waitFor();
    await button(result, 'Close: Tag “autumn”').click();
    await result.waitFor({ state: 'detached' });
    expect((await readPerson(one.id)).tags).toEqual(['kept', 'autumn']);
    expect((await readPerson(three.id)).tags).toEqual(['autumn']);
  });

  test('whoever may not read people is told so, and sees none', async () => {
    const member = await app.person({ name: 'Mo Member' });
    const page = await browser.page(member, '/people');
    await page.getByText('You don’t have access').first().waitFor();
    await expect.poll(() => rows(page).count()).toBe(0);
  });

  test('a segment is made of conditions, says what is wrong at the row, and narrows the list', async () => {
    await newPerson('Seg In', { country: 'PT' });
    await newPerson('Seg Out', { country: 'FR' });
    const page = await browser.page(app.admin, '/people');
    await button(page, 'New segment').click();
    const editor = dialog(page, 'New segment');
    await field(editor, 'Name').fill('In Portugal');
    await editor.getByLabel('Value of condition 1').fill('Portugal');
    await page.keyboard.press('Enter');
    await button(editor, 'Save').click();
    await editor.getByText('it takes a country, such as DE').first().waitFor();
    await expectAccessibleCrosswise(page);
    await page.setViewportSize({ width: 1440, height: 900 });
    await editor.getByLabel('Value of condition 1').focus();
    await page.keyboard.press('Backspace');
    // What is typed counts before it is a value of its own.
    await editor.getByLabel('Value of condition 1').fill('PT');
    await editor.getByText('1 person matches.').waitFor();
    await page.keyboard.press('Enter');
    await button(editor, 'Save').click();
    await page.waitForURL('**/people?segment=*');
    await expect.poll(() => rows(page).count(), SOON).toBe(1);
    await expect.poll(() => rows(page).innerText()).toContain('Seg In');
  });
});

describe('a person', () => {
  test('is added with what is wrong said at its field, and changed where they exist', async () => {
    await newPerson('Taken Already');
    const page = await browser.page(app.admin, '/people?new=person');
    const form = dialog(page, 'New person');
    await field(form, 'Name').fill('Nia Novel');
    await field(form, 'Address').fill('taken.already@acme.example');
    await button(form, 'Add').click();
    await form.getByText('It belongs to another person.').waitFor();
    await field(form, 'Address').fill('nia@novel.example');
    await button(form, 'Add').click();
    await page.waitForURL(/\/people\/[0-9a-f-]{36}$/);
    const id = page.url().split('/').at(-1) ?? '';
    // Not the one of the form, which is until the next screen is there.
    await field(page.getByRole('region', { name: 'Fields' }), 'Title').fill('Head of Sales');
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await readPerson(id)).title, SOON).toBe('Head of Sales');
    await field(page, 'New note').fill('Met at the fair.');
    // A note that is half written is there after a reload.
    await page.reload();
    await expect.poll(() => field(page, 'New note').inputValue(), SOON).toBe('Met at the fair.');
    await button(page, 'Save note').click();
    await page.getByRole('listitem').filter({ hasText: 'Met at the fair.' }).waitFor();
    await expectAccessibleInEveryLook(page);
  });

  test('what someone else changed meanwhile is shown, and overwritten only when told to', async () => {
    const { id } = await newPerson('Con Flict', { title: 'Clerk' });
    const page = await browser.page(app.admin, `/people/${id}`);
    await field(page, 'Title').waitFor();
    await page.route('**/api/events', (route) => route.abort());
    await app.sql`update people set title = 'Director', revision = revision + 1 where id = ${id}`;
    await field(page, 'Title').fill('Manager');
    await page.keyboard.press('Enter');
    const panel = page.getByRole('alert', { name: 'The record changed' });
    await panel.waitFor();
    await expect
      .poll(() => panel.innerText())
      .toContain('was “Clerk”, is now “Director”; yours is “Manager”');
    expect((await readPerson(id)).title).toBe('Director');
    await expectAccessibleCrosswise(page);
    await button(panel, 'Save my changes').click();
    await expect.poll(async () => (await readPerson(id)).title, SOON).toBe('Manager');
  });

  test('who is suppressed is marked with the reason, and it is lifted after a question that names the harm', async () => {
    const { id } = await newPerson('Sup Pressed');
    const page = await browser.page(app.admin, `/people/${id}`);
    await button(page, 'Suppress').click();
    const form = dialog(page, 'Suppress addresses or domains');
    await expect
      .poll(() => field(form, 'Addresses or domains').inputValue())
      .toBe('sup.pressed@acme.example');
    await button(form, 'Suppress').click();
    await page.getByRole('heading', { name: 'Suppressed: no letters are sent' }).waitFor();
    await expectAccessibleCrosswise(page);
    await page.setViewportSize({ width: 1440, height: 900 });
    expect((await readPerson(id)).suppressed).toMatchObject({ reason: 'manual', via: 'address' });
    await page.goto(`${app.url}/people?suppressed=yes`);
    await rows(page).filter({ hasText: 'Sup Pressed' }).getByText('By hand').waitFor();
    await page.goto(`${app.url}/people/${id}`);
    await button(page, 'Lift By hand').click();
    const question = dialog(page, 'Lift “By hand” from sup.pressed@acme.example?');
    await expect.poll(() => question.innerText()).toContain('Someone here added this suppression');
    await button(question, 'Lift suppression').click();
    await expect.poll(async () => (await readPerson(id)).suppressed, SOON).toBeNull();
  });

  test('two records are compared side by side and merged; the old address leads on', async () => {
    const kept = await newPerson('Mer Ged', { title: null });
    const other = await newPerson('Mer Gedd', { title: 'Buyer' });
    const page = await browser.page(app.admin, `/people/${kept.id}`);
    await button(page, 'Merge with another record').click();
    const open = dialog(page, 'Merge duplicate records');
    await field(open, 'The other record').fill('gedd');
    await button(open, 'Compare with Mer Gedd').click();
    await open.getByRole('row', { name: /Title/ }).getByText('Buyer').waitFor();
    await expectAccessibleCrosswise(page);
    await page.setViewportSize({ width: 1440, height: 900 });
    // Where both say something, either is kept.
    await button(open, 'Name: Mer Gedd').click();
    await button(open, 'Merge').click();
    await expect.poll(async () => (await readPerson(other.id)).id, SOON).toBe(kept.id);
    expect(await readPerson(kept.id)).toMatchObject({ name: 'Mer Gedd', title: 'Buyer' });
  });

  test('erasing waits until the name was typed', async () => {
    const { id } = await newPerson('Era Sed');
    const page = await browser.page(app.admin, `/people/${id}`);
    await button(page, 'Erase for privacy').click();
    const open = dialog(page, 'Erase Era Sed?');
    await field(open, 'Type “Era Sed” to erase them').fill('Era');
    await expect.poll(() => button(open, 'Erase permanently').isDisabled()).toBe(true);
    await field(open, 'Type “Era Sed” to erase them').fill('Era Sed');
    await expectAccessibleCrosswise(page);
    await button(open, 'Erase permanently').click();
    await page.waitForURL('**/people');
    expect((await app.admin.rest('GET', `${PEOPLE}/${id}`)).status).toBe(404);
  });
});

test('a company has its people, and its fields are changed where they exist', async () => {
  const { company } = await made('/api/admin/crm/companies', {
    name: 'Acme Rockets',
    domain: 'rockets.example',
  });
  await newPerson('Com Pany', { company_id: company.id });
  const page = await browser.page(app.admin, '/companies');
  await rows(page).filter({ hasText: 'Acme Rockets' }).waitFor();
  await expectAccessibleInEveryLook(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await rows(page).filter({ hasText: 'Acme Rockets' }).click();
  await page.waitForURL(`**/companies/${company.id}`);
  await rows(page).filter({ hasText: 'Com Pany' }).waitFor();
  await field(page, 'Size').fill('11–50');
  await page.keyboard.press('Enter');
  const read = async () =>
    (await app.admin.rest('GET', `/api/admin/crm/companies/${company.id}`)).body.company;
  await expect.poll(async () => (await read()).size, SOON).toBe('11–50');
  await expectAccessibleInEveryLook(page);
});

test('suppressions: many at once with every fault named, then lifted with the harm named', async () => {
  const page = await browser.page(app.admin, '/settings/suppressions?new=suppression');
  const form = dialog(page, 'Suppress addresses or domains');
  await field(form, 'Addresses or domains').fill('ok@many.example, not an address\nbad@localhost');
  await form.getByRole('combobox', { name: 'Reason' }).click();
  await page.getByRole('listbox', { name: 'Reason' }).getByRole('option', { name: 'Legal demand' }).click();
  await button(form, 'Suppress 3').click();
  await form.getByText('“bad@localhost”').waitFor();
  await expect.poll(() => form.innerText()).toContain('“not an address”');
  await expectAccessibleCrosswise(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await field(form, 'Addresses or domains').fill('ok@many.example\nmany.example');
  await button(form, 'Suppress 2').click();
  await rows(page).filter({ hasText: 'ok@many.example' }).getByText('Legal demand').waitFor();
  await expectAccessibleInEveryLook(page);
  await page.setViewportSize({ width: 1440, height: 900 });

  await rows(page).filter({ hasText: 'ok@many.example' }).click();
  const drawer = dialog(page, 'ok@many.example');
  await drawer.getByText('no token can, whatever its scopes').waitFor();
  await button(drawer, 'Lift').click();
  await button(dialog(page, /^Lift “Legal demand”/), 'Lift suppression').click();
  await page.getByText(/is still suppressed: legal demand/).waitFor();
  await page.getByText('Lifted', { exact: true }).first().click();
  await page.waitForURL('**state=lifted*');
  await rows(page).filter({ hasText: 'ok@many.example' }).waitFor();
});
