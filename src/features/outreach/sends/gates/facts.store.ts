// The facts that the gates are asked of, for any number of letters in one query: all of them as they are in one moment. The
// sender asks it before a letter starts and again right before the final dot; a screen asks it to say why one does not go.
import { DAY_MS, HOUR_MS, after } from '../../../../kernel/clock.ts';
import type { Reader } from '../../../../kernel/database.ts';
import type { App } from '../../../../kernel/app.ts';
import { REASONS } from '../../../crm/suppressions/contract.ts';
import { addressMark, addressMarkOfOthers } from '../../../crm/suppressions/store.ts';
import { openAuthority, type Word } from '../letter/authority.ts';
import { threadNames } from '../../../../kernel/messages.ts';
import { type Leans, leansOn, toFacts } from './facts.row.ts';
import type { FactsRow } from './facts.shape.ts';
import type { LetterFacts } from './facts.rules.ts';
import { beingRemade } from '../draft/remake.store.ts';
import { sendNames } from '../send.names.rules.ts';

/** What of the app the facts are read with. */
export type LetterApp = Pick<App, 'instance' | 'sending'>;

/** By the send's id; an id that no send has is missing. `db` may be the transaction that is about to start them. */
export async function factsOf(
  db: Reader,
  send_ids: readonly string[],
  now: Date,
  { instance, sending }: LetterApp,
): Promise<Map<string, LetterFacts>> {
  const rows = await factRows(db, send_ids, now);
  const counts = openAuthority(db, now);
  const facts = new Map<string, LetterFacts>();
  for (const row of rows) {
    let stands = true;
    for (const leans of leansOn(row)) stands &&= await counts(wordOf(row, leans));
    facts.set(row.id, toFacts(row, stands, now, sending, instance.base_url));
  }
  return facts;
}

const ACTIONS = {
  approval: 'outreach.send.approve',
  activation: 'outreach.campaign.activate',
  confirmation: 'outreach.campaign.review',
} as const;

/** An answer leans on whoever sent it. */
function wordOf(row: FactsRow, { by, token, what }: Leans): Word {
  if (row.kind === 'answer' && row.thread)
    return { by, token, action: 'inbox.thread.send', names: threadNames(row.thread) };
  const names = what === 'approval' ? sendNames(row) : [`outreach:campaign/${row.campaign_id}`];
  return { by, token, action: ACTIONS[what], names };
}

/** Letters that one person gets in a week where no campaign says otherwise. */
const TOUCHES_A_WEEK = 3;

