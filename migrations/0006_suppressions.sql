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
  lifted_by_kind text,
  lifted_by_id text,
  lifted_by_name text,
  lifted_by_on_behalf_of jsonb,
  lifted_at timestamptz,
  check (kind = 'address' or value is not null),
  check (expires_at is null or (reason = 'manual' and expires_at > created_at)),
  check (num_nulls(lifted_by_kind, lifted_by_id, lifted_by_name, lifted_at) in (0, 4))
);
-- One row per value and reason; a lifted one is history.
create unique index suppressions_one_standing on suppressions (value_hash, kind, reason) where lifted_at is null;
create index suppressions_newest on suppressions (created_at desc, id desc);
create index suppressions_standing_newest on suppressions (created_at desc, id desc) where lifted_at is null;
create index suppressions_by_reason on suppressions (reason, created_at desc, id desc);
create index suppressions_by_value on suppressions (value text_pattern_ops) where value is not null;
