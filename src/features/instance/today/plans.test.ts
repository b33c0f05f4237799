// Checks that the questions that Today alone asks go through indexes, however many letters, conversations and events
// there are: the queries that the store really sends are caught and explained with generic plans. What it asks of
// other features is proved where they exist.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN, nodesOf, openPlans, type Plans, scansIn } from '../../../../test/support/plans.ts';
import type { Reader } from '../../../kernel/database.ts';
import { campaignsAsking, campaignsStopped, COUNTED_MAX, eventsAgain, snoozed } from './store.ts';

let plans: Plans;
const uuid = (made: string) => `('00000000-0000-4000-8000-' || lpad((${made})::text, 12, '0'))::uuid`;
const WHO = `'person', 'x', 'X'`;
const BY = 'created_by_kind, created_by_id, created_by_name, created_at, updated_at';

beforeAll(async () => {
  plans = await openPlans('generic');
  await plans.seed(`
    insert into campaigns (id, name, name_key, state, paused_reason, timezone, ${BY}, activated_at)
      select ${uuid('k')}, 'C', 'c' || k, case when k % 5 = 0 then 'paused' when k % 3 = 0 then 'active' else 'archived' end,
        case when k % 5 = 0 then (array['person', 'guardrail_bounce'])[1 + k % 2] end, 'UTC', ${WHO}, now(), now(), now()
      from generate_series(1, 20000) k;
    insert into campaign_identities (campaign_id, identity_id, weight)
      select ${uuid('k')}, ${uuid('1 + k % 100')}, 1 from generate_series(1, 20000) k;
    insert into sends (id, kind, campaign_id, person_id, identity_id, state, delivery, subject, text, to_address, to_hash,
        message_id, fingerprint, scheduled_for, sending_at, sent_at, ${BY})
      select ${uuid('k')}, 'one_off', ${uuid('1 + k % 20000')}, ${uuid('k')}, ${uuid('1 + k % 100')}, 'sent',
        case when k % 997 = 0 then 'complaint' when k % 91 = 0 then 'hard' else 'delivered' end, 's', 't', 'a', 'h',
        '<' || k || '@x>', 'f', now(), now(), now(), ${WHO}, now(), now()
      from generate_series(1, 100000) k;
    insert into threads (id, channel, kind, state, snoozed_until, last_touch_at, created_at, updated_at)
      select ${uuid('k')}, 'email', 'conversation', case when k % 10 = 0 then 'snoozed' else 'open' end,
        case when k % 10 = 0 then now() + interval '1 day' end, now(), now(), now()
      from generate_series(1, 100000) k;
    insert into event_deliveries (id, event, occurred_at, body, next_attempt_at, state, attempts, delivered_at)
      select ${uuid('k')}, 'reply.landed', now(), '{}', case when k % 20 = 0 then now() end,
        case when k % 20 = 0 then 'pending' else 'delivered' end, 1, case when k % 20 > 0 then now() end
      from generate_series(1, 100000) k;
  `);
});
afterAll(async () => plans?.close());

const SMALL = ['identities'];
const WEEK_AGO = new Date(Date.now() - 7 * 86_400_000);

test.each([
  ['campaigns that ask for something', (db: Reader) => campaignsAsking(db, WEEK_AGO)],
  ['campaigns that stopped themselves', campaignsStopped],
  ['conversations that come back', (db: Reader) => snoozed(db, ADMIN)],
  ['events that are tried again', (db: Reader) => eventsAgain(db, ADMIN)],
] as [string, (db: Reader) => Promise<unknown>][])('%s are read through an index', async (_, read) => {
  const explained = await plans.ofRead(() => read(plans.sql as Reader), 'analyze');
  expect(scansIn(explained, SMALL)).toEqual([]);
  for (const { plan } of explained)
    for (const node of nodesOf(plan)) expect(node['Rows Removed by Filter'] ?? 0).toBeLessThan(5_000);
});

test('nothing is counted further than a screen has use for', async () => {
  expect((await snoozed(plans.sql as Reader, ADMIN)).count).toBe(COUNTED_MAX);
  expect((await eventsAgain(plans.sql as Reader, ADMIN)).count).toBe(COUNTED_MAX);
});
