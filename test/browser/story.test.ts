// One story whole: a domain and an identity are set up against a real mail server, fifty people are imported, a campaign of
// three letters is made, read and approved on the screen, and goes out signed, threaded and at the hours of whoever it is for,
// until someone unsubscribes by one click.
import type { Page } from '@playwright/test';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../src/kernel/clock.ts';
import { openBrowser, SCREENS, type TestBrowser } from '../support/browser.ts';
import type { TestApp } from '../support/app.ts';
import { openSenders, type Senders } from '../support/senders.ts';

const O = '/api/admin/outreach';
const PEOPLE = 50;
const ZONES = ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Pacific/Auckland', ''];
const OFFICE = [{ days: [1, 2, 3, 4, 5], from: '09:00', to: '17:00' }];
/** Loopback under the load of the other test files. */
const SOON = { timeout: 60_000 };

let senders: Senders;
let app: TestApp;
let browser: TestBrowser;
beforeAll(async () => {
  senders = await openSenders({ screens: SCREENS, baseUrl: 'https://desk.example' });
  app = senders.app;
  browser = await openBrowser(app);
});
afterAll(async () => {
  await browser?.close();
  await senders?.close();
});

async function ask(method: string, path: string, body?: object): Promise<any> {
  const answer = await app.admin.rest(method, path, body);
  expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  return answer.body;
}

const nameOf = (n: number): string => `Person${String(n).padStart(2, '0')}`;

async function importPeople(): Promise<string[]> {
  const rows = Array.from({ length: PEOPLE }, (_, n) =>
    [
      nameOf(n),
      'Roe',
      `${nameOf(n).toLowerCase()}@firm.example`,
      ZONES[n % ZONES.length],
      'legitimate_interest',
    ].join(),
  );
  const file = ['first name,last name,email,timezone,basis', ...rows].join('\n');
  const given = { file, filename: 'fair.csv', source: 'the fair in Ghent' };
  const plan = await ask('POST', '/api/admin/crm/people/import', given);
  expect(plan.totals.create).toBe(PEOPLE);
  const { batch_id } = await ask('POST', '/api/admin/crm/people/import', { ...given, dry_run: false });
  expect(batch_id).toBeTypeOf('string');
  await app.instance.jobs.run('imports');
  const people = await app.sql<{ id: string }[]>`select id from people order by given`;
  expect(people).toHaveLength(PEOPLE);
  return people.map(({ id }) => id);
}

async function campaignOf(identity_id: string): Promise<string> {
  const { postal_address } = await ask('POST', `${O}/postal-addresses`, {
    name: 'Office',
    lines: 'Acme\n1 Road\nGhent',
  });
  const { campaign } = await ask('POST', `${O}/campaigns`, {
    name: 'Bridges of Ghent',
    timezone: 'Europe/Brussels',
    windows: OFFICE,
    postal_address_id: postal_address.id,
    daily_cap: 1000,
    new_per_day: null,
  });
  const at = `${O}/campaigns/${campaign.id}`;
  const { sequence } = await ask('GET', `${at}/sequence`);
  const letter = (text: string, days: number, more: object = {}) => ({
    kind: 'letter',
    text,
    wait: { days, hours: 0 },
    ...more,
  });
  await ask('PUT', `${at}/sequence`, {
    revision: sequence.revision,
    steps: [
      letter('Dear {{ person.given }},\n\nyour bridge is fine work.', 0, {
        subject: 'Your bridge, {{ person.given }}',
      }),
      letter('Dear {{ person.given }}, did this reach you?', 3, { same_thread: true }),
      letter('Dear {{ person.given }}, a last word.', 4, { same_thread: true }),
    ],
  });
  const { campaign: read } = await ask('GET', at);
  await ask('PUT', `${at}/pool`, {
    revision: read.revision,
    seen: read.seen,
    identity_pool: [{ identity_id, weight: 1 }],
  });
  return campaign.id;
}

/** By the keyboard, as whoever reads them does: the first on its own, the rest marked and approved together. */
async function approveOnScreen(page: Page, campaign: string, letters: number): Promise<void> {
  const article = page.getByRole('article', { name: /^Letter to / });
  // Nothing is approved before it can be read.
  await article.frameLocator('iframe').getByText('your bridge is fine work').waitFor();
  await page.keyboard.press('a');
  await expect.poll(() => inState(campaign, 'review'), SOON).toBe(letters - 1);
  for (let n = 1; n < letters; n++) {
    const before = await article.getAttribute('aria-label');
    await page.keyboard.press('x');
    if (n === letters - 1) break;
    await page.keyboard.press('j');
    await expect.poll(() => article.getAttribute('aria-label'), SOON).not.toBe(before);
  }
  await page.keyboard.press('A');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: `Approve ${letters - 1} letters` })
    .click();
  await expect.poll(() => inState(campaign, 'review'), SOON).toBe(0);
}

async function approveAll(campaign: string): Promise<number> {
  const { items } = await ask('GET', `${O}/sends?campaign=${campaign}&state=review&limit=50`);
  if (items.length > 0)
    await ask('POST', `${O}/sends/approve`, {
      sends: items.map(({ id, fingerprint }: { id: string; fingerprint: string }) => ({ id, fingerprint })),
    });
  return items.length;
}

const inState = async (campaign: string, state: string): Promise<number> => {
  const [row] = await app.sql<{ n: number }[]>`
    select count(*)::int as n from sends where campaign_id = ${campaign} and state = ${state}`;
  return row?.n ?? 0;
};

