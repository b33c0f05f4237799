// Nothing that was typed is lost: not when the session ends, not when the product is away, not by closing the dialog it is in or
// by going elsewhere in the middle.
import type { Locator, Page } from '@playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newItem, newProject } from '../support/board.ts';
import { openBrowser, SCREENS, type TestBrowser } from '../support/browser.ts';
import { newCampaign } from '../support/campaigns.ts';
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

const SOON = { timeout: 60_000 };
const PEOPLE = '/api/admin/crm/people';

const field = (on: Page | Locator, name: string): Locator => on.getByRole('textbox', { name, exact: true });
const dialog = (page: Page, name: string): Locator => page.getByRole('dialog', { name });
const signIn = (page: Page): Locator => dialog(page, 'Sign in again');
const button = (on: Page | Locator, name: string): Locator => on.getByRole('button', { name, exact: true });

const endSessions = (of: PersonClient) => app.sql`delete from sessions where user_id = ${of.id}`;

async function signInAgain(page: Page, who: PersonClient): Promise<void> {
  await signIn(page).getByLabel('Password', { exact: true }).fill(who.password);
  await page.keyboard.press('Enter');
  await signIn(page).waitFor({ state: 'detached' });
}

async function newPerson(name: string): Promise<string> {
  const made = await app.admin.rest('POST', PEOPLE, { name });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body.person.id;
}

const titleOf = async (id: string): Promise<unknown> =>
  (await app.admin.rest('GET', `${PEOPLE}/${id}`)).body.person.title;

const named = async (words: string): Promise<number> =>
  (await app.admin.rest('GET', `${PEOPLE}?query=${encodeURIComponent(words)}`)).body.items.length;

type Routed = { __TSR_ROUTER__: { history: { push(path: string): void } } };

/** Goes there as by a link, and does not wait: a question may come first. */
const push = (page: Page, path: string): Promise<void> =>
  page.evaluate((to) => (globalThis as unknown as Routed).__TSR_ROUTER__.history.push(to), path);

/** The product does not answer this page: as when its process is gone. */
async function away(page: Page): Promise<() => Promise<void>> {
  const gone = /\/(api|healthz|assets)\b/;
  await page.route(gone, (route) => route.abort('connectionrefused'));
  return () => page.unroute(gone);
}

test('a session that ends in the middle of typing is begun again over the page, and what was typed is sent', async () => {
  const person = await app.person({ name: 'Ann Typist', admin: true });
  const id = await newPerson('In Place');
  const page = await browser.page(person, '/people?new=person');
  const form = dialog(page, 'New person');
  await field(form, 'Name').fill('Over Night');
  await endSessions(person);
  await button(form, 'Add').click();
  await signIn(page).getByText('Nothing you typed is lost.').waitFor();
  expect(await field(form, 'Name').inputValue()).toBe('Over Night');
  await signInAgain(page, person);
  await page.waitForURL(/\/people\/[0-9a-f-]{36}$/);
  expect(await named('Over Night')).toBe(1);

  // A text typed in place, and one who says not now: it stays, and goes once they have signed in.
  await page.goto(`${app.url}/people/${id}`);
  const title = field(page, 'Title');
  await title.fill('Night Clerk');
  await endSessions(person);
  await page.keyboard.press('Enter');
  await button(signIn(page), 'Cancel').click();
  await page.getByText('You’re signed out. You can’t make changes until you sign in again.').waitFor();
  expect(await title.inputValue()).toBe('Night Clerk');
  await button(page, 'Sign in').click();
  await signInAgain(page, person);
  await title.press('Enter');
  await expect.poll(() => titleOf(id), SOON).toBe('Night Clerk');

  // A composer.
  const project = await newProject(app);
  const item = await newItem(app.admin, project.key);
  await page.goto(`${app.url}/work/${project.key}/${item.key}`);
  await field(page, 'New comment').fill('Written by night');
  await endSessions(person);
  await page.getByRole('button', { name: 'Comment', exact: true }).click();
  await signInAgain(page, person);
  await page.getByRole('article').getByText('Written by night').waitFor();
  await page.close();
});

test('what is typed while the product is away is saved once it is back, and a screen that was never loaded opens then', async () => {
  const id = await newPerson('While Away');
  const page = await browser.page(app.admin, `/people/${id}`);
  const title = field(page, 'Title');
  await title.waitFor();
  const back = await away(page);
  await title.fill('Lighthouse keeper');
  await page.keyboard.press('Enter');
  await page.getByText('Your last edit is saved once it’s back.').waitFor();
  expect(await title.inputValue()).toBe('Lighthouse keeper');
  await back();
  await expect.poll(() => titleOf(id), SOON).toBe('Lighthouse keeper');
  await page.getByText('Change saved').waitFor();

  const again = await away(page);
  await page.getByRole('link', { name: 'Companies' }).click();
  await page.getByRole('heading', { name: 'Dunnock isn’t responding' }).waitFor();
  expect(await page.getByText(/upgraded/).count()).toBe(0);
  await again();
  await page.getByRole('heading', { level: 1, name: 'Companies' }).waitFor();
  await page.close();
});

