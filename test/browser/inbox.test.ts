// The inbox in a real browser: worked by the keyboard, answers that are sent and undone, mail that comes in while one reads,
// many conversations at once, and mail that means harm.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  expectAccessibleCrosswise,
  expectAccessibleInEveryLook,
  openBrowser,
  SCREENS,
  type TestBrowser,
} from '../support/browser.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { aTalk, inboxDesk, type InboxDesk, type Talk } from '../support/inbox.ts';

let app: TestApp;
let browser: TestBrowser;
let desk: InboxDesk;
beforeAll(async () => {
  app = await openTestApp({ screens: SCREENS });
  browser = await openBrowser(app);
});
afterAll(async () => {
  await browser?.close();
  await app?.close();
});
beforeEach(async () => {
  // What the page before asked for last may still be under way, and hold what this wants.
  const empty = () => app.sql`truncate threads, sends, prospects, campaigns, people cascade`;
  await empty().catch(empty);
  desk = await inboxDesk(app);
});

/** Loopback under the load of the other test files. */
const SOON = { timeout: 60_000 };
let page: Page;
afterEach(async () => page?.close());

const ask = async (method: string, path: string, body?: object): Promise<any> => {
  const answer = await app.admin.rest(method, path, body);
  expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  return answer.body;
};
const threadOf = async (id: string) => (await ask('GET', `/api/threads/${id}`)).thread;
const answersOf = async (id: string) => (await ask('GET', `/api/threads/${id}/answers`)).items;
const talk = (name: string) => page.getByRole('article', { name: `Conversation with ${name}` });
const rows = () => page.getByRole('list', { name: 'Conversations' }).getByRole('link');
const row = (name: string) => rows().filter({ hasText: name });
const reply = () => page.getByLabel('Your reply');
const shot = async (name: string): Promise<void> => {
  const shots = process.env['SHOTS'];
  if (shots) await page.screenshot({ path: `${shots}/${name}.png` });
};

test('conversations are read, corrected, given, labelled, put off and closed by the keyboard alone', async () => {
  const dana = await aTalk(app, desk, 'Dana Roe');
  await dana.writes({ text: 'What does it cost?' });
  const ben = await aTalk(app, desk, 'Ben Two');
  await ben.writes({ text: 'Please ask my colleague.' });
  const cleo = await aTalk(app, desk, 'Cleo Three');
  await cleo.writes({ text: 'Not now, thank you.' });
  page = await browser.page(app.admin, '/inbox');
  await page.getByText('3 conversations need a reply').waitFor();
  await page.getByRole('navigation', { name: 'Main' }).getByText('3 waiting').waitFor();
  // Nothing was opened, so nothing was read.
  expect((await threadOf(dana.id)).unread_by_me).toBe(true);
  await expectAccessibleInEveryLook(page);
  await page.setViewportSize({ width: 1440, height: 900 });

  await page.keyboard.press('j');
  await talk('Dana Roe').getByText('What does it cost?').waitFor();
  await expect.poll(async () => (await threadOf(dana.id)).unread_by_me, SOON).toBe(false);
  await page.getByRole('region', { name: 'Campaign' }).getByText('Bridges of Ghent').waitFor();
  await page.keyboard.press('u');
  await expect.poll(async () => (await threadOf(dana.id)).unread_by_me, SOON).toBe(true);
  await expectAccessibleInEveryLook(page);
  await page.setViewportSize({ width: 1440, height: 900 });

  await page.keyboard.press('l');
  await page.getByRole('menu', { name: /^Reading/ }).waitFor();
  await expectAccessibleCrosswise(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.keyboard.press('1');
  await expect.poll(async () => (await threadOf(dana.id)).reading, SOON).toBe('positive');
  await row('Dana Roe').getByText('Positive').waitFor();

  await page.keyboard.press('a');
  await page.getByRole('menu', { name: 'Unassigned' }).waitFor();
  await page.keyboard.press('1');
  await expect.poll(async () => (await threadOf(dana.id)).assignee?.name, SOON).toBe('Ada Operator');

  await page.keyboard.press('t');
  await page.getByLabel('New label').fill('prices');
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await threadOf(dana.id)).labels, SOON).toEqual(['prices']);

  await page.keyboard.press('s');
  await page.getByRole('menu', { name: 'Snooze' }).waitFor();
  await page.keyboard.press('2');
  await page.getByText('Snoozed: Dana Roe').waitFor();
  await expect.poll(async () => (await threadOf(dana.id)).state, SOON).toBe('snoozed');
  await talk('Ben Two').waitFor();
  await expect.poll(() => row('Dana Roe').count(), SOON).toBe(0);

  await page.keyboard.press('e');
  await page.getByText('Closed: Ben Two').waitFor();
  await talk('Cleo Three').waitFor();
  await expect.poll(async () => (await threadOf(ben.id)).state, SOON).toBe('closed');
  await page.keyboard.press('z');
  await expect.poll(async () => (await threadOf(ben.id)).state, SOON).toBe('open');
  await row('Ben Two').waitFor();

  await page.keyboard.press('n');
  await page.getByLabel('Private note').last().fill('Ask him again in spring.');
  await page.keyboard.press('Control+Enter');
  await talk('Cleo Three').getByText('Ask him again in spring.').waitFor();
  await page.getByRole('button', { name: 'Private note' }).first().waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog').getByText('Correct reading').waitFor();
});