/** Half hours go by, with what happens in each, until so many letters have arrived. */
async function walk(campaign: string, letters: number): Promise<void> {
  for (let step = 0; step < 24 * 2 * 14 && senders.sink.letters.length < letters; step++) {
    await app.instance.jobs.run('stepping');
    await approveAll(campaign);
    await app.instance.jobs.run('letters');
    app.clock.advance(30 * MINUTE_MS);
  }
  expect(senders.sink.letters).toHaveLength(letters);
}

type Arrived = {
  to: string;
  subject: string;
  message_id: string;
  in_reply_to: string;
  references: string;
  bytes: Buffer;
};

async function arrived(): Promise<Arrived[]> {
  return Promise.all(
    senders.sink.letters.map(async ({ to, bytes }) => {
      const { subject = '', messageId = '', inReplyTo = '', references = '' } = await PostalMime.parse(bytes);
      return { to: to[0] ?? '', subject, message_id: messageId, in_reply_to: inReplyTo, references, bytes };
    }),
  );
}

test(
  'from a domain to letters on the wire, approved on the screen, followed up in their thread and ended by one click',
  { timeout: 400_000 },
  async () => {
    const domain = await senders.active();
    await app.sql`update domains set daily_cap = 1000 where id = ${domain.id}`;
    const wide = { daily_cap: 1000, hourly_cap: 1000, min_gap_s: 0, jitter_s: 0 };
    const ramp = { start: 1000, step: 0, ceiling: 1000 };
    const identity = await senders.anIdentity({ ...wide, ramp, timezone: 'Europe/Brussels' }, domain);
    await senders.onIdentity(identity.id, 'test');
    await senders.onIdentity(identity.id, 'activate');
    const people = await importPeople();
    const campaign = await campaignOf(identity.id);
    const { enrolled } = await ask('POST', `${O}/campaigns/${campaign}/enrol`, { people });
    expect(enrolled).toBe(PEOPLE);
    const { seen } = await ask('GET', `${O}/campaigns/${campaign}/preflight`);
    await ask('POST', `${O}/campaigns/${campaign}/activate`, { seen });
    await app.instance.jobs.run('stepping');
    expect(await inState(campaign, 'review')).toBe(PEOPLE);
    await app.instance.jobs.run('letters');
    expect(senders.sink.letters).toHaveLength(0);

    const page = await browser.page(app.admin, `/review?campaign=${campaign}`);
    await approveOnScreen(page, campaign, PEOPLE);
    await page.close();

    await walk(campaign, PEOPLE);
    const first = await arrived();
    expect(new Set(first.map(({ to }) => to)).size).toBe(PEOPLE);
    const keys = (await ask('GET', `${O}/domains/${domain.id}/records`)).records as {
      name: string;
      value: string;
    }[];
    for (const { bytes } of first) {
      const { results } = await dkimVerify(bytes, {
        resolver: (asked) =>
          Promise.resolve(keys.filter(({ name }) => name === asked).map(({ value }) => [value])),
      });
      expect(results.map(({ status }) => status.result)).toEqual(['pass']);
    }

    // One of them has had enough.
    const gone = first[7]!;
    // An address without https is in no header; the link in the letter's text is the same.
    const { text = '' } = await PostalMime.parse(gone.bytes);
    const link = /\/u\/[\w-]{43}/.exec(text)?.[0];
    expect(link, text).toBeDefined();
    const posted = await fetch(`${app.url}${link}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    });
    expect(posted.status).toBe(200);
    const [left] = await app.sql`
      select r.stage, r.ended, (select count(*)::int from suppressions where reason = 'unsubscribe') as suppressed
      from prospects r join person_addresses a on a.person_id = r.person_id where a.normalised = ${gone.to}`;
    expect(left).toMatchObject({ stage: 'unsubscribed', ended: expect.any(String), suppressed: 1 });

    await walk(campaign, PEOPLE + 2 * (PEOPLE - 1));
    const all = await arrived();
    expect(all.filter(({ to }) => to === gone.to)).toHaveLength(1);
    for (const letter of first.filter(({ to }) => to !== gone.to)) {
      const [, second, third] = all.filter(({ to }) => to === letter.to);
      expect(second?.subject).toBe(`Re: ${letter.subject}`);
      expect(second?.in_reply_to).toBe(letter.message_id);
      expect(third?.references).toBe(`${letter.message_id} ${second?.message_id}`);
    }
    await expectHours();
  },
);

/** No one was written to outside nine to five of their own clock, nor sooner than a step waits. */
async function expectHours(): Promise<void> {
  const rows = await app.sql<{ timezone: string; at: Date; before: Date | null; days: number }[]>`
    select coalesce(nullif(p.timezone, ''), 'Europe/Brussels') as timezone, s.sending_at as at, t.wait_days as days,
      lag(s.sent_at) over (partition by s.prospect_id order by s.sending_at) as before
    from sends s join people p on p.id = s.person_id join sequence_steps t on t.id = s.step_id where s.state = 'sent'`;
  expect(rows.length).toBeGreaterThan(PEOPLE);
  for (const { timezone: timeZone, at, before, days } of rows) {
    const wish = { timeZone, weekday: 'short', hour: '2-digit', hourCycle: 'h23' } as const;
    expect(new Intl.DateTimeFormat('en-GB', wish).format(at)).toMatch(
      /^(Mon|Tue|Wed|Thu|Fri),? (09|1[0-6])$/,
    );
    if (before) expect(at.getTime() - before.getTime()).toBeGreaterThanOrEqual(days * 24 * HOUR_MS);
  }
}
