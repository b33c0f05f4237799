// "Why hasn’t this been sent?" in a real browser: one click from a campaign, an identity, a domain and someone in a campaign, with
// the first gate that is shut, what lifts it and who can.
import type { Page } from '@playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectAccessibleCrosswise, openBrowser, SCREENS, type TestBrowser } from '../support/browser.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import {
  aCampaign,
  aDesk,
  aLetter,
  approved,
  enrolled,
  O,
  somebody,
  type Desk,
  type TestCampaign,
} from '../support/letters.ts';

let app: TestApp;
let browser: TestBrowser;
let desk: Desk;
let campaign: TestCampaign;

beforeAll(async () => {
  app = await openTestApp({ screens: SCREENS });
  browser = await openBrowser(app);
  desk = await aDesk(app);
  campaign = await aCampaign(app, desk, { name: 'Bridges' });
  for (const name of ['Ann Held', 'Ben Held']) {
    const { send_id } = await aLetter(app, campaign, name);
    await approved(app.admin, send_id);
    await app.admin.rest('POST', `${O}/sends/${send_id}/hold`, { note: 'The fair comes first.' });
  }
  await aLetter(app, campaign, 'Cleo Unread');
});

afterAll(async () => {
  await browser?.close();
  await app?.close();
});

const ask = (page: Page) => page.getByRole('button', { name: 'Why hasn’t this been sent?' }).click();
const drawer = (page: Page) => page.getByRole('dialog', { name: 'Why hasn’t this been sent?' });

test('a campaign, an identity and a domain say by what and how many of their letters are stopped', async () => {
  const page = await browser.page(app.admin, `/campaigns/${campaign.id}`);
  // What waits to be read is beside the place where it is.
  await page.getByRole('link', { name: 'Review 1 waiting' }).waitFor();
  for (const at of [
    null,
    `/settings/identities/${desk.identity_id}`,
    `/settings/domains/${desk.domain_id}`,
  ] as const) {
    if (at) await page.goto(app.url + at);
    await ask(page);
    const groups = drawer(page).getByRole('list', { name: 'Letters by cause' });
    const held = groups.getByRole('listitem').filter({ hasText: 'Letter on hold' });
    await held.getByText('2 letters').waitFor();
    await held.getByText('Lifted by you or a colleague.').waitFor();
    await held.getByText('Not on hold').waitFor();
    const review = groups.getByRole('listitem').filter({ hasText: 'In review' });
    await review.getByText('It waits for approval.').waitFor();
    expect(new URL(page.url()).searchParams.get('act')).toBe('why');
  }
  await expectAccessibleCrosswise(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await app.admin.rest('POST', `${O}/domains/${desk.domain_id}/pause`, {});
  await drawer(page)
    .getByRole('list', { name: 'Causes' })
    .getByText('The domain is paused. Its letters are held.')
    .waitFor();
  await app.sql`update domains set state = 'active', paused_by = null, paused_reason = null, paused_at = null where id = ${desk.domain_id}`;
  await page.close();
});

test('someone in a campaign shows their next letter with its gates, or why none is written', async () => {
  const person = await somebody(app, 'Dan Waiting');
  const prospect = await enrolled(app, campaign, person);
  const page = await browser.page(app.admin, `/campaigns/${campaign.id}?view=people`);
  await page.getByRole('button', { name: 'Why? Ann Held' }).click();
  const why = drawer(page).getByRole('region', { name: 'Why hasn’t this been sent?' });
  await why.getByText('The fair comes first.').waitFor();
  await expect.poll(() => why.getByRole('listitem').count()).toBe(15);
  await expectAccessibleCrosswise(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Why? Dan Waiting' }).click();
  const none = drawer(page).getByRole('region', { name: 'Why there is no letter' });
  await none.getByText('Nothing is wrong').waitFor();
  await app.admin.rest('POST', `${O}/prospects/${prospect}/hold`, { reason: 'She is on leave' });
  await none.getByText('On hold by a person: She is on leave').waitFor();
  await none.getByText('To continue, select this person under People').waitFor();
  await page.close();
});
