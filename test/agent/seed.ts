// An app after a quarter of work, laid as rows: campaigns in every state, people who were written to, answered, bounced and
// opted out, letters that wait and that are held, a board, deals, what agents did. For tests of what an agent reads of it and
// for measures: the same at any size, so that numbers of one size say something of another.
import type postgres from 'postgres';
import type { Parsed } from '../../src/kernel/database.ts';

const CAMPAIGNS = 24;
const STEPS = 5;
const DOMAINS = 6;
const IDENTITIES = 24;

/** The campaign whose letters bounce and are not answered; and its name, which says nothing of that. */
export const WORST = 5;
/** One in so many prospects has a conversation, of ten touches each: five touches and half a thread a person. */
const CONVERSES = 4;

/** The id of a row: the same in every app, and nothing that a tokeniser knows by heart. */
const ID = `create function pg_temp.id(of text, k bigint) returns uuid language sql immutable as
  $$ select overlay(overlay(md5(of || k) placing '7' from 13) placing '8' from 17)::uuid $$;
  create function pg_temp.any(k bigint, what text, of int) returns int language sql immutable as
  $$ select abs(hashtext(what || k)) % of $$;`;

const BY = 'created_by_kind, created_by_id, created_by_name, created_at, updated_at';
/** Who laid it all; no one who can sign in. */
const SEED = '0198c0de-0000-7000-8000-00000000005e';
const ME = `'person', '${SEED}', 'Sam Seed', now() - interval '90 days', now() - interval '1 day'`;

const GIVEN = `(array['Dana','Ben','Chloe','Ines','Milo','Nora','Otto','Pia','Ravi','Sofia','Tomas','Uma'])`;
const FAMILY = `(array['Roe','Low','Marsh','Keller','Okafor','Lind','Novak','Silva','Tanaka','Weiss','Young'])`;
const NAMES = `(array['Bridges of Ghent','Spring in Lyon','Harbour offices','Alpine hotels','Clinics north','Museums','Schools west','Breweries','Rail suppliers','Ferry lines','Vineyards','Print shops'])`;

