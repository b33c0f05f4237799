// The stories once more, each by the keyboard alone: no click, nothing filled in from outside. After every key the focus is
// somewhere, and can be seen there. They are told on a phone and at a desk in turn; in the long runs each of them at both.
import type { Locator, Page } from '@playwright/test';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { newProject, parkedBy, read } from '../../support/board.ts';
import { openBrowser, SCREENS, type TestBrowser } from '../../support/browser.ts';
import { openChatApp, type ChatApp } from '../../support/chat.ts';
import type { TestApp } from '../../support/app.ts';
import { aTalk, inboxDesk } from '../../support/inbox.ts';
import { expectFocusSeen, handsOn, type Hands } from '../../support/keyboard.ts';
import { aCampaign, aDesk, aLetter, readSend } from '../../support/letters.ts';
import { receiver } from '../../support/receiver.ts';
import { activeBy, step, worked } from '../../support/workflows.ts';
import { heading, LONG_MS, path, SOON, WIDTHS } from './told.ts';

let desk: ChatApp;
let app: TestApp;
let browser: TestBrowser;
let page: Page;
let hands: Hands;

beforeAll(async () => {
  desk = await openChatApp({ screens: SCREENS, allowPrivate: true });
  app = desk.app;
  browser = await openBrowser(app);
});

afterEach(async () => page?.close());

afterAll(async () => {
  await browser?.close();
  await desk?.[Symbol.asyncDispose]();
});

async function open(at: string, width: number): Promise<void> {
  page = await browser.page(app.admin, at, { width });
  hands = handsOn(page);
}

let stories = 0;

function story(name: string, tell: (width: number) => Promise<void>): void {
  const [wide, narrow] = WIDTHS;
  const widths = process.env['TEST_LONG'] === '1' ? WIDTHS : [stories % 2 === 0 ? narrow : wide];
  stories += 1;
  test.each(widths)(`${name}, at %i px`, tell, LONG_MS);
}

/** A desk shows the first of what waits automatically; on a phone the list comes first. */
async function first(row: Locator, width: number): Promise<void> {
  await row.waitFor();
  if (width === WIDTHS[1]) await hands.press('j');
}

const button = (name: string | RegExp) =>
  page
    .getByRole('button', { name, exact: typeof name === 'string' })
    .and(page.locator(':not([aria-disabled])'));

story('a card is returned with a note and another approved by the keyboard alone', async (width) => {
  const { key } = await newProject(app);
  const scout = await app.token();
  const { item: one } = await parkedBy(scout, key, { title: 'A list of ten' });
  const { item: two } = await parkedBy(scout, key, { title: 'A list of twenty' });
  await open(`/approvals?project=${key}`, width);
  await first(page.getByText('A list of ten').first(), width);
  await heading(page, 'A list of ten').waitFor();
  await button(/^Return/).waitFor();
  await hands.press('r');
  await page.getByRole('textbox', { name: /What’s missing/ }).waitFor();
  await hands.type('Say where each address came from.');
  await hands.press('Control+Enter');
  await expect.poll(async () => (await read(scout, one)).status, SOON).toBe('in_progress');
  await heading(page, 'A list of twenty').waitFor();
  await button(/^Approve/).waitFor();
  await hands.press('a');
  await page.getByText('Nothing waits').or(page.getByText('Nothing matches')).waitFor();
  await expectFocusSeen(page);
  expect((await read(scout, two)).status).toBe('done');
});

story('a reply is read, answered and closed by the keyboard alone', async (width) => {
  const dana = await aTalk(app, await inboxDesk(app), 'Dana Roe');
  await dana.writes({ text: 'What does it cost?' });
  await open('/inbox', width);
  await page.getByRole('list', { name: 'Conversations' }).getByText('Dana Roe').waitFor();
  await hands.press('j');
  const talk = page.getByRole('article', { name: 'Conversation with Dana Roe' });
  await talk.getByText('What does it cost?').waitFor();
  await hands.press('r');
  await page.getByLabel('Your reply').waitFor();
  await hands.type('Two hundred a metre.');
  await hands.press('Control+Enter');
  const state = async () =>
    (await app.admin.rest('GET', `/api/threads/${dana.id}/answers`)).body.items[0]?.state;
  await expect.poll(state, SOON).toBe('sending');
  await page.getByLabel('Your reply').waitFor({ state: 'detached' });
  await hands.press('e');
  await page.getByText('Closed: Dana Roe').waitFor();
  await expectFocusSeen(page);
});

