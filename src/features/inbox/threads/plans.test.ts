// The inbox is served by indexes: queries are caught on the way and explained, at 25,000 threads by day, at 50,000 at night.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ADMIN, nodesOf, openPlans, type Plans, scansIn } from '../../../../test/support/plans.ts';
import type { Caller } from '../../../kernel/caller.ts';
import { searchQuery } from '../../../kernel/words.ts';
import { lettersOfPerson } from '../../outreach/sends/letter/holder.store.ts';
import { eraseSaid } from './erase/erase.store.ts';
import { threadsOfPerson } from './erase/holder.store.ts';
import {
  countInbox,
  type InboxSearch,
  labelsInUse,
  searchInbox,
  searchThreads,
  type ThreadSearch,
} from './read/list.store.ts';
import { threadFor } from './record/open.store.ts';
import { lockThreadsOfLetters, recordOut } from './record/out.store.ts';
import { dueSnoozes } from './thread-states.store.ts';
import { type MailSearch, searchMail } from './read/search.store.ts';
import { loadThread } from './store.ts';
import { insertTouch } from './record/touch.store.ts';
import { touchesOf } from './read/touches.store.ts';

const THREADS = process.env['TEST_LONG'] === '1' ? 50_000 : 25_000;
const TOUCHES_EACH = 10;

let plans: Plans;
let sql: Plans['sql'];

const n = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const USER: Caller = { ...ADMIN, user_id: n(1), principal: { ...ADMIN.principal, id: n(1) } };
/** A policy keeps the messages of nine campaigns from them, of forty. */
const NARROW: Caller = {
  ...USER,
  rights: {
    admin: false,
    policies: [
      { name: 'all', statements: [{ effect: 'allow', actions: ['*'], resources: ['*'] }] },
      {
        name: 'some',
        statements: [
          {
            effect: 'deny',
            actions: ['mail.message.read'],
            resources: ['outreach:campaign/00000000-0000-4000-8000-00000000000*'],
          },
        ],
      },
    ],
    projects: null,
  },
};
const AFTER = ['2026-01-01T00:00:00.000Z', n(7)] as const;
const NOW = new Date('2026-06-01T00:00:00Z');