const premises = `
  insert into domains (id, name, organisation, state, verified_at, paused_by, paused_reason, paused_at, evidence, auth,
      checked_at, next_check_at, dkim_selector, dkim_algorithm, dkim_private, dkim_public, ${BY})
    select pg_temp.id('domain', k), 'mail' || k || '.example', 'mail' || k || '.example',
      case when k = 2 then 'paused' else 'active' end, now() - interval '80 days',
      case when k = 2 then 'warden' end, case when k = 2 then 'hard_bounces' end, case when k = 2 then now() - interval '3 hours' end,
      case when k = 2 then '{"window_start":"2026-01-01T00:00:00Z","window_end":"2026-01-08T00:00:00Z","sent":240,"count":14,"rate":0.058,"threshold":0.05,"samples":[]}'::jsonb end,
      jsonb_build_object('spf', check_of, 'dkim', check_of, 'dmarc', check_of, 'mx', check_of),
      now(), now() + interval '1 day', 's1', 'ed25519', 'x', 'x', ${ME}
    from generate_series(1, ${DOMAINS}) k, lateral (select jsonb_build_object('outcome', 'passing', 'checked_at', now()) as check_of) c;
  insert into identities (id, domain_id, name, address, normalised, signature_text, timezone, transport_kind, active, ramp_day, ${BY})
    select pg_temp.id('identity', k), pg_temp.id('domain', 1 + (k - 1) % ${DOMAINS}), 'Ada Operator', 'ada' || k || '@mail' || (1 + (k - 1) % ${DOMAINS}) || '.example',
      'ada' || k || '@mail' || (1 + (k - 1) % ${DOMAINS}) || '.example', 'Ada', 'UTC', 'sandbox', k <> 4, 30, ${ME}
    from generate_series(1, ${IDENTITIES}) k;
  insert into postal_addresses (id, name, lines, created_at) values (pg_temp.id('postal', 1), 'Office', E'Main Street 1\\n10115 Berlin', now());
  insert into campaigns (id, name, name_key, state, paused_reason, paused_at, timezone, windows, postal_address_id, exclusive,
      review_bound_revision, review_bound_at, guardrails, ${BY}, activated_by_kind, activated_by_id, activated_by_name, activated_at)
    select pg_temp.id('campaign', k), n, lower(n), s, case when s = 'paused' then case when k = 3 then 'guardrail_bounce' else 'person' end end,
      case when s = 'paused' then now() - interval '2 days' end, 'UTC', '[{"days":[1,2,3,4,5],"from":"08:00","to":"18:00"}]',
      pg_temp.id('postal', 1), false, 1, now(), '{"bounce_rate":0.05,"complaint_rate":0.001,"reply_rate":null,"min_sends":50,"window_days":7}', ${ME}, 'person', '${SEED}', 'Sam Seed', now() - interval '60 days'
    from generate_series(1, ${CAMPAIGNS}) k,
      lateral (select ${NAMES}[1 + k % 12] || ' ' || (1 + k / 12) as n,
        case when k in (3, 10, 17) then 'paused' when k > 21 then 'finished' else 'active' end as s) x;
  insert into campaign_identities (campaign_id, identity_id, weight)
    select pg_temp.id('campaign', k), pg_temp.id('identity', 1 + (k + j) % ${IDENTITIES}), 1 from generate_series(1, ${CAMPAIGNS}) k, generate_series(0, 2) j;
  insert into sequence_steps (id, campaign_id, position, kind, wait_days, subject, text)
    select pg_temp.id('step', k * 10 + s), pg_temp.id('campaign', k), s, 'letter', case when s = 0 then 0 else 4 end,
      'A word about {{ company.name }}', E'Dear {{ person.given }},\\nwe read about your work.'
    from generate_series(1, ${CAMPAIGNS}) k, generate_series(0, ${STEPS - 1}) s;`;

