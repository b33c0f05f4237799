// What people change of an item and a project in a real browser, each once: settings, fields, relations, comments, deleting; a long
// column by the keyboard; and the screens that are empty or refused.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { decide, newItem, newProject, parkedBy, read } from '../support/board.ts';
import { expectAccessible, openBrowser, SCREENS, type TestBrowser } from '../support/browser.ts';
import { openTestApp, type PersonClient, type TestApp, type TokenClient } from '../support/app.ts';

let app: TestApp;
let browser: TestBrowser;
let ben: PersonClient;
let scout: TokenClient;

beforeAll(async () => {
  app = await openTestApp({ screens: SCREENS });
  browser = await openBrowser(app);
  ben = await app.person({ name: 'Ben Okafor' });
  scout = await app.token({ name: 'scout' });
});

afterAll(async () => {
  await browser?.close();
  await app?.close();
});

/** Loopback under the load of the other test files. */
const SOON = { timeout: 60_000 };

test("a project's settings are saved: limit, labels, column titles and fields of its own", async () => {
  const project = await newProject(app);
  const page = await browser.page(app.admin, `/work/${project.key}`);
  await page.getByRole('button', { name: 'Project settings' }).click();
  const form = page.getByRole('form', { name: 'Project settings' });
  await form.getByRole('textbox', { name: 'Name' }).fill('Spring outreach');
  await form.getByRole('textbox', { name: 'Review limit' }).fill('7');
  await form.getByRole('switch', { name: 'New items need a review' }).click();
  await form.getByRole('combobox', { name: 'Labels' }).fill('list');
  await page.keyboard.press('Enter');
  await form.getByRole('textbox', { name: 'Title of To do' }).fill('Up next');
  await form.getByRole('button', { name: 'Add a field' }).click();
  await form.getByRole('textbox', { name: 'Field title' }).fill('Büro (m²)');
  await form.getByRole('combobox', { name: 'Field type' }).click();
  await page.getByRole('option', { name: 'Single choice' }).click();
  await form.getByRole('combobox', { name: 'Options' }).fill('small');
  await page.keyboard.press('Enter');
  await expectAccessible(page);
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('region', { name: 'Up next' }).waitFor();
  const saved = (await app.admin.rest('GET', `/api/work/projects/${project.key}`)).body.project;
  expect(saved).toMatchObject({
    name: 'Spring outreach',
    review_limit: 7,
    default_needs_review: true,
    labels: ['list'],
    column_titles: { todo: 'Up next' },
    custom_fields: [{ key: 'buro_m2', title: 'Büro (m²)', kind: 'select', options: ['small'] }],
  });
  await page.close();
});

test('a link, a parent, a blocker and fields of the project are set on the page of an item, and taken off', async () => {
  const project = await newProject(app, {
    custom_fields: [
      { key: 'size', title: 'Size', kind: 'select', options: ['small', 'large'] },
      { key: 'budget', title: 'Budget', kind: 'number' },
      { key: 'signed', title: 'Signed', kind: 'bool' },
    ],
  });
  const above = await newItem(app.admin, project.key, { title: 'The whole campaign' });
  const before = await newItem(app.admin, project.key, { title: 'Buy the list' });
  const item = await newItem(app.admin, project.key);
  const page = await browser.page(app.admin, `/work/${project.key}/${item.key.toLowerCase()}`);
  const fields = page.getByRole('region', { name: 'Fields', exact: true });
  const now = () => read(app.admin, item);

  await fields.getByRole('button', { name: /add a link/ }).click();
  await page.getByRole('textbox', { name: 'Address' }).fill('ftp://example.com');
  await page.keyboard.press('Enter');
  await page.getByText('The address must start with https://').waitFor();
  await page.getByRole('textbox', { name: 'Address' }).fill('https://example.com/list');
  await page.keyboard.press('Enter');
  await fields.getByRole('link', { name: 'example.com/list' }).waitFor();

  await fields.getByRole('button', { name: /^Parent/ }).click();
  await page.getByRole('textbox', { name: 'Find Parent' }).fill('whole');
  await page.getByRole('option', { name: /The whole campaign/ }).click();
  await fields.getByRole('link', { name: /The whole campaign/ }).waitFor();

  await fields.getByRole('button', { name: /^Blocked by/ }).click();
  await page.getByRole('textbox', { name: 'Find Blocked by' }).fill(before.key);
  await page.getByRole('option', { name: /Buy the list/ }).click();
  await fields.getByRole('link', { name: /Buy the list/ }).waitFor();

  await fields.getByRole('button', { name: 'Size: none' }).click();
  await page.getByRole('menuitem', { name: 'large' }).click();
  await fields.getByRole('spinbutton', { name: 'Budget' }).fill('12.5');
  await page.keyboard.press('Enter');
  // At once: what is saved first is no conflict with what is saved next.
  await fields.getByRole('switch', { name: 'Signed' }).click();
  await expect
    .poll(async () => (await now()).custom, SOON)
    .toEqual({ size: 'large', budget: 12.5, signed: true });
  await expectAccessible(page);
  await expect
    .poll(() => now())
    .toMatchObject({
      links: [{ kind: 'url', ref: 'https://example.com/list' }],
      parent_id: above.id,
      blocked_by: [before.id],
    });

  await fields.getByRole('button', { name: /^Remove the link/ }).click();
  await fields.getByRole('button', { name: `Remove ${above.key}` }).click();
  await fields.getByRole('button', { name: `Remove ${before.key}` }).click();
  await fields.getByRole('spinbutton', { name: 'Budget' }).fill('');
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await now()).custom, SOON).toEqual({ size: 'large', signed: true });
  await expect.poll(() => now()).toMatchObject({ links: [], parent_id: null, blocked_by: [] });
  await page.close();
});

