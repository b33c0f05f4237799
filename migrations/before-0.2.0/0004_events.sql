-- Events to the outside: where they go, under which secret, and who is sending which delivery just now.

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

-- A claim of one process for a minute (src/jobs/batch.ts). What it commits must still carry its fence.
alter table event_deliveries
  add column lease_id uuid,
  add column leased_until timestamptz,
  add check ((lease_id is null) = (leased_until is null)),
  add check (lease_id is null or state = 'pending'),
  -- A class of ours: no text of a receiver has a form that fits.
  add check (last_error is null or last_error ~ '^[a-z0-9_ ]{1,40}$');

-- A row is written three times in its life: queued, claimed, settled. A claim changes no indexed column and finds room in
-- its page, so that it touches no index; a delivered row stands in two. `newest` was the primary key read backwards.
alter table event_deliveries set (fillfactor = 70);
drop index event_deliveries_newest;
drop index event_deliveries_due;
create index event_deliveries_due on event_deliveries (next_attempt_at, id) where state = 'pending';
create index event_deliveries_by_event on event_deliveries (event, id desc);
create index event_deliveries_undelivered on event_deliveries (state, id desc) where state in ('failed', 'skipped');
create index event_deliveries_again on event_deliveries (state, occurred_at, id) where state in ('failed', 'skipped');
