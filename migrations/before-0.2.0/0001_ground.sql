-- The ground of every act: who did what, what was said to the outside, which keys were used, and the instance's settings.

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
  check ((outcome = 'done') = (code is null))
);

create index audit_by_principal on audit (principal_id, id desc);
create index audit_by_token on audit (token_id, id desc) where token_id is not null;
create index audit_by_person on audit (on_behalf_of_id, id desc) where on_behalf_of_id is not null;
create index audit_by_act on audit (act, id desc);
create index audit_by_surface on audit (surface, id desc);
create index audit_not_done on audit (outcome, id desc) where outcome <> 'done';

-- Rows of the audit log are only ever added, whoever asks.
create function audit_is_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is only ever added to';
end $$;

create trigger audit_append_only before update or delete on audit
  for each row execute function audit_is_append_only();
create trigger audit_no_truncate before truncate on audit
  for each statement execute function audit_is_append_only();

-- Events to the outside, written in the transaction of the fact. The body is the exact text that is signed and posted, on
-- the first attempt and on every other.
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
  check ((state = 'pending') = (next_attempt_at is not null)),
  check ((state = 'delivered') = (delivered_at is not null))
);

create index event_deliveries_newest on event_deliveries (id desc);
create index event_deliveries_due on event_deliveries (next_attempt_at) where state = 'pending';

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