test('a comment is edited and deleted by who wrote it, and an item is deleted, after a question', async () => {
  const project = await newProject(app);
  const item = await newItem(ben, project.key);
  await ben.rest('POST', `/api/work/items/${item.id}/comments`, { text: 'The list is redy.' });
  await app.admin.rest('POST', `/api/work/items/${item.id}/comments`, { text: 'Thank you.' });
  const page = await browser.page(ben, `/work/${project.key}/${item.key}`);
  const comments = async () =>
    (await ben.rest('GET', `/api/work/items/${item.id}/comments`)).body.items.map(
      (it: { text: string }) => it.text,
    );
  await page.getByText('Thank you.').waitFor();
  const tools = page.getByRole('button', { name: 'Comment actions' });
  await expect.poll(() => tools.count()).toBe(1);
  await tools.click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  // Once the menu is gone, it has not taken the focus back from the editor.
  await page.getByRole('textbox', { name: 'Comment', exact: true }).waitFor();
  await page.getByRole('menu').waitFor({ state: 'detached' });
  const label = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
  expect(await label()).toBe('Comment');
  await page.keyboard.press('Control+A');
  await page.keyboard.type('The list is ready.');
  await page.keyboard.press('Control+Enter');
  await page.getByText('The list is ready.').waitFor();
  await page.getByText('· edited').waitFor();
  await expect.poll(label).toBe('Comment actions');
  await expect.poll(() => comments()).toEqual(['The list is ready.', 'Thank you.']);
  await tools.click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect.poll(comments, SOON).toEqual(['Thank you.']);

  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expectAccessible(page);
  await page
    .getByRole('dialog')
    .getByRole('button', { name: `Delete ${item.key}` })
    .click();
  await page.waitForURL(`**/work/${project.key}`);
  expect((await ben.rest('GET', `/api/work/items/${item.id}`)).status).toBe(404);
  await page.goto(`${app.url}/work/${project.key}/${item.key}`);
  await page.getByText(`You can’t view ${item.key}`).waitFor();
  await page.close();
});

test('in a long column the focus walks on to cards that were not in the page, and stays through change notifications', async () => {
  const project = await newProject(app);
  await app.sql`
    insert into work_items (id, project_id, number, title, status, priority, author_kind, author_id, author_name, needs_review,
        position, created_at, updated_at, search)
    select gen_random_uuid(), ${project.id}, n, 'Card ' || n, 'todo', 'none', 'person', 'x', 'X', false, n * 1024, now(), now(), ''
    from generate_series(1, 90) n`;
  await app.sql`update work_projects set next_number = 91 where id = ${project.id}`;
  const page = await browser.page(app.admin, `/work/${project.key}`);
  await page.getByText('Card 1', { exact: true }).waitFor();
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  for (let n = 1; n <= 60; n += 1) {
    await page.keyboard.press('j');
    await expect.poll(focused, { interval: 5 }).toBe(`Card ${n}`);
  }
  await newItem(scout, project.key, { status: 'todo', title: 'Come meanwhile' });
  await expect
    .poll(
      () => page.getByRole('region', { name: 'To do', exact: true }).locator('header').textContent(),
      SOON,
    )
    .toContain('91');
  await expect.poll(() => focused()).toBe('Card 60');
  // Carried up and down, it keeps the focus too.
  await page.keyboard.press('Shift+ArrowUp');
  await expect.poll(focused, SOON).toBe('Card 60');
  await page.keyboard.press('k');
  await expect.poll(focused, SOON).toBe('Card 58');
  await page.close();
});

