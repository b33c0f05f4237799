// Checks that a digest asks its own questions through indexes, however many letters, touches, people, deals, items and
// audited acts there are: the queries that the stores really send are caught on the way and explained with generic
// plans, as the product runs them.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN, nodesOf, openPlans, type Plans, scansIn } from '../../../../test/support/plans.ts';
import type { Reader } from '../../../kernel/database.ts';
import { reasonsAmong } from '../../outreach/deliveries/report.store.ts';
import {
  heldGroups,
  lettersOfPerson,
  lettersWaiting,
  nextLetters,
  pausedCampaigns,
  reviewedLetters,
  stepMetrics,
  vendorsInUse,
} from './outreach/letters.store.ts';
import {
  campaignsOfPerson,
  cardsOfPerson,
  closedIn,
  dealsOfThread,
  draftedAnswers,
  latestTouches,
  openedIn,
  repliesIn,
  staleDeals,
} from './people/people.store.ts';
import { actsIn, readsIn } from './desk/activity.store.ts';
import { itemsIn, openItems, overdueItems } from './desk/work.store.ts';

let plans: Plans;

const n = (k: number) => `00000000-0000-4000-8000-${String(k).padStart(12, '0')}`;
const uuid = (made: string) => `('00000000-0000-4000-8000-' || lpad((${made})::text, 12, '0'))::uuid`;
const WHO = `'person', 'x', 'X'`;
const BY_COLUMNS = 'created_by_kind, created_by_id, created_by_name, created_at, updated_at';

