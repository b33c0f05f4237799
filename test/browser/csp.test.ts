// Every screen under the content policy: nothing that it forbids is tried, nothing is asked of another origin, and the policy is
// as strict as it is meant to be. The routes are asked of the router, so that a new screen is walked too.
import type { Page } from '@playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BEFORE_THE_DESK, placesOf, routesOf, type Place } from '../../scripts/looks/places.ts';
import { openBrowser, SCREENS, type TestBrowser, walk } from '../support/browser.ts';
import { openTestApp, type PersonClient, type TestApp } from '../support/app.ts';

/** Pages beside each other: most of each is waiting. */
const HANDS = 2;

let app: TestApp;
let browser: TestBrowser;

beforeAll(async () => {
  app = await openTestApp({ screens: SCREENS });
  const made = await app.admin.rest('POST', '/api/admin/samples', {});
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  browser = await openBrowser(app);
});

afterAll(async () => {
  await browser?.close();
  await app?.close();
});

type Found = { violations: string[]; elsewhere: string[] };

/** What this page tries against the policy, and whom else it asks, as long as it lives. */
async function watched(page: Page): Promise<Found> {
  const found: Found = { violations: [], elsewhere: [] };
  await page.exposeFunction('violated', (what: string) => found.violations.push(what));
  await page.addInitScript(() =>
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sourceFile }) =>
      (globalThis as unknown as { violated(what: string): void }).violated(
        `${location.pathname}: ${effectiveDirective} forbids ${blockedURI} (${sourceFile})`,
      ),
    ),
  );
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) found.violations.push(message.text());
  });
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol !== 'data:' && protocol !== 'blob:' && origin !== app.url)
      found.elsewhere.push(request.url());
  });
  return found;
}

async function stands(page: Page, path: string): Promise<void> {
  await page.getByRole('heading').filter({ visible: true }).first().waitFor();
  // The page of the kit shows what is loading as one of its parts.
  if (path === '/kit') return;
  await expect
    .poll(
      () =>
        page
          .getByRole('status')
          .filter({ hasText: /^Loading$/ })
          .count(),
      { message: path },
    )
    .toBe(0);
}

/** A page that is watched from the first of its scripts on. */
async function watchedAt(who: PersonClient | null, path: string): Promise<{ page: Page; found: Found }> {
  const page = await browser.page(who, '/healthz');
  const found = await watched(page);
  await page.goto(app.url + path);
  await stands(page, path);
  return { page, found };
}

test('what the policy forbids is seen by this test', async () => {
  const { page, found } = await watchedAt(null, '/sign-in');
  await page.evaluate(() => {
    document.head.append(Object.assign(document.createElement('script'), { textContent: 'void 0' }));
    document.body.append(Object.assign(new Image(), { src: 'http://127.0.0.2:9/elsewhere.png' }));
  });
  await expect.poll(() => found.violations.join('\n')).toContain('script-src');
  await expect.poll(() => found.violations.join('\n')).toContain('img-src');
  await page.close();
});

test('scripts are the product’s own files, and nothing in a page may run that is written into it', async () => {
  const { headers } = await fetch(`${app.url}/sign-in`);
  const policy = headers.get('content-security-policy') ?? '';
  const rules = new Map(
    policy.split(';').map((rule) => {
      const [name = '', ...sources] = rule.trim().split(/\s+/);
      return [name, sources.join(' ')];
    }),
  );
  expect(rules.get('default-src')).toBe("'none'");
  expect(rules.get('script-src')).toBe("'self'");
  expect(rules.get('connect-src')).toBe("'self'");
  expect(rules.get('base-uri')).toBe("'none'");
  expect(rules.get('frame-ancestors')).toBe("'none'");
  expect(policy).not.toMatch(/unsafe-eval|script-src[^;]*unsafe-inline|https?:/);
});

test('no screen tries what the policy forbids, and none asks anything of another origin', async () => {
  const first = await browser.page(null, '/sign-in');
  await first.getByRole('heading').first().waitFor();
  const places = await placesOf(await routesOf(first), async (path) => {
    const answer = await app.admin.rest('GET', path);
    expect(answer.status, path).toBe(200);
    return answer.body;
  });
  await first.close();
  expect(places.length).toBeGreaterThan(50);

  const left = places.filter((place): place is Place & { path: string } => place.path !== null);
  const walked: string[] = [];
  const hand = async (): Promise<Found[]> => {
    const nobody = await watchedAt(null, '/sign-in');
    const admin = await watchedAt(app.admin, '/settings/profile');
    for (let place = left.shift(); place; place = left.shift()) {
      const { page } = BEFORE_THE_DESK.includes(place.route) ? nobody : admin;
      await walk(page, place.path);
      await stands(page, place.path);
      walked.push(place.route);
    }
    await nobody.page.close();
    await admin.page.close();
    return [nobody.found, admin.found];
  };
  const found = (await Promise.all(Array.from({ length: HANDS }, hand))).flat();
  expect(walked.length).toBeGreaterThan(50);
  expect(found.flatMap(({ violations }) => violations)).toEqual([]);
  expect(found.flatMap(({ elsewhere }) => elsewhere)).toEqual([]);
});
