// Checks that letters are found, asked, woken and called off through indexes at 100,000 of them: the queries that the
// stores really send are caught on the way and explained.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN, nodesOf, openPlans, type Plans, scansIn } from '../../../../../test/support/plans.ts';
import type { Transaction } from '../../../../kernel/database.ts';
import type { App } from '../../../../kernel/app.ts';
import { claimFolders, wantedOf } from '../../copies/store.ts';
import { reportsOf, reportsOfPerson } from '../../deliveries/report.store.ts';
import { forgetWords } from '../../deliveries/store.ts';
import { takeAddress } from '../draft/address.store.ts';
import { factsOf } from '../gates/facts.store.ts';
import { cancelLetters, wakeLetters, type WhichLetters } from './flow.store.ts';
import { claimHeld } from '../gates/recheck.store.ts';
import { waitingLetters } from '../draft/remake.store.ts';
import { historyOf } from './save.store.ts';
import { letterOfStep, type LetterSearch, searchSends, sendRows } from './send.store.ts';
import { sourcesOf } from '../draft/source.store.ts';
import { lettersTouchedByIdentity, lettersTouchedBySequence } from '../draft/reached.store.ts';

const LETTERS = 100_000;

let plans: Plans;

const NOW = new Date('2026-03-02T10:00:00.000Z');
const n = (k: number) => `00000000-0000-4000-8000-${String(k).padStart(12, '0')}`;
const uuid = (made: string) => `('00000000-0000-4000-8000-' || lpad((${made})::text, 12, '0'))::uuid`;
const WHO = `'person', 'x', 'X'`;
const BY_COLUMNS = 'created_by_kind, created_by_id, created_by_name, created_at, updated_at';