beforeAll(async () => {
  plans = await openPlans('generic');
  ({ sql } = plans);
  // The rows are consistent; asking every foreign key of each of them would be most of the time.
  await sql
    .unsafe(`
    set session_replication_role = replica;
    create function pg_temp.any(n bigint, what text, of int) returns int language sql immutable
      as $$ select abs(hashtext(what || n)) % of $$;
    insert into people (id, name, name_key, search, created_by_kind, created_by_id, created_by_name, created_at, updated_at)
      select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'P' || n, 'p' || n, '', 'person', 'x', 'X', now(), now()
      from generate_series(1, 20000) n;
    insert into threads (id, channel, kind, subject, person_id, prospect_id, campaign_id, identity_id, owner_kind, owner_id,
        assignee_kind, assignee_id, assignee_name, state, snoozed_until, waiting, waiting_since, reading, labels, last_touch_at,
        last_in_at, landed_at, snippet, touches, created_at, updated_at)
      select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid,
        case when chat then 'chat' when pg_temp.any(n, 'channel', 7) = 0 then 'form' else 'email' end,
        case when chat then 'chat' else 'conversation' end, 'Subject ' || n,
        ('00000000-0000-4000-8000-' || lpad((1 + n % 20000)::text, 12, '0'))::uuid,
        ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid,
        ('00000000-0000-4000-8000-' || lpad((1 + pg_temp.any(n, 'campaign', 40))::text, 12, '0'))::uuid,
        ('00000000-0000-4000-8000-' || lpad((1 + pg_temp.any(n, 'identity', 30))::text, 12, '0'))::uuid,
        case when chat then 'person' end, case when chat then 'u' || pg_temp.any(n, 'owner', 20) end,
        case when given then 'person' end, case when given then 'u' || pg_temp.any(n, 'assignee', 20) end,
        case when given then 'U' end, state,
        case when state = 'snoozed' then timestamptz '2026-06-01' + (n - 25000) * interval '1 minute' end,
        case when chat then 'none' when pg_temp.any(n, 'waiting', 5) = 0 then 'us' else 'them' end,
        case when not chat then timestamptz '2026-05-01' - n * interval '1 minute' end,
        (array['positive', 'neutral', 'negative', 'referral', 'unsubscribe', 'out_of_office', 'unread', null])
          [1 + pg_temp.any(n, 'reading', 8)],
        case when pg_temp.any(n, 'labelled', 11) = 0 then array['label-' || pg_temp.any(n, 'label', 30)] else '{}' end,
        timestamptz '2026-05-01' - n * interval '1 minute',
        case when theirs then timestamptz '2026-05-01' - n * interval '1 minute' end,
        case when theirs then timestamptz '2026-05-01' - n * interval '1 minute' end,
        'what was said', ${TOUCHES_EACH}, timestamptz '2026-01-01', timestamptz '2026-05-01'
      from (
        select n, pg_temp.any(n, 'chat', 50) = 0 as chat, pg_temp.any(n, 'given', 9) = 0 as given,
          pg_temp.any(n, 'theirs', 2) = 0 as theirs,
          (array['open', 'closed', 'snoozed', 'open', 'closed'])[1 + pg_temp.any(n, 'state', 5)] as state
        from generate_series(1, ${THREADS}) n
      ) n;
    insert into touches (id, thread_id, direction, channel, at, from_address, subject, text, text_stripped, message_id, person_id,
        campaign_id, identity_id, words, reading, reading_by, created_at)
      select gen_random_uuid(), t.id, case when k % 2 = 0 then 'in' else 'out' end, t.channel,
        t.last_touch_at - k * interval '1 hour', 'a@b.example', t.subject, 'text', 'text', '<' || t.id || k || '@x>', t.person_id,
        t.campaign_id, t.identity_id, array_to_tsvector(array['hello', 'word' || (abs(hashtext(t.id::text || k)) % 20000)]),
        case when k % 2 = 0 then 'neutral' end, case when k % 2 = 0 then 'rule' end, now()
      from threads t, generate_series(1, ${TOUCHES_EACH}) k;
    insert into touch_attachments (id, touch_id, position, filename, content_type, size_bytes)
      select gen_random_uuid(), id, 0, 'a.pdf', 'application/pdf', 1 from touches where pg_temp.any(hashtext(id::text), 'file', 5) = 0;
    insert into sends (id, kind, state, campaign_id, prospect_id, person_id, step_id, identity_id, thread_id, subject, text,
        to_address, to_hash, message_id, in_reply_to, fingerprint, scheduled_for, sending_at, sent_at, created_by_kind,
        created_by_id, created_by_name, created_at, updated_at)
      select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'sequence', 'sent', 
        ('00000000-0000-4000-8000-' || lpad((1 + n % 40)::text, 12, '0'))::uuid,
        ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid,
        ('00000000-0000-4000-8000-' || lpad((1 + n % 20000)::text, 12, '0'))::uuid,
        ('00000000-0000-4000-8000-' || lpad((1 + n % 40)::text, 12, '0'))::uuid,
        ('00000000-0000-4000-8000-' || lpad((1 + n % 30)::text, 12, '0'))::uuid, null, 'S', 'T', 'a@b.example', 'h' || n,
        '<s' || n || '@x>', '<s' || n - 1 || '@x>', 'f', now(), now(), now(), 'system', 'x', 'X', now(), now()
      from generate_series(1, ${THREADS}) n;
    set session_replication_role = origin;
  `)
    .simple();
  await sql`vacuum analyze`;
});
afterAll(async () => plans?.close());

/** A handful of rows each, on any instance. */
const SMALL = [
  'campaigns',
  'identities',
  'users',
  'thread_reads',
  'send_attachments',
  'attachments',
  'answers',
  'domains',
];
const scans = async (read: () => Promise<unknown>) => scansIn(await plans.ofRead(read), SMALL);