/** Every subquery is one look into an index, of one letter, one identity, one person or one domain. */
function factRows(db: Reader, ids: readonly string[], now: Date): Promise<FactsRow[]> {
  const [yesterday, tomorrow] = [dayText(after(now, -DAY_MS)), dayText(after(now, DAY_MS))];
  const days = (scope: string, of: ReturnType<Reader>) => db`
    (select jsonb_object_agg(to_char(n.day, 'YYYY-MM-DD'), n.started) from letters_started n
     where n.scope = ${scope} and n.scope_id = ${of} and n.day between ${yesterday}::date and ${tomorrow}::date)`;
  return db<FactsRow[]>`
    select l.id, l.kind, l.campaign_id, l.prospect_id, l.subject, l.text, l.same_thread, l.unresolved, l.to_address, l.message_id,
      l.review_reason, l.approved_by_kind, l.approved_by_id, l.approved_by_name, l.approved_by_on_behalf_of, l.approved_token,
      l.approved_at, l.scheduled_for,
      l.hold_reason, l.hold_evidence, l.held_at, l.waiting_for, l.not_before,
      ${beingRemade(db)} as being_remade, (select t.base_url from instance_address t) as address_taken,
      l.html, l.cc, l.fingerprint, l.approved_fingerprint,
      (select coalesce(jsonb_agg(jsonb_build_object('filename', f.filename, 'media_type', f.media_type, 'sha256', f.sha256,
         'size_bytes', f.size_bytes) order by sa.position), '[]')
       from send_attachments sa join attachments f on f.id = sa.attachment_id where sa.send_id = l.id) as attachments,
      ${addressMark(db, now)} as mark, case when l.kind = 'answer' then ${addressMarkOfOthers(db, now)} end as other_mark,
      case when l.kind = 'answer' then (
        select jsonb_build_object('at', x.at, 'reading', x.reading) from touches x
        where x.person_id = l.person_id and x.direction = 'in' and not x.automatic and not x.details ? 'written_by'
          and x.by_kind is null
          and x.reading is distinct from 'out_of_office'
        order by x.at desc, x.id desc limit 1) end as last_word,
      case when cardinality(l.cc) > 0 then (
        select m.mark from (
          select ${addressMark(db, now)} as mark
          from unnest(l.cc_hashes, l.cc) c (hash, address)
          cross join lateral (select c.hash, regexp_replace(c.address, '^.*@', '') as domain) a) m
        where m.mark is not null order by array_position(${[...REASONS]}::text[], m.mark ->> 'reason') limit 1) end as cc_mark,
      case when l.thread_id is not null then (
        select jsonb_build_object('id', t.id, 'campaign_id', t.campaign_id) from threads t where t.id = l.thread_id) end as thread,
      exists (select from sends x where x.prospect_id = l.prospect_id and x.id <> l.id and x.sending_at is not null) as started_before,
      (exists (select from sends x where x.person_id = l.person_id and x.sending_at is not null and x.step_id = l.step_id
         and x.id <> l.id and x.state <> 'failed')
       or exists (select from prospects o join campaigns oc on oc.id = o.campaign_id
         where o.person_id = l.person_id and o.campaign_id <> l.campaign_id and (c.exclusive or oc.exclusive)
           and (o.created_at, o.id) < (pr.created_at, pr.id) and o.ended is null and (o.step_id is not null or o.next_at is not null)
           and oc.state in ('active', 'paused'))) as duplicate,
      (select (array_agg(x.sending_at order by x.sending_at desc))[coalesce(c.max_touches_per_week_per_person, ${TOUCHES_A_WEEK})]
       from sends x where x.person_id = l.person_id and x.id <> l.id and x.kind <> 'answer' and x.state <> 'failed'
         and x.sending_at > ${after(now, -7 * DAY_MS)}) as nth_touch_at,
      coalesce(l.to_hash <> pr.to_hash and l.to_hash is distinct from l.enrolled_hash, false) as readdressed,
      coalesce(nullif(v.verdict, 'UNKNOWN'), pa.verdict, v.verdict) as verdict, coalesce(v.retry_at > ${now}, false) as verifying,
      case when pr.id is not null then jsonb_build_object('ended', pr.ended, 'hold_by', pr.hold_by,
        'hold_reason', pr.hold_reason, 'hold_until', pr.hold_until) end as prospect,
      case when p.id is not null then jsonb_build_object('name', p.name, 'basis', p.basis, 'source', p.source,
        'timezone', p.timezone) end as person,
      (select co.timezone from companies co where co.id = p.company_id) as company_timezone,
      case when c.id is not null then jsonb_build_object('state', c.state, 'paused_reason', c.paused_reason, 'eased', c.eased,
        'timezone', c.timezone, 'starts_on', c.starts_on, 'ends_on', c.ends_on, 'daily_cap', c.daily_cap,
        'new_per_day', c.new_per_day, 'require_basis', c.require_basis, 'verification_policy', c.verification_policy,
        'has_postal_address', c.postal_address_id is not null, 'windows', c.windows, 'blackout_dates', c.blackout_dates,
        'unsubscribe_mode', c.unsubscribe_mode, 'review_policy', c.review_policy, 'sequence_revision', c.sequence_revision,
        'no_human_review_revision', c.no_human_review_revision,
        'loosened_since_confirmed', coalesce(c.loosened_at > c.no_human_review_at, false),
        'days', ${days('campaign', db`c.id`)}, 'days_new', ${days('campaign_new', db`c.id`)},
        'activated', jsonb_build_object('by_kind', c.activated_by_kind, 'by_id', c.activated_by_id,
          'by_name', c.activated_by_name, 'by_on_behalf_of', c.activated_by_on_behalf_of),
        'activated_token', c.activated_token, 'confirmed_token', c.no_human_review_token,
        'confirmed', jsonb_build_object('by_kind', c.no_human_review_by_kind, 'by_id', c.no_human_review_by_id,
          'by_name', c.no_human_review_by_name, 'by_on_behalf_of', c.no_human_review_by_on_behalf_of)) end as campaign,
      case when i.id is not null then jsonb_build_object('name', i.name, 'address', i.address,
        'reply_to', i.reply_to, 'gone', i.gone_at is not null, 'active', i.active,
        'trouble', case when i.trouble is not null then jsonb_build_object('trouble', i.trouble, 'since', i.trouble_since,
          'code', i.trouble_code, 'enhanced', i.trouble_enhanced, 'server_said', i.trouble_words,
          'expired_at', i.trouble_expired_at) end,
        'transport_kind', i.transport_kind, 'timezone', i.timezone, 'workday', i.workday,
        'daily_cap', i.daily_cap, 'hourly_cap', i.hourly_cap, 'ramp_start', i.ramp_start, 'ramp_step', i.ramp_step,
        'ramp_ceiling', i.ramp_ceiling, 'ramp_day', i.ramp_day, 'ramp_counted_on', i.ramp_counted_on,
        'next_slot_at', i.next_slot_at, 'updated_at', i.updated_at, 'last_tested_at', i.last_tested_at,
        'test_outcome', i.test_outcome, 'days', ${days('identity', db`i.id`)},
        'started_hour', h.started, 'nth_hour_at', h.nth_at) end as identity,
      case when i.id is not null then jsonb_build_object('asleep_why', z.asleep_why, 'asleep_until', z.asleep_until,
        'down_until', z.down_until, 'down_cause', z.down_cause, 'down_since', z.down_since, 'busy', exists (
          select from sends f where f.identity_id = l.identity_id and f.lease is not null and f.lease_until > ${now}
            and f.state in ('scheduled', 'sending') and f.id <> l.id and (f.kind = 'answer') = (l.kind = 'answer'))) end as backoff,
      case when l.lease_until > ${now} then l.lease_until end as in_hand_until,
      (select r.ran_at from pass_runs r where r.name = 'letters') as looked_at,
      case when d.id is not null then jsonb_build_object('state', d.state, 'warned', d.warned is not null,
        'checked', d.checked_at is not null, 'unauthenticated', d.unauthenticated_since is not null, 'daily_cap', d.daily_cap,
        'days', ${days('domain', db`d.id`)}) end as domain
    from sends l
    cross join lateral (select l.to_hash as hash, regexp_replace(l.to_address, '^.*@', '') as domain) a
    left join prospects pr on pr.id = l.prospect_id
    left join people p on p.id = l.person_id
    left join person_addresses pa on pa.hash = l.to_hash and pa.person_id = l.person_id
    left join verifications v on v.address_hash = l.to_hash and v.expires_at > ${now}
    left join campaigns c on c.id = l.campaign_id
    left join identities i on i.id = l.identity_id
    left join domains d on d.id = i.domain_id
    left join sender_lanes z on z.identity_id = i.id and z.identity_revision = i.revision and z.domain_revision = d.revision
    left join lateral (
      select count(*)::int as started, (array_agg(x.sending_at order by x.sending_at desc))[i.hourly_cap] as nth_at
      from sends x where x.identity_id = i.id and x.sending_at > ${after(now, -HOUR_MS)}) h on true
    where l.id = any(${[...ids]}::uuid[])`;
}

const dayText = (at: Date): string => at.toISOString().slice(0, 10);