const people = (count: number) => `
  insert into companies (id, name, name_key, domain, search, created_at, updated_at)
    select pg_temp.id('company', k), 'Firm ' || k, 'firm ' || k, 'firm' || k || '.example', to_tsvector('simple', 'firm ' || k), now(), now()
    from generate_series(0, ${count} / 10) k;
  insert into people (id, name, given, family, name_key, title, company_id, source, basis, country, tags, search, ${BY})
    select pg_temp.id('person', k), g || ' ' || f, g, f, lower(g || ' ' || f), 'Head of Purchasing', pg_temp.id('company', k / 10),
      'fair', 'legitimate_interest', 'DE', array['fair-' || pg_temp.any(k, 'fair', 9)],
      to_tsvector('simple', g || ' ' || f || ' firm ' || k / 10 || ' p' || k), ${ME}
    from generate_series(1, ${count}) k,
      lateral (select ${GIVEN}[1 + pg_temp.any(k, 'given', 12)] as g, ${FAMILY}[1 + pg_temp.any(k, 'family', 11)] || ' ' || k as f) n;
  insert into person_addresses (id, person_id, value, normalised, domain, hash, is_primary, position, verdict, verdict_reason, rungs, verified_at)
    select pg_temp.id('address', k), pg_temp.id('person', k), a, a, 'firm' || k / 10 || '.example', encode(sha256(convert_to(a, 'UTF8')), 'hex'), true, 0,
      'DELIVERABLE', 'accepted', '[]', now()
    from generate_series(1, ${count}) k, lateral (select 'p' || k || '@firm' || k / 10 || '.example' as a) x;
  insert into suppressions (id, kind, value, value_hash, reason, source, ${BY.replace(', updated_at', '')})
    select pg_temp.id('suppression', k), 'address', a, encode(sha256(convert_to(a, 'UTF8')), 'hex'),
      (array['unsubscribe','unsubscribe','hard_bounce','manual'])[1 + pg_temp.any(k, 'why', 4)], 'touch', 'person', '${SEED}', 'Sam Seed', now() - k * interval '1 hour'
    from generate_series(1, ${count} / 50) i, lateral (select i * 50 as k) o, lateral (select 'p' || k || '@firm' || k / 10 || '.example' as a) x;
  insert into prospects (id, campaign_id, person_id, stage, stage_at, identity_id, step_id, ended, ended_at, hold_by, hold_reason, held_at,
      enrolled_by_kind, enrolled_by_id, enrolled_by_name, created_at, updated_at)
    select pg_temp.id('prospect', k), pg_temp.id('campaign', c), pg_temp.id('person', 1 + (k - 1) / 2), stage, now() - pg_temp.any(k, 'stage_at', 60) * interval '1 day',
      pg_temp.id('identity', 1 + pg_temp.any(k, 'identity', ${IDENTITIES})), case when stage in ('enrolled', 'contacted') then pg_temp.id('step', c * 10 + 4) end,
      case when stage not in ('enrolled', 'contacted') then stage end, case when stage not in ('enrolled', 'contacted') then now() end,
      case when pg_temp.any(k, 'hold', 400) = 0 then 'person' end, case when pg_temp.any(k, 'hold', 400) = 0 then 'asked to wait' end,
      case when pg_temp.any(k, 'hold', 400) = 0 then now() end, 'person', '${SEED}', 'Sam Seed', now() - interval '60 days', now()
    from generate_series(1, ${count * 2}) k, lateral (select 1 + ((k - 1) / 2 + 7 * (k % 2)) % ${CAMPAIGNS} as c) p,
      lateral (select case when c = ${WORST} then (array['contacted','contacted','contacted','contacted','contacted','bounced','unsubscribed'])[1 + pg_temp.any(k, 'stage', 7)]
        else (array['enrolled','contacted','contacted','contacted','contacted','contacted','contacted','replied','replied','positive','declined','meeting'])[1 + pg_temp.any(k, 'stage', 12)] end as stage) s;
  -- What a trigger says of whoever is at a stage: it is off while rows are laid.
  update prospects set bounced_at = case when stage = 'bounced' then stage_at end,
    declined_at = case when stage = 'declined' then stage_at end,
    replied_at = case when stage in ('replied', 'declined', 'positive', 'meeting', 'won') then stage_at end,
    positive_at = case when stage in ('positive', 'meeting', 'won') then stage_at end,
    meeting_at = case when stage in ('meeting', 'won') then stage_at end
  where stage not in ('enrolled', 'contacted');
  insert into person_facts (id, person_id, kind, by_kind, by_id, by_name, at)
    select pg_temp.id('fact', k), pg_temp.id('person', k), 'created', 'person', '${SEED}', 'Sam Seed', now() from generate_series(1, ${count}) k;`;