beforeAll(async () => {
  plans = await openPlans('generic');
  await plans.seed(`
    insert into people (id, name, name_key, search, ${BY_COLUMNS})
      select ${uuid('k')}, 'P' || k, 'p' || k, '', ${WHO}, now(), now() from generate_series(1, 20000) k;
    insert into campaigns (id, name, name_key, state, timezone, ${BY_COLUMNS}, activated_at)
      select ${uuid('k')}, 'C', 'c' || k, 'active', 'UTC', ${WHO}, now(), now(), now() from generate_series(1, 50) k;
    insert into sequence_steps (id, campaign_id, position, kind, text)
      select ${uuid('k')}, ${uuid('1 + k % 50')}, k / 50, 'letter', 't' from generate_series(0, 99) k;
    insert into prospects (id, campaign_id, person_id, stage, stage_at, enrolled_by_kind, enrolled_by_id,
        enrolled_by_name, created_at, updated_at)
      select ${uuid('k')}, ${uuid('1 + k % 50')}, ${uuid('1 + k % 20011')},
        (array['enrolled','contacted','contacted','replied','positive'])[1 + k % 5], now(), ${WHO}, now(), now()
      from generate_series(1, 30000) k;
    insert into sends (id, kind, campaign_id, prospect_id, person_id, step_id, identity_id, state, subject, text,
        to_address, to_hash, message_id, fingerprint, scheduled_for, hold_reason, held_at, cancel_reason, sending_at,
        sent_at, ${BY_COLUMNS})
      select ${uuid('k')}, case when k % 50 = 0 then 'one_off' else 'sequence' end,
        case when k % 50 > 0 then ${uuid('1 + k % 49')} end, ${uuid('1 + k % 30000')}, ${uuid('1 + k % 20000')},
        ${uuid('k / 30001')}, ${uuid('1 + k % 100')}, s, 's', 't', 'a', 'h', '<' || k || '@x>', 'f', now(),
        case when s = 'held' then 'suppressed' end, case when s = 'held' then now() end,
        case when s = 'cancelled' then 'replied' end, case when s in ('sent', 'uncertain') then now() end,
        case when s = 'sent' then now() end, ${WHO}, now() - k * interval '1 minute', now()
      from generate_series(1, 60000) k, lateral (select case when k % 997 = 0 then 'uncertain'
        when k % 41 = 0 then 'held' when k % 43 = 0 then 'review' when k % 11 = 0 then 'scheduled'
        when k % 13 = 0 then 'cancelled' else 'sent' end as s) st;
    update sends set delivery = (array['soft','hard','policy'])[1 + k % 3], delivery_at = now()
      from generate_series(3, 60000, 31) k where id = ${uuid('k')} and state = 'sent';
    insert into send_outcomes (id, key, send_id, kind, source, placed_by, at, received_at)
      select ${uuid('k')}, 'k' || k, ${uuid('k')}, (array['soft','hard','policy'])[1 + k % 3], 'session', 'id', now(), now()
      from generate_series(1, 60000) k;
    insert into threads (id, channel, kind, person_id, campaign_id, last_touch_at, created_at, updated_at)
      select ${uuid('k')}, 'email', 'conversation', ${uuid('k')}, ${uuid('1 + k % 50')}, now(), now(), now()
      from generate_series(1, 20000) k;
    insert into touches (id, thread_id, direction, channel, at, person_id, campaign_id, words, created_at)
      select ${uuid('k')}, ${uuid('1 + k % 20000')}, case when k % 3 = 0 then 'in' else 'out' end, 'email',
        now() - k * interval '10 minutes', ${uuid('1 + k % 20000')}, ${uuid('1 + k % 50')}, '', now()
      from generate_series(1, 25000) k;
    insert into deals (id, name, person_id, thread_id, campaign_id, state, stage, opened_by, position, search, lost_reason,
        closed_at, created_by_kind, created_by_id, created_by_name, created_at, updated_at)
      select ${uuid('k')}, 'D', ${uuid('1 + k % 20000')}, ${uuid('1 + k % 20000')}, ${uuid('1 + k % 50')},
        s, 'new', 'person', k, '', case when s = 'lost' then 'x' end, case when s <> 'open' then now() end, ${WHO},
        now() - k * interval '1 hour', now() - k * interval '1 hour'
      from generate_series(1, 15000) k, lateral (select (array['open','won','lost'])[1 + k % 3] as s) st;
    insert into work_projects (id, key, name, created_at, updated_at)
      select ${uuid('k')}, 'P' || k, 'P', now(), now() from generate_series(1, 40) k;
    insert into work_items (id, project_id, number, title, status, priority, author_kind, author_id, author_name, due_on,
        needs_review, approval_id, position, created_at, updated_at, completed_at, search)
      select ${uuid('k')}, ${uuid('1 + k % 40')}, k, 'T', s::work_status, 'none', ${WHO}, current_date - 1, false,
        case when s = 'in_review' then ${uuid('k')} end, k, now(), now() - k * interval '1 hour',
        case when s = 'done' then now() end, ''
      from generate_series(1, 20000) k, lateral (select (array['done','done','done','done','done','done','done',
        'todo','backlog','in_review'])[1 + (k / 40) % 10] as s) st;
    insert into work_blocks (project_id, item_id, blocked_by_id)
      select ${uuid('1 + k % 40')}, ${uuid('k')}, ${uuid('k + 40')} from generate_series(1, 15000) k;
    insert into audit (id, at, principal_kind, principal_id, principal_name, surface, turn, act, outcome, request_id)
      select ${uuid('k')}, now(), 'agent', 'a' || k % 50, 'A', 'mcp', 'agent', 'item_move', 'done', 'r'
      from generate_series(1, 25000) k;
    insert into activity_reads (id, at, until, count, principal_kind, principal_id, principal_name, surface, turn, act,
        request_id)
      select ${uuid('k')}, now(), now(), 1, 'agent', 'a' || k % 50, 'A', 'mcp', 'agent', 'item_get', 'r'
      from generate_series(1, 25000) k;
  `);
});
afterAll(async () => plans?.close());

/** A handful of rows each, on any instance, or empty in this one. */
const SMALL = [
  'campaigns',
  'identities',
  'sequence_steps',
  'work_projects',
  'companies',
  'users',
  'sender_lanes',
  'domains',
  'approvals',
  'send_facts',
  'answers',
];
const scans = async (read: (db: Reader) => Promise<unknown>): Promise<string[]> =>
  scansIn(await plans.ofRead(() => read(plans.sql as Reader)), SMALL);

