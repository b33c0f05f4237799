// Today in a real browser: empty and calm, full, worked by the keyboard alone, in place and by the operations that do it
// everywhere, and following what others do.
import type { Page } from '@playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { move, newItem, newProject, read } from '../support/board.ts';
import { expectAccessibleInEveryLook, openBrowser, SCREENS, type TestBrowser } from '../support/browser.ts';
import { openTestApp, type TestApp, type TokenClient } from '../support/app.ts';
import { aTalk, inboxDesk, type InboxDesk } from '../support/inbox.ts';
import { aLetter, O, readSend } from '../support/letters.ts';

let app: TestApp;
let browser: TestBrowser;
let desk: InboxDesk;
let agent: TokenClient;
let project: { key: string };

beforeAll(async () => {
  app = await openTestApp({ screens: SCREENS });
  browser = await openBrowser(app);
});

afterAll(async () => {
  await browser?.close();
  await app?.close();
});

const SOON = { timeout: 60_000 };
const state = async (id: string) => (await readSend(app.admin, id)).send.state;
const rowOf = (page: Page, title: string) => page.getByRole('button', { name: title, expanded: false });
const openRow = (page: Page, title: string) => page.getByRole('button', { name: title, expanded: true });
const needs = (page: Page) => page.getByRole('region', { name: /Needs you/ });
const parked = async (title: string) => {
  const item = await newItem(agent, project.key, { title });
  expect((await move(agent, item, 'done')).status).toBe(200);
  return item;
};
const uncertain = async (name: string) => {
  const { send_id } = await aLetter(app, desk.campaign, name);
  await app.sql`update sends set state = 'uncertain', sending_at = ${app.clock.now()} where id = ${send_id}`;
  return send_id;
};

test('whoever signs in and has nothing to do lands on a calm Today', async () => {
  const page = await browser.page(app.admin, '/');
  await page.getByRole('heading', { name: 'You’re all caught up, Ada' }).waitFor();
  await expectAccessibleInEveryLook(page);
  await page.close();
});

