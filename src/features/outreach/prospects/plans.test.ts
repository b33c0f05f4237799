// Checks that people in campaigns are found, claimed and counted through indexes at 100,000 of them: the queries that the
// stores really send are caught on the way and explained.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN, openPlans, type Plans, scansIn } from '../../../../test/support/plans.ts';
import type { Transaction } from '../../../kernel/database.ts';
import { GUARDRAILS } from '../campaigns/contract.ts';
import { cohortsInOneZone, daysOf, latelyOf, sendersWithPace } from '../campaigns/metrics/metrics.store.ts';
import type { LoadedCampaign } from '../campaigns/store.ts';
import { candidates, insertProspects } from './enrol/enrol.store.ts';
import { factsOfProspect } from './history.store.ts';
import { holdProspect, releaseProspect } from './stepping/hold.store.ts';
import { prospectsOfPerson } from './holder.store.ts';
import { endProspectsOf, moveSpine } from './spine/move.store.ts';
import { listProspects, type ProspectSearch } from './store.ts';
import { campaignsAtTheEnd, claimSteps, lockPlace } from './stepping/stepping.store.ts';
import { letterWent } from './stepping/steps.store.ts';

const PEOPLE = 100_000;

let plans: Plans;
let sql: Plans['sql'];

const NOW = new Date();
const BY = { kind: 'system', id: 'x', name: 'x' } as const;
const n = (k: number) => `00000000-0000-4000-8000-${String(k).padStart(12, '0')}`;
const uuid = (made: string) => `('00000000-0000-4000-8000-' || lpad((${made})::text, 12, '0'))::uuid`;
const WHO = `'person', 'x', 'X'`;
const BY_COLUMNS = 'created_by_kind, created_by_id, created_by_name, created_at, updated_at';