test('the menu of moves foretells that done will wait, and a move to done is seen to wait at once', async () => {
  const project = await newProject(app, { default_needs_review: true });
  const item = await newItem(app.admin, project.key, { status: 'todo', title: 'Needs a look' });
  await scout.tool('work_claim', { item_id: item.id });
  const page = await browser.page(app.admin, `/work/${project.key}`);
  const card = page.locator('article', { hasText: item.key });
  await card.getByTitle('Claimed by scout on behalf of Ada Operator').waitFor();
  await card.getByTitle('Requires approval before it’s done').waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('m');
  await page.getByRole('menuitem', { name: /Done.*asks for a review first/ }).waitFor();
  await expectAccessible(page);
  await page.keyboard.press('5');
  await page.getByRole('region', { name: 'In review', exact: true }).locator('article').waitFor();
  await expect.poll(async () => (await read(app.admin, item)).status, SOON).toBe('in_review');
  await page.close();
});

test('who reviews again sees what it was sent back with, whom the agent acts for, and what was decided before', async () => {
  const project = await newProject(app);
  const { item, approval_id } = await parkedBy(scout, project.key);
  await decide(ben, approval_id, 'return', { note: 'Two of the ten are missing.' });
  const { revision } = await read(app.admin, item);
  await scout.tool('work_update', { item_id: item.id, revision, description: 'All ten now.' });
  await scout.tool('work_move', { item_id: item.id, status: 'done' });
  const page = await browser.page(ben, `/approvals?project=${project.key}`);
  const since = page.getByRole('region', { name: 'Since it was returned' });
  await since.getByText('Ben Okafor returned it').waitFor();
  await since.getByText('Two of the ten are missing.').waitFor();
  await since.getByText('wrote the description').waitFor();
  await page
    .getByText('scout, on behalf of Ada Operator, marked this as finished.', { exact: false })
    .waitFor();
  await expect.poll(() => page.getByText('Two of the ten are missing.').count()).toBe(1);
  await page.getByRole('button', { name: 'Open item' }).click();
  await page.getByRole('heading', { level: 1, name: item.title }).waitFor();
  await page.getByRole('region', { name: 'Earlier decisions' }).getByText('Returned').waitFor();
  await expectAccessible(page);
  await page.close();
});

test('an empty queue says what will come to it, and a board that is not yours says so', async () => {
  const project = await newProject(app);
  const eve = await app.person({ name: 'Eve Roe', projects: [] });
  const page = await browser.page(eve, '/approvals');
  await page.getByText('You’re all caught up').waitFor();
  await expectAccessible(page);
  for (const path of [`/work/${project.key}`, `/work/${project.key}/${project.key}-1`]) {
    await page.goto(app.url + path);
    await page.getByText(/isn’t on your board|You can’t view/).waitFor();
    await expectAccessible(page);
  }
  await page.goto(`${app.url}/work`);
  await page.getByText('No projects on your board').waitFor();
  await page.close();
});

test('quick add puts one item after another on top, and the projects count it', async () => {
  const project = await newProject(app);
  await newItem(app.admin, project.key, { title: 'There before' });
  const page = await browser.page(app.admin, `/work/${project.key}`);
  const column = page.getByRole('region', { name: 'Backlog', exact: true });
  await column.getByText('There before').waitFor();
  await page.getByRole('button', { name: 'Add to Backlog' }).click();
  for (const title of ['One', 'Two']) {
    await page.getByRole('textbox', { name: 'Title of the new item' }).fill(title);
    await page.keyboard.press('Enter');
    await column.getByText(title, { exact: true }).waitFor();
  }
  await expect
    .poll(() => column.locator('article [data-card-link]').allTextContents(), SOON)
    .toEqual(['Two', 'One', 'There before']);
  await page.goto(`${app.url}/work`);
  await page
    .getByRole('link', { name: new RegExp(project.key) })
    .getByTitle('Backlog: 3')
    .waitFor();
  await page.close();
});
