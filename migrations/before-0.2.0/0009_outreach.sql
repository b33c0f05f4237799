-- Sending domains and identities, campaigns with their sequences and people, and letters on their way (domain.md §1.2,
-- §1.4 to §1.6). What must never be true of a letter is refused here, whatever the program above does.

create table domains (
  id uuid primary key,
  -- Lower-case ASCII (src/mail/address.ts). A retired domain keeps its row: adding it again finds it, paused as it was.
  name text not null unique,
  -- The registrable domain that it is, or is below: names of one share a reputation, and so a pause.
  organisation text not null,
  state text not null check (state in ('unverified', 'active', 'paused', 'retired')),
  -- When all of SPF, DKIM and DMARC passed for the first time.
  verified_at timestamptz,
  paused_by text check (paused_by in ('warden', 'person')),
  paused_reason text,
  paused_at timestamptz,
  -- What the warden paused on: {window_start, window_end, sent, count, rate, threshold, samples}.
  evidence jsonb,
  dkim_selector text not null,
  dkim_algorithm text not null check (dkim_algorithm in ('rsa', 'ed25519')),
  dkim_private text not null,
  dkim_public text not null,
  -- What people said of how letters leave: the machines whose connection receivers see, and names whose SPF is included.
  sending_hosts text[] not null default '{}',
  spf_includes text[] not null default '{}',
  dmarc_rua text,
  mx_host text,
  -- {spf, dkim, dmarc, mx, ptr}: each {outcome, why, found, checked_at}; three-valued.
  auth jsonb not null default '{}' check (jsonb_typeof(auth) = 'object'),
  checked_at timestamptz,
  next_check_at timestamptz not null,
  check_lease uuid,
  check_lease_until timestamptz,
  -- The first definite failure since all passed, and the second, an hour or more after it. What is unknown counts as neither.
  auth_failing_since timestamptz,
  unauthenticated_since timestamptz,
  daily_cap int not null default 120 check (daily_cap between 0 and 100000),
  warned text,
  warned_at timestamptz,
  resumed_at timestamptz,
  revision int not null default 1,
  created_by_kind text not null,
  created_by_id text not null,
  created_by_name text not null,
  created_by_on_behalf_of jsonb,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((state = 'paused') <= (paused_by is not null and paused_at is not null)),
  -- A retired domain keeps its pause.
  check (state in ('paused', 'retired') or paused_by is null),
  check (unauthenticated_since is null or auth_failing_since is not null),
  check (paused_by is distinct from 'warden' or (paused_reason is not null and evidence is not null))
);
create index domains_newest on domains (created_at desc, id desc);
create index domains_of_organisation on domains (organisation);
create index domains_next_check on domains (next_check_at, id) where state <> 'retired';

create table domain_pauses (
  id uuid primary key,
  domain_id uuid not null references domains on delete cascade,
  paused_by text not null check (paused_by in ('warden', 'person')),
  reason text not null,
  evidence jsonb,
  by_name text not null,
  at timestamptz not null,
  resumed_by_kind text,
  resumed_by_id text,
  resumed_by_name text,
  resumed_by_on_behalf_of jsonb,
  resumed_at timestamptz
);
create index domain_pauses_newest on domain_pauses (domain_id, at desc, id desc);