const letters = (count: number) => `
  insert into sends (id, kind, campaign_id, prospect_id, person_id, step_id, identity_id, state, subject, text, to_address, to_hash,
      message_id, fingerprint, sequence_revision, scheduled_for, waiting_for, not_before, hold_reason, held_at, hold_told, recheck_at, review_reason, sending_at, sent_at, delivery, delivery_at, cancel_reason, note, ${BY})
    select pg_temp.id('send', n), 'sequence', pg_temp.id('campaign', c), pg_temp.id('prospect', k), pg_temp.id('person', 1 + (k - 1) / 2), pg_temp.id('step', c * 10 + s),
      pg_temp.id('identity', 1 + pg_temp.any(k, 'identity', ${IDENTITIES})), state, 'A word about Firm ' || k / 20, E'Dear Dana,\\nwe read about your work.',
      a, encode(sha256(convert_to(a, 'UTF8')), 'hex'), '<' || n || '@mail.example>', md5('letter' || n), 1, at, null, case when state = 'scheduled' then at end,
      case when state = 'held' then (array['suppressed','unresolved_variable','domain_paused','no_basis'])[1 + pg_temp.any(n, 'hold', 4)] end, case when state = 'held' then now() - interval '5 hours' end,
      case when state = 'held' then array['x'] else '{}' end, case when state = 'held' then now() + interval '1 day' end, case when state = 'review' then 'every_letter' end,
      case when state in ('sent', 'uncertain') then at end, case when state = 'sent' then at end,
      case when state = 'sent' then case when c = ${WORST} and pg_temp.any(n, 'bounced', 14) = 0 then 'hard' else 'accepted' end end, case when state = 'sent' then at end,
      case when state = 'cancelled' then 'replied' end,
      case when state = 'drafted' then 'Too long: say what it changes for them.' end, 'system', 'seed', 'the sequence', at - interval '1 day', at
    from generate_series(1, ${count * 2}) k, generate_series(0, ${STEPS - 1}) s,
      lateral (select 1 + ((k - 1) / 2 + 7 * (k % 2)) % ${CAMPAIGNS} as c, k * 10::bigint + s as n, 'p' || 1 + (k - 1) / 2 || '@firm' || (1 + (k - 1) / 2) / 10 || '.example' as a) p,
      lateral (select case when s < ${STEPS - 1} then 'sent' when pg_temp.any(n, 'state', 60) = 0 then 'held' when pg_temp.any(n, 'state', 60) = 1 then case when pg_temp.any(n, 'returned', 9) = 0 then 'drafted' else 'review' end
        when pg_temp.any(n, 'state', 2000) = 2 then 'uncertain' when pg_temp.any(n, 'state', 60) < 20 then 'scheduled'
        when pg_temp.any(n, 'state', 60) < 30 then 'cancelled' else 'sent' end as state) w,
      lateral (select case when state = 'scheduled' then now() + pg_temp.any(n, 'due', 96) * interval '1 hour' else now() - (1 + pg_temp.any(n, 'at', 60) + 4 * (${STEPS} - s)) * interval '1 day' end as at) t;
  insert into send_outcomes (id, key, send_id, identity_id, domain_id, kind, source, placed_by, at, received_at)
    select pg_temp.id('event', row_number() over ()), 'seed:' || id, id, identity_id, (select domain_id from identities i where i.id = s.identity_id),
      delivery, 'session', 'id', sent_at, sent_at from sends s where state = 'sent' and sent_at > now() - interval '8 days';
  insert into stages_reached (campaign_id, day, stage, people)
    select pg_temp.id('campaign', k), current_date - d, stage, 1 + pg_temp.any(k * 100 + d, stage, 9)
    from generate_series(1, ${CAMPAIGNS}) k, generate_series(0, 60) d, unnest(array['enrolled','contacted','replied','positive']) stage;`;