const thrownAway = async (read: () => Promise<unknown>): Promise<number> =>
  Math.max(
    ...(await plans.ofRead(read, 'analyze')).flatMap(({ plan }) =>
      nodesOf(plan).map((node) => node['Rows Removed by Filter'] ?? 0),
    ),
  );

const inbox: [string, Partial<InboxSearch>][] = [
  ['everything', {}],
  ['unanswered', { state: 'unanswered' }],
  ['open', { state: 'open' }],
  ['snoozed', { state: 'snoozed' }],
  ['closed', { state: 'closed' }],
  ['a channel', { channel: 'form' }],
  ['a reading', { reading: 'positive' }],
  ['a campaign', { campaign: n(3) }],
  ['unanswered of a campaign', { state: 'unanswered', campaign: n(3) }],
  ['an assignee', { assignee: 'u3' }],
  ['nobody’s', { assignee: 'none' }],
  ['a label', { label: 'label-3' }],
];

describe('the inbox', () => {
  test.each(inbox)('lists %s by an index, from the beginning and from the middle', async (_what, search) => {
    const ask = (after: InboxSearch['after']) => () =>
      searchInbox(sql as never, USER, {
        ...search,
        after,
        waiting_after: after && [true, ...after],
        count: 51,
      });
    expect(await ask(null)()).not.toHaveLength(0);
    expect(await scans(ask(null))).toEqual([]);
    expect(await scans(ask(AFTER))).toEqual([]);
  });

  test('is counted by indexes, and no further than is shown', async () => {
    const count = () => countInbox(sql as never, USER);
    expect(await count()).toMatchObject({ unanswered: 1_000, open: 1_000, snoozed: 1_000 });
    expect(await scans(count)).toEqual([]);
    expect(await scans(() => labelsInUse(sql as never, USER))).toEqual([]);
    expect(await thrownAway(count)).toBeLessThanOrEqual(1_000);
  });

  test('for someone whose policies name single messages asks for those alone', async () => {
    const ask = () => searchInbox(sql as never, NARROW, { after: null, count: 51 });
    const rows = await ask();
    expect(rows.some((row) => row.snippet === null)).toBe(true);
    expect(rows.some((row) => row.snippet !== null)).toBe(true);
    expect(await scans(ask)).toEqual([]);
    expect(await thrownAway(ask)).toBe(0);
  });

  test('unanswered threads are read in their order and nothing else is', async () => {
    const unanswered = () => searchInbox(sql as never, USER, { state: 'unanswered', after: null, count: 51 });
    expect(await thrownAway(unanswered)).toBe(0);
  });
});

test('someone is erased through indexes', async () => {
  await sql`
    insert into person_addresses (id, person_id, value, normalised, domain, hash, is_primary, position)
    values (${n(7)}, ${n(7)}, 'p7@b.example', 'p7@b.example', 'b.example', 'h', true, 0)`;
  await sql
    .unsafe(`
    insert into inbound_mails (id, key, source, bytes, size_bytes, received_at, state, settled_at, message_id, from_hash)
      select gen_random_uuid(), k, 'imap', '', 0, now(), 'matched', now(), k || '@x', 'h' || k from generate_series(1, 20000) k;
    insert into send_facts (id, send_id, kind, by_kind, by_id, by_name, at)
      select gen_random_uuid(), id, 'drafted', 'system', 'x', 'X', now() from sends;
    insert into send_bytes (send_id, fingerprint, envelope_from, bytes, made_at) select id, 'f', 'a@b.example', '', now() from sends;
    insert into send_outcomes (id, key, send_id, kind, source, recipient_hash, said, at, received_at)
      select gen_random_uuid(), id, id, 'soft', 'session', 'h' || id, 'full', now(), now() from sends;
    insert into quarantine_rules (id, kind, value, value_hash, created_by_kind, created_by_id, created_by_name, created_at)
      select gen_random_uuid(), 'address', k || '@x', 'h' || k, 'person', 'x', 'X', now() from generate_series(1, 5000) k;
    analyze inbound_mails, send_facts, send_bytes, send_outcomes, quarantine_rules;
  `)
    .simple();
  const asked = await plans.ofWork(async (tx) => {
    // What the threads were said in lies nowhere here.
    await tx`set local session_replication_role = replica`;
    expect(await eraseSaid(tx, n(7), NOW)).not.toHaveLength(0);
    expect(await lettersOfPerson.erase(tx, n(7), NOW)).not.toHaveLength(0);
  });
  expect(scansIn(asked, [...SMALL, 'person_addresses', 'person_facts', 'answer_attachments'])).toEqual([]);
});

