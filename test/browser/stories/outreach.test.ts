// A story: a campaign is made on the screen, its letter written, people enrolled, its checks read, it is activated, and each
// letter is read before it goes. Someone answers, the answer is read and answered, and that arrives with them.
import type { Page } from '@playwright/test';
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TAKE_BACK_MS } from '../../../src/features/inbox/answers/rules.ts';
import { MINUTE_MS } from '../../../src/kernel/clock.ts';
import { openBrowser, SCREENS, type TestBrowser } from '../../support/browser.ts';
import type { TestApp } from '../../support/app.ts';
import { comesIn } from '../../support/inbound.ts';
import { openSenders, type Senders } from '../../support/senders.ts';
import { AT_A_DESK, heading, LONG_MS, looksRight, SOON } from './told.ts';

const PEOPLE = '/api/admin/crm/people';
const HALF_HOURS = 24 * 2 * 7;

let senders: Senders;
let app: TestApp;
let browser: TestBrowser;

beforeAll(async () => {
  senders = await openSenders({ screens: SCREENS, baseUrl: 'https://desk.example' });
  app = senders.app;
  browser = await openBrowser(app);
});

afterAll(async () => {
  await browser?.close();
  await senders?.close();
});

const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true });
const article = (page: Page, name: string) => page.getByRole('article', { name: `Letter to ${name}` });

