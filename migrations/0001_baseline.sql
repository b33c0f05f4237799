-- not additive
-- The schema of version 0.2.0, in one file: area by area, in the order in which they may refer to each other. A table is followed by
-- its indexes; what the database does by itself (functions and triggers) ends each area. It is released and never changes: what
-- comes after it is a new file with the next number.
--
-- What holds everywhere:
-- Ids are UUIDs of version 7, made by the process, so that they sort by time. Times are the process's clock.
-- Who did something is in four columns: kind, id and name, and the person for whom an agent acted (<prefix>_on_behalf_of).
-- A hold that ends is lease and lease_until; how often something was tried is attempts; a number of bytes is size_bytes.
-- Text to be compared is lowered and split by the process (*_key, search), because lower() of a letter outside ASCII depends on
-- the server.
-- CHECKs refuse what must never be true, whatever the program above does.

-- =============================================================================================================================
-- Access: who may come in and what they may do; the audit log, settings and keys of the instance.
-- =============================================================================================================================

create table audit (
  id uuid primary key,
  at timestamptz not null,
  principal_kind text not null check (principal_kind in ('person', 'agent', 'service', 'system')),
  principal_id text not null,
  principal_name text not null,
  on_behalf_of_id text,
  on_behalf_of_name text,
  token_id text,
  token_name text,
  surface text not null,
  turn text not null check (turn in ('direct', 'agent')),
  act text not null,
  resource text,
  outcome text not null check (outcome in ('done', 'refused', 'fault')),
  code text,
  sentence text,
  request_id text not null,
  noun text generated always as (split_part(resource, '/', 1)) stored,
  -- A row of the audit log may stand for refusals alike that came within one minute (src/kernel/failures.ts).
  times integer not null default 1,
  check ((outcome = 'done') = (code is null))
);
create index audit_by_principal on audit (principal_id, id desc);
create index audit_by_token on audit (token_id, id desc) where token_id is not null;
create index audit_by_person on audit (on_behalf_of_id, id desc) where on_behalf_of_id is not null;
create index audit_by_act on audit (act, id desc);
create index audit_by_surface on audit (surface, id desc);
create index audit_not_done on audit (outcome, id desc) where outcome <> 'done';
create index audit_by_resource on audit (resource, id desc) where resource is not null;
create index audit_by_noun on audit (noun, id desc) where noun is not null;

-- Answers kept for a repeated POST with the same Idempotency-Key, for a day.
create table idempotency_keys (
  owner text not null,
  key text not null,
  act text not null,
  arguments_hash text not null,
  at timestamptz not null,
  status int,
  answer jsonb,
  -- Every id in the answer: what names somebody who is erased is found without reading all answers.
  names uuid[] not null default '{}',
  primary key (owner, key)
);
create index idempotency_keys_oldest on idempotency_keys (at);

create table settings (
  section text primary key,
  value jsonb not null
);

create table users (
  id uuid primary key,
  name text not null check (name <> ''),
  name_key text not null,
  email text not null,
  email_key text not null unique,
  state text not null check (state in ('invited', 'active', 'disabled')),
  admin boolean not null default false,
  password_hash text,
  -- The confirmed secret and one that was drawn and waits for its first code; both sealed.
  totp_secret text,
  totp_confirmed_at timestamptz,
  totp_pending text,
  -- The time step of the last code that was accepted: a code is worth nothing the second time.
  totp_last_step bigint not null default 0,
  timezone text,
  -- Keys of the projects on their board; null is all of them.
  board_projects text[],
  default_project text,
  -- Do they wish to hear by mail that approvals wait for them, and up to when was that looked at.
  mail_approvals boolean not null default false,
  approvals_looked_at timestamptz,
  created_at timestamptz not null,
  last_seen_at timestamptz,
  check ((state = 'invited') = (password_hash is null)),
  check ((totp_secret is null) = (totp_confirmed_at is null))
);
create index users_by_name on users (name_key collate "C", id);
create index users_mailed_approvals on users (approvals_looked_at nulls first, id) where mail_approvals and state = 'active';
-- Asked whenever an administrator goes: is there another one?
create index users_active_admins on users (id) where admin and state = 'active';

create table groups (
  id uuid primary key,
  name text not null check (name <> ''),
  name_key text not null unique,
  created_at timestamptz not null
);

create table group_members (
  group_id uuid not null references groups on delete cascade,
  user_id uuid not null references users on delete cascade,
  primary key (group_id, user_id)
);
create index group_members_by_user on group_members (user_id, group_id);

-- Documents that people wrote. Built-in policies stand in the program, so whatever carries a policy names it by text.
create table policies (
  name text primary key check (name ~ '^[a-z0-9][a-z0-9-]{0,59}$'),
  statements jsonb not null check (jsonb_typeof(statements) = 'array'),
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create table user_policies (
  user_id uuid not null references users on delete cascade,
  policy_name text not null,
  primary key (user_id, policy_name)
);
create index user_policies_by_name on user_policies (policy_name);

create table group_policies (
  group_id uuid not null references groups on delete cascade,
  policy_name text not null,
  primary key (group_id, policy_name)
);
create index group_policies_by_name on group_policies (policy_name);

create table tokens (
  id uuid primary key,
  -- Names may repeat, since a lost token is minted again under its name; the audit log has the id beside the name.
  name text not null check (name ~ '^[a-z0-9-]{1,60}$' and name not in ('bootstrap', 'api')),
  hash bytea not null unique check (octet_length(hash) = 32),
  hint text not null check (length(hint) = 4),
  mode text not null check (mode in ('user', 'service')),
  user_id uuid references users on delete cascade,
  wire boolean not null,
  scripts boolean not null,
  created_at timestamptz not null,
  created_by_kind text not null check (created_by_kind in ('person', 'service')),
  created_by_id text not null,
  created_by_name text not null,
  expires_at timestamptz,
  last_used_at timestamptz,
  first_agent_turn_at timestamptz,
  check ((mode = 'user') = (user_id is not null)),
  check (expires_at > created_at)
);
create index tokens_by_user on tokens (user_id) where user_id is not null;

-- Only a service token carries policies of its own: a bound one has its user's.
create table token_policies (
  token_id uuid not null references tokens on delete cascade,
  policy_name text not null,
  primary key (token_id, policy_name)
);
create index token_policies_by_name on token_policies (policy_name);

create table sessions (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  hash bytea not null unique check (octet_length(hash) = 32),
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  -- However busy it is, a session ends here; idle ones end earlier.
  expires_at timestamptz not null check (expires_at > created_at),
  stepped_up_at timestamptz,
  address text,
  user_agent text
);
create index sessions_by_user on sessions (user_id, id desc);
create index sessions_by_end on sessions (expires_at);

-- One open invitation a person: a new link replaces the old one.
create table invites (
  id uuid primary key,
  user_id uuid not null unique references users on delete cascade,
  hash bytea not null unique check (octet_length(hash) = 32),
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at)
);

-- The key of first boot: one row, kept for ever, so that a key that died stays dead.
create table provisioning (
  only_row boolean primary key default true check (only_row),
  key_hash bytea not null check (octet_length(key_hash) = 32),
  drawn_at timestamptz not null,
  first_admin_at timestamptz,
  -- When the first token was minted, whoever minted it.
  died_at timestamptz
);

-- Failed sign-ins of the last minutes, by account and by address, so that every node counts the same.
create table sign_in_failures (
  id uuid primary key,
  who text not null,
  at timestamptz not null
);
create index sign_in_failures_by_who on sign_in_failures (who, at);
create index sign_in_failures_by_age on sign_in_failures (at);

create table notifications (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  kind text not null,
  sentence text not null,
  link text,
  at timestamptz not null,
  read_at timestamptz
);
create index notifications_newest on notifications (user_id, id desc);
-- Old ones are forgotten.
create index notifications_by_time on notifications (at);
create index notifications_unread on notifications (user_id) where read_at is null;

create table provider_keys (
  provider text primary key,
  -- Sealed JSON; only the last four characters are ever shown.
  keys text not null,
  last_four text not null,
  -- A key belongs to one address: changing this voids it.
  base_url text,
  saved_by_kind text not null,
  saved_by_id text not null,
  saved_by_name text not null,
  saved_by_on_behalf_of jsonb,
  saved_at timestamptz not null
);

create table instance_mail_way (
  only_row boolean primary key default true check (only_row),
  host text not null,
  port int not null check (port between 1 and 65535),
  security text not null check (security in ('tls', 'starttls', 'plain')),
  login_user text,
  -- Sealed; written and never shown.
  password text,
  from_name text not null,
  from_address text not null,
  saved_at timestamptz not null,
  check ((login_user is null) = (password is null)),
  check (security <> 'plain' or login_user is null)
);

create table instance_mails (
  id uuid primary key,
  kind text not null check (kind in ('invite', 'reset', 'test', 'approvals', 'account')),
  user_id uuid not null references users on delete cascade,
  to_address text not null,
  subject text not null,
  -- Sealed: a link in it is worth an account. Gone once it went, or once it never will.
  body text,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed')),
  -- Why it did not go the last time, as a word of ours.
  trouble text,
  attempts int not null default 0,
  next_at timestamptz not null,
  -- What it says is worth nothing after that.
  ends_at timestamptz not null,
  created_at timestamptz not null,
  done_at timestamptz,
  lease uuid,
  lease_until timestamptz,
  check ((state = 'waiting') = (body is not null)),
  check ((state = 'waiting') = (done_at is null))
);
create index instance_mails_due on instance_mails (next_at, id) where state = 'waiting';
create index instance_mails_of_user on instance_mails (user_id, kind) where state = 'waiting';
create index instance_mails_done on instance_mails (done_at desc, id desc) where state <> 'waiting';
create index instance_mails_to_user on instance_mails (user_id) where user_id is not null;

-- Who asked for a new password, whether or not there is such an account: counted, then looked up by a pass.
create table password_reset_asks (
  id uuid primary key,
  email_key text not null,
  address text,
  at timestamptz not null,
  done_at timestamptz,
  lease uuid,
  lease_until timestamptz
);
create index password_reset_asks_by_account on password_reset_asks (email_key, at);
create index password_reset_asks_by_address on password_reset_asks (address, at) where address is not null;
create index password_reset_asks_due on password_reset_asks (at, id) where done_at is null;

-- One open link a person: a new one replaces the old one.
create table password_resets (
  user_id uuid primary key references users on delete cascade,
  hash bytea not null unique check (octet_length(hash) = 32),
  expires_at timestamptz not null
);