test('an answer is kept while it is written, sent as it was read, and undone within ten seconds', async () => {
  const dana = await aTalk(app, desk, 'Dana Roe');
  await dana.writes({ text: 'What does it cost?' });
  await ask('POST', '/api/snippets', { name: 'Price list', text: 'Here is what it costs.' });
  page = await browser.page(app.admin, `/inbox?open=${dana.id}`);
  await talk('Dana Roe').getByText('What does it cost?').waitFor();
  await page.keyboard.press('r');
  await page.keyboard.type('Dear Dana, ');
  await page.getByRole('button', { name: 'Saved replies' }).click();
  await page.getByRole('button', { name: 'Price list Here is what it costs.' }).click();
  await expect.poll(() => reply().inputValue(), SOON).toBe('Dear Dana, Here is what it costs.');
  await expect
    .poll(async () => (await answersOf(dana.id))[0]?.text, SOON)
    .toBe('Dear Dana, Here is what it costs.');
  await expectAccessibleCrosswise(page);
  await page.setViewportSize({ width: 1440, height: 900 });

  // Whoever comes back finds it as it was left, and the keys walk the list.
  await page.reload();
  await expect.poll(() => reply().inputValue(), SOON).toBe('Dear Dana, Here is what it costs.');
  await page.keyboard.press('r');
  await page.keyboard.press('Control+Enter');
  await page.getByText(`Sending reply to ${dana.person.address}`).waitFor();
  expect((await answersOf(dana.id))[0]).toMatchObject({ state: 'sending', can_take_back: true });
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await expect.poll(async () => (await answersOf(dana.id))[0]?.state, SOON).toBe('draft');
  await expect.poll(() => reply().inputValue(), SOON).toBe('Dear Dana, Here is what it costs.');

  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByRole('list', { name: 'Unsent replies' }).getByText('Sending').waitFor();
});