describe('threads and touches', () => {
  const lists: [string, Partial<ThreadSearch>][] = [
    ['all', {}],
    ['one’s own chats', { channel: 'chat' }],
    ['a person', { person: n(9) }],
    ['a campaign', { campaign: n(9) }],
    ['an identity', { identity: n(9) }],
    ['what is closed', { state: 'closed' }],
  ];
  test.each(lists)('threads of %s', async (_what, search) => {
    const ask = (after: ThreadSearch['after']) => () =>
      searchThreads(sql as never, USER, { ...search, after, count: 51 });
    expect(await scans(ask(null))).toEqual([]);
    expect(await scans(ask(AFTER))).toEqual([]);
  });

  test('a thread, its touches, and the timeline of a person', async () => {
    expect(
      await scans(async () => {
        const thread = await loadThread(sql as never, USER, 'inbox.thread.read', n(9));
        await touchesOf(sql as never, USER, thread, { full: false, after: AFTER, count: 51 });
        await threadsOfPerson.timeline?.(sql as never, USER, n(9), null, 51);
      }),
    ).toEqual([]);
  });

  const searches: [string, Partial<MailSearch>][] = [
    ['everything', {}],
    ['a word of few', { words: searchQuery('word77') ?? '' }],
    ['a word of all', { words: searchQuery('hello') ?? '' }],
    ['a campaign', { campaign: n(3) }],
    ['an identity', { identity: n(3) }],
    ['a word in a campaign', { words: searchQuery('word77') ?? '', campaign: n(3) }],
  ];
  test('a word that all mail holds, and one that little does, cost a bounded look', async () => {
    for (const question of ['hello', 'word77', 'nowhere']) {
      const words = searchQuery(question) ?? '';
      const ask = () => searchMail(sql as never, USER, { words, after: null, count: 51 });
      expect(await thrownAway(ask), question).toBeLessThanOrEqual(2_000);
    }
  });

  test.each(searches)('the search for %s by someone who may not read all of it', async (_what, search) => {
    const ask = () => searchMail(sql as never, NARROW, { ...search, after: AFTER, count: 51 });
    const rows = await ask();
    expect(rows.filter(({ campaign_id }) => /00[1-9]$/.test(campaign_id ?? ''))).toEqual([]);
    expect(await scans(ask)).toEqual([]);
  });

  test.each(searches)('the search for %s', async (_what, search) => {
    const ask = (after: MailSearch['after']) => () =>
      searchMail(sql as never, USER, { ...search, after, count: 51 });
    expect(await ask(null)()).not.toHaveLength(0);
    expect(await scans(ask(null))).toEqual([]);
    expect(await scans(ask(AFTER))).toEqual([]);
  });
});

describe('what is written', () => {
  const scansOf = async (work: Parameters<Plans['ofWork']>[0]) => scansIn(await plans.ofWork(work), SMALL);

  test('a touch, the thread it belongs to, ten letters, and the end of a snooze', async () => {
    expect(
      await scansOf(async (tx) => {
        await tx.unsafe('set local session_replication_role = replica');
        const thread_id = await threadFor(tx, { channel: 'email', send_id: n(9) }, NOW);
        await threadFor(tx, { channel: 'email', person_id: n(9) }, NOW);
        const said = { thread_id, direction: 'in', channel: 'email', at: NOW, text: 'Hello' } as const;
        await insertTouch(tx, said, NOW);
        const letters = Array.from({ length: 10 }, (_, i) => n(20 + i));
        await lockThreadsOfLetters(tx, letters);
        await recordOut(tx, letters, NOW);
        await dueSnoozes(tx, NOW, 200);
      }),
    ).toEqual([]);
  });
});