test('a full Today is worked from top to bottom by the keyboard alone', async () => {
  desk = await inboxDesk(app);
  agent = await app.token({ name: 'scout' });
  project = await newProject(app, { name: 'Autumn letters' });
  const first = await parked('List the bridges of Ghent');
  const second = await parked('Write to the city of Ghent');
  const talk = await aTalk(app, desk, 'Dana Roe');
  await talk.writes({ reading: { reading: 'positive', by: 'rule' } });
  const ann = (await aLetter(app, desk.campaign, 'Ann One')).send_id;
  const ben = (await aLetter(app, desk.campaign, 'Ben Two')).send_id;
  const gus = await uncertain('Gus Uncertain');
  const later = (await aLetter(app, desk.campaign, 'Tim Later')).send_id;
  const until = new Date(app.clock.now().getTime() + 7_200_000);
  await app.sql`
    update sends set state = 'scheduled', scheduled_for = ${app.clock.now()}, not_before = ${until},
      waiting_for = 'outside_window' where id = ${later}`;
  const lost = (await aLetter(app, desk.campaign, 'Held Back')).send_id;
  await app.sql`
    update sends set state = 'held', hold_reason = 'suppressed', held_at = ${app.clock.now()} where id = ${lost}`;
  await app.sql`
    insert into event_deliveries (id, event, occurred_at, body, next_attempt_at, state, attempts, last_status)
    values (gen_random_uuid(), 'reply.landed', now(), '{}', null, 'failed', 4, 500)`;

  const page = await browser.page(app.admin, '/');
  // A yes is worth most: it comes first, and answering it is the first thing offered.
  await openRow(page, 'Dana Roe').waitFor();
  await page
    .getByRole('region', { name: /Broken/ })
    .getByText('reply.landed')
    .waitFor();
  await page
    .getByRole('region', { name: /Scheduled/ })
    .getByText('1 letter is scheduled')
    .waitFor();
  await expectAccessibleInEveryLook(page);
  await page.setViewportSize({ width: 1440, height: 900 });

  await page.getByLabel('Numbers of the day').getByText('Positive replies').waitFor();
  await page.getByRole('article', { name: 'Their message' }).waitFor();
  expect(await page.locator('li[data-open] > div button').first().textContent()).toContain('Answer');
  await page.keyboard.press('s');
  await page.getByRole('menuitem', { name: /^In a week/ }).waitFor();
  await page.getByRole('menuitem', { name: /^Tomorrow/ }).press('Enter');
  await expect
    .poll(async () => (await app.admin.rest('GET', `/api/threads/${talk.id}`)).body.thread.state, SOON)
    .toBe('snoozed');

  await openRow(page, 'List the bridges of Ghent').waitFor();
  await page.keyboard.press('a');
  await expect.poll(async () => (await read(app.admin, first)).status, SOON).toBe('done');
  await openRow(page, 'Write to the city of Ghent').waitFor();
  await page.keyboard.press('r');
  await page.getByLabel('What’s missing? scout will see this note.').waitFor();
  await page.keyboard.type('Which office?');
  await page.keyboard.press('Control+Enter');
  await expect.poll(async () => (await read(app.admin, second)).status, SOON).toBe('in_progress');

  // What is approved is whole before whoever approves it.
  await openRow(page, 'Ann One').waitFor();
  await page
    .getByRole('article', { name: /Letter to/ })
    .getByText('Dear Ann One')
    .waitFor();
  await page.keyboard.press('a');
  await expect.poll(() => state(ann), SOON).toBe('scheduled');
  await openRow(page, 'Ben Two').waitFor();
  await page.keyboard.press('r');
  await page.getByLabel('What should change?').waitFor();
  await expectAccessibleInEveryLook(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.keyboard.press('Escape');
  await openRow(page, 'Ben Two').waitFor();
  await page.keyboard.press('j');
  await openRow(page, 'Gus Uncertain').waitFor();
  await page.keyboard.press('y');
  await page.getByRole('dialog').getByRole('button', { name: 'Mark as sent' }).waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Mark as sent' }).press('Enter');
  await expect.poll(() => state(gus), SOON).toBe('sent');

  await page.getByText('1 letter is held').waitFor();
  await page.keyboard.press('k');
  await openRow(page, 'Ben Two').waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/review?open=${ben}`);
  // Back leads to the row that was left, also where it is not the first.
  await page.goBack();
  await openRow(page, 'Ben Two').waitFor();
  await page.keyboard.press('j');
  await page.getByText('1 letter is held').waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/sends?state=held**');
  await page.goBack();
  await openRow(page, '1 letter is held').waitFor();
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-key')), SOON)
    .toBe('held:suppressed');
  await page.close();
});

test('what others do shows at once, and what is being read stays', async () => {
  const page = await browser.page(app.admin, '/');
  await openRow(page, 'Ben Two').waitFor();
  const { send_id } = await aLetter(app, desk.campaign, 'Cleo Three');
  // It was laid without an act, so no one told of it.
  app.instance.app.database.tell([{ topic: 'sends', id: send_id }]);
  await rowOf(page, 'Cleo Three').waitFor();
  // Someone else approves the one that is open here: it stays, and nothing can be done to it any more.
  const [row] = (await app.admin.rest('GET', '/api/today')).body.sections.find(
    ({ name }: { name: string }) => name === 'review',
  ).rows;
  await app.admin.rest('POST', `${O}/sends/${row.id}/approve`, { fingerprint: row.act.fingerprint });
  await page.getByText('Already handled').waitFor();
  await openRow(page, 'Ben Two').waitFor();
  await page.keyboard.press('a');
  await page.keyboard.press('j');
  await openRow(page, 'Cleo Three').waitFor();
  expect(await state(send_id)).toBe('review');
  // It says something else by now: approving what was read is refused in a sentence, and the row is back.
  await page.route('**/api/today**', (route) => route.abort());
  const { send } = await readSend(app.admin, send_id);
  await app.admin.rest('PATCH', `${O}/sends/${send_id}`, { revision: send.revision, subject: 'Another' });
  await page.keyboard.press('a');
  await page.getByRole('alert').first().waitFor();
  await needs(page).getByText('Cleo Three').first().waitFor();
  expect(await state(send_id)).toBe('review');
  await page.close();
});

test('a yes is answered in place, and for ten seconds the reply can be undone', async () => {
  const talk = await aTalk(app, desk, 'Eve Yes');
  await talk.writes({ text: 'Gladly. When do we meet?', reading: { reading: 'positive', by: 'rule' } });
  const replies = async (): Promise<{ state: string; text: string }[]> =>
    (await app.admin.rest('GET', `/api/threads/${talk.id}/answers`)).body.items;
  const page = await browser.page(app.admin, '/');
  await openRow(page, 'Eve Yes').waitFor();
  await page.getByText('Gladly. When do we meet?').waitFor();
  await page.keyboard.press('r');
  await page.getByLabel('Your reply').pressSequentially('On Tuesday at ten.');
  await expectAccessibleInEveryLook(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByLabel('Your reply').press('Control+Enter');
  await page.getByText(/^Sending reply to /).waitFor();
  expect(await openRow(page, 'Eve Yes').count()).toBe(0);
  expect((await replies()).map(({ text }) => text)).toEqual(['On Tuesday at ten.']);
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect.poll(async () => (await replies()).map(({ state: at }) => at), SOON).toEqual(['draft']);
  await openRow(page, 'Eve Yes').waitFor();
  const { thread } = (await app.admin.rest('GET', `/api/threads/${talk.id}`)).body;
  await app.admin.rest('PATCH', `/api/threads/${talk.id}`, { revision: thread.revision, state: 'closed' });
  await page.close();
});

test('a person who may not read letters sees no letters and no pile of them', async () => {
  const member = await app.person({ name: 'Ben Okafor' });
  const page = await browser.page(member, '/');
  await page.getByRole('heading', { name: 'You’re all caught up, Ben' }).waitFor();
  expect(await page.getByText('Cleo Three').count()).toBe(0);
  await page.close();
});

test('on a phone it is worked with the thumb', async () => {
  const page = await browser.page(app.admin, '/', { width: 375 });
  const gone = await parked('Call the bridge keeper');
  await rowOf(page, 'Call the bridge keeper').or(openRow(page, 'Call the bridge keeper')).waitFor();
  if ((await rowOf(page, 'Call the bridge keeper').count()) > 0)
    await rowOf(page, 'Call the bridge keeper').click();
  await page.getByRole('button', { name: 'Approve', exact: true }).click();
  await expect.poll(async () => (await read(app.admin, gone)).status, SOON).toBe('done');
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(375);
  await page.close();
});