test('Escape leads from an answer back to where it was begun, and r back into its words', async () => {
  const dana = await aTalk(app, desk, 'Dana Roe');
  await dana.writes({ text: 'What does it cost?' });
  page = await browser.page(app.admin, '/inbox');
  await row('Dana Roe').waitFor();
  await page.keyboard.press('j');
  await talk('Dana Roe').getByText('What does it cost?').waitFor();
  const at = () =>
    page.evaluate(() => document.activeElement?.closest('[data-id], [aria-label]')?.ariaLabel ?? 'the row');
  // Begun by its button, which is gone, it leads to what is answered.
  await page.getByRole('button', { name: /^Reply/ }).click();
  await reply().waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(at, SOON).toBe('Messages');
  await page.keyboard.press('j');
  await page.keyboard.press('n');
  await page.keyboard.press('Escape');
  await expect.poll(at, SOON).toBe('the row');
  for (const words of ['Two hundred', ' a metre']) {
    await page.keyboard.press('r');
    await page.keyboard.type(words);
    await page.keyboard.press('Escape');
    await expect.poll(at, SOON).toBe('the row');
  }
  expect(await reply().inputValue()).toBe('Two hundred a metre');

  // On a phone the row is out of sight, and the focus goes on from it to what is seen; from there it was begun.
  await page.setViewportSize({ width: 375, height: 740 });
  await row('Dana Roe').waitFor({ state: 'hidden' });
  await expect.poll(at, SOON).toBe('Back to list');
  await page.keyboard.press('r');
  await page.keyboard.press('Escape');
  await expect.poll(at, SOON).toBe('Back to list');
  await page.getByText('Draft saved').waitFor();
  await page.keyboard.press('Escape');
  await row('Dana Roe').waitFor();
});

test('an answer shows what it quotes and carries, and both are taken off and put back', async () => {
  const dana = await aTalk(app, desk, 'Dana Roe');
  await dana.writes({ text: 'What does it cost?' });
  page = await browser.page(app.admin, `/inbox?open=${dana.id}`);
  await talk('Dana Roe').getByText('What does it cost?').waitFor();
  await page.keyboard.press('r');
  await reply().fill('Two hundred.');
  const draft = async () => (await answersOf(dana.id))[0];
  const summary = page.getByText('Quoted message');
  await summary.focus();
  await page.keyboard.press('Enter');
  await page.getByText('> What does it cost?').waitFor();

  const box = page.getByRole('region', { name: 'Reply', exact: true });
  const file = { name: 'Terms.txt', mimeType: 'text/plain', buffer: Buffer.from('the terms') };
  await box.locator('input[type=file]').setInputFiles([file, { ...file, name: 'More.txt' }]);
  const files = box.getByRole('list', { name: 'Attachments' });
  await files.getByRole('link', { name: 'More.txt' }).waitFor();
  await files.getByText('9 bytes').first().waitFor();
  await expect.poll(async () => (await draft())?.attachments?.length, SOON).toBe(2);
  await shot('answer-carries');
  await expectAccessibleCrosswise(page);
  await shot('answer-carries-narrow');
  await page.setViewportSize({ width: 1440, height: 900 });
  await files.getByRole('button', { name: 'Remove More.txt' }).press('Enter');
  await expect.poll(async () => (await draft()).attachments.length, SOON).toBe(1);

  await box.getByRole('button', { name: 'Remove quote' }).press('Enter');
  await expect.poll(async () => (await draft()).letter.text, SOON).not.toContain('What does it cost?');
  await box.getByRole('button', { name: 'Quote their message' }).press('Enter');
  await expect.poll(async () => (await draft()).letter.quoted, SOON).toContain('> What does it cost?');
  // What is kept is there for whoever comes back.
  await page.reload();
  await files.getByRole('link', { name: 'Terms.txt' }).waitFor();
  await summary.waitFor();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect.poll(async () => (await draft()).state, SOON).toBe('sending');
});

test('what they wrote meanwhile is shown, the draft is kept, and nothing goes before it was read', async () => {
  const dana = await aTalk(app, desk, 'Dana Roe');
  await dana.writes({ text: 'What does it cost?' });
  page = await browser.page(app.admin, `/inbox?open=${dana.id}`);
  await talk('Dana Roe').getByText('What does it cost?').waitFor();
  await page.keyboard.press('r');
  await reply().fill('Two hundred.');
  await page.getByText('Draft saved').waitFor();
  await dana.writes({ text: 'Forget it, we have one.' });
  await talk('Dana Roe').getByText('Forget it, we have one.').waitFor();
  await page.getByText('A new message arrived').waitFor();
  await page.keyboard.press('Control+Enter');
  await expect.poll(() => reply().inputValue()).toBe('Two hundred.');
  expect((await answersOf(dana.id))[0].state).toBe('draft');
  await page.getByRole('button', { name: 'I’ve read it' }).click();
  await expect.poll(() => page.getByText('A new message arrived').count(), SOON).toBe(0);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect.poll(async () => (await answersOf(dana.id))[0].state, SOON).toBe('sending');
});

