// Letters in a real browser: the review queue worked by the keyboard, what is refused shown kindly, all letters in a list, and
// why one of them does not go.
import type { Page } from '@playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectAccessibleCrosswise, openBrowser, SCREENS, type TestBrowser } from '../support/browser.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { aCampaign, aDesk, aLetter, approved, O, readSend, somebody, type Desk } from '../support/letters.ts';

let app: TestApp;
let browser: TestBrowser;
let desk: Desk;

beforeAll(async () => {
  app = await openTestApp({ screens: SCREENS });
  browser = await openBrowser(app);
  desk = await aDesk(app);
});

afterAll(async () => {
  await browser?.close();
  await app?.close();
});

/** Loopback under the load of the other test files. */
const SOON = { timeout: 60_000 };
const state = async (id: string) => (await readSend(app.admin, id)).send.state;
const letterOf = (page: Page, name: string) => page.getByRole('article', { name: `Letter to ${name}` });
/** Its text is in a frame of its own. */
const stands = (page: Page, name: string) =>
  letterOf(page, name).frameLocator('iframe').getByText(`Dear ${name}`).waitFor();

test('letters are read, returned with a note, edited, rejected and approved by the keyboard alone', async () => {
  const campaign = await aCampaign(app, desk, { name: 'Bridges of Ghent' });
  const ids: Record<string, string> = {};
  for (const name of ['Ann One', 'Ben Two', 'Cleo Three', 'Dan Four', 'Eve Five'])
    ids[name] = (await aLetter(app, campaign, name)).send_id;
  const page = await browser.page(app.admin, `/review?campaign=${campaign.id}`);
  await stands(page, 'Ann One');
  await page.getByText('Every letter of this campaign is reviewed').waitFor();
  await expectAccessibleCrosswise(page);
  await page.setViewportSize({ width: 1440, height: 900 });

  await page.keyboard.press('a');
  await expect.poll(() => state(ids['Ann One'] ?? ''), SOON).toBe('scheduled');

  await stands(page, 'Ben Two');
  await page.keyboard.press('r');
  await page.getByLabel('What should be rewritten?').fill('Name the bridge.');
  await page.keyboard.press('Control+Enter');
  await expect.poll(() => state(ids['Ben Two'] ?? ''), SOON).toBe('drafted');

  await stands(page, 'Cleo Three');
  await page.keyboard.press('e');
  const form = page.getByRole('form', { name: 'Edit the letter' });
  await page.keyboard.press('Escape');
  await form.waitFor({ state: 'detached' });
  await page.keyboard.press('e');
  await form.getByLabel('Subject').fill('Your tower, Cleo');
  // What was typed is asked about, and stays where it is not given up.
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await form.getByLabel('Subject').press('Control+Enter');
  await letterOf(page, 'Cleo Three').getByText('Your tower, Cleo').first().waitFor();
  await page.getByRole('tab', { name: 'Changes from the previous version' }).click();
  await page.locator('ins', { hasText: 'tower' }).first().waitFor();

  // It says something else than what was read: nothing is approved, and that is said.
  const { send } = await readSend(app.admin, ids['Cleo Three'] ?? '');
  await app.admin.rest('PATCH', `${O}/sends/${send.id}`, { revision: send.revision, subject: 'Another' });
  await page.getByText('This letter changed after you opened it').waitFor();
  await page.keyboard.press('a');
  await expect.poll(() => state(send.id)).toBe('review');
  await page.getByRole('button', { name: 'Show the current text' }).click();
  await page
    .getByRole('button', { name: 'Approve', exact: true })
    .and(page.locator(':not([aria-disabled])'))
    .waitFor();
  await page.keyboard.press('d');
  await page.getByLabel('Reason (optional)').waitFor();
  await page.getByRole('button', { name: 'Reject', exact: true }).click();
  await expect.poll(() => state(send.id), SOON).toBe('cancelled');

  await stands(page, 'Dan Four');
  await page.keyboard.press('x');
  await page.keyboard.press('j');
  await stands(page, 'Eve Five');
  await page.keyboard.press('X');
  await page.keyboard.press('A');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Dan Four').waitFor();
  await dialog.getByRole('button', { name: 'Approve 2 letters' }).click();
  await expect.poll(() => state(ids['Eve Five'] ?? ''), SOON).toBe('scheduled');
  await expect.poll(() => state(ids['Dan Four'] ?? '')).toBe('scheduled');
  await page.getByText('No letters to review in this campaign').waitFor();
  await page.close();
});

