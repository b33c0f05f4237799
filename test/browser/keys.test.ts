// The keys that screens advertise, in random order: no decision is made that wasn't the last explicit choice on what was shown.
import type { Page } from '@playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../support/app.ts';
import { newProject, parkedBy } from '../support/board.ts';
import { openBrowser, SCREENS, type TestBrowser } from '../support/browser.ts';
import { aCampaign, aDesk, aLetter } from '../support/letters.ts';
import { seeded, walk } from '../support/key-walk.ts';

let app: TestApp;
let browser: TestBrowser;
beforeAll(async () => {
  app = await openTestApp({ screens: SCREENS });
  browser = await openBrowser(app);
});
afterAll(async () => {
  await browser?.close();
  await app?.close();
});

const STEPS = 24;

/** Walks, and gives every request that decides, each with the keys before it. */
async function walked(page: Page, seed: number): Promise<void> {
  const found = await walk(page, seeded(seed), STEPS);
  expect(found.filter(({ chosen }) => !chosen)).toEqual([]);
}

test('in the review', async () => {
  const campaign = await aCampaign(app, await aDesk(app), { name: 'Keys' });
  for (let n = 0; n < 12; n += 1) await aLetter(app, campaign, `Reader ${n}`);
  const page = await browser.page(app.admin, `/review?campaign=${campaign.id}`);
  await page.getByRole('article', { name: 'Letter to Reader 0' }).waitFor();
  await walked(page, 11);
  await page.close();
});

test('in the approvals', async () => {
  const project = await newProject(app, { review_limit: 40 });
  const scout = await app.token({ name: 'scout' });
  const ben = await app.person({ name: 'Ben Low' });
  for (let n = 0; n < 12; n += 1) await parkedBy(scout, project.key, { title: `Finished ${n}` });
  const page = await browser.page(ben, `/approvals?project=${project.key}`);
  await page.getByRole('heading', { name: 'Finished 0' }).waitFor();
  await walked(page, 12);
  await page.close();
});
