// `npm run screenshots [folder]`: every screen of the product, full, empty, loading and refused, light and dark, wide and narrow,
// as PNGs with a sheet to look them over. `--only=/people` takes the routes that begin so, `--states=full,empty` some states,
// `--looks=light-wide` some looks. Ends with 1 where a screen has no example, or where one has a fault that a machine can see.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser, BrowserContext, Page } from '@playwright/test';
import { openChromium } from './looks/chromium.ts';
import { faultsOf, heard } from './looks/faults.ts';
import { openDemo, openEmpty, withoutRights, type Client } from './looks/instances.ts';
import { fillMore } from './looks/more.ts';
import { BEFORE_THE_DESK, placesOf, routesOf, viewsOf, type Place } from './looks/places.ts';
import { sheet, type Shot } from './looks/sheet.ts';

const LOOKS = [
  { look: 'light-wide', dark: false, width: 1_440, height: 900 },
  { look: 'light-narrow', dark: false, width: 375, height: 740 },
  { look: 'dark-wide', dark: true, width: 1_440, height: 900 },
  { look: 'dark-narrow', dark: true, width: 375, height: 740 },
];
const STATES = ['full', 'empty', 'loading', 'refused'];
/** No skeleton, and no request, for this long: the screen exists. */
const QUIET_MS = 300;
/** Requests are held: what is by now is what is meanwhile. */
const HELD_MS = 1_500;
const TURNED_MS = 200;
const AT_ONCE = 3;
const PATIENCE_MS = 20_000;
/** A machine that does other work beside may take this long to open a page. */
const OPENS_MS = 180_000;
/** What the frame of the desk needs around a screen that is still loading. */
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
async function settled(page: Page): Promise<boolean> {
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
  return performance.now() < end;
}

type Round = { browser: Browser; url: string; who: Client | null; state: string };

/** Screens load beside each other, and are before the camera one by one: a page behind another is not painted. */
let camera: Promise<unknown> = Promise.resolve();
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const mine = camera.then(work);
  camera = mine.catch(() => undefined);
  return mine;
}

/** One screen in every look: opened once and turned, as a window is made narrow and an app goes dark. */
async function take(
  context: BrowserContext,
  url: string,
  state: string,
  { route, path }: Place,
): Promise<Shot[]> {
  const page = await context.newPage();
  const said = heard(page);
  await page.setViewportSize({ width: 1_440, height: 900 });
  await page.goto(url + path, { timeout: OPENS_MS });
  if (state === 'loading') await page.waitForTimeout(HELD_MS);
  else if (!(await settled(page))) said.push('never settled');
  return await inTurn(() => turned(page, { route, state }, said));
}

async function turned(
  page: Page,
  { route, state }: Pick<Shot, 'route' | 'state'>,
  said: string[],
): Promise<Shot[]> {
  await page.bringToFront();
  const shots: Shot[] = [];
  for (const { look, dark, width, height } of looks) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light', reducedMotion: 'reduce' });
    await page
      .locator(`html[data-mantine-color-scheme="${dark ? 'dark' : 'light'}"]`)
      .waitFor({ timeout: OPENS_MS });
    await page.waitForTimeout(TURNED_MS);
    // Colours on their way are at their end, however slow the machine.
    await page.evaluate(async () => {
      const ends = document
        .getAnimations()
        .filter((each) => each.effect?.getComputedTiming().endTime !== Infinity);
      await Promise.allSettled(ends.map((each) => each.finished));
    });
    const file = `${state}.${look}.${route.replaceAll(/[/?=+]/g, '_').replaceAll('$', '')}.png`;
    await page.screenshot({ path: join(folder, file), animations: 'disabled' });
    const faults = [...said, ...(await faultsOf(page))];
    shots.push({ route, state, look, file, ...(faults.length > 0 && { note: faults.join('; ') }) });
  }
  await page.close();
  return shots;
}

/** Screens that could not be taken, and why. */
const missed: string[] = [];

/** One state: several screens at a time, most of each is waiting. */
async function takeAll({ browser, url, who, state }: Round, places: Place[]): Promise<Shot[]> {
  const nobody = await browser.newContext();
  const somebody = await browser.newContext();
  const [name = '', value = ''] = who?.cookie.split(/=(.*)/s) ?? [];
  if (who) await somebody.addCookies([{ name, value, url }]);
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
    for (let place = left.shift(); place; place = left.shift()) {
      const context = BEFORE_THE_DESK.includes(place.route) ? nobody : somebody;
      try {
        shots.push(...(await take(context, url, state, place)));
      } catch (error) {
        // The others are taken all the same.
        missed.push(`${place.route}, ${state}: not taken, ${(error as Error).message.split('\n')[0]}`);
      }
    }
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
  // While the sign-in is fresh: inviting asks for the password again later on.
  const stranger = states.includes('refused') ? await withoutRights(demo) : null;
  await fillMore(demo.admin);
  const page = await browser.newPage();
  await page.goto(`${demo.url}/sign-in`);
  const routes = await routesOf(page);
  await page.close();
  const wanted = ({ route }: Place): boolean => route.startsWith(values.only ?? '/');
  const of = async (who: Client): Promise<Place[]> =>
    (await placesOf(routes, (path) => who.rest('GET', path))).filter(wanted);
  const full = await of(demo.admin);
  const nowhere = full.filter(({ path }) => path === null);
  const place = ({ route }: Shot): number => routes.indexOf(route.split('?')[0] ?? '');
  const shots: Shot[] = [];
  /** Written after every state: a run that ends early has a sheet of what it took. */
  const add = (more: Shot[]): void => {
    shots.push(...more);
    shots.sort((a, b) => place(a) - place(b));
    writeFileSync(join(folder, 'index.html'), sheet(shots));
  };
  for (const state of states) {
    if (state === 'empty' && empty) {
      const { url } = empty;
      // Before anyone set it up it is another screen, which no one sees again.
      const first = [{ route: '/setup', path: '/setup' }].filter(wanted);
      add(await takeAll({ browser, url, who: null, state: 'new' }, first));
      const who = await empty.setUp();
      add(await takeAll({ browser, url, who, state }, await of(who)));
      continue;
    }
    const who = state === 'refused' ? stranger : demo.admin;
    const places = state === 'full' ? full.flatMap((place) => [place, ...viewsOf(place)]) : full;
    add(await takeAll({ browser, url: demo.url, who, state }, places));
  }
  const faulty = shots.filter(({ note }) => note);
  for (const { route, state, look, note } of faulty) console.warn(`${route}, ${state}, ${look}: ${note}`);
  for (const line of missed) console.warn(line);
  if (nowhere.length > 0) console.warn(`No example of ${nowhere.map(({ route }) => route).join(', ')}.`);
  console.log(`${shots.length} screenshots: ${join(folder, 'index.html')}`);
  process.exitCode = faulty.length + missed.length + nowhere.length > 0 ? 1 : 0;
} finally {
  await browser.close();
  await demo.close();
  await empty?.close();
}
