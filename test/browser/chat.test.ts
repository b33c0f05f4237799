// Chat in a real browser against a model on loopback: a turn as it comes, with its tools; a proposed act decided where it was
// proposed; a running turn joined again and stopped; what is said where it cannot go on; and all of it for everyone.
import type { Page } from '@playwright/test';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  expectAccessibleCrosswise,
  expectAccessibleInEveryLook,
  openBrowser,
  SCREENS,
  type TestBrowser,
} from '../support/browser.ts';
import { openChatApp, stream, type ChatApp } from '../support/chat.ts';
import type { PersonClient, TestApp } from '../support/app.ts';
import { MODEL_KEY, type ModelStub } from '../support/model.ts';

let desk: ChatApp;
let app: TestApp;
let model: ModelStub;
let browser: TestBrowser;

beforeAll(async () => {
  desk = await openChatApp({ screens: SCREENS });
  ({ app, model } = desk);
  browser = await openBrowser(app);
  await app.admin.rest('POST', '/api/work/projects', { key: 'OUT', name: 'Outreach' });
});

afterAll(async () => {
  await browser?.close();
  await desk?.[Symbol.asyncDispose]();
});

beforeEach(() => {
  model.next.length = 0;
  model.hold = null;
  model.keys.add(MODEL_KEY);
});

/** Loopback under the load of the other test files. */
const SOON = { timeout: 60_000 };

const box = (page: Page) => page.getByRole('textbox', { name: /^Message / });
const said = (page: Page) => page.getByRole('log', { name: 'Messages' });
const heard = (page: Page, text: string) => said(page).getByText(text, { exact: true });
const ask = async (page: Page, message: string): Promise<void> => {
  await box(page).fill(message);
  await box(page).press('Enter');
};
/** Whatever is asked next goes on until it is let end. */
function held(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  model.hold = () => promise;
  return resolve;
}
const invites = (email: string) => ({
  text: 'I propose to invite them.',
  calls: [{ name: 'invite_user', input: { email, name: 'Ben Low' } }],
});
const someone = (): Promise<PersonClient> => app.person();
const over = (page: Page) => page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' });

describe('a turn', () => {
  test('is asked for by keyboard alone; its words are there while it goes on, its tools with what they were given and gave', async () => {
    const page = await browser.page(await someone(), '/chat');
    await page.getByText('Chat with Assistant').waitFor();
    await page.keyboard.press('n');
    await page.keyboard.type('Make a card');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('and say so');
    const end = held();
    model.next.push(
      { text: 'I make the card.', calls: [{ name: 'work_create', input: { project: 'OUT', title: 'Ten' } }] },
      { text: 'It stands in the backlog.' },
    );
    await page.keyboard.press('Enter');
    await heard(page, 'I make the card.').waitFor();
    await page.getByRole('button', { name: 'Stop' }).waitFor();
    expect(await box(page).inputValue()).toBe('');
    end();
    await heard(page, 'It stands in the backlog.').waitFor();
    await over(page);
    const tool = said(page).locator('summary', { hasText: 'Create a work item' });
    await expect.poll(() => tool.textContent(), SOON).toContain('done');
    expect(await said(page).locator('article').innerText()).toMatch(
      /Make a card\nand say so[^]*I make the card\.[^]*Create a work item[^]*It stands in the backlog\./,
    );
    await tool.focus();
    await page.keyboard.press('Enter');
    await said(page).getByRole('region', { name: 'Input' }).getByText('Ten', { exact: true }).waitFor();
    await said(page)
      .getByRole('region', { name: 'Output' })
      .getByText(/^OUT-\d+$/)
      .first()
      .waitFor();
    await page.getByRole('link', { name: /Make a card/ }).waitFor();
    await expectAccessibleInEveryLook(page);
    await page.close();
  });

  test('that runs is joined again after a reload, and stopped from there', async () => {
    const page = await browser.page(await someone(), '/chat');
    model.next.push({ hangs: 'I am still looking' });
    await ask(page, 'Look for it');
    await heard(page, 'I am still looking').waitFor();
    await page.waitForURL(/open=/);
    await page.reload();
    await heard(page, 'I am still looking').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await said(page).getByText('the turn was stopped; what it had already done stays done').waitFor();
    await over(page);
    model.next.push({ text: 'Here it is.' });
    await said(page).getByRole('button', { name: 'Try again' }).click();
    await heard(page, 'Here it is.').waitFor();
    await page.close();
  });

  test('what is written while one runs waits, and nothing moves under whoever reads further up', async () => {
    const page = await browser.page(await someone(), '/chat');
    model.next.push({ text: Array.from({ length: 60 }, (_, n) => `Line ${n}`).join('\n\n') });
    await ask(page, 'Say much');
    await heard(page, 'Line 59').waitFor();
    await over(page);
    await expect.poll(() => heard(page, 'Line 59').isVisible(), SOON).toBe(true);
    const scrolled = () => said(page).evaluate((log) => log.scrollTop);
    await expect
      .poll(
        () => said(page).evaluate((log) => log.scrollHeight - log.scrollTop - log.clientHeight < 40),
        SOON,
      )
      .toBe(true);
    const end = held();
    model.next.push({ text: 'And more.' });
    await ask(page, 'Go on');
    await heard(page, 'And more.').waitFor();
    await box(page).fill('Next');
    await box(page).press('Enter');
    expect(await box(page).inputValue()).toBe('Next');
    await said(page).evaluate((log) => log.scrollTo(0, 100));
    await page.getByRole('button', { name: 'Jump to latest' }).waitFor();
    end();
    await over(page);
    expect(await scrolled()).toBe(100);
    await page.getByRole('button', { name: 'Jump to latest' }).click();
    await page.getByRole('button', { name: 'Jump to latest' }).waitFor({ state: 'detached' });
    expect(await box(page).inputValue()).toBe('Next');
    await page.close();
  });

  test('what anyone else wrote does nothing', async () => {
    const page = await browser.page(await someone(), '/chat');
    const evil =
      '<img src=x onerror="document.title=1"> [here](javascript:document.title=1) ![x](http://x.example/x)';
    model.next.push(
      { calls: [{ name: 'work_create', input: { project: 'OUT', title: evil } }] },
      { text: `It says ${evil}` },
    );
    await ask(page, `Read ${evil}`);
    await said(page)
      .getByText(/^It says/)
      .waitFor();
    await over(page);
    await said(page).locator('summary').click();
    await said(page)
      .getByRole('region', { name: 'Input' })
      .getByText(/onerror/)
      .waitFor();
    expect(await said(page).locator('img, script, a[href^="javascript"]').count()).toBe(0);
    expect(await page.title()).toMatch(/^(\(\d+\) )?Chat · Dunnock$/);
    await page.close();
  });
});

