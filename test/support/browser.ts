// A browser for a test file: pages that are signed in as someone, in light or dark and at any width. Everything is on loopback.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { BrowserContext, Page } from '@playwright/test';
import { expect } from 'vitest';
import type { PersonClient, TestApp } from './app.ts';
import { pageAt, pageOfItsOwn } from './profiles.ts';

/** The screens as they are built, for `openTestApp`. */
export const SCREENS = join(import.meta.dirname, '../../dist/ui');

/** `fresh` is a profile of its own: nothing cached, no other page. */
export type Look = { width?: number; height?: number; dark?: boolean; fresh?: boolean };

export type TestBrowser = {
  /** A page at this address, signed in as this person; closed with its test, with the browser or on its own. */
  page(who: PersonClient | null, path: string, look?: Look): Promise<Page>;
  close(): Promise<void>;
};

const WIDE = { width: 1440, height: 900 };
const NARROW = 375;

export async function openBrowser(app: TestApp): Promise<TestBrowser> {
  const opened = new Set<Page>();
  return {
    async page(who, path, { width = WIDE.width, height = width < 640 ? 740 : WIDE.height, ...look } = {}) {
      const page = await (look.fresh ? pageOfItsOwn() : pageAt(new URL(app.url).origin));
      opened.add(page);
      page.once('close', () => opened.delete(page));
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme: look.dark ? 'dark' : 'light', reducedMotion: 'reduce' });
      if (who) await signIn(page.context(), app, who);
      await page.goto(app.url + path);
      return page;
    },
    async close() {
      for (const page of opened) await page.close();
    },
  };
}

async function signIn(context: BrowserContext, app: TestApp, who: PersonClient): Promise<void> {
  const [name = '', value = ''] = who.cookie.split(/=(.*)/s);
  // Of an instance with an https address it is a secure one, which Chromium sends to loopback without https too.
  const secure = name.startsWith('__Host-');
  await context.addCookies([{ name, value, url: secure ? app.url.replace('http:', 'https:') : app.url }]);
}

type Router = {
  history: { push(path: string): void };
  state: { status: string; location: { href: string }; resolvedLocation?: { href: string } };
};
type Routed = { __TSR_ROUTER__: Router };

/** Gone to as by a link, so that what was loaded for the screen before stays. */
export async function walk(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => (globalThis as unknown as Routed).__TSR_ROUTER__.history.push(to), path);
  await page.waitForFunction(() => {
    const { status, location, resolvedLocation } = (globalThis as unknown as Routed).__TSR_ROUTER__.state;
    return status === 'idle' && location.href === resolvedLocation?.href;
  });
}

/** Of its two forms the small one: the other, with every comment, takes twice as long to read in every document. */
const AXE = readFileSync(
  createRequire(import.meta.resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'),
  'utf8',
);

/** No finding of axe on the page as it exists, in the words of each finding; of these rules alone where some are named. */
export async function expectAccessible(page: Page, rules: string[] = []): Promise<void> {
  // Half a megabyte of script: read once a document, not once a question. Its own entry gives up after a second, and then finds
  // no axe in the page.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE);
  // No frame of another origin is in a page, so axe needs no second page to gather what it found.
  const axe = new AxeBuilder({ page, axeSource: ';' })
    .setLegacyMode(true)
    // What it would read beforehand is for rules of sounds and of style sheets that no one asks for, and frames hold mail, in
    // which it does not run: it would wait half a second for their answer.
    .options({ resultTypes: ['violations'], preload: false, iframes: false });
  const findings = async (): Promise<string[]> => {
    const { violations } = await (rules.length > 0 ? axe.withRules(rules) : axe).analyze();
    return violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`,
    );
  };
  // A finding is what is there: one that is gone a moment later was a colour on its way to another.
  if ((await findings()).length === 0) return;
  await page.waitForTimeout(1_000);
  expect(await findings()).toEqual([]);
}

/** The rules whose findings differ between light and dark. */
const OF_COLOUR = ['color-contrast', 'link-in-text-block'];

async function look(page: Page, width: number, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.setViewportSize({ width, height: 800 });
  await page.emulateMedia({ colorScheme });
  await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
  // Two frames, and the end of whatever still changes: axe measures colours as they are painted.
  await page.evaluate(async () => {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const ends = document
      .getAnimations()
      .filter((each) => each.effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(ends.map((each) => each.finished));
  });
}

/** The same wide and narrow, light and dark; but for the long runs crosswise, which asks every rule of both widths and colours. */
export async function expectAccessibleInEveryLook(page: Page): Promise<void> {
  if (process.env['TEST_LONG'] === '1') {
    for (const width of [WIDE.width, NARROW])
      for (const scheme of ['light', 'dark'] as const) {
        await look(page, width, scheme);
        await expectAccessible(page, scheme === 'dark' ? OF_COLOUR : []);
      }
    return;
  }
  await look(page, ...CROSSWISE[0]);
  await expectAccessible(page);
  await look(page, ...CROSSWISE[1]);
  await expectAccessible(page);
}

const CROSSWISE = [
  [WIDE.width, 'light'],
  [NARROW, 'dark'],
] as const;

/** The same for what opens over a screen that is looked at in every way: in one of the two, by its place; in the long runs in both. */
export async function expectAccessibleCrosswise(page: Page): Promise<void> {
  const only = process.env['TEST_LONG'] === '1' ? null : inTurn();
  for (const [turn, [width, scheme]] of CROSSWISE.entries()) {
    // What is not asked about is gone through all the same: whoever asks goes on from the second.
    await look(page, width, scheme);
    if (only === null || only === turn) await expectAccessible(page);
  }
}

const asked = new Map<string, number>();

/** 0 and 1 in turn within a test, beginning by its name: the same in every run, whatever ran before. */
function inTurn(): 0 | 1 {
  const { testPath = '', currentTestName = '' } = expect.getState();
  const name = `${testPath} ${currentTestName}`;
  const turn = asked.get(name) ?? 0;
  asked.set(name, turn + 1);
  return (currentTestName.length + turn) % 2 === 0 ? 0 : 1;
}
