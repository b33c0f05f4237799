-- Which rows are made up: removing the sample data removes these and what hangs on them, and nothing else.
create table samples (
  -- The table that the row stands in.
  kind text not null,
  id uuid not null,
  primary key (kind, id)
);

-- Who does not want to see the first steps any more.
create table start_dismissed (
  user_id uuid primary key references users on delete cascade,
  at timestamptz not null
);
