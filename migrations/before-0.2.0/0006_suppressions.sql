-- Addresses and domains that must not be written to (domain.md §1.7). A row stands until it is lifted or, if a person set
-- it by hand with an end, until that end; lifting keeps it. A value is suppressed while any of its rows stands.

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
