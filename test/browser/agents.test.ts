// Agents and models in Settings, in a real browser: making, changing and deleting an agent, what a provider lacks, budgets, and
// all of it for everyone.
import type { Page } from '@playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  expectAccessibleCrosswise,
  expectAccessibleInEveryLook,
  openBrowser,
  SCREENS,
  type TestBrowser,
} from '../support/browser.ts';
import { openChatApp, type ChatApp } from '../support/chat.ts';
import type { TestApp } from '../support/app.ts';

let desk: ChatApp;
let app: TestApp;
let browser: TestBrowser;

beforeAll(async () => {
  desk = await openChatApp({ screens: SCREENS });
  ({ app } = desk);
  browser = await openBrowser(app);
});

afterAll(async () => {
  await browser?.close();
  await desk?.[Symbol.asyncDispose]();
});

/** Loopback under the load of the other test files. */
const SOON = { timeout: 60_000 };

const agents = async () => (await app.admin.rest('GET', '/api/agents')).body.items;
const named = async (name: string) =>
  (await agents()).find((agent: { name: string }) => agent.name === name) ?? null;
const row = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Agents', exact: true }).getByRole('button', { name });

test('an agent is made with tools of its own, changed, and deleted', async () => {
  const page = await browser.page(app.admin, '/settings/agents');
  await row(page, 'Assistant').waitFor();
  await page.keyboard.press('n');
  const form = page.getByRole('form', { name: 'New agent' });
  await form.getByLabel('Name').fill('Librarian');
  await form.getByLabel('Instructions').fill('Answer from the records alone.');
  await form.getByText('Selected tools').click();
  await form.getByRole('combobox', { name: 'Allowed tools' }).fill('Find op');
  await page.getByRole('option', { name: /^Find operations/ }).click();
  await form.getByRole('button', { name: 'Create agent' }).focus();
  await page.keyboard.press('Enter');
  await row(page, 'Librarian').waitFor();
  expect(await named('Librarian')).toMatchObject({
    instructions: 'Answer from the records alone.',
    tools: ['find_operations'],
    model: null,
  });
  await row(page, 'Librarian').click();
  const drawer = page.getByRole('form', { name: 'Agent Librarian' });
  await drawer.getByLabel('Name').fill('Archivist');
  await drawer.getByText('All tools of this instance').click();
  await drawer.getByRole('button', { name: 'Save' }).click();
  await row(page, 'Archivist').waitFor();
  expect(await named('Archivist')).toMatchObject({ tools: null, revision: 2 });
  await row(page, 'Archivist').click();
  await page.getByRole('button', { name: 'Delete agent' }).click();
  await page
    .getByRole('dialog', { name: 'Delete Archivist?' })
    .getByRole('button', { name: 'Delete' })
    .click();
  await row(page, 'Archivist').waitFor({ state: 'detached' });
  expect(await named('Archivist')).toBeNull();
  await page.close();
});

test('R6: what an agent may do without asking is set by an administrator, and is there to be seen', async () => {
  const page = await browser.page(app.admin, '/settings/agents');
  await row(page, 'Assistant').click();
  const form = page.getByRole('form', { name: 'Actions Assistant may take without approval' });
  await form.getByRole('combobox', { name: 'Allowed without approval' }).fill('Delete item');
  await page.getByRole('option', { name: /^Delete item/ }).click();
  await expectAccessibleInEveryLook(page);
  // By keyboard: the list of the choice lies over the button.
  await form.getByRole('button', { name: 'Save permissions' }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await named('Assistant')).allowed, SOON).toEqual(['item_delete']);
  await page.reload();
  await form.getByText('Delete item').first().waitFor();
  const { id, revision } = await named('Assistant');
  await app.admin.rest('PUT', `/api/admin/agents/${id}/allowed`, { revision, allowed: [] });
  await page.close();
});

test('the agent that is built in is changed, and its button of deletion says why it stays', async () => {
  const page = await browser.page(app.admin, '/settings/agents');
  await row(page, 'Assistant').click();
  const remove = page.getByRole('button', { name: 'Delete agent' });
  await remove.waitFor();
  expect(await remove.getAttribute('aria-description')).toContain('is built in and can’t be deleted');
  await expectAccessibleCrosswise(page);
  await page.close();
});

test('models are under their providers, and a provider without a key says so and leads to where it is saved', async () => {
  const page = await browser.page(app.admin, '/settings/agents');
  const providers = page.getByRole('list', { name: 'Model providers' });
  await providers.getByText('openai_compatible/test-large', { exact: true }).waitFor();
  const missing = providers.getByRole('listitem').filter({ hasText: 'Anthropic' });
  await missing
    .getByText('no key is saved: an administrator can save one in Settings → Integrations')
    .waitFor();
  await expectAccessibleInEveryLook(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await missing.getByRole('link', { name: 'Add key' }).click();
  await page.waitForURL(/\/settings\/integrations/);
  await page.close();
});

test('budgets are raised where the sentences say that they are', async () => {
  const page = await browser.page(app.admin, '/settings/agents');
  const form = page.getByRole('form', { name: 'Default model and budgets' });
  await form.getByLabel('Daily tokens in total').fill('777000');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect
    .poll(async () => (await app.admin.rest('GET', '/api/settings')).body.chat.tokens_per_day, SOON)
    .toBe(777_000);
  await page.close();
});

test('a member reads what agents there are, and edits none', async () => {
  const page = await browser.page(await app.person(), '/settings/agents');
  await row(page, 'Assistant').click();
  await page.getByRole('form', { name: 'Agent Assistant' }).waitFor();
  expect(await page.getByRole('button', { name: /^(Save|Delete agent|New agent)$/ }).count()).toBe(0);
  await page.close();
});