test('what was begun and given up leaves the focus on its row, where Space and Enter decide nothing; an approval is undone', async () => {
  const campaign = await aCampaign(app, desk, { name: 'By accident' });
  const one = await aLetter(app, campaign, 'Lea First');
  const two = await aLetter(app, campaign, 'Mia Second');
  const page = await browser.page(app.admin, `/review?campaign=${campaign.id}`);
  const row = (id: string) => page.locator(`a[data-id="${id}"]`);
  await stands(page, 'Lea First');
  for (const [key, label] of [
    ['r', 'What should be rewritten?'],
    ['d', 'Reason (optional)'],
  ] as const) {
    await page.keyboard.press(key);
    await page.getByLabel(label).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => row(one.send_id).evaluate((it) => it === document.activeElement)).toBe(true);
    await page.keyboard.press(' ');
    await page.keyboard.press('Enter');
  }
  // A decision that the page put the focus on is not pressed either.
  const approve = page.getByRole('button', { name: /^Approve/ }).first();
  await approve.focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press(' ');
  expect([await state(one.send_id), await state(two.send_id)]).toEqual(['review', 'review']);

  await page.keyboard.press('a');
  await expect.poll(() => state(one.send_id), SOON).toBe('scheduled');
  await stands(page, 'Mia Second');
  await expect.poll(() => row(two.send_id).evaluate((it) => it === document.activeElement)).toBe(true);
  await page.getByText('Letter to Lea First approved.').waitFor();
  await page.keyboard.press('z');
  await expect.poll(() => state(one.send_id), SOON).toBe('review');
  await stands(page, 'Lea First');
  await expect.poll(() => row(one.send_id).evaluate((it) => it === document.activeElement)).toBe(true);

  await page.keyboard.press('a');
  await expect.poll(() => state(one.send_id), SOON).toBe('scheduled');
  await page.getByText('Letter to Lea First approved.').waitFor();
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await expect.poll(() => state(one.send_id), SOON).toBe('review');
  await page.close();
});

test('a letter that does not go says which gate is shut, what lifts it and who can, and is asked again', async () => {
  const campaign = await aCampaign(app, desk, { name: 'Held for a while' });
  const { send_id } = await aLetter(app, campaign, 'Fay Held');
  await approved(app.admin, send_id);
  await app.admin.rest('POST', `${O}/sends/${send_id}/hold`, { note: 'She is on leave.' });
  const page = await browser.page(app.admin, `/sends?state=held`);
  await page.getByRole('list', { name: 'Hold reasons' }).getByText('Letter on hold').waitFor();
  await expectAccessibleCrosswise(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  const why = page.getByRole('region', { name: 'Why hasn’t this been sent?' });
  await why.getByText('She is on leave.').waitFor();
  await why.getByText('This letter is on hold.').first().waitFor();
  await expect.poll(() => why.getByRole('listitem').count()).toBe(15);
  await expectAccessibleCrosswise(page);
  await page.getByRole('button', { name: 'Recheck' }).click();
  await expect.poll(() => state(send_id), SOON).toBe('scheduled');
  await page.close();
});

test('a letter that an approval lets go is approved where it is held, to the address that the question names', async () => {
  const campaign = await aCampaign(app, desk);
  const { send_id } = await aLetter(app, campaign, 'Ida Moved');
  const held = { hold_reason: 'address_changed', held_at: app.clock.now() };
  await app.sql`update sends set state = 'held', ${app.sql(held)} where id = ${send_id}`;
  const { to } = (await readSend(app.admin, send_id)).send;
  const page = await browser.page(app.admin, `/sends/${send_id}`);
  await page.getByRole('button', { name: 'Approve', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(`Approve this letter to ${to}?`).waitFor();
  await dialog.getByRole('button', { name: 'Approve the letter' }).click();
  await expect.poll(() => state(send_id), SOON).toBe('scheduled');
  await page.close();
});

test('what happened to a letter whose sending broke off is said by a person who was told what each answer does', async () => {
  const campaign = await aCampaign(app, desk);
  const { send_id } = await aLetter(app, campaign, 'Gus Uncertain');
  await app.sql`update sends set state = 'uncertain', sending_at = ${app.clock.now()} where id = ${send_id}`;
  const page = await browser.page(app.admin, `/sends/${send_id}`);
  await page.getByText('Gus Uncertain gets it twice').or(page.getByText('gets it twice')).first().waitFor();
  await page.getByRole('button', { name: 'It was sent', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('isn’t sent again').waitFor();
  await dialog.getByRole('button', { name: 'Mark as sent' }).click();
  await expect.poll(() => state(send_id), SOON).toBe('sent');
  await page.close();
});

test('many letters are cancelled at once, and each that is refused is named', async () => {
  const campaign = await aCampaign(app, desk);
  const one = await aLetter(app, campaign, 'Hal Many');
  const two = await aLetter(app, campaign, 'Ida Many');
  const page = await browser.page(app.admin, `/sends?campaign=${campaign.id}`);
  await page.getByText('Hal Many', { exact: true }).waitFor();
  for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key);
  await page
    .getByRole('region', { name: 'Selected letters' })
    .getByRole('button', { name: 'Cancel' })
    .click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel 2 letters' }).click();
  await page.getByRole('region', { name: 'Bulk actions' }).getByText('Done for 2 letters.').waitFor();
  expect([await state(one.send_id), await state(two.send_id)]).toEqual(['cancelled', 'cancelled']);
  await page.close();
});

test('a single letter is written from a person’s page, and waits in review', async () => {
  const person = await somebody(app, 'Kim Single');
  const page = await browser.page(app.admin, `/people/${person.id}`);
  await page.getByRole('button', { name: 'Write a letter' }).click();
  const form = page.getByRole('form', { name: 'Write a letter' });
  await form.getByLabel('Subject').fill('Your talk in Ghent');
  await form.getByLabel('Text').fill('Dear Kim');
  await form.getByRole('button', { name: 'Create draft' }).click();
  await page.getByRole('heading', { name: 'Letter to Kim Single' }).waitFor();
  const why = page.getByRole('region', { name: 'Why hasn’t this been sent?' });
  await why.getByRole('strong').getByText('It waits for approval').waitFor();
  await page.close();
});
