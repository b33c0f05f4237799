// A story: someone opens a new instance, becomes its first administrator, and takes the first steps one after another until
// the list of them is empty.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { openBrowser, SCREENS } from '../../support/browser.ts';
import { openTestApp } from '../../support/app.ts';
import { heading, LONG_MS, looksRight, ON_A_PHONE, path, SOON } from './told.ts';

const PASSWORD = 'correct horse battery';
const step = (page: Page, title: string) => page.getByRole('listitem').filter({ hasText: title });

/** From the list of first steps to the place where this one is taken. */
async function take(page: Page, act: string, to: string): Promise<void> {
  await page.getByRole('link', { name: act, exact: true }).click();
  await expect.poll(() => path(page), SOON).toBe(to);
}

/** By two keys to where one lands, and from its card to the steps: this one says what state it is in now. */
async function backTo(page: Page, title: string, says: string): Promise<void> {
  await page.keyboard.press('g');
  await page.keyboard.press('t');
  await page.getByRole('link', { name: 'Show steps' }).click();
  await step(page, title).getByText(says).waitFor();
}

test.each(ON_A_PHONE)(
  'a newcomer sets the instance up and takes every first step, at %i px',
  async (width) => {
    const app = await openTestApp({ screens: SCREENS, setUp: false });
    const browser = await openBrowser(app);
    try {
      const page = await browser.page(null, `/setup?key=${app.key}`, { width });
      await heading(page, 'Set up this instance').waitFor();
      await page.getByRole('textbox', { name: 'Your name' }).fill('Ada Operator');
      await page.getByRole('textbox', { name: 'Email' }).fill('ada@example.com');
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
      await page.getByRole('button', { name: 'Set up and sign in' }).click();
      await page.waitForURL('**/start');
      await heading(page, 'Send your first letter').waitFor();

      await page.goto(`${app.url}/`);
      await heading(page, 'Get started').waitFor();
      await looksRight(page, 'first-today');
      await page.getByRole('link', { name: 'Show steps' }).click();
      await heading(page, 'Send your first letter').waitFor();
      await looksRight(page, 'first-steps');

      await take(page, 'Add domain', '/settings/domains');
      const domain = page.getByRole('form', { name: 'Add a sending domain' });
      await domain.getByLabel('Domain', { exact: true }).fill('mail.bridges.example');
      await domain.getByRole('button', { name: 'Add domain' }).click();
      await heading(page, 'mail.bridges.example').waitFor();
      await looksRight(page, 'first-domain');
      await backTo(page, 'Add a sending domain', 'DNS records aren’t verified yet');

      await take(page, 'Add identity', '/settings/identities/new');
      const identity = page.getByRole('form', { name: 'Set up an identity' });
      await identity.getByLabel('Name').fill('Ann Example');
      await identity.getByLabel('Address').fill('ann@mail.bridges.example');
      await identity.getByText('Sandbox').click();
      await identity.getByRole('button', { name: 'Create identity' }).click();
      await page.getByRole('button', { name: 'Activate' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Activate' }).click();
      await page.getByRole('button', { name: 'Deactivate' }).waitFor();
      await looksRight(page, 'first-identity');
      await backTo(page, 'Add an identity to send from', 'Identity active.');

      await take(page, 'Add people', '/people');
      await page.getByRole('button', { name: 'Add a person' }).click();
      const person = page.getByRole('form', { name: 'New person' });
      await person.getByLabel('Name').fill('Dana Roe');
      await person.getByLabel('Address').fill('dana@firm.example');
      await person.getByRole('button', { name: 'Add', exact: true }).click();
      await heading(page, 'Dana Roe').first().waitFor();
      await looksRight(page, 'first-person');
      await backTo(page, 'Add people', 'People added.');

      await take(page, 'Create campaign', '/campaigns');
      const campaign = page.getByRole('form', { name: 'New campaign' });
      await campaign.getByLabel('Name').fill('Head offices');
      await campaign.getByRole('button', { name: 'Create draft' }).click();
      await heading(page, 'Before you activate').waitFor();
      await looksRight(page, 'first-campaign');
      await backTo(page, 'Create a campaign', 'Draft created');

      await take(page, 'Connect agent', '/settings/api/connect');
      await page.getByRole('button', { name: 'Mint token' }).click();
      const value = await page.locator('pre[aria-label="token value"]').textContent();
      await page.getByText('Waiting for the first call').waitFor();
      const client = new Client({ name: 'scout', version: '1' });
      await client.connect(
        new StreamableHTTPClientTransport(new URL(`${app.url}/mcp`), {
          requestInit: { headers: { Authorization: `Bearer ${value}` } },
        }),
      );
      await client.callTool({ name: 'work_search', arguments: {} });
      await page.getByText('Connected: first call received').waitFor();
      await looksRight(page, 'first-agent');
      await client.close();
      await backTo(page, 'Connect an agent', 'Agent connected.');

      await page.goto(`${app.url}/`);
      await heading(page, '5 setup steps left').waitFor();
      await page.getByRole('button', { name: 'Dismiss' }).click();
      await heading(page, '5 setup steps left').waitFor({ state: 'detached' });
      await looksRight(page, 'first-today-after');
    } finally {
      await browser.close();
      await app.close();
    }
  },
  LONG_MS,
);
