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
  retry_at timestamptz
);