beforeAll(async () => {
  plans = await openPlans();
  ({ sql } = plans);
  // Half of the campaigns are paused with all of their people due. Foreign keys are not asked row by row.
  await plans.seed(`
    insert into people (id, name, name_key, search, ${BY_COLUMNS})
      select ${uuid('k')}, 'P' || k, 'p' || k, '', ${WHO}, now(), now() from generate_series(1, ${PEOPLE}) k;
    insert into person_addresses (id, person_id, value, normalised, domain, hash, is_primary, position)
      select gen_random_uuid(), ${uuid('k')}, 'p' || k || '@acme.example', 'p' || k || '@acme.example', 'acme.example',
        'h' || k, true, 0 from generate_series(1, ${PEOPLE}) k;
    insert into domains (id, name, organisation, state, dkim_selector, dkim_algorithm, dkim_private, dkim_public,
        next_check_at, ${BY_COLUMNS})
      select ${uuid('k')}, 'd' || k, 'd' || k, 'active', 's', 'rsa', 'x', 'x', now(), ${WHO}, now(), now()
      from generate_series(1, 20) k;
    insert into identities (id, domain_id, name, address, normalised, timezone, transport_kind, ${BY_COLUMNS})
      select ${uuid('k')}, ${uuid('1 + k % 20')}, 'I', 'i' || k, 'i' || k, 'UTC', 'sandbox', ${WHO}, now(), now()
      from generate_series(1, 100) k;
    insert into campaigns (id, name, name_key, state, paused_reason, timezone, ${BY_COLUMNS}, activated_at)
      select ${uuid('k')}, 'C', 'c' || k, case when k % 2 = 0 then 'paused' else 'active' end,
        case when k % 2 = 0 then 'person' end, 'UTC', ${WHO}, now(), now(), now() from generate_series(1, 50) k;
    insert into campaign_identities (campaign_id, identity_id, weight)
      select ${uuid('1 + k % 50')}, ${uuid('k')}, 1 from generate_series(1, 100) k;
    insert into sequence_steps (id, campaign_id, position, kind, text)
      select ${uuid('k')}, ${uuid('1 + k % 50')}, k / 50, 'letter', 't' from generate_series(0, 99) k;
    insert into prospects (id, campaign_id, person_id, stage, stage_at, step_id, due_at, next_at, hold_by, hold_reason, held_at,
        ended, ended_at, enrolled_by_kind, enrolled_by_id, enrolled_by_name, created_at, updated_at)
      select ${uuid('k')}, ${uuid('1 + k % 50')}, ${uuid('k')},
        (array['enrolled','contacted','contacted','contacted','replied','positive','bounced','unsubscribed'])[1 + (k / 50) % 8],
        now(), case when (k / 50) % 8 < 4 then ${uuid('k % 50')} end, case when (k / 50) % 8 < 4 then now() end,
        case when (k / 50) % 8 < 2 then now() - k * interval '1 second' end,
        case when (k / 50) % 40 = 1 then 'person' end, case when (k / 50) % 40 = 1 then 'x' end,
        case when (k / 50) % 40 = 1 then now() end, case when (k / 50) % 8 >= 4 then 'replied' end,
        case when (k / 50) % 8 >= 4 then now() end, ${WHO}, now(), now()
      from generate_series(1, ${PEOPLE}) k;
    insert into prospect_facts (id, prospect_id, kind, by_kind, by_id, by_name, at)
      select gen_random_uuid(), id, 'enrolled', ${WHO}, now() from prospects;
    insert into sends (id, kind, campaign_id, prospect_id, person_id, step_id, identity_id, state, subject, text,
        to_address, to_hash, message_id, fingerprint, scheduled_for, hold_reason, held_at, cancel_reason, sending_at, sent_at,
        delivery, unresolved, ${BY_COLUMNS})
      select ${uuid('k')}, 'sequence', ${uuid('1 + k % 50')}, ${uuid(`1 + k % ${PEOPLE}`)}, ${uuid(`1 + k % ${PEOPLE}`)},
        ${uuid('k % 50 + 50 * (k / 100001)')}, ${uuid('1 + k % 100')}, s, 's', 't', 'x', 'h' || (1 + k % ${PEOPLE}),
        '<' || k || '@x>', 'f', now(), case when s = 'held' then 'suppressed' end, case when s = 'held' then now() end,
        case when s = 'cancelled' then 'replied' end, case when s = 'sent' then now() - k * interval '1 minute' end,
        case when s = 'sent' then now() end,
        case when s = 'sent' then case when k % 100 = 0 then 'hard' when k % 1009 = 0 then 'complaint' else 'accepted' end end,
        case when k % 500 = 0 then array['person.title'] else '{}'::text[] end,
        ${WHO}, now() - k * interval '1 minute', now()
      from generate_series(1, 2 * ${PEOPLE}) k, lateral (select (array['sent','sent','sent','sent','sent','cancelled',
        'review','scheduled','held','drafted'])[1 + (k / 7) % 10] as s) st;
    insert into suppressions (id, kind, value, value_hash, reason, source, created_by_kind, created_by_id,
        created_by_name, created_at)
      select gen_random_uuid(), 'address', 'p' || k || '@acme.example', 'h' || k, 'manual', 'person', ${WHO}, now()
      from generate_series(1, 20000) k;
    insert into letters_started (scope, scope_id, day, started)
      select s, ${uuid('1 + k % 50')}, current_date - k / 50, 1
      from generate_series(0, 9999) k, unnest(array['identity', 'domain', 'campaign']) s;
    insert into stages_reached (campaign_id, day, stage, people)
      select ${uuid('1 + k % 50')}, current_date - k / 50, s, 1
      from generate_series(0, 9999) k, unnest(array['contacted', 'replied', 'positive']) s;
  `);
});
afterAll(async () => plans?.close());

/** A handful of rows each, on any instance, or empty in this one. */
const SMALL = [
  'campaigns',
  'identities',
  'domains',
  'sequence_steps',
  'companies',
  'campaign_identities',
  'work_items',
];
const scans = async (work: (tx: Transaction) => Promise<unknown>): Promise<string[]> =>
  scansIn(await plans.ofWork(work), SMALL);

const campaign = { id: n(7), timezone: 'UTC', guardrails: GUARDRAILS } as LoadedCampaign;
const LEASE = { id: n(1), from: NOW, until: new Date(NOW.getTime() + 60_000) };

