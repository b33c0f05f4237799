-- Passkeys, and the recovery codes that stand in for an authenticator that was lost.

create table passkeys (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  name text not null check (name <> ''),
  -- The authenticator's own name of it, as base64url.
  credential_id text not null unique,
  public_key bytea not null,
  -- How often the authenticator says that it signed; most say nought for ever, and then it tells nothing.
  counter bigint not null,
  transports text[] not null,
  -- Is it kept by an account of its maker's, and so on more than one device?
  backed_up boolean not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkeys_by_user on passkeys (user_id, id);

-- A challenge carries its own proof and end, so only one that was used up is kept, until it would have ended anyway.
create table passkey_challenges_spent (
  hash bytea primary key check (octet_length(hash) = 32),
  expires_at timestamptz not null
);
create index passkey_challenges_spent_by_end on passkey_challenges_spent (expires_at);

-- Ten a person, each good once; only their hash is kept.
create table recovery_codes (
  user_id uuid not null references users on delete cascade,
  hash bytea not null check (octet_length(hash) = 32),
  made_at timestamptz not null,
  used_at timestamptz,
  primary key (user_id, hash)
);

-- What became of one's account is told by mail as well.
alter table instance_mails drop constraint instance_mails_kind_check;
alter table instance_mails add constraint instance_mails_kind_check
  check (kind in ('invite', 'reset', 'test', 'approvals', 'account'));
