// What every story shares: it is told once at a desk and once on a phone, a width that nothing may stick out of, and patience.
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect } from 'vitest';
import { expectAccessible } from '../../support/browser.ts';

/** A desk and a phone. */
export const WIDTHS = [1440, 375] as const;

export const LONG_MS = 240_000;

/** Loopback under the load of the other test files. */
export const SOON = { timeout: 60_000 };

export const heading = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { name, exact: typeof name === 'string' });

export const path = (page: Page): string => new URL(page.url()).pathname;

/** Where the story stops to look: nothing is wider than the screen, and axe finds nothing. */
export async function looksRight(page: Page, called: string): Promise<void> {
  const shots = process.env['SHOTS'];
  if (shots) {
    const { width = 0 } = page.viewportSize() ?? {};
    await page.screenshot({ path: join(shots, `${called}-${width}.png`) });
  }
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth), SOON)
    .toBeLessThanOrEqual(0);
  await expectAccessible(page);
}