create table identities (
  id uuid primary key,
  domain_id uuid not null references domains,
  name text not null check (name <> ''),
  address text not null,
  normalised text not null,
  reply_to text,
  signature_text text not null default '',
  signature_html text not null default '',
  -- When somebody without wire last changed its name, addresses or signature: letters are reviewed since, where the policy was
  -- bound before.
  loosened_at timestamptz,
  timezone text not null,
  -- {days: [1..7], from: "09:00", to: "17:00"} or null: any hour.
  workday jsonb,
  daily_cap int not null default 40 check (daily_cap between 0 and 10000),
  hourly_cap int not null default 8 check (hourly_cap between 0 and 10000),
  min_gap_s int not null default 300 check (min_gap_s between 0 and 86400),
  jitter_s int not null default 180 check (jitter_s between 0 and 86400),
  ramp_start int not null default 5 check (ramp_start between 0 and 10000),
  ramp_step int not null default 3 check (ramp_step between 0 and 10000),
  ramp_ceiling int not null default 40 check (ramp_ceiling between 0 and 10000),
  -- How many sending days were counted, and the last one (in the identity's zone).
  ramp_day int not null default 0 check (ramp_day >= 0),
  ramp_counted_on date,
  transport_kind text not null check (transport_kind in ('smtp', 'vendor', 'sandbox')),
  transport jsonb not null default '{}' check (jsonb_typeof(transport) = 'object'),
  transport_secret text,
  inbound_kind text not null default 'none' check (inbound_kind in ('imap', 'vendor', 'none')),
  inbound jsonb not null default '{}' check (jsonb_typeof(inbound) = 'object'),
  inbound_secret text,
  active boolean not null default false,
  state_reason text,
  -- Deleted: its letters and the people it wrote to still name it, and its secrets are gone.
  gone_at timestamptz,
  -- The next letter does not start before this: the gap and its jitter are drawn once, when a letter starts, and kept.
  next_slot_at timestamptz,
  last_tested_at timestamptz,
  test_outcome text check (test_outcome in ('passing', 'failing', 'unknown')),
  revision int not null default 1,
  created_by_kind text not null,
  created_by_id text not null,
  created_by_name text not null,
  created_by_on_behalf_of jsonb,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check (ramp_start <= ramp_ceiling),
  check (gone_at is null or (not active and transport_secret is null and inbound_secret is null))
);
create unique index identities_by_address on identities (normalised) where gone_at is null;
create index identities_newest on identities (created_at desc, id desc) where gone_at is null;
create index identities_by_domain on identities (domain_id);
create index identities_active on identities (id) where active;

create table postal_addresses (
  id uuid primary key,
  name text not null check (name <> ''),
  lines text not null check (lines <> ''),
  created_at timestamptz not null
);
create index postal_addresses_newest on postal_addresses (created_at desc, id desc);

create table campaigns (
  id uuid primary key,
  name text not null check (name <> ''),
  name_key text not null,
  -- The words of the name.
  search tsvector not null default '',
  state text not null check (state in ('draft', 'active', 'paused', 'finished', 'archived')),
  paused_reason text check (paused_reason in
    ('person', 'agent', 'guardrail_bounce', 'guardrail_complaint', 'guardrail_reply', 'pool_empty', 'ended')),
  paused_at timestamptz,
  goal text,
  owner uuid references users on delete set null,
  channel_mix text[] not null default '{email}',
  timezone text not null,
  -- [{days: [1..7], from: "09:00", to: "17:00"}], in the recipient's zone.
  windows jsonb not null default '[]' check (jsonb_typeof(windows) = 'array'),
  blackout_dates date[] not null default '{}',
  starts_on date,
  ends_on date,
  daily_cap int check (daily_cap between 0 and 100000),
  new_per_day int check (new_per_day between 0 and 100000),
  first_delay_hours int not null default 0 check (first_delay_hours between 0 and 2160),
  stop_on_reply boolean not null default true,
  open_deal_on_positive boolean not null default true,
  exclusive boolean not null default true,
  max_touches_per_week_per_person int not null default 3 check (max_touches_per_week_per_person between 1 and 50),
  unsubscribe_mode text not null default 'one_click' check (unsubscribe_mode in ('one_click', 'reply_only')),
  tracking_opens boolean not null default false,
  tracking_links boolean not null default false,
  postal_address_id uuid references postal_addresses,
  require_basis boolean not null default true,
  verification_policy text not null default 'not_undeliverable'
    check (verification_policy in ('any', 'not_undeliverable', 'deliverable_only')),
  review_policy text not null default 'every_letter'
    check (review_policy in ('every_letter', 'first_touch', 'changed', 'sample', 'none')),
  review_sample int not null default 10 check (review_sample between 0 and 100),
  -- What stood when the policy was set or the campaign activated: an edit by somebody without wire sends to review.
  review_bound_revision int,
  review_bound_at timestamptz,
  -- When somebody without wire last changed what of the campaign itself stands in its letters: its name or goal where a step
  -- asks for them, the postal address, the way out.
  loosened_at timestamptz,
  no_human_review_by_kind text,
  no_human_review_by_id text,
  no_human_review_by_name text,
  no_human_review_by_on_behalf_of jsonb,
  -- The token that a person confirmed or activated with: their word stands while it could still be given with it.
  no_human_review_token uuid,
  no_human_review_at timestamptz,
  no_human_review_revision int,
  -- {bounce_rate, complaint_rate, reply_rate, min_sends, window_days}
  guardrails jsonb not null default '{}' check (jsonb_typeof(guardrails) = 'object'),
  sequence_revision int not null default 1,
  revision int not null default 1,
  created_by_kind text not null,
  created_by_id text not null,
  created_by_name text not null,
  created_by_on_behalf_of jsonb,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  activated_by_kind text,
  activated_by_id text,
  activated_by_name text,
  activated_by_on_behalf_of jsonb,
  activated_token uuid,
  activated_at timestamptz,
  check ((state = 'paused') = (paused_reason is not null)),
  check (state not in ('active', 'paused', 'finished') or activated_at is not null),
  check (num_nulls(no_human_review_by_kind, no_human_review_by_id, no_human_review_by_name, no_human_review_at, no_human_review_revision) in (0, 5)),
  check (ends_on is null or starts_on is null or ends_on >= starts_on)
);
create index campaigns_newest on campaigns (updated_at desc, id desc);
create index campaigns_by_state on campaigns (state, updated_at desc, id desc);
create index campaigns_by_name on campaigns (name_key collate "C", id);
create index campaigns_by_search on campaigns using gin (search);

create table campaign_facts (
  id uuid primary key,
  campaign_id uuid not null references campaigns on delete cascade,
  kind text not null,
  details jsonb not null default '{}' check (jsonb_typeof(details) = 'object'),
  by_kind text not null,
  by_id text not null,
  by_name text not null,
  by_on_behalf_of jsonb,
  at timestamptz not null
);
create index campaign_facts_newest on campaign_facts (campaign_id, at desc, id desc);

create table campaign_identities (
  campaign_id uuid not null references campaigns on delete cascade,
  identity_id uuid not null references identities,
  weight int not null check (weight between 1 and 100),
  primary key (campaign_id, identity_id)
);
create index campaign_identities_by_identity on campaign_identities (identity_id);

create table sequence_steps (
  id uuid primary key,
  campaign_id uuid not null references campaigns on delete cascade,
  position int not null check (position >= 0),
  kind text not null check (kind in ('letter', 'task', 'wait', 'branch')),
  wait_days int not null default 0 check (wait_days between 0 and 365),
  wait_hours int not null default 0 check (wait_hours between 0 and 23),
  subject text,
  text text,
  html text,
  same_thread boolean not null default false,
  task jsonb,
  branch jsonb,
  -- A step that was taken out of the sequence while letters of it exist stays for them.
  removed_at timestamptz,
  check (kind <> 'letter' or text is not null),
  check ((kind = 'task') = (task is not null)),
  check ((kind = 'branch') = (branch is not null))
);
create unique index sequence_steps_in_order on sequence_steps (campaign_id, position) where removed_at is null;

-- What a sequence said at each revision: the review of a letter shows it, and a confirmation names one.
create table sequence_revisions (
  campaign_id uuid not null references campaigns on delete cascade,
  revision int not null,
  steps jsonb not null,
  by_kind text not null,
  by_id text not null,
  by_name text not null,
  by_on_behalf_of jsonb,
  at timestamptz not null,
  primary key (campaign_id, revision)
);

create table attachments (
  id uuid primary key,
  filename text not null,
  media_type text not null,
  size_bytes int not null check (size_bytes between 0 and 10485760),
  sha256 text not null,
  bytes bytea not null,
  -- For whose steps it was uploaded; a copy of that campaign carries it too, and goes on doing so.
  campaign_id uuid references campaigns on delete set null,
  created_at timestamptz not null
);
create index attachments_of_campaign on attachments (campaign_id) where campaign_id is not null;

create table step_attachments (
  step_id uuid not null references sequence_steps on delete cascade,
  attachment_id uuid not null references attachments,
  position int not null,
  primary key (step_id, attachment_id)
);
create index steps_of_attachment on step_attachments (attachment_id);

create table prospects (
  id uuid primary key,
  campaign_id uuid not null references campaigns,
  -- Null once the person was deleted, or was merged into one who is in the campaign too.
  person_id uuid references people,
  stage text not null check (stage in
    ('enrolled', 'contacted', 'bounced', 'replied', 'declined', 'positive', 'meeting', 'won', 'unsubscribed')),
  stage_at timestamptz not null,
  identity_id uuid references identities,
  -- The step that comes next or is on its way, and when it is due; both null once there is none.
  step_id uuid references sequence_steps,
  due_at timestamptz,
  -- When the pass looks at this row again: a letter is written long before it is due, so that it can be read. Null while its
  -- letter is on its way, and once there is no step; set without a step, they have not begun.
  next_at timestamptz,
  -- The work item that the present step waits for.
  item_id uuid,
  hold_by text check (hold_by in ('person', 'agent', 'away', 'system')),
  hold_reason text,
  hold_until timestamptz,
  held_at timestamptz,
  ended text,
  ended_at timestamptz,
  enrolled_by_kind text not null,
  enrolled_by_id text not null,
  enrolled_by_name text not null,
  enrolled_by_on_behalf_of jsonb,
  lease uuid,
  lease_until timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (campaign_id, person_id),
  check (num_nulls(hold_by, hold_reason, held_at) in (0, 3)),
  check (hold_until is null or hold_by is not null),
  check ((ended is null) = (ended_at is null)),
  check (ended is null or next_at is null),
  check (person_id is not null or ended is not null)
);
create index prospects_by_stage on prospects (campaign_id, stage, id);
create index prospects_by_person on prospects (person_id);
create index prospects_in_order on prospects (campaign_id, id);
-- By campaign, so that those of a paused one are not gone through; who is held without an end is not in it.
create index prospects_due on prospects (campaign_id, next_at, id)
  where next_at is not null and (hold_by is null or hold_until is not null);
create index prospects_going on prospects (campaign_id, id) where step_id is not null or next_at is not null;
create index prospects_through on prospects (campaign_id, id) where step_id is null and next_at is null and ended is null;
create index prospects_held on prospects (campaign_id, id) where hold_by is not null;
create index prospects_ended on prospects (campaign_id, id) where ended is not null;
create index prospects_of_items on prospects (item_id) where item_id is not null;

create table prospect_facts (
  id uuid primary key,
  prospect_id uuid not null references prospects on delete cascade,
  kind text not null,
  details jsonb not null default '{}' check (jsonb_typeof(details) = 'object'),
  by_kind text not null,
  by_id text not null,
  by_name text not null,
  by_on_behalf_of jsonb,
  at timestamptz not null
);
create index prospect_facts_newest on prospect_facts (prospect_id, at desc, id desc);

-- How many people of a campaign reached a stage on a day (UTC): figures by day read nothing else.
create table stages_reached (
  campaign_id uuid not null references campaigns on delete cascade,
  day date not null,
  stage text not null,
  people int not null default 0 check (people >= 0),
  primary key (campaign_id, day, stage)
);
create index stages_reached_by_day on stages_reached (day);

create table sends (
  id uuid primary key,
  kind text not null check (kind in ('sequence', 'answer', 'one_off')),
  campaign_id uuid references campaigns,
  prospect_id uuid references prospects,
  person_id uuid references people on delete set null,
  step_id uuid references sequence_steps,
  identity_id uuid references identities,
  thread_id uuid,
  state text not null check (state in
    ('drafted', 'review', 'scheduled', 'sending', 'sent', 'held', 'cancelled', 'failed', 'uncertain')),
  subject text not null,
  text text not null,
  html text,
  to_address text not null,
  to_hash text not null,
  cc text[] not null default '{}',
  -- Of each of `cc`, in its order: suppressions are asked for copies too.
  cc_hashes text[] not null default '{}',
  same_thread boolean not null default false,
  message_id text not null unique,
  in_reply_to text,
  message_references text[] not null default '{}',
  fingerprint text not null,
  sequence_revision int,
  -- The letter says other than what the sequence alone would: by a rewrite, or by a generated or edited variable.
  rewritten_by_kind text,
  rewritten_by_id text,
  rewritten_by_name text,
  rewritten_by_on_behalf_of jsonb,
  rewritten_reason text,
  -- Names that the letter asks for and the person has no value for.
  unresolved text[] not null default '{}',
  review_reason text,
  note text,
  approved_by_kind text,
  approved_by_id text,
  approved_by_name text,
  approved_by_on_behalf_of jsonb,
  approved_at timestamptz,
  approved_fingerprint text,
  -- The token that carried the approval; null where a session did. It may be gone: then the approval is stale.
  approved_token uuid,
  scheduled_for timestamptz,
  not_before timestamptz,
  waiting_for text,
  -- The later of the two: what the sender chooses by.
  due_at timestamptz generated always as (greatest(scheduled_for, not_before)) stored,
  hold_reason text,
  hold_evidence jsonb,
  held_at timestamptz,
  -- Reasons that the world was told since the letter was last not held.
  hold_told text[] not null default '{}',
  recheck_at timestamptz,
  cancel_reason text,
  failed_reason text,
  delivery text check (delivery in ('accepted', 'delivered', 'soft', 'hard', 'policy', 'complaint')),
  delivery_at timestamptz,
  attempts int not null default 0,
  first_attempt_at timestamptz,
  lease uuid,
  lease_until timestamptz,
  sending_at timestamptz,
  -- By which account it was let out: only that one knows it by its key, and may be asked again.
  sending_via text,
  sent_at timestamptz,
  resolved_by_name text,
  resolved_at timestamptz,
  revision int not null default 1,
  created_by_kind text not null,
  created_by_id text not null,
  created_by_name text not null,
  created_by_on_behalf_of jsonb,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check (num_nulls(approved_by_kind, approved_by_id, approved_by_name, approved_at, approved_fingerprint) in (0, 5)),
  check (approved_fingerprint is null or approved_fingerprint = fingerprint),
  check (approved_token is null or approved_fingerprint is not null),
  check ((state = 'held') = (hold_reason is not null and held_at is not null)),
  check ((state = 'cancelled') = (cancel_reason is not null)),
  check ((state = 'failed') = (failed_reason is not null)),
  check (state not in ('sending', 'sent', 'uncertain') or sending_at is not null),
  check ((state = 'sent') = (sent_at is not null)),
  check (delivery is null or state in ('sent', 'failed', 'uncertain')),
  check (state <> 'scheduled' or scheduled_for is not null),
  check (cardinality(cc_hashes) = cardinality(cc)),
  check (kind <> 'sequence' or (campaign_id is not null and prospect_id is not null and step_id is not null))
);
create unique index sends_one_per_step on sends (prospect_id, step_id) where state <> 'cancelled';
create index sends_due on sends (identity_id, due_at, id) where state = 'scheduled';
create index sends_recheck on sends (recheck_at, id) where state = 'held';
create index sends_sending on sends (lease_until) where state = 'sending';
-- Who suppresses or verifies an address wakes its letters.
create index sends_by_address on sends (to_hash) where state in ('scheduled', 'held');
-- Few have any. Whoever is erased is taken out of them.
create index sends_by_copy on sends using gin (cc_hashes) where cc_hashes <> '{}';
create index sends_newest on sends (created_at desc, id desc);
create index sends_by_state on sends (state, created_at desc, id desc);
create index sends_by_campaign on sends (campaign_id, state, created_at desc, id desc) where campaign_id is not null;
create index sends_newest_of_campaign on sends (campaign_id, created_at desc, id desc) where campaign_id is not null;
create index sends_newest_of_identity on sends (identity_id, created_at desc, id desc) where identity_id is not null;
create index sends_by_identity on sends (identity_id, state, created_at desc, id desc) where identity_id is not null;
create index sends_by_person on sends (person_id, created_at desc, id desc) where person_id is not null;
create index sends_by_hold on sends (hold_reason, created_at desc, id desc) where state = 'held';
-- What is in somebody's hands: an identity that keeps a gap gives out no second letter beside it.
create index sends_leased on sends (identity_id, lease_until) where lease is not null;
create index sends_started_by_identity on sends (identity_id, sending_at) where sending_at is not null;
create index sends_started_to_person on sends (person_id, sending_at) where sending_at is not null;
create index sends_by_prospect on sends (prospect_id, created_at) where prospect_id is not null;
-- Few, and asked for at every look at a campaign: letters that bounced or were complained of, and those that lack a value.
create index sends_gone_wrong on sends (campaign_id, delivery, sending_at) where delivery in ('hard', 'complaint');
create index sends_unresolved on sends (campaign_id, state) where cardinality(unresolved) > 0;
-- Single letters stand in no campaign: few, and counted beside those that do.
create index sends_of_none on sends (state, created_at) where campaign_id is null;
-- What each step of a campaign brought is read off this alone, in the order in which each person was written to.
create index sends_by_step on sends (campaign_id, prospect_id, sending_at, id) include (step_id, delivery)
  where kind = 'sequence' and sending_at is not null and state in ('sent', 'failed', 'uncertain');

create table send_attachments (
  send_id uuid not null references sends on delete cascade,
  attachment_id uuid not null references attachments,
  position int not null,
  primary key (send_id, attachment_id)
);
create index sends_of_attachment on send_attachments (attachment_id);

-- The bytes of a letter, fixed before its first attempt: a retry, a reply and a report are matched against exactly these.
create table send_bytes (
  send_id uuid primary key references sends on delete cascade,
  -- Of the letter that they were made of: bytes of an edited letter are made anew.
  fingerprint text not null,
  envelope_from text not null,
  bytes bytea not null,
  made_at timestamptz not null
);

-- Senders and campaigns whose letters say what no longer stands: an edit makes the first of them anew itself, and a pass the
-- rest, by their ids. A letter behind `after` does not leave meanwhile (gate 6). `after` is null until the first is done.
create table letters_to_remake (
  of_id uuid primary key,
  of_kind text not null check (of_kind in ('identity', 'campaign')),
  after uuid,
  -- False as soon as one of the edits was made by somebody without wire.
  by_wire boolean not null,
  by_kind text not null,
  by_id text not null,
  by_name text not null,
  by_on_behalf_of jsonb,
  at timestamptz not null,
  lease uuid,
  lease_until timestamptz
);

create table send_facts (
  id uuid primary key,
  send_id uuid not null references sends on delete cascade,
  kind text not null,
  details jsonb not null default '{}' check (jsonb_typeof(details) = 'object'),
  by_kind text not null,
  by_id text not null,
  by_name text not null,
  by_on_behalf_of jsonb,
  at timestamptz not null
);
create index send_facts_newest on send_facts (send_id, at desc, id desc);

-- Letters that started, a day: what caps are counted by. The day is the identity's, the domain's (UTC) or the campaign's.
create table letters_started (
  scope text not null check (scope in ('identity', 'domain', 'campaign', 'campaign_new')),
  scope_id uuid not null,
  day date not null,
  started int not null default 0 check (started >= 0),
  primary key (scope, scope_id, day)
);

-- What became of a letter, by a reply of the next hop, a report or a vendor: once per source's own key.
create table delivery_events (
  id uuid primary key,
  key text not null unique,
  -- Null: nothing of ours was found; kept to be looked at.
  send_id uuid references sends on delete set null,
  identity_id uuid references identities,
  -- Null also where anybody could have written the report: what is not known to be true counts against nobody.
  domain_id uuid references domains on delete cascade,
  kind text not null check (kind in ('accepted', 'delivered', 'soft', 'hard', 'policy', 'complaint', 'spam_trap')),
  source text not null check (source in ('session', 'report', 'vendor')),
  -- How the letter was found; null where none was.
  placed_by text check (placed_by in ('id', 'verp', 'message_id', 'recipient')),
  -- The Message-ID that a report named, kept where it was nobody's.
  message_id text,
  status text,
  cause text,
  recipient_hash text,
  at timestamptz not null,
  received_at timestamptz not null
);
create index delivery_events_of_domain on delivery_events (domain_id, at) include (kind, send_id) where domain_id is not null;
create index delivery_events_of_send on delivery_events (send_id, at) where send_id is not null;
create index delivery_events_unplaced on delivery_events (received_at desc, id desc)
  where send_id is null and placed_by is null;
create index delivery_events_of_recipient on delivery_events (recipient_hash, at) where kind in ('soft', 'delivered');

-- When the warden last looked at a domain or an active campaign. Rows of those that are gone go with the next look.
create table warden_looks (
  kind text not null check (kind in ('domain', 'campaign')),
  subject_id uuid not null,
  looked_at timestamptz,
  lease uuid,
  lease_until timestamptz,
  primary key (kind, subject_id)
);

create table letter_templates (
  id uuid primary key,
  name text not null check (name <> ''),
  name_key text not null unique,
  subject text,
  text text not null,
  html text,
  revision int not null default 1,
  created_by_kind text not null,
  created_by_id text not null,
  created_by_name text not null,
  created_by_on_behalf_of jsonb,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

-- What the sender knows of the way out of an identity. It holds while the identity and its domain are at these revisions:
-- new credentials, a raised cap or a resumed domain make it void without anybody clearing it.
create table sender_lanes (
  identity_id uuid primary key references identities on delete cascade,
  identity_revision int not null,
  domain_revision int not null,
  -- None of its letters is asked before this, since the reason is the same for all: cap, ramp, domain or mail server.
  asleep_until timestamptz,
  asleep_why text,
  -- The mail server could not be reached, so many times in a row, and is not called again before this.
  failures int not null default 0 check (failures >= 0),
  down_until timestamptz
);
