// A browser for a test file: chromium, launched once, with pages that are signed in as somebody, in light or dark and at any
// width. Everything is on loopback. Chromium is the machine's own where there is one, else what playwright brought.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { chromium, type Browser, type BrowserContext, type Page } from '@playwright/test';
import { expect } from 'vitest';
import type { PersonClient, TestHouse } from './house.ts';

const SYSTEM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
);

/** The screens as they are built, for `openTestHouse`. */
export const SCREENS = join(import.meta.dirname, '../../dist/ui');

export type Look = { width?: number; height?: number; dark?: boolean };

export type TestBrowser = {
  /** A page at this address, signed in as this person; closed with the browser or by `page.context().close()`. */
  page(who: PersonClient | null, path: string, look?: Look): Promise<Page>;
  close(): Promise<void>;
};

const WIDE = { width: 1440, height: 900 };
/** Longer than anything on loopback takes, shorter than a test's own limit. */
const PATIENCE_MS = 8_000;

export async function openBrowser(house: TestHouse): Promise<TestBrowser> {
  const browser: Browser = await chromium.launch({
    ...(SYSTEM && { executablePath: SYSTEM }),
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  });
  return {
    async page(
      who,
      path,
      { width = WIDE.width, height = width < 640 ? 740 : WIDE.height, dark = false } = {},
    ) {
      const context = await browser.newContext({
        viewport: { width, height },
        colorScheme: dark ? 'dark' : 'light',
        reducedMotion: 'reduce',
      });
      context.setDefaultTimeout(PATIENCE_MS);
      if (who) await signIn(context, house, who);
      const page = await context.newPage();
      await page.goto(house.url + path);
      return page;
    },
    close: () => browser.close(),
  };
}

async function signIn(context: BrowserContext, house: TestHouse, who: PersonClient): Promise<void> {
  const [name = '', value = ''] = who.cookie.split(/=(.*)/s);
  await context.addCookies([{ name, value, url: house.url }]);
}

/** No finding of axe on the page as it stands, in the words of each finding. */
export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`),
  ).toEqual([]);
}
