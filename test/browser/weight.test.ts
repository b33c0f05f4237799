// How much script a first visit takes: on a fresh profile, compressed, all of it until the screen exists and is quiet.
import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newProject } from '../support/board.ts';
import { openBrowser, SCREENS, type TestBrowser } from '../support/browser.ts';
import { openTestApp, type PersonClient, type TestApp } from '../support/app.ts';

const LIMIT_BYTES = 200 * 1024;
/** With no new script for this long, what a first visit loads is loaded. */
const QUIET_MS = 1_000;

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

/** Compressed bytes of every script that this address loads, by file. */
async function weigh(who: PersonClient | null, path: string, stands: (page: Page) => Promise<void>) {
  const page = await browser.page(who, '/healthz', { fresh: true });
  const scripts = new Map<string, Promise<number>>();
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script')
      scripts.set(
        new URL(response.url()).pathname,
        response.body().then((body) => gzipSync(body).byteLength),
      );
  });
  await page.goto(app.url + path);
  await stands(page);
  for (let before = -1; before !== scripts.size;) {
    before = scripts.size;
    await page.waitForTimeout(QUIET_MS);
  }
  const found = await Promise.all([...scripts].map(async ([file, bytes]) => ({ file, bytes: await bytes })));
  await page.close();
  return { files: found.length, bytes: found.reduce((sum, { bytes }) => sum + bytes, 0) };
}

test('sign-in takes less than 200 KB of compressed script', async () => {
  const { files, bytes } = await weigh(null, '/sign-in', (page) =>
    page.getByRole('button', { name: 'Continue' }).waitFor(),
  );
  expect(files).toBeGreaterThan(0);
  expect(bytes).toBeLessThan(LIMIT_BYTES);
});

test('the work of all projects takes less than 200 KB of compressed script', async () => {
  await newProject(app, { name: 'Autumn letters' });
  const { files, bytes } = await weigh(app.admin, '/work', (page) =>
    page.getByText('Autumn letters').first().waitFor(),
  );
  expect(files).toBeGreaterThan(0);
  expect(bytes).toBeLessThan(LIMIT_BYTES);
});

test('what a person lands on after signing in takes less than 200 KB of compressed script', async () => {
  const { files, bytes } = await weigh(app.admin, '/', (page) =>
    page.getByRole('heading', { name: /You’re all caught up/ }).waitFor(),
  );
  expect(files).toBeGreaterThan(0);
  expect(bytes).toBeLessThan(LIMIT_BYTES);
});
