// What every story shares: whether it is told at a desk or on a phone, a width that nothing may stick out of, and patience.
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect } from 'vitest';
import { expectAccessible } from '../../support/browser.ts';

/** A desk and a phone. */
export const WIDTHS = [1440, 375] as const;

/** Each story is told at one of them; in the long runs at both. */
const at = (place: 0 | 1): readonly number[] => (process.env['TEST_LONG'] === '1' ? WIDTHS : [WIDTHS[place]]);
export const AT_A_DESK = at(0);
export const ON_A_PHONE = at(1);

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