const conversations = (count: number) => `
  insert into threads (id, channel, kind, subject, person_id, prospect_id, campaign_id, identity_id, state, waiting, waiting_since, reading, last_touch_at,
      last_in_at, last_out_at, landed_at, snippet, touches, created_at, updated_at)
    select pg_temp.id('thread', k), 'email', 'conversation', 'Re: A word about Firm ' || k, pg_temp.id('person', 1 + (k - 1) / 2), pg_temp.id('prospect', k), pg_temp.id('campaign', c),
      pg_temp.id('identity', 1 + pg_temp.any(k, 'identity', ${IDENTITIES})), case when theirs then 'open' else (array['open','closed'])[1 + pg_temp.any(k, 'open', 2)] end,
      case when theirs then 'us' else 'them' end, at, reading, at, case when theirs then at else at - interval '1 day' end,
      case when theirs then at - interval '1 day' else at end, at, 'We would like to know more about the price.', 10, now() - interval '40 days', at
    from generate_series(${CONVERSES}, ${count * 2}, ${CONVERSES}) k,
      lateral (select 1 + ((k - 1) / 2 + 7 * (k % 2)) % ${CAMPAIGNS} as c, pg_temp.any(k, 'waits', 60) = 0 as theirs,
        now() - (1 + pg_temp.any(k, 'last', 900)) * interval '1 hour' as at,
        (array['positive','neutral','neutral','negative','referral','unsubscribe','out_of_office','unread'])[1 + pg_temp.any(k, 'reading', 8)] as reading) x;
  insert into touches (id, thread_id, direction, channel, at, from_address, from_name, to_addresses, subject, text, text_stripped, message_id, attributed_by, reading, reading_by,
      automatic, person_id, campaign_id, identity_id, created_at, words)
    select pg_temp.id('touch', k * 10 + j), t.id, d, 'email', t.last_touch_at - (9 - j) * interval '1 day', case when d = 'in' then 'p' || k || '@firm.example' else 'ada@mail1.example' end,
      case when d = 'in' then 'Dana Roe' else 'Ada Operator' end, array['ada@mail1.example'], t.subject, said, said, '<t' || k || '.' || j || '@firm.example>',
      case when d = 'in' then 'in_reply_to' end, case when d = 'in' then t.reading end, case when d = 'in' then 'rule' end, false, t.person_id, t.campaign_id, t.identity_id,
      t.last_touch_at - (9 - j) * interval '1 day', case when pg_temp.any(k * 10 + j, 'word', 50) = 0 then to_tsvector('simple', said) else '' end
    from generate_series(${CONVERSES}, ${count * 2}, ${CONVERSES}) k join threads t on t.id = pg_temp.id('thread', k), generate_series(0, 9) j,
      lateral (select case when (j % 2 = 1) = (t.waiting = 'us') then 'in' else 'out' end as d,
        case when (j % 2 = 1) = (t.waiting = 'us') then 'Thank you for your letter. What does it cost for twelve offices, and could we begin in May?' else 'Dear Dana, gladly. Shall we speak on Tuesday?' end as said) w;
  insert into deals (id, name, person_id, thread_id, campaign_id, prospect_id, state, stage, amount, currency, opened_by, position, search, lost_reason, closed_at, ${BY})
    select pg_temp.id('deal', k), 'Firm ' || k, pg_temp.id('person', 1 + (k - 1) / 2), pg_temp.id('thread', k), pg_temp.id('campaign', 1 + ((k - 1) / 2) % ${CAMPAIGNS}), pg_temp.id('prospect', k), s,
      (array['new','qualified','proposal','negotiation'])[1 + pg_temp.any(k, 'deal', 4)], 100000 + k, 'EUR', 'reading', k, '', case when s = 'lost' then 'price' end, case when s <> 'open' then now() - interval '9 days' end,
      'person', '${SEED}', 'Sam Seed', now() - pg_temp.any(k, 'made', 60) * interval '1 day', now() - pg_temp.any(k, 'made', 60) * interval '1 day'
    from generate_series(40, ${count * 2}, 40) k, lateral (select (array['open','open','won','lost'])[1 + pg_temp.any(k, 'closed', 4)] as s) x;`;