beforeAll(async () => {
  plans = await openPlans();
  await plans.seed(`
    insert into people (id, name, name_key, search, ${BY_COLUMNS})
      select ${uuid('k')}, 'P' || k, 'p' || k, '', ${WHO}, now(), now() from generate_series(1, 50000) k;
    insert into person_addresses (id, person_id, value, normalised, domain, hash, is_primary, position)
      select gen_random_uuid(), ${uuid('k')}, 'p' || k || '@acme.example', 'p' || k || '@acme.example', 'acme.example',
        'h' || k, true, 0 from generate_series(1, 50000) k;
    insert into domains (id, name, organisation, state, dkim_selector, dkim_algorithm, dkim_private, dkim_public,
        next_check_at, ${BY_COLUMNS})
      select ${uuid('k')}, 'd' || k, 'd' || k, 'active', 's', 'rsa', 'x', 'x', now(), ${WHO}, now(), now()
      from generate_series(1, 20) k;
    insert into identities (id, domain_id, name, address, normalised, timezone, transport_kind, ${BY_COLUMNS})
      select ${uuid('k')}, ${uuid('1 + k % 20')}, 'I', 'i' || k, 'i' || k, 'UTC', 'sandbox', ${WHO}, now(), now()
      from generate_series(1, 100) k;
    insert into campaigns (id, name, name_key, state, timezone, ${BY_COLUMNS}, activated_at)
      select ${uuid('k')}, 'C', 'c' || k, 'active', 'UTC', ${WHO}, now(), now(), now() from generate_series(1, 50) k;
    insert into sequence_steps (id, campaign_id, position, kind, text)
      select ${uuid('k')}, ${uuid('1 + k % 50')}, k / 50, 'letter', 't' from generate_series(0, 99) k;
    insert into prospects (id, campaign_id, person_id, stage, stage_at, enrolled_by_kind, enrolled_by_id,
        enrolled_by_name, created_at, updated_at)
      select ${uuid('k')}, ${uuid('1 + k % 50')}, ${uuid('1 + (k + k / 50001) % 50000')}, 'enrolled', now(), ${WHO}, now(), now()
      from generate_series(1, ${LETTERS}) k;
    insert into sends (id, kind, campaign_id, prospect_id, person_id, step_id, identity_id, state, subject, text,
        to_address, to_hash, message_id, fingerprint, scheduled_for, hold_reason, held_at, recheck_at, cancel_reason,
        sending_at, sent_at, waiting_for, not_before, ${BY_COLUMNS})
      select ${uuid('k')}, 'sequence', ${uuid('1 + k % 50')}, ${uuid('k')}, ${uuid('1 + k % 50000')}, ${uuid('k % 50')},
        ${uuid('1 + k % 100')}, s, 's', 't', 'p' || (1 + k % 50000) || '@acme.example', 'h' || (1 + k % 50000),
        '<' || k || '@x>', 'f', now(), case when s = 'held' then 'suppressed' end, case when s = 'held' then now() end,
        case when s = 'held' then now() + k * interval '1 second' end, case when s = 'cancelled' then 'replied' end,
        case when s = 'sent' then now() - k * interval '1 minute' end, case when s = 'sent' then now() end,
        case when s = 'scheduled' then 'ramp' end, case when s = 'scheduled' then now() end, ${WHO},
        now() - k * interval '1 minute', now()
      from generate_series(1, ${LETTERS}) k, lateral (select (array['sent','sent','sent','sent','sent','cancelled',
        'review','scheduled','held','drafted'])[1 + (k / 7) % 10] as s) st;
    insert into send_facts (id, send_id, kind, by_kind, by_id, by_name, at)
      select gen_random_uuid(), id, 'drafted', ${WHO}, now() from sends;
    insert into send_outcomes (id, key, send_id, kind, source, said, at, received_at)
      select gen_random_uuid(), s.id || e.kind, s.id, e.kind, 'session', case when e.kind = 'hard' then '550 no' end, now(), now()
      from sends s, (values ('accepted'), ('hard')) e (kind) where s.state = 'sent';
    insert into suppressions (id, kind, value, value_hash, reason, source, created_by_kind, created_by_id,
        created_by_name, created_at)
      select gen_random_uuid(), 'address', 'p' || k || '@acme.example', 'h' || k, 'manual', 'person', ${WHO}, now()
      from generate_series(1, 20000) k;
    insert into threads (id, channel, kind, person_id, campaign_id, last_touch_at, created_at, updated_at)
      select ${uuid('k')}, 'email', 'conversation', ${uuid('k')}, ${uuid('1 + k % 50')}, now(), now(), now()
      from generate_series(1, 20000) k;
    insert into touches (id, thread_id, direction, channel, at, person_id, words, created_at)
      select ${uuid('k')}, ${uuid('1 + k % 20000')}, 'in', 'email', now() - k * interval '1 minute',
        ${uuid('1 + k % 20000')}, '', now()
      from generate_series(1, 40000) k;
    insert into letters_started (scope, scope_id, day, started)
      select 'identity', ${uuid('1 + k % 100')}, current_date - k / 100, 1 from generate_series(1, 9999) k;
    insert into send_outcomes (id, key, send_id, kind, source, placed_by, at, received_at)
      select gen_random_uuid(), 'k' || k, ${uuid('k')}, 'accepted', 'session', 'id', now(), now()
      from generate_series(1, 40000) k;
    insert into sent_copies (send_id, identity_id, state, due_at, looked_at)
      select ${uuid('k')}, ${uuid('1 + k % 100')}, case when k % 100 = 0 then 'due' else 'filed' end, now(), now()
      from generate_series(1, 40000) k;
  `);
});
afterAll(async () => plans?.close());

/** A handful of rows each, on any instance, or empty in this one. */
const SMALL = [
  'sender_lanes',
  'pass_runs',
  'campaigns',
  'identities',
  'domains',
  'sequence_steps',
  'postal_addresses',
  'companies',
  'attachments',
  'send_attachments',
  'step_attachments',
  'campaign_identities',
  'verifications',
  'letters_to_remake',
  'mailboxes',
  'sent_folders',
  'vendor_letters',
  'instance_address',
];
const scans = async (work: (tx: Transaction) => Promise<unknown>): Promise<string[]> =>
  scansIn(await plans.ofWork(work), SMALL);

const app = {
  instance: { name: 'test', base_url: 'http://127.0.0.1', version: '0' },
  sending: { enabled: true, development: false },
  sealer: { key: () => ({ reveal: () => 'k' }) },
} as unknown as App;
const BY = { kind: 'system', id: 'x', name: 'x' } as const;