test('mail that comes in moves nothing that is read: a line says that it is there', async () => {
  const dana = await aTalk(app, desk, 'Dana Roe');
  for (let n = 0; n < 6; n += 1) await dana.writes({ text: `Question ${n}\n${'More of it.\n'.repeat(30)}` });
  const ben = await aTalk(app, desk, 'Ben Two');
  await ben.writes();
  page = await browser.page(app.admin, `/inbox?state=all&open=${dana.id}`);
  await talk('Dana Roe').getByText('Question 5').first().waitFor();
  const scroll = page.getByRole('group', { name: 'Messages' });
  await scroll.evaluate((box) => box.scrollTo({ top: box.scrollTop + 40 }));
  const before = await scroll.evaluate((box) => box.scrollTop);
  const order = await rows().allInnerTexts();
  expect(order[0]).toContain('Ben Two');

  await dana.writes({ text: 'One more thing.' });
  await talk('Dana Roe').getByRole('button', { name: '1 new' }).waitFor();
  expect(await scroll.evaluate((box) => box.scrollTop)).toBe(before);
  expect((await rows().allInnerTexts())[0]).toContain('Ben Two');
  await talk('Dana Roe').getByRole('button', { name: '1 new' }).click();
  await talk('Dana Roe').getByText('One more thing.').waitFor();
  await expect.poll(async () => (await threadOf(dana.id)).unread_by_me, SOON).toBe(false);

  const cleo = await aTalk(app, desk, 'Cleo Three');
  await cleo.writes();
  await page.getByRole('region', { name: 'Conversations' }).getByRole('button', { name: '1 new' }).click();
  await expect.poll(async () => (await rows().allInnerTexts())[0], SOON).toContain('Cleo Three');
});

test('many conversations are labelled and closed at once, and opened again', async () => {
  const names = ['Ann One', 'Ben Two', 'Cleo Three', 'Dan Four'];
  const talks: Talk[] = [];
  for (const name of names) {
    const one = await aTalk(app, desk, name);
    await one.writes();
    talks.push(one);
  }
  page = await browser.page(app.admin, '/inbox');
  await row('Ann One').waitFor();
  await page.getByRole('checkbox', { name: 'Select conversation with Ann One' }).check();
  await page.getByRole('checkbox', { name: 'Select conversation with Cleo Three' }).check();
  const bulk = page.getByRole('region', { name: 'Selected conversations' });
  await bulk.getByText('2 selected').waitFor();
  // Its box is of the row: keys go on from there, and act on it.
  await page.keyboard.press('x');
  await bulk.getByText('1 selected').waitFor();
  await page.keyboard.press('x');
  await bulk.getByText('2 selected').waitFor();
  await expectAccessibleCrosswise(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await bulk.getByRole('button', { name: 'Label' }).click();
  await page.getByLabel('New label').fill('autumn');
  await page.keyboard.press('Enter');
  await expect
    .poll(async () => Promise.all(talks.map(async ({ id }) => (await threadOf(id)).labels.length)), SOON)
    .toEqual([1, 0, 1, 0]);
  await bulk.getByRole('button', { name: 'Close' }).click();
  await page.getByText('Closed: 2 conversations').waitFor();
  await expect
    .poll(async () => Promise.all(talks.map(async ({ id }) => (await threadOf(id)).state)), SOON)
    .toEqual(['closed', 'open', 'closed', 'open']);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => rows().count(), SOON).toBe(4);
});

