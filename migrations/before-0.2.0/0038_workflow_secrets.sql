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
