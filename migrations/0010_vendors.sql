-- Other parties that the product speaks to: their keys, the webhook of a mail vendor, what it told us, and the account of
-- addresses that were verified.

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

create table verifications (
  address_hash text primary key,
  domain text not null,
  verdict text not null check (verdict in ('DELIVERABLE', 'UNDELIVERABLE', 'RISKY', 'UNKNOWN')),
  reason text not null,
  rungs jsonb not null check (jsonb_typeof(rungs) = 'array'),
  checked_at timestamptz not null,
  expires_at timestamptz not null,
  retry_at timestamptz
);
