-- Acts on many people at once: what was asked, for whom, and what came of each. A job is worked on in the background, so it goes
-- on when whoever started it leaves.
create table bulk_jobs (
  id uuid primary key,
  act text not null check (act in ('add_tags', 'remove_tags', 'set', 'suppress', 'delete', 'enrol', 'verify', 'undo')),
  args jsonb not null check (jsonb_typeof(args) = 'object'),
  state text not null check (state in ('going', 'done', 'stopped')),
  -- Why it ended before its last row.
  why text,
  total int not null,
  done int not null default 0,
  unchanged int not null default 0,
  refused int not null default 0,
  -- Of an undo: the job it undoes. A job is undone once.
  undoes uuid unique references bulk_jobs,
  created_by_kind text not null,
  created_by_id text not null,
  created_by_name text not null,
  created_by_on_behalf_of jsonb,
  -- The token that started it; null where a person did on screen.
  token_id uuid,
  turn text not null,
  surface text not null,
  created_at timestamptz not null,
  finished_at timestamptz,
  lease uuid,
  lease_until timestamptz,
  check ((state = 'going') = (finished_at is null)),
  check ((act = 'undo') = (undoes is not null))
);
create index bulk_jobs_newest on bulk_jobs (created_at desc, id desc);
create index bulk_jobs_going on bulk_jobs (created_at, id) where state = 'going';

-- One person of a job. Rows go with their job, weeks after it ended; a person may be gone before.
create table bulk_rows (
  job_id uuid not null,
  no int not null,
  person_id uuid not null,
  -- Null: its turn has not come.
  outcome text check (outcome in ('done', 'unchanged', 'refused')),
  why text,
  -- What an undo needs: {field: [before, after]}.
  changes jsonb check (jsonb_typeof(changes) = 'object'),
  primary key (job_id, no)
);
create index bulk_rows_refused on bulk_rows (job_id, no) where outcome = 'refused';
create index bulk_rows_of_person on bulk_rows (person_id);
