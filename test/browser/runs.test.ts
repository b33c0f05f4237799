// Acts on many that go on by themselves: all that a filter shows, on other screens and by keyboard, stopped, refused, asked to
// wait, not answered, without a network and after the session; and axe on the tray in light and dark, wide and narrow.
import type { Locator, Page, Route } from '@playwright/test';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { expectAccessibleCrosswise, openBrowser, SCREENS, type TestBrowser } from '../support/browser.ts';
import { newCampaign } from '../support/campaigns.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { handsOn } from '../support/keyboard.ts';

const SOON = { timeout: 60_000 };
/** To the millisecond, as the product writes its times: pages go by them. */
const NOW = new Date();
const MANY = 300;

let app: TestApp;
let browser: TestBrowser;
let page: Page;

beforeAll(async () => {
  app = await openTestApp({ screens: SCREENS });
  await app.sql`
    insert into people (id, name, name_key, search, created_by_kind, created_by_id, created_by_name, created_at, updated_at)
    select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'Person ' || lpad(n::text, 3, '0'),
      'person ' || lpad(n::text, 3, '0'), ('''person'':1A ''' || lpad(n::text, 3, '0') || ''':1A')::tsvector,
      'person', 'x', 'x', now(), now()
    from generate_series(1, ${MANY}) n`;
  browser = await openBrowser(app);
});

beforeEach(async () => {
  await app.sql`update people set tags = '{}'`;
  return async () => await page.close();
});

afterAll(async () => {
  await browser?.close();
  await app?.close();
});

const CHANGES = '**/api/admin/outreach/prospects/*/*';
const idOf = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const tray = (): Locator => page.getByRole('region', { name: 'Bulk actions' });
const bar = (): Locator => page.getByRole('toolbar', { name: 'Selected people' });
const chosen = (): Locator => page.getByRole('region', { name: 'Selected people' });
const heard = (says: string): Locator => page.getByRole('status').filter({ hasText: says });

async function tagged(tag: string): Promise<number> {
  const [row] = await app.sql<{ n: number }[]>`
    select count(*)::int as n from people where ${tag} = any (tags)`;
  return row?.n ?? 0;
}

/** Lets so many changes through; the next wait until it is opened. */
async function gateAfter(most: number): Promise<{ waiting: () => number; open: () => void }> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let asked = 0;
  await page.route(CHANGES, async (route: Route) => {
    if (route.request().method() === 'POST' && (asked += 1) > most) await promise;
    await route.continue().catch(() => {});
  });
  return { waiting: () => Math.max(0, asked - most), open: resolve };
}

async function tag(name: string): Promise<void> {
  await bar().getByRole('button', { name: 'Tags' }).click();
  await page.getByRole('menuitem', { name: 'Add a tag…' }).click();
  await page.getByRole('textbox', { name: 'Tag', exact: true }).fill(name);
  await page.keyboard.press('Enter');
}

/** A campaign of these people, whose places have their ids. */
async function placesOf(from: number, to: number): Promise<string> {
  const { id } = await newCampaign(app.admin, { name: `People ${from} to ${to}` });
  await app.sql`
    insert into prospects (id, campaign_id, person_id, stage, stage_at, enrolled_by_kind, enrolled_by_id, enrolled_by_name,
      created_at, updated_at)
    select id, ${id}, id, 'enrolled', now(), 'person', 'x', 'x', now(), now()
    from people where id between ${idOf(from)} and ${idOf(to)}`;
  return `/campaigns/${id}?view=people`;
}

async function held(from: number, to: number): Promise<number> {
  const [row] = await app.sql<{ n: number }[]>`
    select count(hold_by)::int as n from prospects where id between ${idOf(from)} and ${idOf(to)}`;
  return row?.n ?? 0;
}

async function hold(reason: string): Promise<void> {
  await chosen().getByRole('button', { name: 'Hold' }).click();
  const form = page.getByRole('form', { name: 'Put on hold' });
  await form.getByLabel('Reason').fill(reason);
  await form.getByRole('button', { name: 'Put on hold' }).click();
}

async function chooseShown(): Promise<void> {
  await page.locator('tbody tr[data-row]').first().waitFor();
  await page.getByLabel('Select all rows shown').check();
}