const board = `
  insert into work_projects (id, key, name, review_limit, next_number, created_at, updated_at)
    select pg_temp.id('project', k), (array['OUT','OPS','CRM'])[k], (array['Outreach','Operations','Customers'])[k], 12, 1000, now(), now() from generate_series(1, 3) k;
  insert into approvals (id, kind, subject_kind, subject_id, subject_key, subject_title, subject_revision, project_id, requested_by_kind, requested_by_id, requested_by_name,
      author_kind, author_id, author_name, state, created_at)
    select pg_temp.id('approval', k), 'work_review', 'item', pg_temp.id('item', k), (array['OUT','OPS','CRM'])[1 + k % 3] || '-' || k, 'Rewrite the second letter for ' || k, 1,
      pg_temp.id('project', 1 + k % 3), 'agent', 'scout', 'scout', 'agent', 'scout', 'scout', 'pending', now() - k * interval '1 hour' from generate_series(1, 9) k;
  insert into work_items (id, project_id, number, title, description, status, priority, author_kind, author_id, author_name, due_on, needs_review, approval_id, position,
      created_at, updated_at, completed_at, search)
    select pg_temp.id('item', k), pg_temp.id('project', 1 + k % 3), k, t, 'Look at what came back, and say what to change.', s::work_status, (array['none','low','medium','high'])[1 + k % 4]::work_priority,
      'person', '${SEED}', 'Sam Seed', case when k % 23 = 0 then current_date - 2 end, false, case when k <= 9 then pg_temp.id('approval', k) end, k,
      now() - interval '30 days', now() - k * interval '1 hour', case when s = 'done' then now() - k * interval '1 hour' end, to_tsvector('simple', t)
    from generate_series(1, 600) k, lateral (select 'Rewrite the second letter for ' || k as t,
      case when k <= 9 then 'in_review' else (array['done','done','done','done','todo','backlog'])[1 + (k / 3) % 6] end as s) x;`;

const doings = (count: number) => `
  insert into audit (id, at, principal_kind, principal_id, principal_name, surface, turn, act, resource, outcome, code, sentence, request_id)
    select overlay(overlay(lpad(to_hex(extract(epoch from now())::bigint * 1000 - k), 12, '0') || md5('audit' || k) placing '7' from 13) placing '8' from 17)::varchar(32)::uuid,
      now() - k * interval '1 second', 'agent', 'a' || k % 40, 'scout ' || k % 40, 'mcp', 'agent', (array['item_move','answer_draft','letter_draft','suppression_add'])[1 + k % 4],
      'work:item/x', case when k % 9 = 0 then 'refused' else 'done' end, case when k % 9 = 0 then 'wire_required' end, case when k % 9 = 0 then 'this token cannot put letters on the wire' end, 'r' || k
    from generate_series(1, ${Math.min(count * 2, 60_000)}) k;`;

/** Lays the app. The connection must be allowed to lay rows without asking every key of them, which are consistent. */
export async function seedApp(
  sql: postgres.Sql<Parsed>,
  count: number,
  { withLetters = true }: { withLetters?: boolean } = {},
): Promise<void> {
  const indexes = await sql<{ name: string; definition: string }[]>`
    select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
    from pg_index i join pg_class c on c.oid = i.indrelid
    where c.relnamespace = 'public'::regnamespace and c.relname in ('people', 'person_addresses', 'prospects', 'sends', 'threads', 'touches', 'audit')
      and not exists (select from pg_constraint k where k.conindid = i.indexrelid)`;
  const all = [
    'begin',
    'set local statement_timeout = 0',
    'set local idle_in_transaction_session_timeout = 0',
    ...indexes.map(({ name }) => `drop index ${name}`),
    'set local session_replication_role = replica',
    ...[
      ID,
      premises,
      people(count),
      ...(withLetters ? [letters(count)] : []),
      conversations(count),
      board,
      doings(count),
    ].map((each) => each.trim().replace(/;$/, '')),
    ...indexes.map(({ definition }) => definition),
    'commit',
    'drop function pg_temp.id, pg_temp.any',
  ];
  const one = await sql.reserve();
  try {
    await one.unsafe(all.join(';\n')).simple();
    await one`set statement_timeout = 0`;
    await one`vacuum analyze`;
    await one`reset statement_timeout`;
  } finally {
    one.release();
  }
}

/** The ids that the rows of an app have. */
export const seededId = async (sql: postgres.Sql<Parsed>, of: string, k: number): Promise<string> =>
  (
    await sql<{ id: string }[]>`
      select overlay(overlay(md5(${of} || ${k}::text) placing '7' from 13) placing '8' from 17)::uuid::text as id`
  )[0]?.id ?? '';