describe('a proposed act', () => {
  const proposal = (page: Page) => said(page).getByRole('region', { name: /^Proposed:/ });

  test('is shown in words where it was proposed, approved there, and says what it answered', async () => {
    const page = await browser.page(app.admin, '/chat');
    model.next.push(invites('ben@example.com'), { text: 'Approve it if you agree.' });
    await ask(page, 'Invite Ben');
    await proposal(page).getByText('ben@example.com', { exact: true }).waitFor();
    await proposal(page)
      .getByText(/^Invites someone/)
      .waitFor();
    expect(await app.sql`select 1 from users where email = 'ben@example.com'`).toHaveLength(0);
    await over(page);
    await expectAccessibleInEveryLook(page);
    await page.setViewportSize({ width: 1440, height: 900 });
    // Enter presses a decision only where Tab led to it.
    await proposal(page).getByRole('button', { name: 'Approve' }).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await proposal(page).getByText('Approved by').waitFor();
    await proposal(page)
      .getByRole('status', { name: 'Result' })
      .getByText(/\/invite\//)
      .waitFor();
    expect(await app.sql`select 1 from users where email = 'ben@example.com'`).toHaveLength(1);
    await page.close();
  });

  test('is rejected there with a note, and nothing happens', async () => {
    const page = await browser.page(app.admin, '/chat');
    model.next.push(invites('eve@example.com'), { text: 'Approve it if you agree.' });
    await ask(page, 'Invite Eve');
    await proposal(page).getByRole('button', { name: 'Reject' }).click();
    await page.getByRole('textbox', { name: /Why are you/ }).fill('We do not know her.');
    await proposal(page).getByRole('button', { name: 'Reject', exact: true }).click();
    await proposal(page).getByText('Rejected by').waitFor();
    await proposal(page).getByText('We do not know her.').waitFor();
    expect(await app.sql`select 1 from users where email = 'eve@example.com'`).toHaveLength(0);
    await page.close();
  });

  test('is among the approvals by what it is and what it names, and stays with its answer until one moves on', async () => {
    const campaign = (await app.admin.rest('POST', '/api/admin/outreach/campaigns', { name: 'Spring' })).body
      .campaign;
    const activate = { operation: 'campaign_activate', arguments: { campaign: campaign.id } };
    model.next.push(
      { calls: [invites('kim@example.com').calls[0]!, { name: 'call_operation', input: activate }] },
      { text: 'Proposed.' },
    );
    await stream(app, app.admin, { message: 'Both' });
    const page = await browser.page(app.admin, '/approvals?kind=chat_action&sort=oldest');
    const row = (title: string) => page.getByRole('link', { name: title });
    await row('Activate campaign: Spring').click();
    const detail = page.getByRole('article', { name: /Activate campaign: Spring/ });
    await detail
      .getByRole('region', { name: 'Proposed action' })
      .getByText('Spring', { exact: true })
      .waitFor();
    await expectAccessibleCrosswise(page);
    await page.setViewportSize({ width: 1440, height: 900 });
    await row('Invite user: kim@example.com').click();
    const invite = page.getByRole('article', { name: /Invite user: kim@example.com/ });
    await invite.getByText(/^Invites someone/).waitFor();
    await page.keyboard.press('a');
    await invite
      .getByRole('status', { name: 'Result' })
      .getByText(/\/invite\//)
      .waitFor();
    await invite.getByRole('button', { name: 'Next' }).click();
    await page.getByRole('article', { name: /Activate campaign: Spring/ }).waitFor();
    await page.close();
  });
});

describe('where it cannot go on', () => {
  test('a budget that is used up says so, with the way to whoever raises it, and the message is not lost', async () => {
    const set = (tokens_per_day: number) =>
      app.admin.rest('PATCH', '/api/admin/settings/chat', { tokens_per_day });
    await set(0);
    const page = await browser.page(app.admin, '/chat');
    await ask(page, 'What waits?');
    const alert = page.getByRole('alert').filter({ hasText: 'has used up' });
    await alert.getByRole('link', { name: 'Open Agents & models' }).waitFor();
    await expect.poll(() => box(page).inputValue(), SOON).toBe('What waits?');
    await set(10_000_000);
    model.next.push({ text: 'Nothing waits.' });
    await box(page).press('Enter');
    await heard(page, 'Nothing waits.').waitFor();
    await page.close();
  });

  test('a provider that does not answer, and a turn whose process is gone, are said with the next step', async () => {
    const page = await browser.page(app.admin, '/chat');
    model.keys.clear();
    await ask(page, 'Hello');
    const ended = said(page).getByRole('status').filter({ hasText: 'doesn’t accept the saved key' });
    await ended.getByRole('link', { name: 'Open Integrations' }).waitFor();
    model.keys.add(MODEL_KEY);
    model.next.push({ hangs: 'I begin' });
    await ended.getByRole('button', { name: 'Try again' }).click();
    await heard(page, 'I begin').waitFor();
    await app.sql`update chat_turns set beat_at = beat_at - interval '10 minutes' where state = 'running'`;
    await app.instance.jobs.run('chat_stalled');
    const stalled = said(page).getByRole('status').filter({ hasText: 'the instance was stopped' });
    model.next.push({ text: 'I went on.' });
    await stalled.getByRole('button', { name: 'Continue' }).click();
    await heard(page, 'I went on.').waitFor();
    await page.close();
  });

  test('without a model the beginning says what is missing', async () => {
    await app.admin.rest('DELETE', '/api/admin/providers/openai_compatible/keys');
    const page = await browser.page(app.admin, '/chat');
    await page.getByText('No model connected').waitFor();
    await page.getByRole('link', { name: 'Open Integrations' }).waitFor();
    await expectAccessibleInEveryLook(page);
    const saved = await app.admin.rest('PUT', '/api/admin/providers/openai_compatible/keys', {
      keys: { api_key: MODEL_KEY },
      base_url: model.url,
    });
    expect(saved.status).toBe(200);
    await page.close();
  });
});

test('another agent is chosen before the first word, and on a phone one goes from the list to a conversation and back', async () => {
  await app.admin.rest('POST', '/api/admin/agents', {
    name: 'Librarian',
    model: 'openai_compatible/test-small',
  });
  const by = await someone();
  const page = await browser.page(by, '/chat', { width: 375 });
  // Where there is none to go back to, the first is written at once.
  await page.getByRole('heading', { name: 'Chat with Assistant' }).waitFor();
  const back = page.getByRole('button', { name: 'Back to conversations' });
  expect(await back.count()).toBe(0);
  // Nor does a reading of them that fails later take that away.
  await page.route('**/api/threads?*channel=chat*', (route) => route.fulfill({ status: 500 }));
  const failed = page.waitForResponse('**/api/threads?*channel=chat*');
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
  await failed;
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  expect(await back.count()).toBe(0);
  await page.unroute('**/api/threads?*channel=chat*');
  await page.getByRole('button', { name: /^Agent: Assistant/ }).click();
  await page.getByRole('menuitem', { name: 'Librarian' }).click();
  await page
    .getByRole('button', { name: /^Agent: Librarian, model openai_compatible\/test-small/ })
    .waitFor();
  model.next.push({ text: 'I am the librarian.' });
  await ask(page, 'Who are you?');
  await heard(page, 'I am the librarian.').waitFor();
  await over(page);
  expect(model.asked.at(-1)?.body.model).toBe('test-small');
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(wide).toBeLessThanOrEqual(375);
  await back.click();
  await page.getByRole('button', { name: 'New conversation' }).waitFor();
  await page.getByRole('link', { name: /Who are you\?/ }).click();
  await heard(page, 'I am the librarian.').waitFor();
  await page.close();
});