test('everyone the filter matches is tagged by the product: the tab is closed, another finds how far it is, and it is undone', async () => {
  const jobs = await app.admin.rest('GET', '/api/admin/crm/people/bulk');
  expect(jobs.body.items).toEqual([]);
  page = await browser.page(app.admin, '/people');
  const context = page.context();
  await chooseShown();
  await bar().getByRole('button', { name: 'Select all that match' }).click();
  await bar().getByText(`All ${MANY} selected`).waitFor();
  await tag('autumn');
  await heard(`Tag “autumn”: started for ${MANY} people.`).waitFor();
  await tray().getByText(`0 of ${MANY}`).waitFor();
  await expectAccessibleCrosswise(page);
  // Nothing is asked: closing the tab ends nothing.
  await page.close({ runBeforeUnload: true });
  await app.sql`delete from people where id = ${idOf(299)}`;

  page = await context.newPage();
  await page.goto(`${app.url}/companies`);
  await tray().getByText(`0 of ${MANY}`).waitFor();
  await app.instance.jobs.run('bulk');
  await tray().getByText(`Done for 299 of ${MANY} people; 1 failed.`).waitFor();
  await heard(`Done for 299 of ${MANY} people; 1 failed.`).waitFor();
  expect(await tagged('autumn')).toBe(299);
  await expectAccessibleCrosswise(page);
  await page.setViewportSize({ width: 1440, height: 900 });

  // One entry in the activity, which leads to its people.
  const entries = await app.sql`select act, resource from audit where act like 'bulk%'`;
  expect(entries).toHaveLength(1);
  // At this width the failures are open, and what is above them has moved.
  await tray().getByRole('button', { name: 'Hide failures' }).waitFor();
  await tray().getByRole('link', { name: 'Details' }).click();
  await page.getByRole('heading', { name: 'Tag “autumn”', level: 1 }).waitFor();
  await page.getByText(`Done for 299 of ${MANY} people; 1 failed.`).first().waitFor();
  await expectAccessibleCrosswise(page);
  await page.setViewportSize({ width: 1440, height: 900 });

  await tray().getByRole('button', { name: 'Undo: Tag “autumn”' }).click();
  await heard('Undo: started for 299 people.').waitFor();
  await app.instance.jobs.run('bulk');
  await tray().getByText('Done for 299 people.').waitFor();
  expect(await tagged('autumn')).toBe(0);
  await page.reload();
  await page.getByRole('heading', { name: 'Tag “autumn”', level: 1 }).waitFor();
  await expect.poll(() => tray().count(), SOON).toBe(0);
});

test('a run is begun and stopped by the keyboard alone, and the next one waits for it', async () => {
  page = await browser.page(app.admin, await placesOf(1, 40));
  const gate = await gateAfter(8);
  const hands = handsOn(page);
  await page.locator('tbody tr[data-row]').first().waitFor();
  await hands.reach(page.getByLabel('Select all rows shown'));
  await hands.press('Space');
  await hands.enter(chosen().getByRole('button', { name: 'Hold' }));
  await page.getByRole('form', { name: 'Put on hold' }).getByLabel('Reason').waitFor();
  await hands.reach(page.getByRole('form', { name: 'Put on hold' }).getByLabel('Reason'));
  await hands.type('The fair comes first');
  await hands.press('Enter');
  await tray().getByText('Put on hold', { exact: true }).waitFor();
  await expect.poll(gate.waiting, SOON).toBe(4);
  await hands.enter(chosen().getByRole('button', { name: 'Release' }));
  await tray().getByText('Starts after the previous action finishes.').waitFor();
  await hands.enter(tray().getByRole('button', { name: 'Stop: Release' }));
  await hands.enter(tray().getByRole('button', { name: 'Stop: Put on hold' }));
  await tray().getByText('Stopping…').waitFor();
  gate.open();
  await tray().getByText('Stopped: done for 12 of').waitFor();
  // What came of one is not lost to whoever listens because the other has ended too.
  await heard('Put on hold: Stopped: done for 12 of').waitFor();
  await heard('Release: Stopped: done for 0 of').waitFor();
  expect(await held(1, 40)).toBe(12);
  await hands.enter(tray().getByRole('button', { name: 'Close: Put on hold' }));
  // With the last one the tray goes, and the title has the focus, which shows no ring.
  await hands.reach(tray().getByRole('button', { name: 'Close: Release' }));
  await page.keyboard.press('Enter');
  await tray().waitFor({ state: 'detached' });
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName), SOON).toBe('H1');
});

