// `npm run screenshots [folder]`: every screen of the product, full, empty, loading and refused, light and dark, wide and narrow,
// as PNGs with a sheet to look them over. `--only=/people` takes the routes that begin so, `--states=full,empty` some states,
// `--looks=light-wide` some looks.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser, BrowserContext, Page } from '@playwright/test';
import { openChromium } from './looks/chromium.ts';
import { openDemo, openEmpty, withoutRights, type Client } from './looks/instances.ts';
import { fillMore } from './looks/more.ts';
import { BEFORE_THE_DESK, placesOf, routesOf, type Place } from './looks/places.ts';
import { sheet, type Shot } from './looks/sheet.ts';

const LOOKS = [
  { look: 'light-wide', dark: false, width: 1_440, height: 900 },
  { look: 'light-narrow', dark: false, width: 375, height: 740 },
  { look: 'dark-wide', dark: true, width: 1_440, height: 900 },
  { look: 'dark-narrow', dark: true, width: 375, height: 740 },
];
const STATES = ['full', 'empty', 'loading', 'refused'];
/** No skeleton, and no request, for this long: the screen stands. */
const QUIET_MS = 300;
/** Requests are held: what stands by now is what stands meanwhile. */
const HELD_MS = 1_500;
const TURNED_MS = 200;
const AT_ONCE = 3;
const PATIENCE_MS = 20_000;
/** A machine that does other work beside may take this long to open a page. */
const OPENS_MS = 180_000;
/** What the frame of the desk needs to stand around a screen that still waits. */
const FRAME = /\/api\/(me|auth\/\w+|events|settings)$/;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' }, states: { type: 'string' }, looks: { type: 'string' } },
});
const folder = resolve(positionals[0] ?? 'screenshots');
const chosen = (given: string | undefined, all: string[]): string[] => given?.split(',') ?? all;
const states = chosen(values.states, STATES);
const looks = LOOKS.filter(({ look }) => chosen(values.looks, [look]).includes(look));
mkdirSync(folder, { recursive: true });

/** Until nothing is asked and nothing loads any more, or for as long as one has patience: a screen that never settles is a finding. */
async function settled(page: Page): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  let asked = 0;
  page.on('request', (request) => {
    if (/\/(api|assets)\//.test(request.url()) && !request.url().endsWith('/api/events')) asked += 1;
  });
  // Before the first script ran nothing is asked either.
  await page
    .getByRole('heading')
    .first()
    .waitFor({ timeout: PATIENCE_MS })
    .catch(() => undefined);
  const bones = page.getByRole('status').filter({ hasText: /^Loading$/ });
  for (let before = -1; before !== asked && performance.now() < end;) {
    before = asked;
    await page.waitForTimeout(QUIET_MS);
    if ((await bones.count()) > 0) before = -1;
  }
  await page.evaluate(() => document.fonts.ready);
}

type Round = { browser: Browser; url: string; who: Client; state: string };

/** Screens load beside each other, and stand before the camera one by one: a page behind another is not painted. */
let camera: Promise<unknown> = Promise.resolve();
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const mine = camera.then(work);
  camera = mine.catch(() => undefined);
  return mine;
}

/** One screen in every look: opened once and turned, as a window is made narrow and a house goes dark. */
async function take(
  context: BrowserContext,
  url: string,
  state: string,
  { route, path }: Place,
): Promise<Shot[]> {
  const page = await context.newPage();
  await page.setViewportSize({ width: 1_440, height: 900 });
  await page.goto(url + path, { timeout: OPENS_MS });
  if (state === 'loading') await page.waitForTimeout(HELD_MS);
  else await settled(page);
  return await inTurn(() => turned(page, { route, state }));
}

async function turned(page: Page, { route, state }: Pick<Shot, 'route' | 'state'>): Promise<Shot[]> {
  await page.bringToFront();
  const shots: Shot[] = [];
  for (const { look, dark, width, height } of looks) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light', reducedMotion: 'reduce' });
    await page.locator(`html[data-mantine-color-scheme="${dark ? 'dark' : 'light'}"]`).waitFor();
    await page.waitForTimeout(TURNED_MS);
    // Colours on their way are at their end, however slow the machine.
    await page.evaluate(async () => {
      const ends = document
        .getAnimations()
        .filter((each) => each.effect?.getComputedTiming().endTime !== Infinity);
      await Promise.allSettled(ends.map((each) => each.finished));
    });
    const file = `${state}.${look}.${route.replaceAll('/', '_').replaceAll('$', '')}.png`;
    await page.screenshot({ path: join(folder, file), animations: 'disabled' });
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    shots.push({ route, state, look, file, ...(wider > 0 && { note: `${wider} px too wide` }) });
  }
  await page.close();
  return shots;
}

/** One state: several screens at a time, most of each is waiting. */
async function takeAll({ browser, url, who, state }: Round, places: Place[]): Promise<Shot[]> {
  const nobody = await browser.newContext();
  const somebody = await browser.newContext();
  const [name = '', value = ''] = who.cookie.split(/=(.*)/s);
  await somebody.addCookies([{ name, value, url }]);
  if (state === 'loading')
    // What is asked of the product, and not the screens whose address says `api` too.
    await somebody.route(
      ({ pathname }) => pathname.startsWith('/api/') && !FRAME.test(pathname),
      () => undefined,
    );
  const left = places.filter(({ route, path }) => {
    const needs_nobody = BEFORE_THE_DESK.includes(route);
    return path !== null && !(needs_nobody && ['loading', 'refused'].includes(state));
  });
  const shots: Shot[] = [];
  const hand = async (): Promise<void> => {
    for (let place = left.shift(); place; place = left.shift())
      shots.push(
        ...(await take(BEFORE_THE_DESK.includes(place.route) ? nobody : somebody, url, state, place)),
      );
  };
  await Promise.all(Array.from({ length: AT_ONCE }, hand));
  await nobody.close();
  await somebody.close();
  console.log(`${state}: ${shots.length} screenshots`);
  return shots;
}

const browser = await openChromium();
const demo = await openDemo();
const empty = states.includes('empty') ? await openEmpty() : null;
try {
  await fillMore(demo.admin);
  const page = await browser.newPage();
  await page.goto(`${demo.url}/sign-in`);
  const routes = await routesOf(page);
  await page.close();
  const of = async (who: Client): Promise<Place[]> =>
    (await placesOf(routes, (path) => who.rest('GET', path))).filter(({ route }) =>
      route.startsWith(values.only ?? '/'),
    );
  const full = await of(demo.admin);
  const nowhere = full.filter(({ path }) => path === null);
  if (nowhere.length > 0) console.warn(`No example of ${nowhere.map(({ route }) => route).join(', ')}.`);
  const shots: Shot[] = [];
  for (const state of states) {
    const at = state === 'empty' && empty ? empty : demo;
    const who = state === 'refused' ? await withoutRights(demo) : at.admin;
    const places = at === demo ? full : await of(at.admin);
    shots.push(...(await takeAll({ browser, url: at.url, who, state }, places)));
  }
  shots.sort((a, b) => routes.indexOf(a.route) - routes.indexOf(b.route));
  writeFileSync(join(folder, 'index.html'), sheet(shots));
  for (const { route, state, look, note } of shots)
    if (note) console.warn(`${route}, ${state}, ${look}: ${note}`);
  console.log(`${shots.length} screenshots: ${join(folder, 'index.html')}`);
} finally {
  await browser.close();
  await demo.close();
  await empty?.close();
}