const harm = (there: string): string => `
<p id="said">Read this</p>
<script>fetch('${there}/script')</script>
<img src="${there}/pixel.gif" onerror="fetch('${there}/onerror')">
<svg onload="fetch('${there}/svg')"><image href="${there}/svg.png"/></svg>
<a id="js" href="javascript:fetch('${there}/js')">Here</a>
<a id="out" href="${there}/out">There</a>
<form id="form" action="${there}/form" method="post"><button>Send</button></form>
<style>@import url(${there}/style.css); body { background: url(${there}/bg.png) }</style>
<link rel="stylesheet" href="${there}/link.css"><meta http-equiv="refresh" content="0;url=${there}/meta">
<iframe src="${there}/frame"></iframe><video src="${there}/video" autoplay></video>`;

test('mail that means harm asks no one outside for anything, whatever is clicked in it', async () => {
  const asked: string[] = [];
  const outside = createServer((request, answer) => {
    asked.push(request.url ?? '');
    answer.end();
  });
  await new Promise<void>((open) => outside.listen(0, '127.0.0.1', open));
  const there = `http://127.0.0.1:${(outside.address() as AddressInfo).port}`;
  const eve = await aTalk(app, desk, 'Eve Five');
  // As it would be if every cleaning had failed: the frame alone holds it.
  await eve.writes({ text: 'Read this', html: harm(there), subject: '<img src=x onerror=alert(1)>' });
  page = await browser.page(app.admin, `/inbox?open=${eve.id}`, { fresh: true });
  page.on('dialog', (dialog) => asked.push(dialog.message()));
  await talk('Eve Five').getByRole('button', { name: 'Show formatting' }).click();
  const mail = talk('Eve Five').frameLocator('iframe');
  await mail.getByText('Read this').waitFor();
  for (const click of ['#js', '#out', '#form button'])
    await mail
      .locator(click)
      .click({ timeout: 3_000, noWaitAfter: true })
      .catch(() => undefined);
  await page.waitForTimeout(1_500);
  expect(asked).toEqual([]);
  expect(page.context().pages()).toHaveLength(1);
  await expectAccessibleCrosswise(page);

  // Anywhere else the same mail does ask.
  const bare = await page.context().newPage();
  await bare.setContent(harm(there), { waitUntil: 'commit' }).catch(() => undefined);
  await expect.poll(() => asked.includes('/pixel.gif'), SOON).toBe(true);
  outside.closeAllConnections();
  await new Promise((closed) => outside.close(closed));
});

test('what they quoted is folded, files are saved and never opened, and what a machine wrote says so', async () => {
  const fay = await aTalk(app, desk, 'Fay Six');
  await fay.writes({
    text: 'Until Monday.\n\n> Dear Fay, we saw your bridge.',
    text_stripped: 'Until Monday.',
    automatic: true,
    reading: { reading: 'out_of_office', by: 'rule', details: { returns_on: '2026-12-01' } },
    attachments: [
      { filename: 'plan.html', content_type: 'text/html', size: 9, bytes: Buffer.from('<b>x</b>') },
    ],
  });
  page = await browser.page(app.admin, `/inbox?state=all&open=${fay.id}`);
  await talk('Fay Six').getByText('Automatic').waitFor();
  await talk('Fay Six').getByText('2026-12-01').waitFor();
  expect(await talk('Fay Six').getByText('> Dear Fay').count()).toBe(0);
  await talk('Fay Six').getByRole('button', { name: 'Show quoted text' }).click();
  await talk('Fay Six').getByText('> Dear Fay').waitFor();
  const saved = page.waitForEvent('download');
  await talk('Fay Six').getByRole('link', { name: 'plan.html' }).click();
  expect((await saved).suggestedFilename()).toBe('plan.html');
});