test('closing the tab is asked about while a run goes on, and what it had come to is told once', async () => {
  page = await browser.page(app.admin, await placesOf(100, 109));
  const asked: string[] = [];
  let leave = false;
  page.on('dialog', (dialog) => {
    // Counted once it is answered: a page that is still asking can be neither left nor loaded again.
    void (leave ? dialog.accept() : dialog.dismiss()).then(() => asked.push(dialog.type()));
  });
  const gate = await gateAfter(0);
  await chooseShown();
  await hold('asked');
  await expect.poll(gate.waiting, SOON).toBe(4);
  await page.close({ runBeforeUnload: true });
  await expect.poll(() => asked, SOON).toEqual(['beforeunload']);
  leave = true;
  await page.reload();
  await tray().getByText('Stopped when you left the page.').waitFor();
  await tray().getByText('Done for 0 of 10 people.').waitFor();
  await expect.poll(() => asked, SOON).toEqual(['beforeunload', 'beforeunload']);
  await page.reload();
  await page.locator('tbody tr[data-row]').first().waitFor();
  expect([asked.length, await tray().count()]).toEqual([2, 0]);
  gate.open();
});

test('asked to wait it waits and goes on; without a network it exists; what broke off is not done again', async () => {
  page = await browser.page(app.admin, await placesOf(120, 129));
  const tries = new Map<string, number>();
  let cut = '';
  await page.route(CHANGES, async (route) => {
    const { pathname } = new URL(route.request().url());
    if (route.request().method() !== 'POST') return await route.continue();
    tries.set(pathname, (tries.get(pathname) ?? 0) + 1);
    if (pathname.includes(idOf(120)) && tries.get(pathname) === 1) {
      const error = { code: 'rate_limited', message: 'Too often.', details: { retry_after: 4 } };
      return await route.fulfill({ status: 429, json: { error } });
    }
    if (cut && pathname.includes(cut)) return await route.abort('connectionreset');
    return await route.continue();
  });
  await chooseShown();
  await hold('waited');
  await heard('Waiting 4 s before the next request. The action continues automatically.').waitFor();
  await tray().getByText('Done for 10 people.').waitFor();
  expect(tries.get(`/api/admin/outreach/prospects/${idOf(120)}/hold`)).toBe(2);

  await page.context().setOffline(true);
  await chosen().getByRole('button', { name: 'Release' }).click();
  await tray().getByText('You’re offline. Paused.').waitFor();
  await expectAccessibleCrosswise(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.context().setOffline(false);
  // Chromium may still refuse the first connections after it says that it is online again.
  await expect
    .poll(() => page.evaluate(async () => (await fetch('/healthz')).ok).catch(() => false), SOON)
    .toBe(true);
  await tray().getByRole('button', { name: 'Continue: Release' }).click();
  const offline = tray().getByRole('listitem').filter({ hasText: 'Release' });
  await offline.getByText('Done for 10 people.').waitFor();
  expect(await held(120, 129)).toBe(0);
  await tray().getByRole('button', { name: 'Close: Release' }).click();

  cut = idOf(125);
  tries.clear();
  await hold('cut');
  await tray().getByText('Connection lost. Paused.').waitFor();
  await tray().getByRole('button', { name: 'Continue: Put on hold' }).click();
  await tray().getByText('Done for 9 of 10 people; 1 failed.').waitFor();
  await tray().getByText('The connection was lost').waitFor();
  await tray().getByRole('link', { name: 'Person 125' }).waitFor();
  expect(tries.get(`/api/admin/outreach/prospects/${cut}/hold`)).toBe(1);
});

test('people of a campaign are held back and released by the same way, and their number is said where it is known', async () => {
  const { id } = await newCampaign(app.admin, { name: 'Autumn letters' });
  await app.sql`
    insert into prospects (id, campaign_id, person_id, stage, stage_at, enrolled_by_kind, enrolled_by_id, enrolled_by_name,
      created_at, updated_at)
    select gen_random_uuid(), ${id}, id, 'enrolled', now(), 'person', 'x', 'x', now(), now()
    from people where name < 'Person 111'`;
  page = await browser.page(app.admin, `/campaigns/${id}?view=people`);
  const held = async (): Promise<number | undefined> =>
    (
      await app.sql<{ n: number }[]>`select count(hold_by)::int as n from prospects where campaign_id = ${id}`
    )[0]?.n;
  const selected = page.getByRole('region', { name: 'Selected people' });
  await chooseShown();
  await selected.getByRole('button', { name: 'Select all 110' }).click();
  await selected.getByText('All 110 selected').waitFor();
  await selected.getByRole('button', { name: 'Hold' }).click();
  const form = page.getByRole('form', { name: 'Put on hold' });
  await form.getByLabel('Reason').fill('The fair comes first');
  await form.getByRole('button', { name: 'Put on hold' }).click();
  await tray().getByText('Done for 110 people.').waitFor();
  expect(await held()).toBe(110);
  await selected.getByRole('button', { name: 'Release' }).click();
  // On more than can be seen it is asked about, however harmless.
  const question = page.getByRole('dialog', { name: 'Release all 110 people?' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await question.waitFor({ state: 'detached' });
  expect(await held()).toBe(110);
  await selected.getByRole('button', { name: 'Release' }).click();
  await question.getByRole('button', { name: 'Release' }).click();
  await heard('Release: Done for 110 people.').waitFor();
  expect(await held()).toBe(0);
});

test('all conversations that a filter of the inbox shows are closed, and no others', async () => {
  await app.sql`
    insert into threads (id, channel, kind, subject, person_id, waiting, waiting_since, labels, last_touch_at, last_in_at,
      landed_at, snippet, touches, created_at, updated_at)
    select gen_random_uuid(), 'email', 'conversation', 'Bridge ' || name, id, 'us', ${NOW},
      case when name < 'Person 121' then '{fair}'::text[] else '{}' end, ${NOW}, ${NOW}, ${NOW}, 'Hello', 1, ${NOW}, ${NOW}
    from people where name < 'Person 131'`;
  page = await browser.page(app.admin, '/inbox?label=fair');
  const selected = page.getByRole('region', { name: 'Selected conversations' });
  await page
    .getByRole('checkbox', { name: /^Select conversation with Person/ })
    .first()
    .check();
  // Whoever comes back from another window finds the row they were at, wherever it was scrolled to meanwhile.
  await page.getByRole('list', { name: 'Conversations' }).evaluate((list) => {
    document.activeElement?.dispatchEvent(new FocusEvent('focusout', { bubbles: true }));
    list.parentElement?.scrollTo(0, 6_000);
  });
  await page.locator('li[aria-posinset="2"]').waitFor({ state: 'detached' });
  await page.keyboard.press('x');
  await selected.waitFor({ state: 'detached' });
  await page.keyboard.press('x');
  await selected.getByRole('button', { name: 'Select all shown' }).click();
  await selected.getByRole('button', { name: 'Select all that match' }).click();
  await selected.getByText('All 120 selected').waitFor();
  await selected.getByRole('button', { name: 'Close' }).click();
  const question = page.getByRole('dialog', { name: 'Close: all 120 conversations?' });
  await question.getByRole('button', { name: 'Close' }).click();
  await heard('Close conversations: Done for 120 conversations.').waitFor();
  const states = await app.sql<{ state: string; of: number }[]>`
    select state, count(*)::int as of from threads group by state order by state`;
  expect(states.map(({ state, of }) => [state, of])).toEqual([
    ['closed', 120],
    ['open', 10],
  ]);
});

test('all letters that a filter shows are cancelled, and no others', async () => {
  await app.sql`
    insert into sends (id, kind, person_id, state, subject, text, to_address, to_hash, message_id, fingerprint, scheduled_for,
      created_by_kind, created_by_id, created_by_name, created_at, updated_at)
    select gen_random_uuid(), 'one_off', id, case when name < 'Person 121' then 'review' else 'scheduled' end, 'Bridge', 'Dear you',
      'p@many.example', 'h', gen_random_uuid()::text, 'f', ${NOW}::timestamptz + interval '1 year', 'person', 'x', 'x', ${NOW}, ${NOW}
    from people where name < 'Person 131'`;
  page = await browser.page(app.admin, '/sends?state=review');
  const selected = page.getByRole('region', { name: 'Selected letters' });
  await chooseShown();
  await selected.getByRole('button', { name: 'Select all that match' }).click();
  await selected.getByText('All 120 selected').waitFor();
  await selected.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel 120 letters' }).click();
  await heard('Cancel letters: Done for 120 letters.').waitFor();
  const states = await app.sql<{ state: string; of: number }[]>`
    select state, count(*)::int as of from sends group by state order by state`;
  expect(states.map(({ state, of }) => [state, of])).toEqual([
    ['cancelled', 120],
    ['scheduled', 10],
  ]);
});

test('signing out asks first while a run goes on, and keeps no name of it', async () => {
  const short = await app.person({ name: 'Ned Out', admin: true });
  page = await browser.page(short, await placesOf(140, 149));
  const gate = await gateAfter(0);
  await chooseShown();
  await hold('left');
  await expect.poll(gate.waiting, SOON).toBe(4);
  await page.getByRole('button', { name: 'Ned Out' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  const question = page.getByRole('dialog', { name: 'Sign out while this is running?' });
  await question.getByText('Put on hold (0 of 10)').waitFor();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await question.waitFor({ state: 'detached' });
  await tray().getByText('0 of 10').waitFor();
  await page.keyboard.press('Control+k');
  const search = page.getByRole('dialog', { name: 'Search and jump' });
  await page.getByLabel('Search and jump').and(page.locator('input')).fill('sign out');
  await search.getByRole('button', { name: /^Sign out/ }).click();
  await question.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL(/\/sign-in/);
  await page.getByLabel('Email', { exact: true }).waitFor();
  gate.open();
  const kept = await page.evaluate(() => JSON.stringify(sessionStorage));
  expect(kept).toContain('you were signed out');
  expect(kept).not.toContain('Put on hold');
});

test('an act without an answer is given up and is among what did not work; after three no more are begun until one says so', async () => {
  page = await browser.page(app.admin, await placesOf(150, 159));
  let silent = [idOf(155)];
  const givenUp: string[] = [];
  // A list that is read again gives up its own readings.
  page.on('requestfailed', (request) => {
    if (request.method() !== 'GET') givenUp.push(request.url().split('/').at(-2) ?? '');
  });
  await page.route(CHANGES, async (route) => {
    if (!silent.some((id) => route.request().url().includes(id))) await route.continue();
  });
  await chooseShown();
  await page.clock.install();
  await hold('hung');
  await tray().getByText('9 of 10').waitFor();
  await page.clock.fastForward(60_000);
  await tray().getByText('Done for 9 of 10 people; 1 failed.').waitFor();
  await tray().getByText('No response within a minute. Check whether the change was made.').waitFor();
  await tray().getByRole('link', { name: 'Person 155' }).waitFor();
  await expect.poll(() => givenUp, SOON).toEqual(silent);

  silent = [150, 151, 152, 153].map(idOf);
  const asked = page.waitForRequest((request) => request.url().includes(idOf(153)));
  await chosen().getByRole('button', { name: 'Release' }).click();
  await asked;
  await page.clock.fastForward(60_000);
  await tray().getByText('Dunnock didn’t respond 3 times in a row. Paused.').waitFor();
  await tray().getByRole('button', { name: 'Continue: Release' }).click();
  await tray().getByText('Done for 6 of 10 people; 4 failed.').waitFor();
  expect(await held(150, 159)).toBe(4);
});

test('a run ends with the session, and says so', async () => {
  const short = await app.person({ name: 'Sue Short', admin: true });
  page = await browser.page(short, await placesOf(130, 139));
  const gate = await gateAfter(0);
  await chooseShown();
  await hold('late');
  await expect.poll(gate.waiting, SOON).toBe(4);
  await page.route('**/api/me', async () => {});
  await app.sql`delete from sessions where user_id = ${short.id}`;
  gate.open();
  await tray().getByText('Stopped because you were signed out. Completed changes are saved.').waitFor();
  expect(await held(130, 139)).toBe(0);
});
