// Owns the browser of a test process: chromium, launched once, and the profiles that one test after the other uses. Each begins
// without a cookie and without anything kept, in a renderer that has read the screens' scripts before: reading them again is half of
// what opening a page costs.
import type { Browser, BrowserContext, CDPSession, Page } from '@playwright/test';
import { onTestFinished, TestRunner } from 'vitest';
import { openChromium } from '../../scripts/looks/chromium.ts';

/** The keeper is a page that stays open beside the tests' own, so that the renderer stays too. */
type Profile = { context: BrowserContext; keeper: Page; devtools: CDPSession };

const LARGEST = { width: 1440, height: 900 };
/** Longer than anything takes on two cores that two browsers share; a wait that ends early costs nothing of it. */
const PATIENCE_MS = 60_000;

let launched: Promise<Browser> | null = null;
const idle: Profile[] = [];

async function chromium(): Promise<Browser> {
  if (!launched) {
    launched = openChromium(['--process-per-site'], { handleSIGTERM: false });
    const browser = await launched;
    // The runner ends its processes by this signal.
    process.once('SIGTERM', () => void browser.close().finally(() => process.exit()));
  }
  const browser = await launched;
  if (browser.isConnected()) return browser;
  idle.length = 0;
  launched = null;
  return await chromium();
}

async function newContext(): Promise<BrowserContext> {
  const context = await (await chromium()).newContext({ viewport: LARGEST, reducedMotion: 'reduce' });
  context.setDefaultTimeout(PATIENCE_MS);
  return context;
}

async function newProfile(): Promise<Profile> {
  const context = await newContext();
  const keeper = await context.newPage();
  const profile = { context, keeper, devtools: await context.newCDPSession(keeper) };
  context.on('close', () => forget(profile));
  context.on('page', (page) => page.on('close', () => giveBack(profile)));
  return profile;
}

function forget(profile: Profile): void {
  const at = idle.indexOf(profile);
  if (at >= 0) idle.splice(at, 1);
}

function giveBack(profile: Profile): void {
  if (profile.keeper.isClosed() || idle.includes(profile)) return;
  if (profile.context.pages().every((page) => page === profile.keeper)) idle.push(profile);
}

/** An empty page of a profile in which nothing of this address is kept; closed when the test ends, if it began in one. */
export async function pageAt(origin: string): Promise<Page> {
  const profile = idle.pop() ?? (await newProfile());
  const { context, keeper, devtools } = profile;
  await context.setOffline(false);
  await context.unrouteAll();
  await context.clearCookies();
  await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
  if (!keeper.url().startsWith(`${origin}/`)) await keeper.goto(`${origin}/favicon.svg`);
  const page = await context.newPage();
  closeAfterTest(profile.context, () => page.close());
  return page;
}

/** An empty page of a profile that no one had before and no one has afterwards, with a cache of its own and no other page. */
export async function pageOfItsOwn(): Promise<Page> {
  const context = await newContext();
  closeAfterTest(context, () => context.close());
  return await context.newPage();
}

/** Where a test failed no one goes on in what it leaves. */
function closeAfterTest(context: BrowserContext, close: () => Promise<void>): void {
  if (!TestRunner.getCurrentTest()) return;
  onTestFinished(async ({ task }) => {
    await (task.result?.state === 'fail' ? context.close() : close());
  });
}