test('a screen keeps what it shows, and what is typed into it, when it cannot be read again', async () => {
  const project = await newProject(app);
  const item = await newItem(app.admin, project.key);
  const page = await browser.page(app.admin, `/work/${project.key}/${item.key}`);
  await field(page, 'New comment').fill('Half a comment');
  const back = await away(page);
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
  await page.getByText('Dunnock isn’t responding. This page may be out of date. Retrying…').waitFor();
  expect(await field(page, 'New comment').inputValue()).toBe('Half a comment');
  await back();
  await page.getByText('Dunnock isn’t responding').waitFor({ state: 'detached' });
  expect(await field(page, 'New comment').inputValue()).toBe('Half a comment');
  await page.close();
});

test('a dialog with something typed asks before it closes, and Ctrl with Enter sends it', async () => {
  const page = await browser.page(app.admin, '/people?new=person');
  const form = dialog(page, 'New person');
  const question = dialog(page, 'Leave without saving?');
  const ways: (() => Promise<void>)[] = [
    () => page.keyboard.press('Escape'),
    () => form.locator('.mantine-Modal-close').click(),
    () => page.mouse.click(5, 5),
  ];
  await field(form, 'Name').fill('Half A. Name');
  for (const leave of ways) {
    await leave();
    await button(question, 'Cancel').click();
    await question.waitFor({ state: 'detached' });
    expect(await field(form, 'Name').inputValue()).toBe('Half A. Name');
  }
  await field(form, 'Title').focus();
  await page.keyboard.press('Control+Enter');
  await page.waitForURL(/\/people\/[0-9a-f-]{36}$/);
  expect(await named('Half A. Name')).toBe(1);

  await page.goto(`${app.url}/people?new=person`);
  await field(form, 'Name').fill('Given up');
  await page.keyboard.press('Escape');
  await button(question, 'Leave').click();
  await form.waitFor({ state: 'detached' });
  expect(await named('Given up')).toBe(0);
  // Nothing typed, nothing asked.
  await page.goto(`${app.url}/people?new=person`);
  await field(form, 'Name').waitFor();
  await page.keyboard.press('Escape');
  await form.waitFor({ state: 'detached' });
  await page.close();
});

/** What someone types into for good: no filter, no search. */
const WRITTEN =
  ':is(#screen, [role="dialog"]) :is(textarea, input:is(:not([type]), [type="text"], [type="url"], [type="email"])):not([role="combobox"], [readonly], [disabled], [type="search"])';
const SOUGHT = /find|filter|search/i;
const FORMS = ['person', 'item', '/settings/profile', '/companies?new=company', '/deals?new=deal'];
const MORE_FORMS = [
  '/people?new=person',
  '/campaigns?new=campaign',
  'campaign',
  '/work?new=project',
  '/workflows/new',
  '/settings/instance',
  '/settings/identities/new',
  '/settings/pipeline',
  '/settings/fields',
  '/settings/templates?new=template',
  '/settings/suppressions?new=suppression',
  '/settings/users?new=invitation',
  '/settings/domains?new=domain',
  '/settings/agents',
  '/settings/scripts',
  '/chat',
];

test.each(process.env['TEST_LONG'] === '1' ? [...FORMS, ...MORE_FORMS] : FORMS)(
  'whoever goes elsewhere in the middle of any text of %s is asked first, or finds it there again',
  async (name) => {
    const project = await newProject(app);
    const made: Record<string, () => Promise<string>> = {
      person: async () => `/people/${await newPerson('Walked By')}`,
      item: async () => `/work/${project.key}/${(await newItem(app.admin, project.key)).key}`,
      campaign: async () => `/campaigns/${(await newCampaign(app.admin)).id}?view=settings`,
    };
    const path = (await made[name]?.()) ?? name;
    const page = await browser.page(app.admin, path);
    const question = dialog(page, 'Leave without saving?');
    const fields = page.locator(WRITTEN);
    await fields.first().waitFor();
    const lost: string[] = [];
    for (let at = 0; at < (await fields.count()); at += 1) {
      const one = fields.nth(at);
      const { label, most } = await one.evaluate((it) => {
        const { ariaLabel, placeholder, labels, maxLength } = it as HTMLInputElement;
        return {
          label: [ariaLabel, labels?.[0]?.textContent, placeholder].filter(Boolean).join(' '),
          most: maxLength < 0 ? Infinity : maxLength,
        };
      });
      // No other field's, also where only two letters fit.
      const typed = `${at} typed`.slice(0, most);
      if (SOUGHT.test(label) || !(await one.isVisible())) continue;
      await one.fill(typed);
      await push(page, '/activity');
      const heading = page.getByRole('heading', { level: 1, name: 'Activity' });
      await question.or(heading).first().waitFor();
      if (await question.isVisible()) {
        await button(question, 'Cancel').click();
        await question.waitFor({ state: 'detached' });
      } else {
        await push(page, path);
        await one.waitFor();
      }
      const held = () => fields.evaluateAll((all) => all.map((it) => (it as HTMLInputElement).value));
      const there = await expect
        .poll(held, { timeout: 5_000 })
        .toContain(typed)
        .then(
          () => true,
          () => false,
        );
      if (!there) lost.push(label);
    }
    expect(lost).toEqual([]);
    await page.close();
  },
);