const ago = (days: number): Date => new Date(Date.now() - days * 86_400_000);
const span = (days: number) => ({ since: ago(days), until: new Date() });

test('letters that wait, held ones by reason, and the next of each identity are counted by their indexes', async () => {
  expect(await scans((db) => lettersWaiting(db, ADMIN))).toEqual([]);
  for (const which of [
    {},
    { campaign: n(7) },
    { reason: 'suppressed' },
    { reason: 'no_basis', campaign: n(7) },
  ])
    expect(await scans((db) => heldGroups(db, ADMIN, which))).toEqual([]);
  expect(await scans((db) => nextLetters(db, ADMIN, [n(1), n(2), n(3)], new Date()))).toEqual([]);
  expect(await scans((db) => lettersOfPerson(db, ADMIN, n(7)))).toEqual([]);
  expect(await scans(pausedCampaigns)).toEqual([]);
  expect(await scans(vendorsInUse)).toEqual([]);
  expect(await scans((db) => reviewedLetters(db, ADMIN, span(1), 3))).toEqual([]);
  expect(await scans((db) => draftedAnswers(db, ADMIN, 3))).toEqual([]);
});

test('the steps of one campaign are read off its own letters and people alone', async () => {
  expect(await scans((db) => stepMetrics(db, n(7)))).toEqual([]);
});

test('why letters of a campaign or to a person were not taken is read off those alone', async () => {
  for (const of of [{ campaign: n(7) }, { person: n(7) }])
    expect(await scans((db) => reasonsAmong(db, of, plans.sql`true`))).toEqual([]);
});

test('replies of a week, one person and deals are looked up, not searched', async () => {
  expect(await scans((db) => repliesIn(db, ADMIN, span(7), undefined))).toEqual([]);
  expect(await scans((db) => repliesIn(db, ADMIN, span(90), n(7)))).toEqual([]);
  expect(await scans((db) => campaignsOfPerson(db, n(7)))).toEqual([]);
  expect(await scans((db) => latestTouches(db, n(7), 50))).toEqual([]);
  expect(await scans((db) => cardsOfPerson(db, ADMIN, 'all', n(7), 5))).toEqual([]);
  expect(await scans((db) => dealsOfThread(db, ADMIN, n(7)))).toEqual([]);
  for (const campaign of [undefined, n(7)]) {
    expect(await scans((db) => staleDeals(db, ADMIN, ago(14), campaign, 20))).toEqual([]);
    expect(await scans((db) => closedIn(db, ADMIN, span(30), campaign))).toEqual([]);
  }
  expect(await scans((db) => openedIn(db, ADMIN, span(1)))).toEqual([]);
});

test('the items of one project are read off its open columns, and what changed off the newest', async () => {
  for (const which of ['parked', 'claimed', 'blocked', 'overdue'] as const)
    expect(await scans((db) => openItems(db, ADMIN, n(7), which, new Date(), 20))).toEqual([]);
  expect(await scans((db) => overdueItems(db, ADMIN, 'all', new Date(), 3))).toEqual([]);
  expect(await scans((db) => itemsIn(db, ADMIN, 'all', span(1)))).toEqual([]);
  expect(await scans((db) => itemsIn(db, ADMIN, [n(7)], span(1)))).toEqual([]);
});

test.each([actsIn, readsIn])(
  'of what was done and read the newest rows are read in the order of an index, and no others are sorted (%#)',
  async (since) => {
    for (const actor of [undefined, 'a7']) {
      const explained = await plans.ofRead(() => since(plans.sql as Reader, span(1), actor));
      expect(scansIn(explained, SMALL)).toEqual([]);
    }
    const [{ plan } = { plan: { 'Node Type': 'none' } }] = await plans.ofRead(() =>
      since(plans.sql as Reader, span(1), undefined),
    );
    const limit = nodesOf(plan).find((node) => node['Node Type'] === 'Limit' && reads(node, 'Index Scan'));
    expect(limit).toBeDefined();
  },
);

const reads = (node: { Plans?: { 'Node Type': string }[] }, type: string): boolean =>
  (node.Plans ?? []).some((each) => each['Node Type'].startsWith(type));
