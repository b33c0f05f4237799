// A hundred thousand people: the list opens, reads on as one scrolls, holds only what is in sight, and is narrowed by words.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser, SCREENS, type TestBrowser } from '../support/browser.ts';
import { openTestApp, type TestApp } from '../support/app.ts';

const MANY = 100_000;
const SOON = { timeout: 60_000 };

let app: TestApp;
let browser: TestBrowser;

beforeAll(async () => {
  app = await openTestApp({ screens: SCREENS });
  await app.sql`
    insert into people (id, name, name_key, search, created_by_kind, created_by_id, created_by_name, created_at, updated_at)
    select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'Person ' || lpad(n::text, 6, '0'),
      'person ' || lpad(n::text, 6, '0'), ('''person'':1A ''' || lpad(n::text, 6, '0') || ''':1A')::tsvector,
      'person', 'x', 'x', now(), now()
    from generate_series(1, ${MANY}) n`;
  await app.sql`
    insert into person_addresses (id, person_id, value, normalised, domain, hash, is_primary, position)
    select id, id, 'p' || id || '@many.example', 'p' || id || '@many.example', 'many.example',
      encode(sha256(('p' || id || '@many.example')::bytea), 'hex'), true, 0
    from people`;
  await app.sql`analyze people`;
  await app.sql`analyze person_addresses`;
  browser = await openBrowser(app);
});

afterAll(async () => {
  await browser?.close();
  await app?.close();
});

test('a hundred thousand people are opened, scrolled and narrowed, and only those in sight are in the page', async () => {
  const page = await browser.page(app.admin, '/people');
  const rows = page.locator('tbody tr[data-row]');
  await rows.first().waitFor();
  await expect.poll(() => rows.first().innerText()).toContain('Person 000001');
  const lastShown = async (): Promise<number> =>
    Number((await rows.last().innerText()).match(/Person (\d+)/)?.[1]);
  for (let page_ends = 1; page_ends <= 8; page_ends += 1) {
    const before = await lastShown();
    // Scrolled again until it counts: before the first layout there is nothing to scroll.
    const scrolled = async (): Promise<number> => {
      await page.getByRole('table', { name: 'People' }).evaluate((table) => {
        const scroller = table.parentElement;
        scroller?.scrollTo(0, scroller.scrollHeight);
      });
      return await lastShown();
    };
    await expect.poll(scrolled, SOON).toBeGreaterThan(before);
  }
  await expect.poll(() => lastShown()).toBeGreaterThan(300);
  await expect.poll(() => rows.count()).toBeLessThan(80);

  // Readers hear which row it is; how many there are no one knows yet.
  const table = page.getByRole('table', { name: 'People' });
  const seen = () =>
    table.evaluate((it) => {
      const all = [...it.querySelectorAll<HTMLElement>('tr[data-row]')];
      const { height = 0 } = it.querySelector('tr[aria-hidden]')?.getBoundingClientRect() ?? {};
      const [row] = all;
      const from = Number(row?.dataset['row']);
      return {
        of: it.getAttribute('aria-rowcount'),
        nth: Number(row?.getAttribute('aria-rowindex')) - from,
        stops: all.filter(({ tabIndex }) => tabIndex === 0).length,
        // The room that is kept for those above is as high as they would be.
        off: Math.round(height - from * (row?.getBoundingClientRect().height ?? 0)),
      };
    });
  await expect.poll(seen, SOON).toEqual({ of: '-1', nth: 2, stops: 1, off: 0 });
  await page.evaluate(() => document.documentElement.setAttribute('data-density', 'compact'));
  await expect.poll(seen, SOON).toEqual({ of: '-1', nth: 2, stops: 1, off: 0 });

  // What is shorter than what was scrolled to shows its rows all the same.
  await page.route('**/api/admin/crm/people?*query=person+00000*', async (route) => {
    const answer = await route.fetch();
    const [one] = (await answer.json()).items;
    const items = Array.from({ length: 90 }, (_, n) => ({ ...one, id: `${n}` }));
    await route.fulfill({ json: { items, next_cursor: null } });
  });
  const words = page.getByRole('textbox', { name: 'Find by name, title, company or address' });
  await words.fill('person 00000');
  await expect.poll(() => table.getAttribute('aria-rowcount'), SOON).toBe('91');
  await expect.poll(() => rows.last().isVisible(), SOON).toBe(true);
  await expect.poll(() => rows.count(), SOON).toBeGreaterThan(10);
  await words.fill('person 099999');
  await expect.poll(() => rows.count(), SOON).toBe(1);
  await expect.poll(() => rows.innerText()).toContain('Person 099999');
});
