// A story: someone connects an agent of their own, watches its card move on the board while it works, returns what it made
// once with a note, and approves it.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Page } from '@playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser, SCREENS, type TestBrowser } from '../../support/browser.ts';
import { openTestApp, type TestApp } from '../../support/app.ts';
import { AT_A_DESK, heading, LONG_MS, looksRight, SOON } from './told.ts';

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

const column = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true });

/** The agent's own program: the official client, with the value that the screen showed. */
async function agentWith(value: string) {
  const client = new Client({ name: 'scout', version: '1' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${app.url}/mcp`), {
      requestInit: { headers: { Authorization: `Bearer ${value}` } },
    }),
  );
  return {
    close: () => client.close(),
    async does(name: string, given: Record<string, unknown>): Promise<any> {
      const answer = (await client.callTool({ name, arguments: given })) as any;
      expect(answer.isError, JSON.stringify(answer.content)).not.toBe(true);
      return JSON.parse(answer.content[0].text);
    },
  };
}

test.each(AT_A_DESK)(
  'an agent is connected, its card is watched, and what it made is returned once and then approved, at %i px',
  async (width) => {
    const page = await browser.page(app.admin, '/settings/api/connect', { width });
    await page.getByLabel('Name').first().fill(`scout-${width}`);
    await page.getByRole('button', { name: 'Mint token' }).click();
    const value = (await page.locator('pre[aria-label="token value"]').textContent()) ?? '';
    const scout = await agentWith(value);

    const name = `Spring ${width}`;
    await page.goto(`${app.url}/work?new=project`);
    const form = page.getByRole('form', { name: 'New project' });
    await form.getByLabel('Name').fill(name);
    await form.getByLabel('Key').fill(`S${width}`);
    await form.getByRole('button', { name: 'Create' }).click();
    await column(page, 'To do').waitFor();

    const project = `S${width}`;
    const { item } = await scout.does('work_create', {
      project,
      title: 'Find the ten oldest customers',
      status: 'todo',
    });
    const card = (title: string) => column(page, title).locator('article', { hasText: item.key });
    await card('To do').waitFor();
    await scout.does('work_claim', { item_id: item.id });
    await scout.does('work_move', { item_id: item.id, status: 'in_progress' });
    await card('In progress').waitFor();
    await card('In progress').scrollIntoViewIfNeeded();
    await looksRight(page, 'agent-board');
    await scout.does('work_comment', {
      item_id: item.id,
      text: 'Ten are found, by the date of their first order.',
    });
    await scout.does('work_move', { item_id: item.id, status: 'done' });
    await card('In review').waitFor();

    // It is told of where one lands, and decided from there.
    await page.goto(`${app.url}/`);
    await page.getByText('Find the ten oldest customers').first().waitFor();
    await looksRight(page, 'agent-today');
    await page.goto(`${app.url}/approvals?project=${project}`);
    if (width < 640) await page.getByRole('link', { name: /Find the ten oldest customers/ }).click();
    await heading(page, 'Find the ten oldest customers').waitFor();
    await page.getByText('Ten are found, by the date').first().waitFor();
    await looksRight(page, 'agent-approval');
    const shut = page.locator(':not([aria-disabled])');
    await page
      .getByRole('button', { name: /^Return/ })
      .and(shut)
      .first()
      .waitFor();
    await page.keyboard.press('r');
    await page.getByRole('textbox', { name: /What’s missing/ }).waitFor();
    await page.keyboard.type('Say where each address came from.');
    await page.keyboard.press('Control+Enter');
    await expect
      .poll(async () => (await scout.does('work_get', { item_id: item.id })).item.status, SOON)
      .toBe('in_progress');

    await scout.does('work_comment', { item_id: item.id, text: 'From their invoices.' });
    await scout.does('work_move', { item_id: item.id, status: 'done' });
    await page.goto(`${app.url}/approvals?project=${project}`);
    if (width < 640) await page.getByRole('link', { name: /Find the ten oldest customers/ }).click();
    await heading(page, 'Find the ten oldest customers').waitFor();
    await page
      .getByRole('button', { name: /^Approve/ })
      .and(shut)
      .first()
      .waitFor();
    if (width < 640)
      await page
        .getByRole('button', { name: /^Approve/ })
        .first()
        .click();
    else await page.keyboard.press('a');
    await expect
      .poll(async () => (await scout.does('work_get', { item_id: item.id })).item.status, SOON)
      .toBe('done');
    await looksRight(page, 'agent-decided');
    await scout.close();
    await page.close();
  },
  LONG_MS,
);
