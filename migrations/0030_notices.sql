-- What someone wants to know although they did nothing: a yes, an assignment, a pause, a failure. The database records it in the
-- transaction that caused it, and a pass tells those whom it concerns, as each of them chose. What is made up is no news.
create table notice_events (
  id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in ('positive', 'assigned', 'paused', 'failed')),
  -- As the activity names it; null with `events`, which has no record.
  noun text not null check (noun in ('thread', 'item', 'campaign', 'domain', 'identity', 'events')),
  subject_id uuid,
  -- To whom it was assigned.
  user_id text,
  at timestamptz not null default now(),
  lease uuid,
  lease_until timestamptz,
  check ((noun = 'events') = (subject_id is null)),
  check ((kind = 'assigned') = (user_id is not null)),
  check ((lease is null) = (lease_until is null))
);
create index notice_events_at on notice_events (at, id);

-- By kind of notice: 'off', 'bell' (where nothing is said) or 'mail', which is the bell and an email.
alter table users add column notices jsonb not null default '{}' check (jsonb_typeof(notices) = 'object');
alter table users add column notices_mailed_at timestamptz;

alter table instance_mails drop constraint instance_mails_kind_check;
alter table instance_mails add constraint instance_mails_kind_check
  check (kind in ('invite', 'reset', 'test', 'approvals', 'account', 'notices'));

create function notice_of_touch() returns trigger language plpgsql as $$
begin
  insert into notice_events (kind, noun, subject_id) select 'positive', 'thread', new.thread_id
  where not exists (select from samples where id = new.thread_id);
  return null;
end $$;
-- What a person reads as a yes they know already.
create trigger notice_of_yes after insert on touches
  for each row when (new.reading = 'positive' and new.reading_by <> 'person') execute function notice_of_touch();
create trigger notice_of_reading after update of reading on touches
  for each row when (new.reading = 'positive' and old.reading is distinct from new.reading and new.reading_by <> 'person')
  execute function notice_of_touch();

create function notice_of_item() returns trigger language plpgsql as $$
begin
  insert into notice_events (kind, noun, subject_id, user_id) select 'assigned', 'item', new.id, new.assignee_id
  where not exists (select from samples where id = new.project_id);
  return null;
end $$;
create trigger notice_of_new_item after insert on work_items
  for each row when (new.assignee_kind = 'person') execute function notice_of_item();
create trigger notice_of_assignment after update of assignee_id on work_items
  for each row when (new.assignee_kind = 'person' and old.assignee_id is distinct from new.assignee_id)
  execute function notice_of_item();

create function notice_of_pause() returns trigger language plpgsql as $$
begin
  insert into notice_events (kind, noun, subject_id) select 'paused', tg_argv[0], new.id
  where not exists (select from samples where id = new.id);
  return null;
end $$;
create trigger notice_of_campaign after update of state on campaigns
  for each row when (new.state = 'paused' and old.state <> 'paused' and new.paused_reason not in ('person', 'agent'))
  execute function notice_of_pause('campaign');
create trigger notice_of_domain after update of state on domains
  for each row when (new.state = 'paused' and old.state <> 'paused' and new.paused_by = 'warden')
  execute function notice_of_pause('domain');

create function notice_of_failure() returns trigger language plpgsql as $$
begin
  insert into notice_events (kind, noun, subject_id) select 'failed', 'identity', new.id
  where not exists (select from samples where id = new.id);
  return null;
end $$;
create trigger notice_of_trouble after update of trouble on identities
  for each row when (old.trouble is null and new.trouble is not null) execute function notice_of_failure();

create function notice_of_delivery() returns trigger language plpgsql as $$
begin
  -- A receiver that is down fails every event: one notice waits at a time.
  insert into notice_events (kind, noun)
  select 'failed', 'events' where not exists (select from notice_events where noun = 'events');
  return null;
end $$;
create trigger notice_of_undelivered after update of state on event_deliveries
  for each row when (new.state = 'failed' and old.state <> 'failed') execute function notice_of_delivery();