-- Written in batches outside any act. Alike reads of one batch (who, with which token, what of what) are one row: `at` is the
-- first of them, and the id is made then, so that reads and acts stand in one order.
create table activity_reads (
  id uuid primary key,
  at timestamptz not null,
  until timestamptz not null,
  count int not null check (count > 0),
  principal_kind text not null check (principal_kind in ('person', 'agent', 'service', 'system')),
  principal_id text not null,
  principal_name text not null,
  on_behalf_of_id text,
  on_behalf_of_name text,
  token_id text,
  token_name text,
  surface text not null,
  turn text not null check (turn in ('direct', 'agent')),
  act text not null,
  resource text,
  -- `crm:person` of `crm:person/<id>`.
  noun text generated always as (split_part(resource, '/', 1)) stored,
  request_id text not null
);
create index activity_reads_by_principal on activity_reads (principal_id, id desc);
create index activity_reads_by_token on activity_reads (token_id, id desc) where token_id is not null;
create index activity_reads_by_person on activity_reads (on_behalf_of_id, id desc) where on_behalf_of_id is not null;
create index activity_reads_by_resource on activity_reads (resource, id desc) where resource is not null;
create index activity_reads_by_noun on activity_reads (noun, id desc) where noun is not null;

-- Passkeys, and the recovery codes that stand in for an authenticator that was lost.
create table passkeys (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  name text not null check (name <> ''),
  -- The authenticator's own name of it, as base64url.
  credential_id text not null unique,
  public_key bytea not null,
  -- How often the authenticator says that it signed; most say nought for ever, and then it tells nothing.
  counter bigint not null,
  transports text[] not null,
  -- Is it kept by an account of its maker's, and so on more than one device?
  backed_up boolean not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkeys_by_user on passkeys (user_id, id);

-- A challenge carries its own proof and end, so only one that was used up is kept, until it would have ended anyway.
create table passkey_challenges_spent (
  hash bytea primary key check (octet_length(hash) = 32),
  expires_at timestamptz not null
);
create index passkey_challenges_spent_by_end on passkey_challenges_spent (expires_at);

-- Ten a person, each good once; only their hash is kept.
create table recovery_codes (
  user_id uuid not null references users on delete cascade,
  hash bytea not null check (octet_length(hash) = 32),
  made_at timestamptz not null,
  used_at timestamptz,
  primary key (user_id, hash)
);

-- The key under which secrets are sealed, itself sealed under SERVICE_MASTER_KEY: another master key wraps it anew and touches
-- nothing else, so that links in letters that left stay good.
create table instance_key (
  only_row boolean primary key default true check (only_row),
  wrapped text not null,
  wrapped_at timestamptz not null
);

-- How often somebody did what is limited, in the window that ends at `until`; the same for every process. A crash may forget it,
-- and no backup has it.
create unlogged table rate_counts (
  name text not null,
  who text not null check (length(who) <= 400),
  until timestamptz not null,
  count int not null check (count > 0),
  primary key (name, who)
);
create index rate_counts_by_end on rate_counts (until);

-- Where an account was signed in from: what others guess of its password does not slow those places
-- (features/sessions/throttle.ts). An IPv4 address, or the /64 of an IPv6 address.
create table sign_in_places (
  user_id uuid not null references users on delete cascade,
  place text not null check (length(place) between 1 and 64),
  at timestamptz not null,
  primary key (user_id, place)
);

create view carried_by_users as
  select user_id, policy_name from user_policies
  union
  select m.user_id, p.policy_name from group_members m join group_policies p using (group_id);

-- Rows of the audit log are only ever added, whoever asks.
create function audit_is_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is only ever added to';
end $$;
create trigger audit_append_only before update or delete on audit
  for each row execute function audit_is_append_only();
create trigger audit_no_truncate before truncate on audit
  for each statement execute function audit_is_append_only();

-- An act of a run, or of a script that a run runs, says in its audit row whose it was: so a row of runs that set each other off
-- ends.
create function workflow_hears_itself() returns trigger language plpgsql as $$
begin
  update workflow_events set caused_by = new.request_id where xact = pg_current_xact_id() and caused_by is null;
  return null;
end $$;
create trigger workflow_hears_itself after insert on audit
  for each row when (new.outcome = 'done' and new.surface in ('workflow', 'lua', 'chat')) execute function workflow_hears_itself();

-- =============================================================================================================================
-- CRM: companies and people with their addresses, fields and facts, suppressions, deals and imports.
-- =============================================================================================================================

-- Fields that people define (domain.md §1.9). The fields of a work item stand here for every project, beside its own.
create table custom_fields (
  noun text not null check (noun in ('person', 'company', 'deal', 'work_item')),
  key text not null check (key ~ '^[a-z][a-z0-9_]{0,39}$'),
  title text not null check (title <> ''),
  kind text not null check (kind in ('text', 'number', 'date', 'bool', 'select', 'multiselect', 'url')),
  options text[] not null default '{}',
  position int not null,
  primary key (noun, key),
  check ((kind in ('select', 'multiselect')) = (cardinality(options) > 0))
);

-- The definitions of a noun are replaced together, against the revision that was read. Writers of values share this row.
create table custom_field_sets (
  noun text collate "C" primary key check (noun in ('person', 'company', 'deal', 'work_item')),
  revision int not null default 1
);
insert into custom_field_sets (noun) values ('person'), ('company'), ('deal'), ('work_item');

create table companies (
  id uuid primary key,
  name text not null check (name <> ''),
  name_key text not null,
  -- As it stands in an address: lower-case ASCII.
  domain text unique check (domain <> ''),
  timezone text,
  country text check (country ~ '^[A-Z]{2}$'),
  size text,
  custom jsonb not null default '{}' check (jsonb_typeof(custom) = 'object'),
  search tsvector not null,
  revision int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- What of a company somebody last changed who could not set how letters are reviewed, under the names that letters ask by:
  -- where edited values are read, a letter that says one is (domain.md §1.2).
  edited text[] not null default '{}'
);
create index companies_by_name on companies (name_key collate "C", id);
create index companies_by_search on companies using gin (search);
create index companies_newest on companies (updated_at desc, id desc);

create table people (
  id uuid primary key,
  name text not null,
  given text,
  family text,
  -- What lists sort by: the name, folded; where there is none, the first address.
  name_key text not null,
  title text,
  company_id uuid references companies on delete set null,
  phone text,
  links text[] not null default '{}',
  timezone text,
  language text,
  country text check (country ~ '^[A-Z]{2}$'),
  source text,
  basis text not null default 'none' check (basis in ('legitimate_interest', 'consent', 'customer', 'none')),
  basis_note text,
  tags text[] not null default '{}',
  custom jsonb not null default '{}' check (jsonb_typeof(custom) = 'object'),
  -- What letters may ask for and somebody without wire last changed, as 'person.title' or 'custom.opener': a campaign whose
  -- policy is `changed` has letters read that say it.
  edited text[] not null default '{}',
  owner uuid references users on delete set null,
  do_not_merge boolean not null default false,
  search tsvector not null,
  revision int not null default 1,
  created_by_kind text not null,
  created_by_id text not null,
  created_by_name text not null,
  created_by_on_behalf_of jsonb,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index people_by_name on people (name_key collate "C", id);
create index people_newest on people (updated_at desc, id desc);
create index people_oldest on people (created_at desc, id desc);
create index people_by_company on people (company_id, name_key collate "C", id) where company_id is not null;
create index people_by_owner on people (owner, name_key collate "C", id) where owner is not null;
create index people_by_country on people (country, name_key collate "C", id) where country is not null;
create index people_by_source on people (source, name_key collate "C", id) where source is not null;
create index people_by_basis on people (basis, name_key collate "C", id);
create index people_by_tag on people using gin (tags);
create index people_by_search on people using gin (search);

create table person_addresses (
  id uuid primary key,
  person_id uuid not null references people on delete cascade,
  -- As it was written, and as it is matched (src/mail/address.ts): one address belongs to one person.
  value text not null,
  normalised text not null unique,
  domain text not null,
  -- What suppressions are matched by (`addressHash`).
  hash text not null,
  kind text not null default 'work' check (kind in ('work', 'personal', 'other')),
  is_primary boolean not null,
  position int not null,
  verdict text check (verdict in ('DELIVERABLE', 'UNDELIVERABLE', 'RISKY', 'UNKNOWN')),
  verdict_reason text,
  -- The account of each rung (domain.md §6.8): no fixed shape.
  rungs jsonb,
  verified_at timestamptz,
  -- Somebody of this address wrote to us: better proof than any server's word.
  replied_at timestamptz,
  unknown_at timestamptz,
  unknown_reason text,
  check (num_nulls(verdict, verdict_reason, rungs, verified_at) in (0, 4)),
  constraint person_addresses_unknown check ((unknown_at is null) = (unknown_reason is null))
);
create unique index person_addresses_one_primary on person_addresses (person_id) where is_primary;
create index person_addresses_of_person on person_addresses (person_id, position);
create index person_addresses_by_hash on person_addresses (hash);
create index person_addresses_by_domain on person_addresses (domain);

-- What happened to a person, newest first: notes, and facts with who and when.
create table person_facts (
  id uuid primary key,
  person_id uuid not null references people on delete cascade,
  kind text not null,
  text text,
  details jsonb not null default '{}' check (jsonb_typeof(details) = 'object'),
  by_kind text not null,
  by_id text not null,
  by_name text not null,
  by_on_behalf_of jsonb,
  at timestamptz not null,
  check ((kind = 'note') = (text is not null))
);
create index person_facts_newest on person_facts (person_id, at desc, id desc);

-- Where somebody went who was merged into another: an old id still leads to the person.
create table person_merges (
  from_id uuid primary key,
  into_id uuid not null,
  at timestamptz not null
);
create index person_merges_into on person_merges (into_id);

create table segments (
  id uuid primary key,
  name text not null check (name <> ''),
  name_key text not null unique,
  -- {all | any: [{field, op, value}]}: checked by the program when it is saved and when it is read.
  filter jsonb not null check (jsonb_typeof(filter) = 'object'),
  revision int not null default 1,
  created_by_kind text not null,
  created_by_id text not null,
  created_by_name text not null,
  created_by_on_behalf_of jsonb,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create table suppressions (
  id uuid primary key,
  kind text not null check (kind in ('address', 'domain')),
  -- Null once the person was erased: the hash goes on matching.
  value text,
  value_hash text not null,
  reason text not null check (reason in ('unsubscribe', 'complaint', 'hard_bounce', 'manual', 'import', 'legal')),
  source text not null check (source in ('touch', 'send', 'person', 'import', 'vendor')),
  source_ref text,
  campaign_id uuid,
  note text,
  created_by_kind text not null,
  created_by_id text not null,
  created_by_name text not null,
  created_by_on_behalf_of jsonb,
  created_at timestamptz not null,
  expires_at timestamptz,
  -- Set on a row that had passed its end when the same was added anew: it makes way for the new row and stays as history.
  lapsed_at timestamptz,
  lifted_by_kind text,
  lifted_by_id text,
  lifted_by_name text,
  lifted_by_on_behalf_of jsonb,
  lifted_at timestamptz,
  check (kind = 'address' or value is not null),
  check (expires_at is null or (reason = 'manual' and expires_at > created_at)),
  check (lapsed_at is null or lapsed_at >= expires_at),
  check (num_nulls(lifted_by_kind, lifted_by_id, lifted_by_name, lifted_at) in (0, 4))
);
-- One row per value and reason; a lifted one is history. What "suppressed" means is asked of this index.
create unique index suppressions_one_standing on suppressions (value_hash, kind, reason)
  where lifted_at is null and lapsed_at is null;
create index suppressions_by_domain on suppressions (value)
  where kind = 'domain' and lifted_at is null and lapsed_at is null;
create index suppressions_of_value on suppressions (value_hash, id);
-- Lists, newest first: all of them, those that may stand, and those that do not; each by reason and by kind as well.
create index suppressions_newest on suppressions (created_at desc, id desc);
create index suppressions_newest_by_reason on suppressions (reason, created_at desc, id desc);
create index suppressions_newest_by_kind on suppressions (kind, created_at desc, id desc);
create index suppressions_standing on suppressions (created_at desc, id desc)
  where lifted_at is null and lapsed_at is null;
create index suppressions_standing_by_reason on suppressions (reason, created_at desc, id desc)
  where lifted_at is null and lapsed_at is null;
create index suppressions_standing_by_kind on suppressions (kind, created_at desc, id desc)
  where lifted_at is null and lapsed_at is null;
create index suppressions_lifted on suppressions (created_at desc, id desc) where lifted_at is not null;
create index suppressions_lifted_by_reason on suppressions (reason, created_at desc, id desc)
  where lifted_at is not null;
create index suppressions_ending on suppressions (created_at desc, id desc) where expires_at is not null;
create index suppressions_by_value on suppressions (value text_pattern_ops, id) where value is not null;

create table deal_stages (
  key text primary key check (key ~ '^[a-z][a-z0-9_]{0,39}$'),
  title text not null check (title <> ''),
  position int not null,
  -- In per cent: what a deal of this stage is expected to come to, where it says nothing itself.
  probability int check (probability between 0 and 100)
);
insert into deal_stages (key, title, position, probability) values
  ('new', 'New', 0, 10), ('qualified', 'Qualified', 1, 30), ('proposal', 'Proposal', 2, 60), ('negotiation', 'Negotiation', 3, 80);

-- The stages are replaced together, against the revision that was read.
create table deal_pipeline (
  only_one boolean primary key default true check (only_one),
  revision int not null default 1
);
insert into deal_pipeline default values;

create table deals (
  id uuid primary key,
  name text not null check (name <> ''),
  person_id uuid references people on delete set null,
  company_id uuid references companies on delete set null,
  campaign_id uuid,
  prospect_id uuid,
  thread_id uuid,
  state text not null check (state in ('open', 'won', 'lost')),
  stage text not null references deal_stages on update cascade,
  -- Minor units of the currency: cents, not euros.
  amount bigint check (amount between 0 and 9007199254740991),
  currency text check (currency ~ '^[A-Z]{3}$'),
  probability int check (probability between 0 and 100),
  expected_on date,
  owner uuid references users on delete set null,
  lost_reason text,
  custom jsonb not null default '{}' check (jsonb_typeof(custom) = 'object'),
  opened_by text not null check (opened_by in ('reading', 'person', 'agent')),
  position double precision not null,
  search tsvector not null,
  revision int not null default 1,
  created_by_kind text not null,
  created_by_id text not null,
  created_by_name text not null,
  created_by_on_behalf_of jsonb,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  closed_at timestamptz,
  check ((amount is null) = (currency is null)),
  check ((state = 'open') = (closed_at is null)),
  check ((state = 'lost') = (lost_reason is not null))
);
create index deals_board on deals (stage, position, id) where state = 'open';
-- What the columns of the board come to is read from this alone.
create index deals_sums on deals (stage, currency) include (amount, probability) where state = 'open';
create index deals_newest on deals (updated_at desc, id desc);
create index deals_by_state on deals (state, updated_at desc, id desc);
create index deals_by_stage on deals (stage, updated_at desc, id desc);
-- A deal that nobody has put a day or an amount to comes last.
create index deals_by_day on deals (coalesce(expected_on, 'infinity'), id);
create index deals_by_amount on deals (coalesce(amount, -1) desc, id desc);
create index deals_by_owner on deals (owner, updated_at desc, id desc) where owner is not null;
create index deals_by_person on deals (person_id, updated_at desc, id desc) where person_id is not null;
create index deals_by_company on deals (company_id, updated_at desc, id desc) where company_id is not null;
create index deals_by_campaign on deals (campaign_id, updated_at desc, id desc) where campaign_id is not null;
create index deals_by_search on deals using gin (search);
create index deals_of_thread on deals (thread_id) where thread_id is not null;

create table deal_facts (
  id uuid primary key,
  deal_id uuid not null references deals on delete cascade,
  kind text not null,
  details jsonb not null default '{}' check (jsonb_typeof(details) = 'object'),
  by_kind text not null,
  by_id text not null,
  by_name text not null,
  by_on_behalf_of jsonb,
  at timestamptz not null
);
create index deal_facts_newest on deal_facts (deal_id, at desc, id desc);

-- A person's answer was read as positive: half of what `deal.opened` says. The prospect is the zero id where the answer came
-- outside any campaign.
create table positive_readings (
  person_id uuid not null references people on delete cascade,
  prospect_id uuid not null,
  campaign_id uuid,
  at timestamptz not null,
  primary key (person_id, prospect_id)
);

-- The pairs that the world was told of: once each.
create table deals_announced (
  deal_id uuid not null references deals on delete cascade,
  prospect_id uuid not null,
  at timestamptz not null,
  primary key (deal_id, prospect_id)
);

-- A plan that somebody was given. It is what makes a write of the very same bytes with the very same options allowed (domain.md
-- §1.9), for the same principal, until it expires.
create table import_previews (
  id uuid primary key,
  read_by_kind text not null,
  read_by_id text not null,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  options_hash text not null check (options_hash ~ '^[0-9a-f]{64}$'),
  size_bytes bigint not null,
  rows int not null,
  -- As it was answered.
  plan jsonb not null check (jsonb_typeof(plan) = 'object'),
  -- What each row was to become, a letter for each, and the person of each update: {row: [person_id, revision]}.
  outcomes text not null,
  targets jsonb not null check (jsonb_typeof(targets) = 'object'),
  read_at timestamptz not null,
  expires_at timestamptz not null,
  -- The batch that was written from it: a second write of one plan is answered with it.
  batch_id uuid,
  unique (read_by_kind, read_by_id, sha256, options_hash)
);
create index import_previews_expiring on import_previews (expires_at);

create table import_batches (
  id uuid primary key,
  state text not null check (state in ('writing', 'written', 'rolled_back', 'locked')),
  filename text,
  sha256 text not null,
  size_bytes bigint not null,
  options jsonb not null check (jsonb_typeof(options) = 'object'),
  rows int not null,
  done_rows int not null default 0,
  created int not null default 0,
  updated int not null default 0,
  skipped int not null default 0,
  rejected int not null default 0,
  differs int not null default 0,
  -- A letter to somebody in it is on its way or gone, maybe while it was still being written.
  sent boolean not null default false,
  created_by_kind text not null,
  created_by_id text not null,
  created_by_name text not null,
  created_by_on_behalf_of jsonb,
  created_at timestamptz not null,
  finished_at timestamptz,
  rolled_back_by_kind text,
  rolled_back_by_id text,
  rolled_back_by_name text,
  rolled_back_by_on_behalf_of jsonb,
  rolled_back_at timestamptz,
  removed int,
  restored int,
  kept int,
  check ((state = 'writing') = (finished_at is null)),
  check ((state = 'locked') = (sent and state <> 'writing')),
  check ((state = 'rolled_back') = (rolled_back_at is not null)),
  check (num_nulls(rolled_back_by_kind, rolled_back_by_id, rolled_back_by_name, rolled_back_at, removed, restored, kept) in (0, 7))
);
create index import_batches_newest on import_batches (created_at desc, id desc);

-- What of a batch is still to be written. A chunk goes in the transaction that writes its people: it was written whole, or it is
-- still here.
create table import_chunks (
  batch_id uuid not null references import_batches,
  no int not null,
  drafts text not null,
  lease uuid,
  lease_until timestamptz,
  primary key (batch_id, no)
);
-- It is read once and gone a moment later: squeezing it would cost more than writing it.
alter table import_chunks alter column drafts set storage external;

-- What a row came to. Batches and rows are never deleted, so no key checks fifty thousand rows against their batch; a person may
-- be gone since, and the row stays.
create table import_rows (
  batch_id uuid not null,
  row_no int not null,
  outcome text not null check (outcome in ('create', 'update', 'skip', 'reject')),
  column_name text,
  reason text,
  -- Why it is not what the plan said.
  differs text,
  person_id uuid,
  -- What the person's revision was after it.
  revision int,
  -- Of an update: {field: [before, after]}.
  changes jsonb check (jsonb_typeof(changes) = 'object'),
  rolled_back text check (rolled_back in ('removed', 'restored', 'kept', 'gone')),
  kept_why text,
  primary key (batch_id, row_no),
  check (outcome not in ('create', 'update') or (person_id is not null and revision is not null)),
  check ((outcome = 'update') = (changes is not null)),
  check ((rolled_back is not distinct from 'kept') = (kept_why is not null))
);
create index import_rows_of_person on import_rows (person_id) where outcome in ('create', 'update');
-- Of a batch most rows are created, and those are read in the order of the batch.
create index import_rows_by_outcome on import_rows (batch_id, outcome, row_no) where outcome <> 'create';
create index import_rows_that_differ on import_rows (batch_id, row_no) where differs is not null;

-- Companies that a batch brought: a rollback takes those along that nobody uses.
create table import_companies (
  batch_id uuid not null references import_batches,
  company_id uuid not null,
  primary key (batch_id, company_id)
);

-- The letters that lock a batch, once each: the refusal of a rollback counts them.
create table import_batch_sends (
  batch_id uuid not null references import_batches,
  send_id uuid not null,
  at timestamptz not null,
  primary key (batch_id, send_id)
);

-- What somebody looks at again and again in a list: its address under a name, theirs alone.
create table list_views (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  list text not null check (list <> ''),
  name text not null check (name <> ''),
  -- What the list's address holds: filters, order and columns, as a query string.
  query text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- The same name again is the same view, kept anew.
  unique (user_id, list, name)
);

create function workflow_hears_import() returns trigger language plpgsql as $$
begin
  insert into workflow_events (kind, data, at)
  select 'person.imported',
    jsonb_build_object('person_id', person_id, 'batch_id', batch_id,
      'outcome', case outcome when 'create' then 'created' else 'updated' end),
    now()
  from added
  where outcome in ('create', 'update') and exists (select from workflows where listens = 'person.imported');
  return null;
end $$;
create trigger workflow_hears_import after insert on import_rows referencing new table as added
  for each statement execute function workflow_hears_import();

-- =============================================================================================================================
-- Work: projects, cards, and approvals that people sign.
-- =============================================================================================================================

-- In the order of the columns and of urgency: both sort.
create type work_status as enum ('backlog', 'todo', 'in_progress', 'in_review', 'done', 'cancelled');

create type work_priority as enum ('none', 'low', 'medium', 'high', 'urgent');

create table work_projects (
  id uuid primary key,
  key text not null unique check (key ~ '^[A-Z][A-Z0-9]{1,9}$'),
  name text not null check (name <> ''),
  description text not null default '',
  lead uuid references users on delete set null,
  review_limit int not null default 5 check (review_limit between 1 and 1000),
  default_needs_review boolean not null default false,
  labels text[] not null default '{}',
  -- What people define: no fixed shape.
  custom_fields jsonb not null default '[]' check (jsonb_typeof(custom_fields) = 'array'),
  column_titles jsonb not null default '{}' check (jsonb_typeof(column_titles) = 'object'),
  -- The number of the next item: taken and raised in the statement that makes the item.
  next_number int not null default 1,
  revision int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create table work_project_members (
  project_id uuid not null references work_projects on delete cascade,
  user_id uuid not null references users on delete cascade,
  primary key (project_id, user_id)
);
create index work_project_members_by_user on work_project_members (user_id);

create table approvals (
  id uuid primary key,
  kind text not null check (kind in ('work_review', 'workflow_step', 'chat_action')),
  subject_kind text not null,
  subject_id uuid not null,
  -- The subject as it stood when this was opened; a decision is about exactly this revision.
  subject_key text not null,
  subject_title text not null,
  subject_revision int not null,
  project_id uuid references work_projects,
  requested_by_kind text not null,
  requested_by_id text not null,
  requested_by_name text not null,
  requested_by_on_behalf_of jsonb,
  author_kind text not null,
  author_id text not null,
  author_name text not null,
  author_on_behalf_of jsonb,
  state text not null check (state in ('pending', 'approved', 'returned', 'rejected', 'withdrawn', 'superseded')),
  note text,
  decided_by_kind text,
  decided_by_id text,
  decided_by_name text,
  decided_by_on_behalf_of jsonb,
  decided_at timestamptz,
  -- When the world was told that this waits: once.
  announced_at timestamptz,
  created_at timestamptz not null,
  unique (id, subject_id),
  check (num_nulls(decided_by_kind, decided_by_id, decided_by_name, decided_at) in (0, 4)),
  check ((state = 'pending') = (decided_at is null)),
  check (state not in ('returned', 'rejected') or note is not null),
  -- No agent decides, and nobody decides what they wrote (interface specification §3, §5).
  constraint approvals_decided_by_another_person check (
    state not in ('approved', 'returned', 'rejected')
    or (decided_by_kind = 'person' and (decided_by_kind, decided_by_id) <> (author_kind, author_id))
    )
);
create unique index approvals_one_open on approvals (subject_id) where state = 'pending';
create index approvals_by_state on approvals (state, created_at, id);
create index approvals_by_project on approvals (project_id, state, created_at, id);
create index approvals_oldest on approvals (created_at, id);
create index approvals_by_subject on approvals (subject_id, created_at, id);

create table work_items (
  id uuid primary key,
  project_id uuid not null references work_projects,
  number int not null check (number > 0),
  title text not null check (title <> ''),
  description text not null default '',
  status work_status not null,
  priority work_priority not null,
  labels text[] not null default '{}',
  assignee_kind text,
  assignee_id text,
  assignee_name text,
  assignee_on_behalf_of jsonb,
  author_kind text not null,
  author_id text not null,
  author_name text not null,
  author_on_behalf_of jsonb,
  due_on date,
  parent_id uuid,
  links jsonb not null default '[]' check (jsonb_typeof(links) = 'array'),
  custom jsonb not null default '{}' check (jsonb_typeof(custom) = 'object'),
  needs_review boolean not null,
  approval_id uuid,
  claim_kind text,
  claim_id text,
  claim_name text,
  claim_on_behalf_of jsonb,
  claim_since timestamptz,
  claim_expires_at timestamptz,
  position double precision not null,
  revision int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  completed_at timestamptz,
  -- The words of title and key, split and lowered by the process: lower() of a letter outside ASCII depends on the server.
  search tsvector not null,
  unique (project_id, number),
  unique (project_id, id),
  foreign key (project_id, parent_id) references work_items (project_id, id) on delete set null (parent_id),
  check (parent_id <> id),
  -- Deferred: a card is parked in one statement and its approval opened in the next.
  foreign key (approval_id, id) references approvals (id, subject_id) deferrable initially deferred,
  constraint work_items_in_review_has_approval check ((status = 'in_review') = (approval_id is not null)),
  check ((status = 'done') = (completed_at is not null)),
  check (num_nulls(assignee_kind, assignee_id, assignee_name) in (0, 3)),
  check (num_nulls(claim_kind, claim_id, claim_name, claim_since, claim_expires_at) in (0, 5)),
  check (claim_id is null or status not in ('done', 'cancelled'))
);
create index work_items_board on work_items (project_id, status, position, id);
create index work_items_next on work_items (project_id, priority desc, number) where status = 'todo';
create index work_items_newest on work_items (updated_at desc, id desc);
create index work_items_newest_of_project on work_items (project_id, updated_at desc, id desc);
create index work_items_newest_of_column on work_items (status, updated_at desc, id desc);
create index work_items_newest_of_priority on work_items (priority, updated_at desc, id desc);
create index work_items_newest_of_assignee on work_items (assignee_id, updated_at desc, id desc) where assignee_id is not null;
-- Which tokens does a project know? Asked for everybody that a card of it can be given to.
create index work_items_by_author on work_items (author_id, project_id) where author_kind <> 'person';
create index work_items_by_assignee on work_items (assignee_id, project_id) where assignee_kind <> 'person';
create index work_items_by_holder on work_items (claim_id, project_id) where claim_kind <> 'person';
create index work_items_by_parent on work_items (project_id, parent_id) where parent_id is not null;
create index work_items_by_label on work_items using gin (labels);
create index work_items_by_word on work_items using gin (search);

create table work_blocks (
  project_id uuid not null,
  item_id uuid not null,
  blocked_by_id uuid not null check (blocked_by_id <> item_id),
  primary key (item_id, blocked_by_id),
  foreign key (project_id, item_id) references work_items (project_id, id) on delete cascade,
  foreign key (project_id, blocked_by_id) references work_items (project_id, id) on delete cascade
);
create index work_blocks_by_blocker on work_blocks (blocked_by_id);

create table work_comments (
  id uuid primary key,
  item_id uuid not null references work_items on delete cascade,
  author_kind text not null,
  author_id text not null,
  author_name text not null,
  author_on_behalf_of jsonb,
  text text not null check (text <> ''),
  at timestamptz not null,
  edited_at timestamptz
);
create index work_comments_oldest on work_comments (item_id, at, id);

create table work_changes (
  id uuid primary key,
  -- The order in which changes of one item took effect: acts that begin in the same moment wait for each other on the item.
  turn bigint generated always as identity,
  item_id uuid not null references work_items on delete cascade,
  at timestamptz not null,
  by_kind text not null,
  by_id text not null,
  by_name text not null,
  by_on_behalf_of jsonb,
  field text not null,
  old jsonb,
  new jsonb
);
create index work_changes_newest on work_changes (item_id, turn desc);

-- =============================================================================================================================
-- Outreach: domains, identities, campaigns and their steps, prospects, letters and what became of them.
-- =============================================================================================================================

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
  lease uuid,
  lease_until timestamptz,
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
  -- Since when the connection of an identity waits for somebody who may create identities: it was changed by somebody who may
  -- not, and nothing connects there before. Null: it is confirmed.
  transport_unconfirmed_at timestamptz,
  inbound_unconfirmed_at timestamptz,
  -- Why nothing leaves by an identity: what its mail server said or showed, since when, and the server's own words as data.
  -- Null: nothing is known against it. Letters of an identity in trouble are held; a passing test, changed settings of its
  -- transport or a person's activation clears it.
  trouble text check (trouble in ('credentials', 'sender_refused', 'relay_refused', 'quota', 'refused',
    'certificate_expired', 'certificate_name', 'certificate_untrusted', 'tls_missing')),
  trouble_since timestamptz,
  trouble_code int,
  trouble_enhanced text,
  trouble_words text check (char_length(trouble_words) <= 500),
  -- Of a certificate that expired: when it did.
  trouble_expired_at timestamptz,
  -- The envelope sender of an identity's letters: a bounce address of each letter on its domain, or the identity's own address,
  -- by which bounces are known by the Message-ID that they name.
  envelope_sender text not null default 'bounce' check (envelope_sender in ('bounce', 'own')),
  -- The last probe: a mail of ours to the address that bounces go to, which shows by arriving that they do.
  probe_id uuid,
  probe_sent_at timestamptz,
  probe_arrived_at timestamptz,
  -- The mail server would not take it: what it said, as data.
  probe_refused text check (char_length(probe_refused) <= 500),
  -- Copies of letters in the Sent folder of their sender's mailbox: looked for by Message-ID, and filed there where nobody else
  -- does.
  sent_copies text not null default 'auto' check (sent_copies in ('auto', 'append', 'none')),
  -- Where the mailbox marks no folder as Sent (RFC 6154), or another one is meant.
  sent_folder text check (sent_folder <> ''),
  check (ramp_start <= ramp_ceiling),
  check (gone_at is null or (not active and transport_secret is null and inbound_secret is null)),
  check ((trouble is null) = (trouble_since is null)),
  check ((probe_id is null) = (probe_sent_at is null)),
  check (probe_id is not null or (probe_arrived_at is null and probe_refused is null))
);
create unique index identities_by_address on identities (normalised) where gone_at is null;
create index identities_newest on identities (created_at desc, id desc) where gone_at is null;
create index identities_by_domain on identities (domain_id);
create index identities_active on identities (id) where active;
create index identities_watched on identities (id) where inbound_kind = 'imap' and gone_at is null;
create unique index identities_probed on identities (probe_id) where probe_id is not null;

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
  -- Settings of a campaign that somebody eased since it was activated, who may not activate it: none of its letters leaves until
  -- somebody who may activates it again (domain.md §1.2, wire act 4).
  eased text[] not null default '{}',
  -- What a setting that was eased (eased) was when whoever may activate the campaign last agreed to it, by its name: so that it
  -- is shown, and so that taking it back is noticed. A setting that was eased before this has none, and waits for an activation.
  agreed jsonb not null default '{}' check (jsonb_typeof(agreed) = 'object'),
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
create index sequence_steps_of_campaign on sequence_steps (campaign_id);

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
  created_at timestamptz not null,
  -- A file that was uploaded for answers of a conversation goes with those alone; one of a campaign's steps has no thread.
  thread_id uuid
);
create index attachments_of_campaign on attachments (campaign_id) where campaign_id is not null;
create index attachments_of_thread on attachments (thread_id) where thread_id is not null;

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
  -- Null: nothing is known of it, and no letter is compared with it.
  to_hash text,
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
create index prospects_of_step on prospects (step_id) where step_id is not null;

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
  -- An answer's: the message that it has below its own words. Whoever may not read that one reads the letter without it.
  quotes_touch uuid,
  enrolled_hash text,
  -- A letter that failed, or that never went, and that a person had sent again. What was said of it before that moment is said
  -- of an attempt that is over.
  resent_at timestamptz,
  -- How often it failed and was sent again: a vendor that refused it is given another key.
  resent int not null default 0 check (resent >= 0),
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
create index sends_quoting on sends (quotes_touch) where quotes_touch is not null;
create index sends_of_thread on sends (thread_id, created_at) where thread_id is not null;
-- People's answers have a lane of their own: the next of an identity is found however many letters wait before it.
create index sends_answers_due on sends (identity_id, due_at, id) where state = 'scheduled' and kind = 'answer';
-- Letters that have not left, in the order in which they are rendered again.
create index sends_unstarted on sends (id) where state in ('drafted', 'review', 'scheduled', 'held') and kind <> 'answer';
-- Rows that refer to one that is deleted, merged or shown are found without reading their whole table. The references that stay
-- without an index are listed with their reasons in test/ground/references.test.ts.
create index sends_of_step on sends (step_id) where step_id is not null;

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
  of_kind text not null check (of_kind in ('identity', 'campaign', 'instance')),
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
create table send_outcomes (
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
  received_at timestamptz not null,
  -- What a mail server, a report or a vendor said of a letter in words of its own: bounded data, forgotten with the person.
  said text check (char_length(said) between 1 and 500)
);
create index send_outcomes_of_domain on send_outcomes (domain_id, at) include (kind, send_id) where domain_id is not null;
create index send_outcomes_of_send on send_outcomes (send_id, at) where send_id is not null;
create index send_outcomes_unplaced on send_outcomes (received_at desc, id desc)
  where send_id is null and placed_by is null;
create index send_outcomes_of_recipient on send_outcomes (recipient_hash, at) where kind in ('soft', 'delivered');
-- What a real letter met is a rung of verification.
create index send_outcomes_hard on send_outcomes (recipient_hash, at) where kind = 'hard';
create index send_outcomes_said_of on send_outcomes (recipient_hash) where said is not null;
create index send_outcomes_of_identity on send_outcomes (identity_id) where identity_id is not null;

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

-- What the sender knows of the way out of an identity. It holds while the identity and its domain are at these revisions: new
-- credentials, a raised cap or a resumed domain make it void without anybody clearing it.
create table sender_lanes (
  identity_id uuid primary key references identities on delete cascade,
  identity_revision int not null,
  domain_revision int not null,
  -- None of its letters is asked before this, since the reason is the same for all: cap, ramp, domain or mail server.
  asleep_until timestamptz,
  asleep_why text,
  -- The mail server could not be reached, so many times in a row, and is not called again before this.
  failures int not null default 0 check (failures >= 0),
  down_until timestamptz,
  -- Why the mail server could not be reached, in the sender's own words for it, and since when in a row.
  down_cause text,
  down_since timestamptz,
  -- Letters whose connection broke off midway at their first attempt, in a row.
  breaks int not null default 0 check (breaks >= 0)
);

create table vendor_webhooks (
  provider text primary key,
  external_id text not null,
  events text[] not null,
  secret text not null,
  -- The secret before the last rotation is good for as long as the vendor may still sign with it.
  previous_secret text,
  previous_until timestamptz,
  registered_by_kind text not null,
  registered_by_id text not null,
  registered_by_name text not null,
  registered_by_on_behalf_of jsonb,
  registered_at timestamptz not null,
  rotated_at timestamptz,
  last_event_at timestamptz
);

create table vendor_events (
  provider text not null,
  event_id text not null,
  kind text not null,
  received_at timestamptz not null,
  primary key (provider, event_id)
);
create index vendor_events_oldest on vendor_events (received_at);

-- Under which names a vendor sent our letters on: replies and reports may name these instead of ours.
create table vendor_letters (
  provider text not null,
  external_id text not null,
  send_id uuid not null references sends on delete cascade,
  message_id text,
  primary key (provider, external_id)
);
create index vendor_letters_by_message_id on vendor_letters (message_id) where message_id is not null;
create index vendor_letters_of_send on vendor_letters (send_id);

create table verifications (
  address_hash text primary key,
  domain text not null,
  verdict text not null check (verdict in ('DELIVERABLE', 'UNDELIVERABLE', 'RISKY', 'UNKNOWN')),
  reason text not null,
  rungs jsonb not null check (jsonb_typeof(rungs) = 'array'),
  checked_at timestamptz not null,
  expires_at timestamptz not null,
  retry_at timestamptz,
  lease uuid,
  lease_until timestamptz,
  -- A later asking that came to nothing stands beside the verdict that is known, and never in its place.
  unknown_at timestamptz,
  unknown_reason text,
  constraint verifications_unknown check ((unknown_at is null) = (unknown_reason is null))
);

create table verification_asks (
  id uuid primary key,
  who text not null,
  addresses int not null check (addresses > 0),
  at timestamptz not null
);
create index verification_asks_by_who on verification_asks (who, at);
create index verification_asks_oldest on verification_asks (at);

create table sent_copies (
  send_id uuid primary key references sends on delete cascade,
  identity_id uuid not null references identities on delete cascade,
  -- `due`: looked for, and filed where it is missing; `found`: it was there; `filed` by the product; `left`: nothing more is
  -- done.
  state text not null default 'due' check (state in ('due', 'found', 'filed', 'left')),
  due_at timestamptz not null,
  looks int not null default 0 check (looks >= 0),
  -- When it was last looked for in the folder; null: never.
  looked_at timestamptz
);
create index sent_copies_due on sent_copies (identity_id, due_at) where state = 'due';
create index sent_copies_over on sent_copies (looked_at) where state <> 'due';

-- The folder of one identity: who works on it, and what is wrong with it. What is known holds while the identity is at this
-- revision.
create table sent_folders (
  identity_id uuid primary key references identities on delete cascade,
  identity_revision int not null default 0,
  trouble text,
  trouble_since timestamptz,
  attempts int not null default 0 check (attempts >= 0),
  due_at timestamptz not null,
  lease uuid,
  lease_until timestamptz
);

-- A minute in which a provider that files copies itself has done so. The letter of which nobody knows is only looked for.
create function letter_has_copy() returns trigger language plpgsql as $$
begin
  insert into sent_copies (send_id, identity_id, due_at)
  select new.id, i.id, new.updated_at + interval '1 minute' from identities i
  where i.id = new.identity_id and i.inbound_kind = 'imap' and i.transport_kind <> 'sandbox' and i.gone_at is null
    and (i.sent_copies <> 'none' or new.state = 'uncertain')
  on conflict (send_id) do update set state = 'due', due_at = excluded.due_at, looks = 0
    where sent_copies.state in ('due', 'left');
  return null;
end $$;
create trigger letter_has_copy after update of state on sends
  for each row when (new.state in ('sent', 'uncertain') and new.state is distinct from old.state)
  execute function letter_has_copy();

-- =============================================================================================================================
-- Inbox: mailboxes, mail that comes in, conversations, answers, forms.
-- =============================================================================================================================

-- Where somebody else's mailbox was last read. One row a folder; a changed UIDVALIDITY starts it anew. The row of the inbox
-- stands for the whole mailbox: who watches it, when it is due, and what is wrong with it.
create table mailboxes (
  id uuid primary key,
  identity_id uuid not null references identities on delete cascade,
  role text not null check (role in ('inbox', 'sent', 'junk')),
  folder text,
  uid_validity numeric(20),
  last_uid bigint not null default 0 check (last_uid >= 0),
  -- What came into the folder earlier is nobody's concern here.
  from_at timestamptz,
  -- A mail that would not be fetched, and how often it was tried: it must not stop every later one.
  stuck_uid bigint,
  stuck_attempts int not null default 0,
  -- Of the settings that it was last opened with: which mailbox, and how it was signed in to.
  place text,
  way text,
  -- What went wrong last, in our own words, and since when; null while it is well.
  trouble text,
  trouble_since timestamptz,
  attempts int not null default 0,
  polled_at timestamptz,
  due_at timestamptz not null,
  lease uuid,
  lease_until timestamptz,
  unique (identity_id, role),
  check ((trouble is null) = (trouble_since is null))
);
create index mailboxes_due on mailboxes (due_at, id) where role = 'inbox';
create index mailboxes_held on mailboxes (lease) where lease is not null;

-- Mail that a vendor took for us and told us of: its bytes are asked for by its name there.
create table vendor_mails (
  provider text not null,
  external_id text not null,
  delivered_to text[] not null default '{}',
  received_at timestamptz not null,
  attempts int not null default 0,
  due_at timestamptz not null,
  lease uuid,
  lease_until timestamptz,
  settled_at timestamptz,
  primary key (provider, external_id)
);
create index vendor_mails_due on vendor_mails (due_at, provider, external_id) where settled_at is null;
create index vendor_mails_settled on vendor_mails (settled_at) where settled_at is not null;

create table forms (
  id uuid primary key,
  name text not null check (name <> ''),
  -- The last segment of its address: enough randomness that it is found by those who were given it alone.
  slug text not null unique,
  identity_id uuid references identities,
  campaign_id uuid references campaigns,
  -- Where a browser is sent after a post; null: a page of ours says thanks.
  redirect_url text,
  -- Pages whose scripts may post and read the answer; a form that a browser sends by itself needs none.
  origins text[] not null default '{}',
  active boolean not null default true,
  posts int not null default 0,
  last_post_at timestamptz,
  revision int not null default 1,
  created_by_kind text not null,
  created_by_id text not null,
  created_by_name text not null,
  created_by_on_behalf_of jsonb,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index forms_newest on forms (created_at desc, id desc);

create table threads (
  id uuid primary key,
  channel text not null check (channel in ('email', 'form', 'sms', 'linkedin', 'call', 'chat')),
  kind text not null check (kind in ('conversation', 'chat')),
  subject text not null default '',
  person_id uuid references people on delete set null,
  prospect_id uuid references prospects,
  campaign_id uuid references campaigns,
  identity_id uuid references identities,
  -- Of a chat: whose it is. Nobody else sees it.
  owner_kind text,
  owner_id text,
  assignee_kind text,
  assignee_id text,
  assignee_name text,
  state text not null default 'open' check (state in ('open', 'snoozed', 'closed')),
  snoozed_until timestamptz,
  -- Kept with every touch: the newest touch that no machine wrote decides. `us`: they wait for our answer.
  waiting text not null default 'none' check (waiting in ('us', 'them', 'none')),
  waiting_since timestamptz,
  reading text check (reading in
    ('positive', 'neutral', 'negative', 'referral', 'unsubscribe', 'out_of_office', 'unread')),
  labels text[] not null default '{}',
  last_touch_at timestamptz not null,
  -- When they last wrote; null: only we did, and it stands in no inbox.
  last_in_at timestamptz,
  last_out_at timestamptz,
  -- When what they said last got here: what a person has read is compared with this, not with their clock.
  landed_at timestamptz,
  -- One line of what was said last, for lists.
  snippet text not null default '',
  touches int not null default 0 check (touches >= 0),
  merged_into uuid references threads,
  revision int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((kind = 'chat') = (channel = 'chat')),
  check ((kind = 'chat') = (owner_kind is not null and owner_id is not null)),
  check (num_nulls(assignee_kind, assignee_id, assignee_name) in (0, 3)),
  check ((state = 'snoozed') = (snoozed_until is not null)),
  check ((waiting = 'none') = (waiting_since is null)),
  check (merged_into is null or state = 'closed')
);
-- A conversation that was merged away stands in no list.
create index threads_newest on threads (last_touch_at desc, id desc) where merged_into is null and kind = 'conversation';
create index threads_in_inbox on threads (last_touch_at desc, id desc)
  where merged_into is null and kind = 'conversation' and last_in_at is not null;
create index threads_by_state on threads (state, last_touch_at desc, id desc)
  where merged_into is null and kind = 'conversation' and last_in_at is not null;
create index threads_unanswered on threads (waiting_since, id)
  where merged_into is null and kind = 'conversation' and state = 'open' and waiting = 'us';
create index threads_snoozed on threads (snoozed_until, id) where state = 'snoozed';
create index threads_by_person on threads (person_id, last_touch_at desc, id desc) where person_id is not null;
create index threads_by_campaign on threads (campaign_id, last_touch_at desc, id desc) where campaign_id is not null;
create index threads_by_identity on threads (identity_id, last_touch_at desc, id desc) where identity_id is not null;
create index threads_by_prospect on threads (prospect_id, last_touch_at desc) where prospect_id is not null;
create index threads_by_reading on threads (reading, last_touch_at desc, id desc) where reading is not null and merged_into is null;
create index threads_by_assignee on threads (assignee_id, last_touch_at desc, id desc) where assignee_id is not null;
create index threads_by_label on threads using gin (labels);
create index threads_chats on threads (owner_id, owner_kind, last_touch_at desc, id desc) where kind = 'chat';
create index threads_merged_into on threads (merged_into) where merged_into is not null;

create table thread_reads (
  user_id uuid not null references users on delete cascade,
  thread_id uuid not null references threads on delete cascade,
  read_at timestamptz not null,
  primary key (user_id, thread_id)
);
create index thread_reads_of_thread on thread_reads (thread_id);

create table snippets (
  id uuid primary key,
  name text not null check (name <> ''),
  text text not null,
  -- Null: everybody's.
  owner_id uuid references users on delete cascade,
  revision int not null default 1,
  created_by_kind text not null,
  created_by_id text not null,
  created_by_name text not null,
  created_by_on_behalf_of jsonb,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index snippets_by_name on snippets (name, id);

create table quarantine_rules (
  id uuid primary key,
  kind text not null check (kind in ('address', 'domain', 'list')),
  -- As it is matched; `value_hash` of an address, so that the rule of somebody who is erased is found.
  value text not null,
  value_hash text,
  matched bigint not null default 0,
  last_matched_at timestamptz,
  created_by_kind text not null,
  created_by_id text not null,
  created_by_name text not null,
  created_by_on_behalf_of jsonb,
  created_at timestamptz not null,
  unique (kind, value),
  check ((kind = 'address') = (value_hash is not null))
);
-- Erasing somebody finds the rules that name their address.
create index quarantine_rules_of_address on quarantine_rules (value_hash) where value_hash is not null;

-- Mail as it came, before anybody has read what it means. Landing it is safe to repeat; its bytes stay for a person to look at.
create table inbound_mails (
  id uuid primary key,
  -- Where it came from and its number there: what was read twice is here once.
  key text not null unique,
  source text not null check (source in ('imap', 'vendor')),
  identity_id uuid references identities,
  folder_role text not null default 'inbox' check (folder_role in ('inbox', 'sent', 'junk')),
  -- The addresses that it was delivered to, where the source says so.
  delivered_to text[] not null default '{}',
  bytes bytea not null,
  size_bytes int not null check (size_bytes >= 0),
  -- The source held more than we take: what is here is its beginning.
  cut boolean not null default false,
  message_id text,
  received_at timestamptz not null,
  state text not null default 'new' check (state in ('new', 'landed', 'reported', 'matched', 'quarantined', 'ignored', 'broken')),
  -- Why it is in quarantine, ignored or broken, in our own words.
  note text,
  touch_id uuid,
  -- Whom and what it is from, as it says itself; known once it was read.
  from_address text,
  from_name text,
  -- Of that address, so that what waits here of somebody is found when they are erased.
  from_hash text,
  subject text not null default '',
  attempts int not null default 0,
  due_at timestamptz,
  lease uuid,
  lease_until timestamptz,
  settled_at timestamptz,
  -- Of its sender, in lower case.
  from_domain text,
  -- As it says itself (RFC 2919), without its brackets.
  list_id text,
  check ((state = 'new') = (settled_at is null))
);
create index inbound_mails_due on inbound_mails (due_at, id) where state = 'new';
create index inbound_mails_quarantined on inbound_mails (received_at desc, id desc) where state in ('quarantined', 'broken');
create index inbound_mails_forgettable on inbound_mails (settled_at)
  where state in ('reported', 'matched', 'ignored') and size_bytes > 0;
create index inbound_mails_by_sender on inbound_mails (from_hash) where from_hash is not null and touch_id is null;
create index inbound_mails_by_message on inbound_mails (message_id) where message_id is not null;
-- Mail that stands in no conversation and still has its bytes: an erasure looks through it for an address that it names.
create index inbound_mails_loose on inbound_mails (id) where touch_id is null and state <> 'new' and size_bytes > 0;
create index inbound_mails_quarantined_from on inbound_mails (from_hash) where state in ('quarantined', 'broken');
create index inbound_mails_quarantined_domain on inbound_mails (from_domain) where state in ('quarantined', 'broken');
create index inbound_mails_quarantined_list on inbound_mails (list_id) where state in ('quarantined', 'broken');
create index inbound_mails_of_touch on inbound_mails (touch_id) where touch_id is not null;
create index inbound_mails_of_identity on inbound_mails (identity_id) where identity_id is not null;

create table touches (
  id uuid primary key,
  thread_id uuid not null references threads,
  direction text not null check (direction in ('in', 'out')),
  channel text not null check (channel in ('email', 'form', 'sms', 'linkedin', 'call', 'chat')),
  -- A private note of ours: it is said to nobody and counts for nothing.
  note boolean not null default false,
  at timestamptz not null,
  from_address text,
  from_name text,
  to_addresses text[] not null default '{}',
  cc_addresses text[] not null default '{}',
  -- Of everybody whom it went to beside the first, so that whoever is erased is found among copies.
  copied_hashes text[] not null default '{}',
  subject text not null default '',
  text text not null default '',
  -- Without what was quoted and signed; `stripped_whole` where that would have left nothing and it is the original.
  text_stripped text not null default '',
  stripped_whole boolean not null default false,
  html text,
  message_id text,
  in_reply_to text,
  message_references text[] not null default '{}',
  attributed_by text check (attributed_by in ('in_reply_to', 'references', 'verp', 'quoted_id', 'guessed', 'form', 'person')),
  automatic boolean not null default false,
  -- Whether a mail came from whom it says, as our receiving server found: spf, dkim, dmarc.
  authentication jsonb check (jsonb_typeof(authentication) = 'object'),
  reading text check (reading in
    ('positive', 'neutral', 'negative', 'referral', 'unsubscribe', 'out_of_office', 'unread')),
  reading_by text check (reading_by in ('rule', 'model', 'person')),
  confidence real,
  details jsonb not null default '{}' check (jsonb_typeof(details) = 'object'),
  -- What a model or a person said of it: when, and who.
  read_at timestamptz,
  read_by_name text,
  person_id uuid references people on delete set null,
  -- What it was said in, whatever thread it stands in later: search narrows by these.
  campaign_id uuid references campaigns,
  identity_id uuid references identities,
  send_id uuid references sends,
  raw_ref uuid references inbound_mails,
  by_kind text,
  by_id text,
  by_name text,
  by_on_behalf_of jsonb,
  created_at timestamptz not null,
  -- The words it is found by, split in the process (kernel/words.ts): subject, stripped text, names and addresses.
  words tsvector not null default '',
  check ((reading is null) = (reading_by is null)),
  check (reading is null or direction = 'in'),
  check (not note or direction = 'out')
);
create index touches_of_thread on touches (thread_id, at, id);
create index touches_newest on touches (at desc, id desc) where channel <> 'chat';
create index touches_of_campaign on touches (campaign_id, at desc, id desc) where campaign_id is not null;
create index touches_of_identity on touches (identity_id, at desc, id desc) where identity_id is not null;
create index touches_of_person on touches (person_id, at desc, id desc) where person_id is not null;
create unique index touches_one_per_mail on touches (raw_ref) where raw_ref is not null;
create unique index touches_one_per_send on touches (send_id) where send_id is not null and direction = 'out';
create index touches_by_message on touches (message_id) where message_id is not null;
create index touches_by_words on touches using gin (words);
create index touches_by_copy on touches using gin (copied_hashes) where copied_hashes <> '{}';
create index touches_unread on touches (at, id) where direction = 'in' and reading = 'unread' and reading_by = 'rule';
-- What letters ask people to do: erase somebody, or add a colleague whom they name. Read by Today, few among many touches.
create index touches_erasure on touches (at, id)
  where direction = 'in' and reading = 'unsubscribe' and details @> '{"erasure": true}' and person_id is not null;
create index touches_named on touches (at desc, id desc)
  where direction = 'in' and reading = 'referral' and details ? 'referred_to';

create table touch_attachments (
  id uuid primary key,
  touch_id uuid not null references touches on delete cascade,
  position int not null,
  filename text not null,
  content_type text not null,
  -- A file whose end lies behind what is fetched of a mail has a size that nobody here knows.
  size_bytes int check (size_bytes >= 0),
  content_id text,
  inline boolean not null default false,
  -- Null: it was larger than we keep; the mail as it came may hold it.
  bytes bytea,
  unique (touch_id, position)
);

create table answers (
  id uuid primary key,
  thread_id uuid not null references threads,
  draft_by_kind text not null,
  draft_by_id text not null,
  draft_by_name text not null,
  draft_by_on_behalf_of jsonb,
  subject text not null,
  text text not null,
  html text,
  to_address text not null,
  cc text[] not null default '{}',
  -- Of each of `cc`, in its order.
  cc_hashes text[] not null default '{}',
  -- The touch that it answers, and whether what that said stands below.
  answers_touch uuid references touches,
  quotes boolean not null default true,
  -- `sending`: it was handed to its letter, and what became of it is read off that.
  state text not null check (state in ('draft', 'sending', 'discarded')),
  send_id uuid references sends,
  revision int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((state = 'sending') = (send_id is not null)),
  check (cardinality(cc_hashes) = cardinality(cc))
);
create index answers_by_copy on answers using gin (cc_hashes) where cc_hashes <> '{}';
create unique index answers_one_draft on answers (thread_id, draft_by_kind, draft_by_id) where state = 'draft';
create index answers_of_thread on answers (thread_id, created_at desc, id desc);
create unique index answers_by_send on answers (send_id) where send_id is not null;

create table answer_attachments (
  answer_id uuid not null references answers on delete cascade,
  attachment_id uuid not null references attachments,
  position int not null,
  primary key (answer_id, attachment_id)
);
create index answers_of_attachment on answer_attachments (attachment_id);

-- Answers that a model was asked about, while no rule could read them: by whom just now, how often, and when again.
create table readings_asked (
  touch_id uuid primary key references touches on delete cascade,
  attempts int not null default 1,
  due_at timestamptz,
  lease uuid,
  lease_until timestamptz
);

create function workflow_hears_form() returns trigger language plpgsql as $$
begin
  insert into workflow_events (kind, data, at)
  select 'form.submitted',
    jsonb_build_object('touch_id', new.id, 'thread_id', new.thread_id, 'person_id', new.person_id,
      'campaign_id', new.campaign_id, 'form_id', new.details ->> 'form_id'),
    new.created_at
  where exists (select from workflows where listens = 'form.submitted');
  return null;
end $$;
create trigger workflow_hears_form after insert on touches
  for each row when (new.channel = 'form' and new.direction = 'in') execute function workflow_hears_form();

-- =============================================================================================================================
-- Automation: agents and their turns, workflows and their runs, capabilities.
-- =============================================================================================================================

create table agents (
  id uuid primary key,
  name text not null check (name <> ''),
  -- As names are compared; made by the process.
  name_key text not null unique,
  instructions text not null default '',
  -- Names of the tools that it may use; null: all that there are.
  tools text[],
  -- `provider/model`; null: the instance's.
  model text,
  -- One agent is there from the start. It can be changed, and not deleted.
  built_in boolean not null default false,
  revision int not null default 1,
  created_by_kind text,
  created_by_id text,
  created_by_name text,
  created_by_on_behalf_of jsonb,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Names of operations, given by an administrator.
  allowed text[] not null default '{}'
);
create index agents_by_name on agents (name_key collate "C");
create unique index agents_one_built_in on agents (built_in) where built_in;
insert into agents (id, name, name_key, built_in, created_at, updated_at)
values ('0198c0de-a6e0-7000-8000-000000000001', 'Assistant', 'assistant', true, '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z');

/*
 * One message to an agent and everything that came of it:
 *
 *   running → done        it answered
 *           → failed      it could not; `sentence` says why, and who can mend it
 *           → stopped     somebody stopped it, or whoever drove it may do nothing any more
 *           → stalled     the process that worked on it is gone; what it had done stays done
 */
create table chat_turns (
  id uuid primary key,
  thread_id uuid not null references threads,
  state text not null check (state in ('running', 'done', 'failed', 'stopped', 'stalled')),
  agent_id uuid references agents on delete set null,
  agent_name text not null,
  model text not null,
  -- Who drives it: whose rights each step has, looked up anew.
  by_kind text not null,
  by_id text not null,
  by_name text not null,
  by_on_behalf_of jsonb,
  user_id uuid,
  token_id uuid,
  -- The session of a person on screen: the turn ends with it.
  session_id uuid,
  message text not null,
  -- The Idempotency-Key that it was asked under: the same key asks for the same turn.
  asked_key text,
  -- What the agent has said so far.
  text text not null default '',
  -- Which tools it used and what came of them, for people to read; what they were given and gave is forgotten after a while.
  used jsonb not null default '[]' check (jsonb_typeof(used) = 'array'),
  -- What was said in the turn, as the model is told it again in the next; forgotten after a while.
  said jsonb not null default '[]' check (jsonb_typeof(said) = 'array'),
  sentence text,
  tokens bigint not null default 0 check (tokens >= 0),
  stop_wanted boolean not null default false,
  -- The hold of the process that works on it, and when that last said that it does.
  lease uuid,
  beat_at timestamptz not null,
  created_at timestamptz not null,
  finished_at timestamptz,
  -- Turns of agents that steps of workflows' runs began: what they set off counts as caused by that run.
  run_step_id uuid,
  workflow_id uuid,
  -- It has read an outsider's words, or was begun with them; turns that remember it are as it is.
  outside boolean not null default false,
  check ((state = 'running') = (finished_at is null)),
  check ((state = 'running') = (lease is not null))
);
create unique index chat_turns_one_open on chat_turns (thread_id) where state = 'running';
create index chat_turns_of_thread on chat_turns (thread_id, id desc);
create index chat_turns_running on chat_turns (beat_at) where state = 'running';
-- Budgets and the limit a minute.
create index chat_turns_by_caller on chat_turns (by_kind, by_id, created_at);
create index chat_turns_by_token on chat_turns (token_id, created_at) where token_id is not null;
create index chat_turns_newest on chat_turns (created_at);
create unique index chat_turns_by_key on chat_turns (by_kind, by_id, asked_key) where asked_key is not null;
create index chat_turns_remembered on chat_turns (created_at) where said <> '[]';
create index chat_turns_of_step on chat_turns (run_step_id, id desc) where run_step_id is not null;
create index chat_turns_of_workflow on chat_turns (workflow_id, created_at) where workflow_id is not null;
create index chat_turns_of_agent on chat_turns (agent_id) where agent_id is not null;

/*
 * An act that only a person may do, proposed in a turn. Its approval says who decided; this, what became of it:
 *
 *   waiting → performing → done             it was approved, and performed as the decider
 *                        → waiting          the decider has no right to it: nothing was done
 *   waiting → dropped                       it was returned or rejected
 *   performing, and nobody at it            its end is not known: nobody performs it again
 */
create table chat_actions (
  id uuid primary key,
  thread_id uuid not null references threads,
  turn_id uuid not null references chat_turns,
  approval_id uuid not null unique references approvals,
  operation text not null,
  -- Sealed: there may be secrets among them.
  arguments text not null,
  -- What people are shown of them.
  shown jsonb not null check (jsonb_typeof(shown) = 'object'),
  -- What they name, by argument: {title, action}, the latter being what a reader must have something to do with.
  things jsonb not null default '{}' check (jsonb_typeof(things) = 'object'),
  state text not null default 'waiting' check (state in ('waiting', 'performing', 'done', 'dropped')),
  -- What the act answered, for the agent.
  outcome text,
  created_at timestamptz not null,
  settled_at timestamptz,
  -- What a proposed act names, as it was when it was proposed: [{kind, id, mark}]. Null: proposed before this was saved, and to
  -- be proposed again.
  bound jsonb check (jsonb_typeof(bound) = 'array'),
  check ((state in ('done', 'dropped')) = (settled_at is not null))
);
create index chat_actions_of_thread on chat_actions (thread_id, id);
create index chat_actions_of_turn on chat_actions (turn_id, id);

-- Model tokens that readings of answers took, by day (UTC). Turns carry their own; both count against the instance's day.
create table reading_tokens (
  day date primary key,
  tokens bigint not null check (tokens >= 0)
);

create table workflows (
  id uuid primary key,
  name text not null check (name <> ''),
  state text not null default 'draft' check (state in ('draft', 'active', 'inactive')),
  -- Of the definition as it is edited; what runs is the activated one.
  version int not null default 1 check (version >= 1),
  active_version int,
  trigger jsonb not null check (jsonb_typeof(trigger) = 'object'),
  steps jsonb not null check (jsonb_typeof(steps) = 'array'),
  -- Of the activated version: what news sets it off, and of a form, which; and when its schedule is next due.
  listens text,
  listens_form uuid,
  next_at timestamptz,
  revision int not null default 1,
  created_by_kind text not null,
  created_by_id text not null,
  created_by_name text not null,
  created_by_on_behalf_of jsonb,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- What a workflow may take before it pauses itself, and the first of the runs that set each other off.
  paused_why text check (paused_why in ('runs', 'turns', 'tokens', 'loop')),
  paused_at timestamptz,
  check ((state = 'active') = (active_version is not null)),
  check (state = 'active' or (listens is null and next_at is null)),
  constraint workflows_paused_check check ((paused_why is null) = (paused_at is null) and (paused_why is null or state = 'inactive'))
);
create index workflows_listening on workflows (listens) where listens is not null;
create index workflows_scheduled on workflows (next_at) where next_at is not null;
create index workflows_paused on workflows (paused_at) where paused_why is not null;

-- What was activated, word for word, and as whom it acts: whoever activated it last.
create table workflow_versions (
  workflow_id uuid not null references workflows on delete cascade,
  version int not null,
  name text not null,
  trigger jsonb not null,
  steps jsonb not null,
  by_kind text not null,
  by_id text not null,
  by_name text not null,
  by_on_behalf_of jsonb,
  token_id uuid,
  -- Neither scope of theirs: they activated it by way of an agent that has none.
  narrow boolean not null,
  -- They had the wire when they activated it, and it has steps that need it.
  wire_granted boolean not null,
  activated_at timestamptz not null,
  -- When the workflow was deactivated: the wire given to this version is withdrawn until it is activated again.
  withdrawn_at timestamptz,
  -- [{kind, id, mark}], or null: activated before this was saved, and saved when such a step next fires.
  given jsonb check (jsonb_typeof(given) = 'array'),
  primary key (workflow_id, version)
);

/*
 * A run:
 *
 *   queued → running            a process took it, for a minute
 *   running → queued            a step is done and another follows, or the process gave it back
 *           → waiting           for a time, a person, an agent's turn, or a scope that somebody has to give
 *           → succeeded, failed
 *           → stalled           its process is gone; whether the step happened is not known here
 *   waiting → running, queued   it is time; a person decided
 *   failed, stalled, held → queued    it was asked to try the step again
 *   all but succeeded, failed → cancelled
 */
create table workflow_runs (
  id uuid primary key,
  workflow_id uuid not null,
  version int not null,
  state text not null check (state in
    ('queued', 'running', 'waiting', 'succeeded', 'failed', 'cancelled', 'stalled')),
  -- What set it off: {kind, …}.
  trigger jsonb not null check (jsonb_typeof(trigger) = 'object'),
  -- How many runs in a row set each other off before this one.
  depth int not null default 0 check (depth >= 0),
  -- Who started it by hand: it has their rights and the activator's together, the smaller.
  starter_kind text,
  starter_id text,
  starter_name text,
  starter_on_behalf_of jsonb,
  starter_token_id uuid,
  starter_narrow boolean not null default false,
  -- The step it is at, and how many it has come to with this one.
  at_step text,
  seq int not null default 1 check (seq >= 1),
  -- When it may go on; null while it waits for somebody.
  due_at timestamptz,
  held text check (held in ('wire_required', 'scripts_required', 'changed', 'budget')),
  error text,
  cancel_wanted boolean not null default false,
  lease uuid,
  lease_until timestamptz,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  -- Who retried it last: it has their rights too, the smallest of all.
  retrier_kind text,
  retrier_id text,
  retrier_name text,
  retrier_on_behalf_of jsonb,
  retrier_token_id uuid,
  retrier_narrow boolean not null default false,
  root_id uuid,
  foreign key (workflow_id, version) references workflow_versions on delete cascade,
  check ((state = 'running') = (lease is not null)),
  check ((lease is null) = (lease_until is null)),
  check ((state in ('succeeded', 'failed', 'cancelled')) = (finished_at is not null)),
  check (held is null or state = 'waiting')
);
create index workflow_runs_of_workflow on workflow_runs (workflow_id, id desc);
create index workflow_runs_begun on workflow_runs (workflow_id, created_at);
create index workflow_runs_by_state on workflow_runs (state, id desc);
create index workflow_runs_due on workflow_runs (due_at, id) where state in ('queued', 'waiting') and due_at is not null;
create index workflow_runs_over on workflow_runs (finished_at) where finished_at is not null;
create index workflow_runs_leased on workflow_runs (lease_until) where state = 'running';
create index workflow_runs_held on workflow_runs (workflow_id, held) where held is not null;
create index workflow_runs_of_root on workflow_runs (root_id) where root_id is not null and depth > 1;

create table workflow_run_steps (
  id uuid primary key,
  run_id uuid not null references workflow_runs on delete cascade,
  seq int not null,
  step_id text not null,
  state text not null check (state in ('running', 'waiting', 'succeeded', 'failed', 'stalled', 'cancelled')),
  attempt int not null default 1,
  -- What it waits for, as its kind knows it.
  waits jsonb,
  output jsonb,
  output_digest text,
  error text,
  first_at timestamptz not null,
  started_at timestamptz not null,
  finished_at timestamptz,
  unique (run_id, seq)
);

-- Hosts that http steps may reach, as people listed them.
create table workflow_hosts (
  host text primary key,
  added_by_kind text not null,
  added_by_id text not null,
  added_by_name text not null,
  added_by_on_behalf_of jsonb,
  added_at timestamptz not null
);

/*
 * News that workflows listen to, written in the transaction of the fact itself, whoever wrote that: none is lost, and nothing
 * else has to know workflows. Where nobody listens nothing is written.
 */
create table workflow_events (
  id uuid primary key default gen_random_uuid(),
  kind text not null,
  data jsonb not null,
  at timestamptz not null,
  -- The transaction it was written in, and the step of a run whose act that was.
  xact xid8 not null default pg_current_xact_id(),
  caused_by text
);
create index workflow_events_at on workflow_events (at, id);
create index workflow_events_xact on workflow_events (xact);

create table capabilities (
  id uuid primary key,
  -- The first part of its tools' names.
  name text not null unique check (name ~ '^[a-z][a-z0-9-]{0,19}$'),
  title text not null,
  url text not null,
  auth text not null check (auth in ('none', 'oauth')),
  -- A client that was registered there by hand; its secret is sealed.
  client_id text,
  client_secret text,
  is_on boolean not null default true,
  -- A person stands for this address: nothing is asked of it before.
  approved_at timestamptz,
  refreshed_at timestamptz,
  -- How much is asked of it: calls in a day, counted by ours, and seconds that one is waited for.
  daily_calls int not null default 1000 check (daily_calls between 0 and 100000),
  deadline_seconds int not null default 25 check (deadline_seconds between 1 and 25),
  calls_on date,
  calls int not null default 0,
  -- Why nothing can be asked of it, and since when; null while it answers.
  trouble text check (trouble in ('unreachable', 'slow', 'address', 'own_address', 'redirect', 'broken')),
  trouble_since timestamptz,
  revision int not null default 1,
  created_by_kind text not null,
  created_by_id text not null,
  created_by_name text not null,
  created_by_on_behalf_of jsonb,
  created_at timestamptz not null,
  check (client_secret is null or client_id is not null),
  check ((trouble is null) = (trouble_since is null))
);
create index capabilities_by_name on capabilities (name collate "C");

/*
 * A tool as its server described it when it was last asked:
 *
 *   new ──consent──▶ on ⇄ off
 *                    on ──the description is another──▶ changed ──consent──▶ on
 *
 * Only what is on can be called, and only as it was described when a person said so.
 */
create table capability_tools (
  capability_id uuid not null references capabilities on delete cascade,
  name text not null,
  says text not null,
  schema jsonb not null,
  hash text not null,
  state text not null check (state in ('new', 'on', 'off', 'changed')),
  -- What it says that it does to the world; the protocol has four such hints, and a server may leave any out.
  hints jsonb not null default '{}' check (jsonb_typeof(hints) = 'object'),
  consented_hash text,
  -- The words that somebody agreed to, for whoever looks at what became of them.
  consented_says text,
  consented_schema jsonb,
  consented_hints jsonb,
  consented_by_kind text,
  consented_by_id text,
  consented_by_name text,
  consented_by_on_behalf_of jsonb,
  consented_at timestamptz,
  primary key (capability_id, name),
  check (state <> 'on' or consented_hash = hash)
);

-- One person's sign-in at one server. Nobody else's calls use it.
create table capability_accounts (
  capability_id uuid not null references capabilities on delete cascade,
  user_id uuid not null references users on delete cascade,
  -- Sealed JSON: client, tokens and what they allow.
  credentials text not null,
  expires_at timestamptz,
  -- Lost: only the person can go on.
  state text not null check (state in ('connected', 'lost')),
  -- What more it was asked for, where a call needed more than was allowed.
  challenge jsonb,
  -- Grows with every set of tokens, so that one is renewed once.
  version int not null default 1,
  refreshing_until timestamptz,
  connected_at timestamptz not null,
  -- Nothing is asked for a renewal before this; null: it may be renewed at once.
  renew_after timestamptz,
  -- Why the last one came to nothing, and how many did in a row.
  renew_trouble text,
  renew_failures int not null default 0 check (renew_failures >= 0),
  primary key (capability_id, user_id),
  constraint capability_accounts_renewal check ((renew_after is null) = (renew_trouble is null))
);
create index capability_accounts_of_user on capability_accounts (user_id);

-- A browser that is away at somebody's sign-in. Its state is known by its hash alone, and good once.
create table capability_flows (
  state_hash bytea primary key,
  capability_id uuid not null references capabilities on delete cascade,
  user_id uuid not null references users on delete cascade,
  session_id uuid not null,
  -- Sealed JSON: verifier, client and who was asked.
  draft text not null,
  expires_at timestamptz not null
);
create index capability_flows_of_capability on capability_flows (capability_id);
create index capability_flows_of_user on capability_flows (user_id);
create index capability_flows_oldest on capability_flows (expires_at);

-- Secrets that headers of http steps name. The value is sealed.
create table workflow_secrets (
  name text primary key check (name ~ '^[a-z][a-z0-9_]{0,39}$'),
  -- It is sent to this host and to no other.
  host text not null,
  value text not null,
  saved_by_kind text not null,
  saved_by_id text not null,
  saved_by_name text not null,
  saved_by_on_behalf_of jsonb,
  saved_at timestamptz not null
);

-- =============================================================================================================================
-- Instance: events to the outside, jobs, sample data, views.
-- =============================================================================================================================

-- Events to the outside, written in the transaction of the fact. The body is the exact text that is signed and posted, on the
-- first attempt and on every other.
create table event_deliveries (
  id uuid primary key,
  event text not null
    check (event in ('reply.landed', 'send.held', 'domain.paused', 'deal.opened', 'work.review_parked')),
  occurred_at timestamptz not null,
  body text not null,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'failed', 'skipped')),
  attempts int not null default 0 check (attempts between 0 and 4),
  next_attempt_at timestamptz,
  last_status int,
  last_error text,
  delivered_at timestamptz,
  -- A claim of one process for a minute (src/jobs/batch.ts). What it commits must still carry its fence.
  lease uuid,
  lease_until timestamptz,
  check ((state = 'pending') = (next_attempt_at is not null)),
  check ((state = 'delivered') = (delivered_at is not null)),
  check ((lease is null) = (lease_until is null)),
  check (lease is null or state = 'pending'),
  -- A class of ours: no text of a receiver has a form that fits.
  check (last_error is null or last_error ~ '^[a-z0-9_ ]{1,40}$')
);
-- A row is written three times in its life: queued, claimed, settled. A claim changes no indexed column and finds room in its
-- page, so that it touches no index; a delivered row stands in two. `newest` was the primary key read backwards.
alter table event_deliveries set (fillfactor = 70);
create index event_deliveries_due on event_deliveries (next_attempt_at, id) where state = 'pending';
create index event_deliveries_by_event on event_deliveries (event, id desc);
create index event_deliveries_undelivered on event_deliveries (state, id desc) where state in ('failed', 'skipped');
create index event_deliveries_again on event_deliveries (state, occurred_at, id) where state in ('failed', 'skipped');

-- One row or none. The secret is sealed. The address may stand while nothing is delivered to it.
create table events_webhook (
  the_one boolean primary key default true check (the_one),
  url text,
  delivering boolean not null default false,
  secret text,
  secret_at timestamptz,
  -- The first failed attempt since the last that went well; null while all is well.
  failing_since timestamptz,
  check (url is not null or not delivering),
  check ((secret is null) = (secret_at is null))
);

-- Which rows are made up: removing the sample data removes these and what hangs on them, and nothing else.
create table samples (
  -- The table that the row stands in.
  kind text not null,
  id uuid not null,
  primary key (kind, id)
);

-- Who does not want to see the first steps any more.
create table start_dismissed (
  user_id uuid primary key references users on delete cascade,
  at timestamptz not null
);

-- The last that was heard of each pass and watch, from whichever process ran it.
create table pass_runs (
  name text primary key,
  every_ms int not null,
  ran_at timestamptz not null,
  -- When it last went through without a fault.
  well_at timestamptz,
  claimed bigint not null,
  faults bigint not null,
  fault_at timestamptz,
  -- The class of the last fault, never its text.
  fault text check (length(fault) <= 100)
);

-- There where this database was filled from a backup: whether letters may leave again is for a person to say, because the
-- instance that was backed up may have sent them since.
create table restored (
  only_row boolean primary key default true check (only_row),
  taken_at timestamptz not null,
  restored_at timestamptz not null,
  released_at timestamptz
);

-- The address that links in letters begin with, as the process that started last was given it. Another one has every letter that
-- has not left rendered again.
create table instance_address (
  one boolean primary key default true check (one),
  base_url text not null,
  since timestamptz not null
);

create function workflow_hears_event() returns trigger language plpgsql as $$
begin
  insert into workflow_events (kind, data, at)
  select new.event, new.body::jsonb -> 'data', new.occurred_at
  where exists (select from workflows where listens = new.event);
  return null;
end $$;
create trigger workflow_hears after insert on event_deliveries
  for each row execute function workflow_hears_event();

-- References to what stands further down: what they refer to belongs to a later area, or refers back.
alter table attachments add foreign key (thread_id) references threads on delete cascade;
alter table sends add foreign key (quotes_touch) references touches;
alter table sends add foreign key (thread_id) references threads;
alter table inbound_mails add foreign key (touch_id) references touches;
