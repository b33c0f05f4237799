-- Other parties' tool servers: what they offer, what of it a person agreed to, and who is signed in there.

create table capabilities (
  id uuid primary key,
  -- The first part of its tools' names.
  name text not null unique check (name ~ '^[a-z][a-z0-9-]{0,19}$'),
  title text not null,
  url text not null,
  auth text not null check (auth in ('none', 'oauth')),
  -- A client that was registered there by hand; its secret is sealed.
  client_id text,
  client_secret text,
  is_on boolean not null default true,
  -- A person stands for this address: nothing is asked of it before.
  approved_at timestamptz,
  refreshed_at timestamptz,
  -- How much is asked of it: calls in a day, counted by ours, and seconds that one is waited for.
  daily_calls int not null default 1000 check (daily_calls between 0 and 100000),
  deadline_seconds int not null default 25 check (deadline_seconds between 1 and 25),
  calls_on date,
  calls int not null default 0,
  -- Why nothing can be asked of it, and since when; null while it answers.
  trouble text check (trouble in ('unreachable', 'slow', 'address', 'own_address', 'broken')),
  trouble_since timestamptz,
  revision int not null default 1,
  created_by_kind text not null,
  created_by_id text not null,
  created_by_name text not null,
  created_by_on_behalf_of jsonb,
  created_at timestamptz not null,
  check (client_secret is null or client_id is not null),
  check ((trouble is null) = (trouble_since is null))
);
create index capabilities_by_name on capabilities (name collate "C");

/*
 * A tool as its server described it when it was last asked:
 *
 *   new ──consent──▶ on ⇄ off
 *                    on ──the description is another──▶ changed ──consent──▶ on
 *
 * Only what is on can be called, and only as it was described when a person said so.
 */
create table capability_tools (
  capability_id uuid not null references capabilities on delete cascade,
  name text not null,
  says text not null,
  schema jsonb not null,
  hash text not null,
  state text not null check (state in ('new', 'on', 'off', 'changed')),
  -- What it says that it does to the world; the protocol has four such hints, and a server may leave any out.
  hints jsonb not null default '{}' check (jsonb_typeof(hints) = 'object'),
  consented_hash text,
  -- The words that somebody agreed to, for whoever looks at what became of them.
  consented_says text,
  consented_schema jsonb,
  consented_hints jsonb,
  consented_by_kind text,
  consented_by_id text,
  consented_by_name text,
  consented_by_on_behalf_of jsonb,
  consented_at timestamptz,
  primary key (capability_id, name),
  check (state <> 'on' or consented_hash = hash)
);

-- One person's sign-in at one server. Nobody else's calls use it.
create table capability_accounts (
  capability_id uuid not null references capabilities on delete cascade,
  user_id uuid not null references users on delete cascade,
  -- Sealed JSON: client, tokens and what they allow.
  credentials text not null,
  expires_at timestamptz,
  -- Lost: only the person can go on.
  state text not null check (state in ('connected', 'lost')),
  -- What more it was asked for, where a call needed more than was allowed.
  challenge jsonb,
  -- Grows with every set of tokens, so that one is renewed once.
  version int not null default 1,
  refreshing_until timestamptz,
  connected_at timestamptz not null,
  primary key (capability_id, user_id)
);
create index capability_accounts_of_user on capability_accounts (user_id);

-- A browser that is away at somebody's sign-in. Its state is known by its hash alone, and good once.
create table capability_flows (
  state_hash bytea primary key,
  capability_id uuid not null references capabilities on delete cascade,
  user_id uuid not null references users on delete cascade,
  session_id uuid not null,
  -- Sealed JSON: verifier, client and who was asked.
  draft text not null,
  expires_at timestamptz not null
);
create index capability_flows_of_capability on capability_flows (capability_id);
create index capability_flows_of_user on capability_flows (user_id);
create index capability_flows_oldest on capability_flows (expires_at);
