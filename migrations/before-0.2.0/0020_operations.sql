-- What keeping an instance running needs: its sealing key, counters of limits, how its passes went, and whether it came
-- from a backup.

-- The key under which secrets are sealed, itself sealed under SERVICE_MASTER_KEY: another master key wraps it anew and
-- touches nothing else, so that links in letters that left stay good.
create table instance_key (
  only_row boolean primary key default true check (only_row),
  wrapped text not null,
  wrapped_at timestamptz not null
);

-- How often somebody did what is limited, in the window that ends at `until`; the same for every process. A crash may
-- forget it, and no backup has it.
create unlogged table rate_counts (
  name text not null,
  who text not null check (length(who) <= 400),
  until timestamptz not null,
  count int not null check (count > 0),
  primary key (name, who)
);
create index rate_counts_by_end on rate_counts (until);

-- The last that was heard of each pass and watch, from whichever process ran it.
create table pass_runs (
  name text primary key,
  every_ms int not null,
  ran_at timestamptz not null,
  -- When it last went through without a fault.
  well_at timestamptz,
  claimed bigint not null,
  faults bigint not null,
  fault_at timestamptz,
  -- The class of the last fault, never its text.
  fault text check (length(fault) <= 100)
);

-- There where this database was filled from a backup: whether letters may leave again is for a person to say, because the
-- instance that was backed up may have sent them since.
create table restored (
  only_row boolean primary key default true check (only_row),
  taken_at timestamptz not null,
  restored_at timestamptz not null,
  released_at timestamptz
);