test('conversations with one person are merged, and messages split off again', async () => {
  const gus = await aTalk(app, desk, 'Gus Seven');
  await gus.writes({ text: 'About the bridge.' });
  const { thread: call } = await ask('POST', '/api/threads', {
    person: gus.person.id,
    channel: 'call',
    direction: 'in',
    text: 'He called about it.',
  });
  page = await browser.page(app.admin, `/inbox?state=all&open=${gus.id}`);
  await page.getByRole('button', { name: /^Merge .* into this one$/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Merge' }).click();
  await talk('Gus Seven').getByText('He called about it.').first().waitFor();
  expect((await threadOf(call.id)).id).toBe(gus.id);
  await talk('Gus Seven').getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Split off messages' }).click();
  await page
    .getByRole('checkbox', { name: /^Select message/ })
    .last()
    .check();
  await page.getByRole('button', { name: 'Split off', exact: true }).click();
  await expect.poll(async () => (await threadOf(gus.id)).touch_count, SOON).toBe(2);
});

test('on a phone one thing is shown at a time, and the search finds what was said', async () => {
  const hal = await aTalk(app, desk, 'Hal Eight');
  await hal.writes({ text: 'The estuary floods in spring.' });
  page = await browser.page(app.admin, '/inbox', { width: 375 });
  await row('Hal Eight').click();
  await talk('Hal Eight').getByText('The estuary floods').waitFor();
  expect(await rows().first().isVisible()).toBe(false);
  await page.getByRole('button', { name: 'About this person' }).click();
  await page.getByRole('region', { name: 'Person' }).getByText(hal.person.address).waitFor();
  expect(await talk('Hal Eight').isVisible()).toBe(false);
  await expectAccessibleCrosswise(page);
  await page.setViewportSize({ width: 375, height: 740 });
  await page.getByRole('button', { name: 'Back to the conversation' }).click();
  await page.getByRole('button', { name: 'Back to list' }).click();
  await page.getByLabel('Search messages').fill('estuary');
  await page.keyboard.press('Enter');
  await page.getByRole('list', { name: 'Found messages' }).getByText('The estuary floods').waitFor();
  await expectAccessibleCrosswise(page);
});

test('the list follows the selection, also where only the rows in sight are in the page', async () => {
  await app.sql`
    insert into threads (id, channel, kind, subject, waiting, waiting_since, last_touch_at, last_in_at, landed_at, snippet, touches,
      created_at, updated_at)
    select gen_random_uuid(), 'email', 'conversation', 'Bridge ' || n, 'us', now() - n * interval '1 minute', now(), now(), now(),
      'Hello', 1, now(), now() from generate_series(1, 120) n`;
  page = await browser.page(app.admin, '/inbox');
  await rows().first().waitFor();
  /** How far the row that is open reaches out of its list, and which one it is. */
  const seen = () =>
    page.evaluate(() => {
      const here = document.querySelector('[data-here][data-id]');
      const [row, box] = [here, here?.closest('ul')?.parentElement].map((one) =>
        one?.getBoundingClientRect(),
      );
      if (!row || !box) return 'nowhere';
      return row.top >= box.top - 1 && row.bottom <= box.bottom + 1 ? 'in sight' : 'out of sight';
    });
  const at = () =>
    page.evaluate(() => document.querySelector('[data-here][data-id]')?.closest('li')?.ariaPosInSet);
  const walk = async (key: string, to: number) => {
    while ((await at()) !== `${to}`) {
      const before = await at();
      await page.keyboard.press(key);
      await expect.poll(at, SOON).not.toBe(before);
      await expect.poll(seen, SOON).toBe('in sight');
    }
  };
  await walk('j', 11);
  // Reached from its address, or by Back.
  await page.reload();
  await expect.poll(seen, SOON).toBe('in sight');
  await walk('k', 3);
  // Also from where someone has scrolled away, and past the end of the first page, where the list becomes one of what is in sight.
  const scroll = (top: number) =>
    page.getByRole('list', { name: 'Conversations' }).evaluate((list, y) => {
      list.parentElement?.scrollTo(0, y);
    }, top);
  await scroll(4_900);
  await page.getByText('Bridge 65').waitFor();
  await scroll(9_000);
  await page.getByText('Bridge 30', { exact: true }).waitFor();
  await walk('j', 5);
  await scroll(9_000);
  await walk('k', 1);
});

test('whoever said yes comes first, whoever said no waits for nothing, and a label narrows the list', async () => {
  const says = async (name: string, reading: 'neutral' | 'negative' | 'positive' | 'unsubscribe') => {
    const one = await aTalk(app, desk, name);
    await one.writes({ reading: { reading, by: 'rule' } });
    return one;
  };
  await says('Ann One', 'unsubscribe');
  await says('Ben Two', 'negative');
  const cleo = await says('Cleo Three', 'neutral');
  const dan = await says('Dan Four', 'positive');
  const { revision } = await threadOf(cleo.id);
  await ask('PATCH', `/api/threads/${cleo.id}`, { revision, labels: ['fair'] });
  page = await browser.page(app.admin, '/inbox');
  await page.getByText('2 conversations need a reply').waitFor();
  expect((await rows().allInnerTexts()).map((text) => text.split('\n')[0])).toEqual([
    'Dan Four',
    'Cleo Three',
  ]);
  // What to do about a yes is to answer it.
  await page.keyboard.press('j');
  const begin = talk('Dan Four').getByRole('button', { name: /^Reply/ });
  await begin.waitFor();
  expect(await begin.getAttribute('data-variant')).toBe('filled');
  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByLabel('Label', { exact: true }).selectOption('fair');
  await expect.poll(() => rows().count(), SOON).toBe(1);
  await row('Cleo Three').waitFor();
  await expectAccessibleCrosswise(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.keyboard.press('Escape');
  await row('Cleo Three').click();
  await talk('Cleo Three').waitFor();
  // A label that is in use is offered, by its number.
  await page.keyboard.press('t');
  await page.getByRole('menuitem', { name: 'fair' }).waitFor();
  await page.keyboard.press('1');
  await expect.poll(async () => (await threadOf(cleo.id)).labels, SOON).toEqual([]);
  expect((await threadOf(dan.id)).labels).toEqual([]);
});

test('an answer is sent and its conversation closed by one key, the next one opens, and one undo brings both back', async () => {
  const dana = await aTalk(app, desk, 'Dana Roe');
  await dana.writes({ text: 'What does it cost?' });
  const ben = await aTalk(app, desk, 'Ben Two');
  await ben.writes({ text: 'And ours?' });
  page = await browser.page(app.admin, '/inbox');
  await row('Dana Roe').waitFor();
  await page.keyboard.press('j');
  await talk('Dana Roe').getByText('What does it cost?').waitFor();
  await page.keyboard.press('r');
  await page.keyboard.type('Two hundred.');
  await page.keyboard.press('Control+Shift+Enter');
  await talk('Ben Two').getByText('And ours?').waitFor();
  await page.getByText(`Sending reply to ${dana.person.address}`).waitFor();
  await expect.poll(async () => (await threadOf(dana.id)).state, SOON).toBe('closed');
  expect((await answersOf(dana.id))[0]).toMatchObject({ state: 'sending' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(async () => (await threadOf(dana.id)).state, SOON).toBe('open');
  await expect.poll(() => reply().inputValue(), SOON).toBe('Two hundred.');
  expect((await answersOf(dana.id))[0]).toMatchObject({ state: 'draft' });
  // Sent and left open, it leads on as well while others wait.
  await page.keyboard.press('r');
  await page.keyboard.press('Control+Enter');
  await talk('Ben Two').waitFor();
  expect((await threadOf(dana.id)).state).toBe('open');
});

test('an answer is sent later by the keyboard, is shown with its time, and is withdrawn until then', async () => {
  const dana = await aTalk(app, desk, 'Dana Roe');
  await dana.writes({ text: 'What does it cost?' });
  await app.sql`update people set timezone = 'America/New_York' where id = ${dana.person.id}`;
  page = await browser.page(app.admin, `/inbox?open=${dana.id}`);
  await talk('Dana Roe').getByText('What does it cost?').waitFor();
  await page.keyboard.press('r');
  await page.keyboard.type('Two hundred.');
  await page.getByText('Draft saved').waitFor();
  await page.keyboard.press('Control+Shift+L');
  const menu = page.getByRole('menu', { name: 'Send later' });
  await menu.getByRole('menuitem', { name: /^Tomorrow 8:00, their time/ }).waitFor();
  await shot('send-later');
  await expectAccessibleCrosswise(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await menu.getByRole('menuitem', { name: /^Tomorrow 8:00, their time/ }).press('Enter');
  const unsent = page.getByRole('list', { name: 'Unsent replies' });
  await unsent.getByText('Scheduled').waitFor();
  const [later] = await answersOf(dana.id);
  expect(later).toMatchObject({ state: 'sending', can_take_back: true });
  const theirs = new Intl.DateTimeFormat('en-US', { timeZone: 'America/New_York', timeStyle: 'short' });
  expect(theirs.format(new Date(later.goes_at))).toBe('8:00 AM');
  await shot('sent-later');
  expect((await threadOf(dana.id)).state).toBe('snoozed');
  const sends = (await ask('GET', '/api/admin/outreach/sends?state=scheduled')).items;
  expect(sends).toMatchObject([{ id: later.send_id, kind: 'answer', scheduled_for: later.goes_at }]);
  await unsent.getByRole('button', { name: 'Move to drafts' }).click();
  await expect.poll(async () => (await answersOf(dana.id))[0]?.state, SOON).toBe('draft');
  expect((await threadOf(dana.id)).state).toBe('open');
});

test('a note and an answer that are half-written stay, whatever is looked at, loaded again or away', async () => {
  const dana = await aTalk(app, desk, 'Dana Roe');
  await dana.writes({ text: 'What does it cost?' });
  const ben = await aTalk(app, desk, 'Ben Two');
  await ben.writes({ text: 'And ours?' });
  page = await browser.page(app.admin, `/inbox?open=${dana.id}`);
  const note = () => page.getByRole('textbox', { name: 'Private note' });
  await talk('Dana Roe').getByText('What does it cost?').waitFor();
  await page.keyboard.press('n');
  await page.keyboard.type('Ask him again');
  await page.keyboard.press('Escape');
  await row('Ben Two').click();
  await talk('Ben Two').getByText('And ours?').waitFor();
  // The product does not answer: what is written is nowhere but here.
  const away = '**/api/threads/*/answers';
  await page.route(away, (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()));
  await page.keyboard.press('r');
  await page.keyboard.type('Two hundred.');
  page.on('dialog', (dialog) => void dialog.accept());
  await page.reload();
  await expect.poll(() => reply().inputValue(), SOON).toBe('Two hundred.');
  await page.unroute(away);
  await expect.poll(async () => (await answersOf(ben.id))[0]?.text, SOON).toBe('Two hundred.');
  await row('Dana Roe').click();
  await expect.poll(() => note().inputValue(), SOON).toBe('Ask him again');
  await note().press('Control+Enter');
  const noted = page.getByRole('group', { name: 'Messages' }).getByText('Ask him again');
  await noted.waitFor();
  await note().waitFor({ state: 'detached' });
  await page.reload();
  await noted.waitFor();
  expect(await note().count()).toBe(0);
});

test('snoozing offers moments that make sense, each with its time', async () => {
  const dana = await aTalk(app, desk, 'Dana Roe');
  await dana.writes();
  page = await browser.page(app.admin, `/inbox?open=${dana.id}`);
  await talk('Dana Roe').waitFor();
  await page.keyboard.press('s');
  const picks = await page.getByRole('menuitem').allInnerTexts();
  const titles = picks.map((text) => text.split('\n')[0]);
  expect(titles.filter((title) => title !== 'Later today' && title !== 'Monday')).toEqual([
    'Tomorrow',
    'In a week',
  ]);
  expect(picks.find((text) => text.startsWith('Tomorrow'))).toMatch(/\b0?8:00/);
  await shot('snooze');
  await expectAccessibleCrosswise(page);
});
