// `npm run lab`: how the screens feel in numbers, on an instance with 10,000 people, deals and cards, each against what it may be:
// first and largest paint, the slowest answer to a key or a click, the longest task while one scrolls, and a first visit's script.
// DEMO_ROWS says another number of rows. Ends with 1 where a number misses; where a task took long and was hardly at work, it was
// the machine that was busy.
import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContext, Page } from '@playwright/test';
import { openChromium } from './looks/chromium.ts';
import { openDemo } from './looks/instances.ts';

const ROWS = Number(process.env['DEMO_ROWS'] ?? 10_000);
const MOST = { fcp: 1_800, lcp: 2_500, interaction: 200, task: 100, script: 200 * 1_024 };
const QUIET_MS = 1_000;
const VIEW = { width: 1_440, height: 900 };

type Seen = { fcp: number; lcp: number; interaction: number; task: number };
type Measured = Seen & { work: number };
declare global {
  var seen: Seen;
}

const SCREENS: { name: string; path: string; row: string; keys: string[]; click: string }[] = [
  { name: 'Today', path: '/', row: 'main li', keys: ['j', 'j', 'k'], click: 'main li' },
  { name: 'Inbox', path: '/inbox', row: 'main li', keys: ['j', 'j', 'k'], click: 'main li' },
  {
    name: 'Board',
    path: '/work/ROPE',
    row: 'main article',
    keys: ['j', 'j', 'l', 'k'],
    click: 'main article',
  },
  { name: 'People', path: '/people', row: 'tbody tr[data-row]', keys: ['j', 'j', 'x'], click: 'thead th' },
];

/** Kept in the page from its first moment on. */
const watch = (): void => {
  globalThis.seen = { fcp: 0, lcp: 0, interaction: 0, task: 0 };
  const on = (type: string, each: (entry: PerformanceEntry) => void, more = {}): void =>
    new PerformanceObserver((list) => list.getEntries().forEach(each)).observe({
      type,
      buffered: true,
      ...more,
    });
  on('paint', ({ name, startTime }) => {
    if (name === 'first-contentful-paint') globalThis.seen.fcp = startTime;
  });
  on('largest-contentful-paint', ({ startTime }) => (globalThis.seen.lcp = startTime));
  on('longtask', ({ duration }) => (globalThis.seen.task = Math.max(globalThis.seen.task, duration)));
  // 16 ms is the finest that a browser tells; what is no press of a key or a button (a pointer that passes over) is none.
  on(
    'event',
    (entry) => {
      const { duration, interactionId } = entry as PerformanceEventTiming;
      if (interactionId > 0) globalThis.seen.interaction = Math.max(globalThis.seen.interaction, duration);
    },
    { durationThreshold: 16 },
  );
};

/** Until nothing is loaded for a while. */
async function quiet(page: Page): Promise<void> {
  let asked = 0;
  page.on('request', () => (asked += 1));
  for (let before = -1; before !== asked;) {
    before = asked;
    await page.waitForTimeout(QUIET_MS);
  }
}

type Traced = { name: string; pid: number; tid: number; tdur?: number; args: { name?: string } };

/** The processor time in ms of the longest task of the page meanwhile: how long it takes where nothing else runs beside. */
async function atWork(browser: Browser, page: Page, work: () => Promise<void>): Promise<number> {
  await browser.startTracing(page, { categories: ['toplevel'] });
  await work();
  const trace = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: Traced[] };
  const threadOf = ({ pid, tid }: Traced): string => `${pid} ${tid}`;
  const mains = new Set(
    trace.traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(threadOf),
  );
  const tasks = trace.traceEvents.filter((event) => event.tdur && mains.has(threadOf(event)));
  return tasks.reduce((most, { tdur = 0 }) => Math.max(most, tdur / 1_000), 0);
}

/** A wheel over the middle of what scrolls, as fast as a hand turns it. */
async function scroll(page: Page): Promise<void> {
  await page.mouse.move(VIEW.width / 3, VIEW.height * 0.6);
  for (let turn = 0; turn < 60; turn += 1) {
    await page.mouse.wheel(0, 400);
    await page.waitForTimeout(16);
  }
}

async function measure(
  browser: Browser,
  context: BrowserContext,
  url: string,
  screen: (typeof SCREENS)[number],
): Promise<Measured> {
  const page = await context.newPage();
  await page.addInitScript(watch);
  await page.goto(url + screen.path);
  await page.locator(screen.row).first().waitFor();
  await quiet(page);
  await page.evaluate(() => {
    globalThis.seen.task = 0;
  });
  const work = await atWork(browser, page, () => scroll(page));
  const scrolled = await page.evaluate(() => globalThis.seen.task);
  for (const key of screen.keys) {
    await page.keyboard.press(key);
    await page.waitForTimeout(300);
  }
  await page.keyboard.press('Escape');
  // One that is in sight: after the scrolling the first of them may not.
  await page.locator(screen.click).filter({ visible: true }).first().click({ force: true });
  await page.waitForTimeout(500);
  const seen = await page.evaluate(() => globalThis.seen);
  await page.close();
  return { ...seen, task: scrolled, work };
}

/** Compressed bytes of every script that a first visit loads, by someone with nothing kept. */
async function weigh(browser: Browser, url: string, cookie: string): Promise<number> {
  const context = await signedIn(browser, url, cookie);
  const page = await context.newPage();
  const scripts: Promise<number>[] = [];
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script')
      scripts.push(response.body().then((body) => gzipSync(body).byteLength));
  });
  await page.goto(`${url}/`);
  await quiet(page);
  const bytes = (await Promise.all(scripts)).reduce((sum, each) => sum + each, 0);
  await context.close();
  return bytes;
}

async function signedIn(browser: Browser, url: string, cookie: string): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: VIEW });
  const [name = '', value = ''] = cookie.split(/=(.*)/s);
  await context.addCookies([{ name, value, url }]);
  return context;
}

const browser = await openChromium();
const demo = await openDemo(ROWS);
const misses: string[] = [];
const told = (name: string, value: number, most: number, unit: string): string => {
  const text = unit === 'KB' ? (value / 1_024).toFixed(1) : String(Math.round(value));
  if (value > most) misses.push(name);
  return `${text} ${unit}${value > most ? ' !' : ''}`;
};
try {
  const table: Record<string, Record<string, string>> = {};
  for (const screen of SCREENS) {
    const context = await signedIn(browser, demo.url, demo.admin.cookie);
    const seen = await measure(browser, context, demo.url, screen);
    await context.close();
    const of = (what: string): string => `${screen.name}: ${what}`;
    table[screen.name] = {
      'first paint': told(of('first paint'), seen.fcp, MOST.fcp, 'ms'),
      'largest paint': told(of('largest paint'), seen.lcp, MOST.lcp, 'ms'),
      interaction: told(of('interaction'), seen.interaction, MOST.interaction, 'ms'),
      'longest task, scrolling': told(of('longest task'), seen.task, MOST.task, 'ms'),
      'of it at work': `${Math.round(seen.work)} ms`,
    };
  }
  const bytes = await weigh(browser, demo.url, demo.admin.cookie);
  console.table(table);
  console.log(`${ROWS} rows; script of a first visit ${told('script', bytes, MOST.script, 'KB')} gzipped.`);
  if (misses.length > 0) console.log(`Misses: ${misses.join('; ')}.`);
  process.exitCode = misses.length > 0 ? 1 : 0;
} finally {
  await browser.close();
  await demo.close();
}
