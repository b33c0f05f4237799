-- Who may come in and what they may do: people, groups, policies, tokens, sessions, invitations, and the key of first boot.
-- Addresses and names are normalised by the process (`*_key`), because lower() of a letter outside ASCII depends on the server.

create table users (
  id uuid primary key,
  name text not null check (name <> ''),
  name_key text not null,
  email text not null,
  email_key text not null unique,
  state text not null check (state in ('invited', 'active', 'disabled')),
  admin boolean not null default false,
  password_hash text,
  -- The confirmed secret and one that was drawn and waits for its first code; both sealed.
  totp_secret text,
  totp_confirmed_at timestamptz,
  totp_pending text,
  -- The time step of the last code that was accepted: a code is worth nothing the second time.
  totp_last_step bigint not null default 0,
  timezone text,
  -- Keys of the projects on their board; null is all of them.
  board_projects text[],
  default_project text,
  -- Do they wish to hear by mail that approvals wait for them, and up to when was that looked at.
  mail_approvals boolean not null default false,
  approvals_looked_at timestamptz,
  created_at timestamptz not null,
  last_seen_at timestamptz,
  check ((state = 'invited') = (password_hash is null)),
  check ((totp_secret is null) = (totp_confirmed_at is null))
);

create index users_by_name on users (name_key collate "C", id);
create index users_mailed_approvals on users (approvals_looked_at nulls first, id) where mail_approvals and state = 'active';
-- Asked whenever an administrator goes: is there another one?
create index users_active_admins on users (id) where admin and state = 'active';

create table groups (
  id uuid primary key,
  name text not null check (name <> ''),
  name_key text not null unique,
  created_at timestamptz not null
);

create table group_members (
  group_id uuid not null references groups on delete cascade,
  user_id uuid not null references users on delete cascade,
  primary key (group_id, user_id)
);
create index group_members_by_user on group_members (user_id, group_id);

-- Documents that people wrote. Built-in policies stand in the program, so whatever carries a policy names it by text.
create table policies (
  name text primary key check (name ~ '^[a-z0-9][a-z0-9-]{0,59}$'),
  statements jsonb not null check (jsonb_typeof(statements) = 'array'),
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create table user_policies (
  user_id uuid not null references users on delete cascade,
  policy_name text not null,
  primary key (user_id, policy_name)
);
create index user_policies_by_name on user_policies (policy_name);

create table group_policies (
  group_id uuid not null references groups on delete cascade,
  policy_name text not null,
  primary key (group_id, policy_name)
);
create index group_policies_by_name on group_policies (policy_name);

create table tokens (
  id uuid primary key,
  -- Names may repeat, since a lost token is minted again under its name; the audit log has the id beside the name.
  name text not null check (name ~ '^[a-z0-9-]{1,60}$' and name not in ('bootstrap', 'api')),
  hash bytea not null unique check (octet_length(hash) = 32),
  hint text not null check (length(hint) = 4),
  mode text not null check (mode in ('user', 'service')),
  user_id uuid references users on delete cascade,
  wire boolean not null,
  scripts boolean not null,
  created_at timestamptz not null,
  created_by_kind text not null check (created_by_kind in ('person', 'service')),
  created_by_id text not null,
  created_by_name text not null,
  expires_at timestamptz,
  last_used_at timestamptz,
  first_agent_turn_at timestamptz,
  check ((mode = 'user') = (user_id is not null)),
  check (expires_at > created_at)
);
create index tokens_by_user on tokens (user_id) where user_id is not null;

-- Only a service token carries policies of its own: a bound one has its user's.
create table token_policies (
  token_id uuid not null references tokens on delete cascade,
  policy_name text not null,
  primary key (token_id, policy_name)
);
create index token_policies_by_name on token_policies (policy_name);

create view carried_by_users as
  select user_id, policy_name from user_policies
  union
  select m.user_id, p.policy_name from group_members m join group_policies p using (group_id);

create table sessions (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  hash bytea not null unique check (octet_length(hash) = 32),
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  -- However busy it is, a session ends here; idle ones end earlier.
  expires_at timestamptz not null check (expires_at > created_at),
  stepped_up_at timestamptz,
  address text,
  user_agent text
);
create index sessions_by_user on sessions (user_id, id desc);
create index sessions_by_end on sessions (expires_at);

-- One open invitation a person: a new link replaces the old one.
create table invites (
  id uuid primary key,
  user_id uuid not null unique references users on delete cascade,
  hash bytea not null unique check (octet_length(hash) = 32),
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at)
);

-- The key of first boot: one row, kept for ever, so that a key that died stays dead.
create table provisioning (
  only_row boolean primary key default true check (only_row),
  key_hash bytea not null check (octet_length(key_hash) = 32),
  drawn_at timestamptz not null,
  first_admin_at timestamptz,
  -- When the first token was minted, whoever minted it.
  died_at timestamptz
);

-- Failed sign-ins of the last minutes, by account and by address, so that every node counts the same.
create table sign_in_failures (
  id uuid primary key,
  who text not null,
  at timestamptz not null
);
create index sign_in_failures_by_who on sign_in_failures (who, at);
create index sign_in_failures_by_age on sign_in_failures (at);

create table notifications (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  kind text not null,
  sentence text not null,
  link text,
  at timestamptz not null,
  read_at timestamptz
);
create index notifications_newest on notifications (user_id, id desc);
-- Old ones are forgotten.
create index notifications_by_time on notifications (at);
create index notifications_unread on notifications (user_id) where read_at is null;