test('every list of letters is read through an index, from both ends', async () => {
  const filters: Partial<LetterSearch>[] = [
    {},
    { state: 'review' },
    { state: 'held' },
    { campaign: n(7) },
    { state: 'review', campaign: n(7) },
    { identity: n(7) },
    { identity: n(7), state: 'sent' },
    { person: n(7) },
    { prospect: n(7) },
    { reason: 'suppressed' },
    { reason: 'no_basis' },
  ];
  const last = [new Date(Date.now() - 86_400_000).toISOString(), n(7)] as const;
  for (const order of ['newest', 'oldest'] as const)
    for (const filter of filters)
      for (const after of [null, last]) {
        const search = { ...filter, order, after, count: 51 };
        expect(await scans((tx) => searchSends(tx, ADMIN, search))).toEqual([]);
      }
});

test('a page of one campaign or of one identity is not sorted out of all its letters', async () => {
  const filters: Partial<LetterSearch>[] = [
    {},
    { campaign: n(7) },
    { identity: n(7) },
    { state: 'review', campaign: n(7) },
  ];
  for (const filter of filters) {
    const search = { ...filter, order: 'newest' as const, after: null, count: 51 };
    for (const { plan } of await plans.ofWork((tx) => searchSends(tx, ADMIN, search)))
      expect(nodesOf(plan).map((node) => node['Node Type'])).not.toContain('Sort');
  }
});

test('facts of one letter and of a hundred are looked up, not searched', async () => {
  const ids = Array.from({ length: 100 }, (_, k) => n(1 + k * 900));
  expect(await scans((tx) => factsOf(tx, ids.slice(0, 1), NOW, app))).toEqual([]);
  expect(await scans((tx) => factsOf(tx, ids, NOW, app))).toEqual([]);
});

test('waking, calling off, looking again and making again touch only the letters they are about', async () => {
  const which: WhichLetters[] = [
    { prospect_ids: [n(7), n(8)] },
    { prospect_id: n(7) },
    { campaign_id: n(7) },
    { person_id: n(7) },
    { identity_id: n(7) },
    { address_hash: 'h7' },
  ];
  for (const each of which) {
    expect(await scans((tx) => wakeLetters(tx, each, NOW))).toEqual([]);
    if ('address_hash' in each) continue;
    expect(await scans((tx) => cancelLetters(tx, each, 'replied', BY, NOW))).toEqual([]);
  }
  const lease = { id: n(1), from: new Date(), until: new Date() };
  expect(await scans((tx) => claimHeld(tx, lease, 100))).toEqual([]);
  expect(await scans((tx) => sourcesOf(tx, [{ prospect_id: n(7), step_id: n(7) }]))).toEqual([]);
  expect(await scans((tx) => letterOfStep(tx, n(8), n(8), 0))).toEqual([]);
  expect(await scans((tx) => historyOf(tx, n(7)))).toEqual([]);
  expect(await scans((tx) => sendRows(tx, [n(7)]))).toEqual([]);
  const edit = { by_wire: true, by: BY, now: NOW };
  const steps = { campaign_id: n(99), step_ids: [n(7)] };
  expect(await scans((tx) => lettersTouchedBySequence(tx, app, steps, edit))).toEqual([]);
  expect(await scans((tx) => lettersTouchedByIdentity(tx, app, n(999), edit))).toEqual([]);
  const instance = { of_kind: 'instance', of_id: n(1) } as const;
  expect(await scans((tx) => waitingLetters(tx, instance, n(7), 200))).toEqual([]);
  expect(await scans((tx) => takeAddress(tx, 'https://desk.example', NOW))).toEqual([]);
  expect(await scans((tx) => reportsOf(tx, n(7)))).toEqual([]);
  expect(await scans((tx) => reportsOfPerson(tx, n(7), tx`true`, null, 30))).toEqual([]);
  expect(await scans((tx) => forgetWords(tx, { letters: [n(7)], hashes: ['h7'] }))).toEqual([]);
});

test('copies that are due are found without reading those that are filed', async () => {
  const lease = { id: n(1), from: NOW, until: NOW };
  expect(await scans((tx) => claimFolders(tx, lease, 4))).toEqual([]);
  expect(await scans((tx) => wantedOf(tx, n(1), NOW))).toEqual([]);
});
