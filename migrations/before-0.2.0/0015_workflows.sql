-- Workflows, their activated versions, and their runs: a run is a row, and each step it comes to is one.

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
  check ((state = 'active') = (active_version is not null)),
  check (state = 'active' or (listens is null and next_at is null))
);
create index workflows_listening on workflows (listens) where listens is not null;
create index workflows_scheduled on workflows (next_at) where next_at is not null;

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
  held text check (held in ('wire_required', 'scripts_required')),
  error text,
  cancel_wanted boolean not null default false,
  lease_id uuid,
  leased_until timestamptz,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  foreign key (workflow_id, version) references workflow_versions on delete cascade,
  check ((state = 'running') = (lease_id is not null)),
  check ((lease_id is null) = (leased_until is null)),
  check ((state in ('succeeded', 'failed', 'cancelled')) = (finished_at is not null)),
  check (held is null or state = 'waiting')
);
create index workflow_runs_of_workflow on workflow_runs (workflow_id, id desc);
create index workflow_runs_begun on workflow_runs (workflow_id, created_at);
create index workflow_runs_by_state on workflow_runs (state, id desc);
create index workflow_runs_due on workflow_runs (due_at, id) where state in ('queued', 'waiting') and due_at is not null;
create index workflow_runs_over on workflow_runs (finished_at) where finished_at is not null;
create index workflow_runs_leased on workflow_runs (leased_until) where state = 'running';

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

create function workflow_hears_event() returns trigger language plpgsql as $$
begin
  insert into workflow_events (kind, data, at)
  select new.event, new.body::jsonb -> 'data', new.occurred_at
  where exists (select from workflows where listens = new.event);
  return null;
end $$;
create trigger workflow_hears after insert on event_deliveries
  for each row execute function workflow_hears_event();

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

-- An act of a run, or of a script that a run runs, says in its audit row whose it was: so a row of runs that set each other off ends.
create function workflow_hears_itself() returns trigger language plpgsql as $$
begin
  update workflow_events set caused_by = new.request_id where xact = pg_current_xact_id() and caused_by is null;
  return null;
end $$;
create trigger workflow_hears_itself after insert on audit
  for each row when (new.outcome = 'done' and new.surface in ('workflow', 'lua')) execute function workflow_hears_itself();
