// Checks that whatever comes in is looked up by indexes: with scans made dear, the queries that the stores really send
// are explained, and one that goes through a table all the same has no index that could serve it.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPlans, type Plans, scansIn } from '../../../../test/support/plans.ts';
import type { Lease } from '../../../kernel/pass.ts';
import { claimUnread } from '../readings/store.ts';
import { factsOf } from '../../outreach/sends/gates/facts.store.ts';
import {
  landedBefore,
  placesNamed,
  sentLatelyTo,
  threadWith,
  writerNamed,
  writerOf,
} from './attribution/attribution.store.ts';
import { openDealOf, prospectsMeant } from './effects/deal.store.ts';
import { lockProspectsOf } from './effects/people.store.ts';
import { ANY } from './quarantine/quarantine-rules.store.ts';
import { quarantinedRows } from './quarantine/quarantine.store.ts';
import { claimMails, forgetSettled, noteReplied } from './store.ts';
import { threadOf } from './land/thread.store.ts';

let plans: Plans;
beforeAll(async () => {
  plans = await openPlans('generic');
  await plans.sql.unsafe('set enable_seqscan = off');
});
afterAll(() => plans.close());

const NOW = new Date('2026-06-01T00:00:00Z');
const LEASE: Lease = { id: randomUUID(), from: NOW, until: NOW };
const [id, hash] = [randomUUID(), 'h'.repeat(64)];
/** Tables of a handful of rows on any instance, and lists that are in the query itself. */
const SMALL = [
  'campaigns',
  'identities',
  'deal_stages',
  'deal_pipeline',
  'domains',
  'instance_address',
  'letters_to_remake',
];

describe('served by an index is', () => {
  test.each([
    ['what Message-IDs and letters lead to', () => placesNamed(plans.sql, ['<a@x>'], [id])],
    ['what lately went to somebody', () => sentLatelyTo(plans.sql, hash, NOW)],
    ['whose address it is', () => writerOf(plans.sql, { hash, normalised: 'a@x.example' })],
    ['the same by the address', () => writerNamed(plans.sql, 'a@x.example')],
    ['the conversation with somebody', () => threadWith(plans.sql, [hash])],
    [
      'whether it landed before',
      () => landedBefore(plans.sql, { thread_id: id, message_id: '<a@x>', from: 'a@x.example' }),
    ],
    ['the quarantine', () => quarantinedRows(plans.sql, ANY, [NOW.toISOString(), id], 51)],
    [
      'what an answer’s gates ask of touches',
      () =>
        factsOf(plans.sql, [id], NOW, {
          instance: { name: 'x', base_url: 'https://x.example', version: '0' },
          sending: { enabled: true, development: false },
        }),
    ],
  ])('%s', async (_, read) => {
    expect(scansIn(await plans.ofRead(read), SMALL)).toEqual([]);
  });

  test.each<[string, Parameters<Plans['ofWork']>[0]]>([
    ['the claim of mail', (tx) => claimMails(tx, LEASE, 10)],
    [
      'the claim of answers for a model',
      async (tx) => {
        await claimUnread(tx, LEASE, 8);
        // The claim inserts: what it selects is what a release looks for.
        await tx`select id from touches where direction = 'in' and reading = 'unread' and reading_by = 'rule' order by at, id limit 8`;
      },
    ],
    ['what is forgotten', (tx) => forgetSettled(tx, NOW)],
    ['an address that answered', (tx) => noteReplied(tx, hash, NOW)],
    ['the conversation itself', (tx) => threadOf(tx, id).catch(() => undefined)],
    ['everywhere that somebody is in a campaign', (tx) => lockProspectsOf(tx, [id])],
    [
      'whom an answer is about',
      async (tx) => {
        for (const prospect_id of [null, id])
          await prospectsMeant(tx, { thread_id: id, person_id: id, prospect_id, campaign_id: null });
      },
    ],
    [
      'whose deal there is',
      async (tx) => {
        const by = { created_by_kind: 'system', created_by_id: 'x', created_by_name: 'x' };
        await tx`insert into people ${tx({ id, name: 'X', name_key: 'x', search: '', ...by, created_at: NOW, updated_at: NOW })}`;
        const place = { thread_id: id, person_id: id, prospect_id: id, campaign_id: id };
        await openDealOf(tx, place, { kind: 'system', id: 'x', name: 'x' }, NOW);
      },
    ],
  ])('%s', async (_, work) => {
    expect(scansIn(await plans.ofWork(work), SMALL)).toEqual([]);
  });
});

test('a look into a column without an index is seen', async () => {
  const looked = await plans.ofRead(() => plans.sql`select id from touches where html = 'x'`);
  expect(scansIn(looked, SMALL)).toHaveLength(1);
});
