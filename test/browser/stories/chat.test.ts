// A story: someone asks a built-in agent for work, sees what it does while it does it, decides the act that it may only
// propose, and goes on with the conversation later.
import type { Page } from '@playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser, SCREENS, type TestBrowser } from '../../support/browser.ts';
import { openChatApp, type ChatApp } from '../../support/chat.ts';
import { AT_A_DESK, LONG_MS, looksRight } from './told.ts';

let desk: ChatApp;
let browser: TestBrowser;

beforeAll(async () => {
  desk = await openChatApp({ screens: SCREENS });
  browser = await openBrowser(desk.app);
  await desk.app.admin.rest('POST', '/api/work/projects', { key: 'OUT', name: 'Outreach' });
});

afterAll(async () => {
  await browser?.close();
  await desk?.[Symbol.asyncDispose]();
});

const said = (page: Page) => page.getByRole('log', { name: 'Messages' });
const ended = (page: Page) => page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' });

async function ask(page: Page, words: string): Promise<void> {
  const box = page.getByRole('textbox', { name: /^Message / });
  await box.fill(words);
  await box.press('Enter');
}

test.each(AT_A_DESK)(
  'an agent is asked, watched, given leave for one act, and asked again later, at %i px',
  async (width) => {
    const { app, model } = desk;
    const email = `ben${width}@example.com`;
    const title = `Ten customers ${width}`;
    const page = await browser.page(app.admin, '/chat', { width });
    const begin = page.getByRole('button', { name: 'New conversation' });
    await page
      .getByRole('textbox', { name: /^Message / })
      .or(begin)
      .first()
      .waitFor();
    await looksRight(page, 'chat-begin');
    if (width < 640) await begin.click();
    model.next.push(
      { text: 'I make the card.', calls: [{ name: 'work_create', input: { project: 'OUT', title } }] },
      {
        text: 'I propose to invite Ben.',
        calls: [{ name: 'invite_user', input: { email, name: 'Ben Low' } }],
      },
      { text: 'The card stands in the backlog, and Ben waits for your leave.' },
    );
    await ask(page, `Make a card for ten customers, and have Ben join (${width})`);
    await said(page).getByText('The card stands in the backlog').waitFor();
    await ended(page);
    await said(page).locator('summary', { hasText: 'Create a work item' }).getByText('done').waitFor();
    const proposal = said(page).getByRole('region', { name: /^Proposed:/ });
    await proposal.getByText(email, { exact: true }).waitFor();
    await looksRight(page, 'chat-proposed');
    expect(await app.sql`select 1 from users where email = ${email}`).toHaveLength(0);
    await proposal.getByRole('button', { name: 'Approve' }).click();
    await proposal.getByText('Approved by').waitFor();
    expect(await app.sql`select 1 from users where email = ${email}`).toHaveLength(1);

    // The card is where the agent said that it is.
    await page.goto(`${app.url}/work/OUT`);
    await page
      .getByRole('region', { name: 'Backlog', exact: true })
      .locator('article', { hasText: title })
      .waitFor();

    await page.goto(`${app.url}/chat`);
    await page.getByRole('link', { name: new RegExp(`\\(${width}\\)`) }).click();
    await said(page).getByText('The card stands in the backlog').waitFor();
    model.next.push({ text: 'Nothing else waits.' });
    await ask(page, 'What else waits?');
    await said(page).getByText('Nothing else waits.').waitFor();
    await ended(page);
    await looksRight(page, 'chat-on');
    expect(JSON.stringify(model.asked.at(-1)?.body.messages)).toContain('Make a card for ten customers');
    await page.close();
  },
  LONG_MS,
);