test('due people are claimed by campaign, however many are due in paused ones', async () => {
  expect(await scans((tx) => claimSteps(tx, LEASE, 100))).toEqual([]);
  const claimed = await sql.begin(async (tx) => {
    const rows = await claimSteps(tx, LEASE, 100);
    const [paused] = await tx`
      select count(*)::int as n from prospects p join campaigns c on c.id = p.campaign_id
      where p.lease = ${LEASE.id} and (c.state <> 'active' or p.hold_by is not null)`;
    return { count: rows.length, paused: paused?.['n'] };
  });
  expect(claimed).toEqual({ count: 100, paused: 0 });
});

test('every page of a campaign’s people is read through an index', async () => {
  const filters: Partial<ProspectSearch>[] = [
    {},
    { stage: 'positive' },
    { person: n(7) },
    ...(['going', 'on_hold', 'ended', 'through'] as const).map((standing) => ({ standing })),
  ];
  for (const filter of filters)
    for (const after of [null, n(50_000)]) {
      const search = { campaign_id: n(7), ...filter, after, count: 51 };
      expect(await scans((tx) => listProspects(tx, ADMIN, search, NOW))).toEqual([]);
    }
});

test('two thousand people are judged and enrolled without going through any table', async () => {
  const ids = Array.from({ length: 2_000 }, (_, k) => n(1 + k * 50));
  expect(await scans((tx) => candidates(tx, { id: n(7), exclusive: true }, ids.slice(0, 500), NOW))).toEqual(
    [],
  );
  expect(
    await scans(async (tx) => {
      await tx`select 1`;
      await insertProspects(tx, n(8), ids, BY, NOW);
    }),
  ).toEqual([]);
});

test('moves, ends, holds and steps touch only the people they are about', async () => {
  const acts: ((tx: Transaction) => Promise<unknown>)[] = [
    (tx) => moveSpine(tx, { prospect_id: n(100), stage: 'replied', cause: 'reply' }, BY, NOW),
    (tx) => moveSpine(tx, { prospect_id: n(100), stage: 'unsubscribed', cause: 'reply' }, BY, NOW),
    (tx) => endProspectsOf(tx, n(100), 'complaint', BY, NOW),
    (tx) => holdProspect(tx, { prospect_id: n(100), by: 'away', reason: 'x', until: LEASE.until }, BY, NOW),
    (tx) => releaseProspect(tx, n(50), BY, NOW),
    (tx) => letterWent(tx, { prospect_id: n(100), step_id: n(0), at: NOW }, NOW),
    (tx) => lockPlace(tx, { id: n(100), campaign_id: n(1), lease: n(1) }, NOW),
    (tx) => factsOfProspect(tx, n(100), 100),
    (tx) => prospectsOfPerson.move(tx, n(100), n(101), NOW, async () => undefined),
    (tx) => prospectsOfPerson.erase(tx, n(100), NOW),
    async (tx) => await prospectsOfPerson.timeline?.(tx, ADMIN, n(100), null, 20),
  ];
  for (const each of acts) expect(await scans(each)).toEqual([]);
});

test('numbers of a campaign, and whether it is at its end, go through no table from end to end', async () => {
  expect(await scans((tx) => latelyOf(tx, campaign, NOW))).toEqual([]);
  expect(await scans((tx) => sendersWithPace(tx, n(7), NOW))).toEqual([]);
  expect(await scans((tx) => cohortsInOneZone(tx, campaign))).toEqual([]);
  expect(await scans((tx) => campaignsAtTheEnd(tx, NOW, null, 20))).toEqual([]);
  const [from, to] = [
    new Date(NOW.getTime() - 7 * 86_400_000).toISOString().slice(0, 10),
    NOW.toISOString().slice(0, 10),
  ];
  expect(await scans((tx) => daysOf(tx, null, from, to))).toEqual([]);
  expect(await scans((tx) => daysOf(tx, [n(7)], from, to))).toEqual([]);
});
