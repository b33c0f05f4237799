// Letters that were tried, in a real browser: one that failed is sent again, from its page and from its person, many of which no one
// knows are settled at once, and an identity says who files its copies.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectAccessibleCrosswise, openBrowser, SCREENS, type TestBrowser } from '../support/browser.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { aCampaign, aDesk, aLetter, approved, readSend, type Desk } from '../support/letters.ts';

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

const SOON = { timeout: 60_000 };
const state = async (id: string) => (await readSend(app.admin, id)).send.state;

async function failed(name: string) {
  const campaign = await aCampaign(app, desk, { name: `Of ${name}` });
  const letter = await aLetter(app, campaign, name);
  await approved(app.admin, letter.send_id);
  const now = app.clock.now();
  await app.sql`
    update sends set state = 'failed', failed_reason = 'policy', delivery = 'policy', sending_at = ${now}
    where id = ${letter.send_id}`;
  await app.sql`
    update prospects set hold_by = 'system', hold_reason = 'their mail server refused their letter', held_at = ${now}
    where id = ${letter.prospect_id}`;
  return { ...letter, campaign };
}

test('a letter that failed is sent again from its page, once what that does was read', async () => {
  const { send_id } = await failed('Ned Again');
  const page = await browser.page(app.admin, `/sends/${send_id}`);
  await page.getByRole('button', { name: 'Send again' }).waitFor();
  await expectAccessibleCrosswise(page);
  await page.getByRole('button', { name: 'Send again' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Fix the cause first').waitFor();
  await dialog.getByRole('button', { name: 'Send again' }).click();
  await expect.poll(() => state(send_id), SOON).toBe('scheduled');
  await page.getByText('sent it again').waitFor();
  await page.close();
});

test('whoever is held since their letter failed has it sent again before any next step', async () => {
  const { send_id, campaign } = await failed('Olga Held');
  const page = await browser.page(app.admin, `/campaigns/${campaign.id}?view=people`);
  await page.getByRole('button', { name: 'Why? Olga Held' }).click();
  const drawer = page.getByRole('dialog');
  await drawer.getByText('The letter to this person failed and wasn’t delivered.').waitFor();
  await drawer.getByRole('button', { name: 'Skip to the next step' }).waitFor();
  await expectAccessibleCrosswise(page);
  await drawer.getByRole('button', { name: 'Send again' }).click();
  await expect.poll(() => state(send_id), SOON).toBe('scheduled');
  await page.close();
});

test('many letters of which no one knows are settled at once, by what was looked for', async () => {
  const campaign = await aCampaign(app, desk, { name: 'Broken off' });
  const ids: string[] = [];
  for (const name of ['Pia Lost', 'Quin Lost', 'Rob Lost'])
    ids.push((await aLetter(app, campaign, name)).send_id);
  const now = app.clock.now();
  await app.sql`update sends set state = 'uncertain', sending_at = ${now} where id = any(${ids})`;
  await app.sql`
    insert into sent_copies (send_id, identity_id, due_at, looks, looked_at)
    select id, identity_id, ${now}, 1, ${now} from sends where id = any(${ids})`;
  const page = await browser.page(app.admin, `/sends?state=uncertain&campaign=${campaign.id}`);
  await page.getByText('A letter is settled automatically').waitFor();
  await page.getByText('No copy in Sent').first().waitFor();
  await expectAccessibleCrosswise(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key);
  const bar = page.getByRole('region', { name: 'Selected letters' });
  await bar.getByRole('button', { name: 'Mark as sent' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Mark as sent' }).click();
  await expect
    .poll(async () => (await Promise.all(ids.map(state))).toSorted().join(), SOON)
    .toBe('sent,sent,uncertain');
  await page.getByText('2 letters marked as sent').first().waitFor();
  const left = (await Promise.all(ids.map(state))).indexOf('uncertain');
  await page.goto(`${app.url}/sends/${ids[left]}`);
  await page.getByRole('list', { name: 'Evidence' }).getByText('Copy in Sent: not found').waitFor();
  await expectAccessibleCrosswise(page);
  await page.close();
});

test('an identity says who files its copies, and is told otherwise', async () => {
  await app.sql`
    update identities set inbound_kind = 'imap', transport_kind = 'smtp',
      inbound = ${app.sql.json({ host: 'imap.example.com', port: 993, security: 'tls', user: 'ann', mailbox: 'INBOX' })},
      transport = ${app.sql.json({ host: 'smtp.example.com', port: 587, security: 'starttls', user: 'ann' })}
    where id = ${desk.identity_id}`;
  const page = await browser.page(app.admin, `/settings/identities/${desk.identity_id}`);
  const form = page.getByRole('form', { name: 'Copies in Sent' });
  await form.scrollIntoViewIfNeeded();
  await page.getByText('A copy of each letter is saved in Sent').waitFor();
  await expectAccessibleCrosswise(page);
  await form.getByLabel('Copies').selectOption({ label: 'Don’t save copies' });
  await form.getByLabel('Sent folder').fill('Sent Items');
  await form.getByRole('button', { name: 'Save copies' }).click();
  await page.getByText('No copies are saved.').waitFor();
  expect(
    await app.sql`select sent_copies, sent_folder from identities where id = ${desk.identity_id}`,
  ).toEqual([{ sent_copies: 'none', sent_folder: 'Sent Items' }]);
  await page.close();
});