async function somebody(name: string, address: string): Promise<void> {
  const answer = await app.admin.rest('POST', PEOPLE, {
    name,
    addresses: [{ value: address }],
    basis: 'legitimate_interest',
    source: 'the fair in Ghent',
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
}

/** Half hours go by until so many letters have arrived. */
async function walk(letters: number): Promise<void> {
  for (let step = 0; step < HALF_HOURS && senders.sink.letters.length < letters; step += 1) {
    await app.instance.jobs.run('stepping');
    await app.instance.jobs.run('letters');
    app.clock.advance(30 * MINUTE_MS);
  }
  expect(senders.sink.letters).toHaveLength(letters);
}

test.each(AT_A_DESK)(
  'a campaign goes from its name to a conversation, at %i px',
  async (width) => {
    senders.sink.letters.length = 0;
    const phone = width < 640;
    const domain = await senders.active();
    const ramp = { start: 1000, step: 0, ceiling: 1000 };
    const sender = `Ann of ${width}`;
    const { id: identity } = await senders.anIdentity(
      { name: sender, min_gap_s: 0, jitter_s: 0, ramp },
      domain,
    );
    await senders.onIdentity(identity, 'test');
    await senders.onIdentity(identity, 'activate');
    const names = [`Dana Roe${width}`, `Ben Low${width}`];
    for (const name of names) await somebody(name, `${name.replaceAll(' ', '.').toLowerCase()}@firm.example`);

    const page = await browser.page(app.admin, '/campaigns?new=campaign', { width });
    const made = page.getByRole('form', { name: 'New campaign' });
    await made.getByLabel('Name').fill(`Bridges ${width}`);
    await made.getByRole('button', { name: 'Create draft' }).click();
    await heading(page, 'Before you activate').waitFor();

    await tab(page, 'Steps').click();
    await page.getByRole('button', { name: 'Write the first letter' }).click();
    await page.getByRole('textbox', { name: 'Subject' }).fill('Your bridge, {{ person.name }}');
    await page
      .getByRole('textbox', { name: 'Text' })
      .fill('Dear {{ person.name }},\n\nyour bridge is fine work.');
    await page.getByRole('button', { name: 'Save steps' }).click();
    await page.getByRole('button', { name: 'Save steps' }).waitFor({ state: 'detached' });
    await looksRight(page, 'outreach-steps');

    await tab(page, 'Settings').click();
    await page.getByRole('button', { name: 'Add address' }).click();
    const postal = page.getByRole('form', { name: 'Add a postal address' });
    await postal.getByLabel('Name').fill(`Quay ${width}`);
    await postal.getByLabel('Address').fill('Bridges Ltd\nQuay 1\nGhent');
    await postal.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('button', { name: 'Save settings' }).click();
    await page.getByRole('button', { name: 'Save settings' }).waitFor({ state: 'detached' });
    // The only identity that is active is in the pool from the start.
    if ((await app.sql`select 1 from identities where active`).length > 1) {
      await page.getByPlaceholder('Add an identity').click();
      await page.getByRole('option', { name: new RegExp(sender) }).click();
      await page.getByRole('button', { name: 'Save pool' }).click();
      await page.getByRole('button', { name: 'Save pool' }).waitFor({ state: 'detached' });
    }
    await looksRight(page, 'outreach-settings');

    await tab(page, 'People').click();
    await page.getByRole('button', { name: 'Enrol people' }).first().click();
    const enrol = page.getByRole('form', { name: 'Enrol people' });
    await enrol.getByText('People by name').click();
    for (const name of names) {
      await enrol.getByPlaceholder('No one').click();
      await page.getByRole('option', { name }).click();
    }
    await enrol.getByRole('button', { name: 'Preview' }).click();
    await looksRight(page, 'outreach-enrol');
    await enrol.getByRole('button', { name: 'Enrol 2 people' }).click();
    await enrol.waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Activate' }).click();
    const checks = page.getByRole('dialog');
    await checks.getByText('All required checks pass').waitFor();
    await looksRight(page, 'outreach-checks');
    await checks.getByRole('button', { name: 'Activate' }).click();
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await looksRight(page, 'outreach-active');

    // Nothing leaves before it was read.
    await app.instance.jobs.run('stepping');
    await app.instance.jobs.run('letters');
    expect(senders.sink.letters).toHaveLength(0);
    const campaign = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    await page.goto(`${app.url}/review?campaign=${campaign}`);
    for (const [n, name] of names.entries()) {
      if (phone && n === 0) await looksRight(page, 'outreach-queue');
      const letter = article(page, name);
      await letter
        .or(page.getByRole('link', { name }).or(page.getByRole('button', { name })))
        .first()
        .waitFor();
      if (!(await letter.isVisible())) await page.getByText(name).first().click();
      await letter.frameLocator('iframe').getByText(`Dear ${name}`).waitFor();
      if (n === 0) await looksRight(page, 'outreach-review');
      await page.getByRole('button', { name: 'Approve', exact: true }).click();
      await letter.waitFor({ state: 'detached' });
    }
    await page.getByText('No letters to review in this campaign').waitFor();
    await walk(2);

    // Someone answers; it is read in the inbox, and answered from there.
    const theirs = senders.sink.letters[0]!;
    const read = await PostalMime.parse(theirs.bytes);
    const [who = ''] = theirs.to;
    const name = names.find((each) => who.startsWith(each.split(' ')[0]!.toLowerCase())) ?? '';
    await comesIn(app, {
      from: `${name} <${who}>`,
      to: String(read.from?.address),
      subject: `Re: ${read.subject}`,
      in_reply_to: String(read.messageId),
      references: [String(read.messageId)],
      text: 'What does such a bridge cost?',
    });
    await page.goto(`${app.url}/inbox`);
    await page
      .getByRole('list', { name: 'Conversations' })
      .getByRole('link')
      .filter({ hasText: name })
      .click();
    const talk = page.getByRole('article', { name: `Conversation with ${name}` });
    await talk.getByText('What does such a bridge cost?').waitFor();
    await looksRight(page, 'outreach-talk');
    await page.getByRole('button', { name: /^Reply/ }).click();
    await page.getByLabel('Your reply').fill('Two hundred a metre.');
    await page.getByText('Draft saved').waitFor();
    await looksRight(page, 'outreach-answer');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText(/^Sending reply to /).waitFor();
    app.clock.advance(TAKE_BACK_MS);
    await expect
      .poll(async () => {
        await app.instance.jobs.run('letters');
        return senders.sink.letters.length;
      }, SOON)
      .toBe(3);
    const answer = await PostalMime.parse(senders.sink.letters[2]!.bytes);
    expect(answer.text).toContain('Two hundred a metre.');
    expect(senders.sink.letters[2]!.to).toEqual([who]);
    await page.close();
  },
  LONG_MS,
);
