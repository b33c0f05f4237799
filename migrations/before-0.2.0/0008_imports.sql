-- Imports of people: the plans that were read, the batches that were written, and what each row of them came to.

-- A plan that somebody was given. It is what makes a write of the very same bytes with the very same options allowed
-- (domain.md §1.9), for the same principal, until it expires.
create table import_previews (
  id uuid primary key,
  read_by_kind text not null,
  read_by_id text not null,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  options_hash text not null check (options_hash ~ '^[0-9a-f]{64}$'),
  size bigint not null,
  rows int not null,
  -- As it was answered.
  plan jsonb not null check (jsonb_typeof(plan) = 'object'),
  -- What each row was to become, a letter for each, and the person of each update: {row: [person_id, revision]}.
  outcomes text not null,
  targets jsonb not null check (jsonb_typeof(targets) = 'object'),
  read_at timestamptz not null,
  expires_at timestamptz not null,
  -- The batch that was written from it: a second write of one plan is answered with it.
  batch_id uuid,
  unique (read_by_kind, read_by_id, sha256, options_hash)
);
create index import_previews_expiring on import_previews (expires_at);

create table import_batches (
  id uuid primary key,
  state text not null check (state in ('writing', 'written', 'rolled_back', 'locked')),
  filename text,
  sha256 text not null,
  size bigint not null,
  options jsonb not null check (jsonb_typeof(options) = 'object'),
  rows int not null,
  done_rows int not null default 0,
  created int not null default 0,
  updated int not null default 0,
  skipped int not null default 0,
  rejected int not null default 0,
  differs int not null default 0,
  -- A letter to somebody in it is on its way or gone, maybe while it was still being written.
  sent boolean not null default false,
  created_by_kind text not null,
  created_by_id text not null,
  created_by_name text not null,
  created_by_on_behalf_of jsonb,
  created_at timestamptz not null,
  finished_at timestamptz,
  rolled_back_by_kind text,
  rolled_back_by_id text,
  rolled_back_by_name text,
  rolled_back_by_on_behalf_of jsonb,
  rolled_back_at timestamptz,
  removed int,
  restored int,
  kept int,
  check ((state = 'writing') = (finished_at is null)),
  check ((state = 'locked') = (sent and state <> 'writing')),
  check ((state = 'rolled_back') = (rolled_back_at is not null)),
  check (num_nulls(rolled_back_by_kind, rolled_back_by_id, rolled_back_by_name, rolled_back_at, removed, restored, kept) in (0, 7))
);
create index import_batches_newest on import_batches (created_at desc, id desc);

-- What of a batch is still to be written. A chunk goes in the transaction that writes its people: it was written whole, or
-- it is still here.
create table import_chunks (
  batch_id uuid not null references import_batches,
  no int not null,
  drafts text not null,
  lease_id uuid,
  leased_until timestamptz,
  primary key (batch_id, no)
);
-- It is read once and gone a moment later: squeezing it would cost more than writing it.
alter table import_chunks alter column drafts set storage external;

-- What a row came to. Batches and rows are never deleted, so no key checks fifty thousand rows against their batch; a person
-- may be gone since, and the row stays.
create table import_rows (
  batch_id uuid not null,
  row_no int not null,
  outcome text not null check (outcome in ('create', 'update', 'skip', 'reject')),
  column_name text,
  reason text,
  -- Why it is not what the plan said.
  differs text,
  person_id uuid,
  -- What the person's revision was after it.
  revision int,
  -- Of an update: {field: [before, after]}.
  changes jsonb check (jsonb_typeof(changes) = 'object'),
  rolled_back text check (rolled_back in ('removed', 'restored', 'kept', 'gone')),
  kept_why text,
  primary key (batch_id, row_no),
  check (outcome not in ('create', 'update') or (person_id is not null and revision is not null)),
  check ((outcome = 'update') = (changes is not null)),
  check ((rolled_back is not distinct from 'kept') = (kept_why is not null))
);
create index import_rows_of_person on import_rows (person_id) where outcome in ('create', 'update');
-- Of a batch most rows are created, and those are read in the order of the batch.
create index import_rows_by_outcome on import_rows (batch_id, outcome, row_no) where outcome <> 'create';
create index import_rows_that_differ on import_rows (batch_id, row_no) where differs is not null;

-- Companies that a batch brought: a rollback takes those along that nobody uses.
create table import_companies (
  batch_id uuid not null references import_batches,
  company_id uuid not null,
  primary key (batch_id, company_id)
);

-- The letters that lock a batch, once each: the refusal of a rollback counts them.
create table import_batch_sends (
  batch_id uuid not null references import_batches,
  send_id uuid not null,
  at timestamptz not null,
  primary key (batch_id, send_id)
);