story('letters are reviewed and approved to the last by the keyboard alone', async (width) => {
  const campaign = await aCampaign(app, await aDesk(app), { name: 'Towers of Ghent' });
  const ids: string[] = [];
  const names = [`Ann at ${width}`, `Ben at ${width}`];
  for (const name of names) ids.push((await aLetter(app, campaign, name)).send_id);
  await open(`/review?campaign=${campaign.id}`, width);
  await first(page.getByText(names[0] ?? '').first(), width);
  for (const name of names) {
    const letter = page.getByRole('article', { name: `Letter to ${name}` });
    await letter.frameLocator('iframe').getByText(`Dear ${name}`).waitFor();
    await button(/^Approve/).waitFor();
    await hands.press('a');
    await letter.waitFor({ state: 'detached' });
  }
  await page.getByText('No letters to review in this campaign').waitFor();
  await expectFocusSeen(page);
  for (const id of ids)
    await expect.poll(async () => (await readSend(app.admin, id)).send.state, SOON).toBe('scheduled');
});

story('a campaign is made and somebody enrolled by the keyboard alone', async (width) => {
  const cleo = `Cleo at ${width}`;
  const made = await app.admin.rest('POST', '/api/admin/crm/people', {
    name: cleo,
    addresses: [{ value: `cleo-${width}@enrolled.example` }],
    basis: 'legitimate_interest',
    source: 'the fair in Ghent',
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  await open('/campaigns', width);
  await button('New').waitFor();
  await hands.press('n');
  await page.getByRole('form', { name: 'New campaign' }).waitFor();
  await expect
    .poll(() =>
      page
        .getByLabel('Name')
        .first()
        .evaluate((it) => it === document.activeElement),
    )
    .toBe(true);
  await hands.type('Quays of Ghent');
  await hands.press('Enter');
  await heading(page, 'Before you activate').waitFor();
  await expectFocusSeen(page);
  const id = path(page).split('/').at(-1) ?? '';

  await hands.reach(page.getByRole('tab', { name: 'Overview' }));
  const people = page.getByRole('tab', { name: 'People' });
  for (let tab = 0; tab < 3 && (await people.getAttribute('aria-selected')) !== 'true'; tab += 1)
    await hands.press('ArrowRight');
  await hands.enter(button('Enrol people'));
  const form = page.getByRole('form', { name: 'Enrol people' });
  await form.waitFor();
  await hands.reach(form.getByRole('radio', { name: 'A segment' }));
  // Past 'An import'.
  await hands.press('ArrowRight', 'ArrowRight');
  expect(await form.getByRole('radio', { name: 'People by name' }).isChecked()).toBe(true);
  await hands.reach(form.getByPlaceholder('No one'));
  // Enter takes whom the words find, also where they are not found yet.
  await hands.type(`Cleo at ${width}`);
  await hands.press('Enter');
  await form.getByRole('list', { name: 'Selected people' }).getByText(cleo).waitFor();
  await hands.enter(form.getByRole('button', { name: 'Preview' }));
  await form.getByText('1 person would be enrolled').waitFor();
  await hands.enter(form.getByRole('button', { name: 'Enrol 1 person' }));
  await form.waitFor({ state: 'detached' });
  await expectFocusSeen(page);
  const { body } = await app.admin.rest('GET', `/api/admin/outreach/campaigns/${id}`);
  expect(body.campaign.counts.people).toBe(1);
});

story('a small list is imported by the keyboard alone', async (width) => {
  await open('/people', width);
  await hands.enter(button(/^Import/));
  await heading(page, 'Choose a list of people').waitFor();
  const chooser = page.waitForEvent('filechooser');
  await hands.enter(button('Choose a file'));
  const bytes = `Name,Email\nIda Import,ida-${width}@import.example\nJan Import,jan-${width}@import.example\n`;
  await (await chooser).setFiles({ name: 'fair.csv', mimeType: 'text/csv', buffer: Buffer.from(bytes) });
  await heading(page, 'Match the columns').waitFor();
  await hands.enter(button(/^(Create|See the) plan$/));
  await heading(page, 'Plan for fair.csv').waitFor();
  await hands.enter(button('Import 2 people'));
  await page.getByRole('dialog', { name: 'Import 2 people?' }).waitFor();
  const sure = page.getByRole('dialog').getByRole('button', { name: 'Import 2 people' });
  await hands.enter(sure);
  await page.waitForURL(/\/people\/imports\/[0-9a-f-]{36}$/);
  await expectFocusSeen(page);
  while ((await app.instance.jobs.run('imports')) > 0);
  await page.getByText('Written', { exact: true }).first().waitFor();
  await expectFocusSeen(page);
});

story('an agent is asked and its proposed act approved by the keyboard alone', async (width) => {
  const ben = `ben-${width}@keys.example`;
  desk.model.next.push(
    {
      text: 'I propose to invite Ben.',
      calls: [{ name: 'invite_user', input: { email: ben, name: 'Ben Low' } }],
    },
    { text: 'Ben waits for your leave.' },
  );
  await open('/chat', width);
  await button(/^New conversation/).waitFor();
  await hands.press('n');
  await hands.type('Have Ben join');
  await hands.press('Enter');
  const said = page.getByRole('log', { name: 'Messages' });
  await said.getByText('Ben waits for your leave.').waitFor();
  await button('Stop').waitFor({ state: 'detached' });
  await expectFocusSeen(page);
  const proposal = said.getByRole('region', { name: /^Proposed:/ });
  await hands.enter(proposal.getByRole('button', { name: 'Approve' }));
  await proposal.getByText('Approved by').waitFor();
  await expectFocusSeen(page);
  expect(await app.sql`select 1 from users where email = ${ben}`).toHaveLength(1);
});

story('a workflow is found, run and watched by the keyboard alone', async (width) => {
  const name = `Cards of the day at ${width}`;
  const { key } = await newProject(app);
  await activeBy(
    app.admin,
    [step('card', 'create_work_item', { project: key, title: 'Look at the answers' })],
    undefined,
    name,
  );
  await open('/workflows', width);
  await page.getByText(name).waitFor();
  await hands.press('j', 'Enter');
  await heading(page, name).waitFor();
  await expectFocusSeen(page);
  await hands.enter(button('Run'));
  await page.getByRole('form', { name: 'Start a run' }).waitFor();
  await hands.enter(button('Run now'));
  await page.waitForURL(/\/workflows\/runs\//);
  await expectFocusSeen(page);
  await worked(app);
  await page.getByText('Done', { exact: true }).first().waitFor();
  await expectFocusSeen(page);
});

story('events are turned on by the keyboard alone', async (width) => {
  await using program = await receiver((response) => void response.writeHead(200).end());
  // Told before at another width, they are on, with a secret.
  await app.sql`update events_webhook set url = null, delivering = false, secret = null, secret_at = null`;
  await open('/settings/integrations', width);
  await hands.reach(page.getByRole('textbox', { name: 'Address' }));
  await hands.type(`http://127.0.0.1:${program.port}/hook`);
  await hands.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Signing secret for events' });
  await dialog.getByText(/^whsec_/).waitFor();
  await hands.enter(dialog.getByRole('button', { name: 'I’ve copied it' }));
  await dialog.waitFor({ state: 'hidden' });
  await expectFocusSeen(page);
  const { body } = await app.admin.rest('GET', '/api/admin/events/webhook');
  expect(JSON.stringify(body)).toContain('"on":true');
});

story('sample data is made, looked at and removed by the keyboard alone', async (width) => {
  await open('/start', width);
  await hands.enter(button('Add sample data'));
  await heading(page, 'Sample data is on').waitFor();
  await hands.press('g', 't');
  await heading(page, 'Today').waitFor();
  await hands.press('j');
  await page.goBack();
  await hands.enter(button('Remove sample data'));
  const sure = page.getByRole('dialog', { name: 'Remove the sample data?' });
  await hands.enter(sure.getByRole('button', { name: 'Remove sample data' }));
  await heading(page, 'Try Dunnock with sample data').waitFor();
  await expectFocusSeen(page);
  await hands.press('g', 't');
  await heading(page, 'Today').waitFor();
  await expectFocusSeen(page);
});
