-- Mail of the instance itself: its one way out, what waits to go, and passwords that are set anew by a link.

create table instance_mail_way (
  only_row boolean primary key default true check (only_row),
  host text not null,
  port int not null check (port between 1 and 65535),
  security text not null check (security in ('tls', 'starttls', 'plain')),
  login_user text,
  -- Sealed; written and never shown.
  password text,
  from_name text not null,
  from_address text not null,
  saved_at timestamptz not null,
  check ((login_user is null) = (password is null)),
  check (security <> 'plain' or login_user is null)
);

create table instance_mails (
  id uuid primary key,
  kind text not null check (kind in ('invite', 'reset', 'test', 'approvals')),
  user_id uuid not null references users on delete cascade,
  to_address text not null,
  subject text not null,
  -- Sealed: a link in it is worth an account. Gone once it went, or once it never will.
  body text,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed')),
  -- Why it did not go the last time, as a word of ours.
  trouble text,
  attempts int not null default 0,
  next_at timestamptz not null,
  -- What it says is worth nothing after that.
  ends_at timestamptz not null,
  created_at timestamptz not null,
  done_at timestamptz,
  lease uuid,
  lease_until timestamptz,
  check ((state = 'waiting') = (body is not null)),
  check ((state = 'waiting') = (done_at is null))
);
create index instance_mails_due on instance_mails (next_at, id) where state = 'waiting';
create index instance_mails_of_user on instance_mails (user_id, kind) where state = 'waiting';
create index instance_mails_done on instance_mails (done_at desc, id desc) where state <> 'waiting';

-- Who asked for a new password, whether or not there is such an account: counted, then looked up by a pass.
create table password_reset_asks (
  id uuid primary key,
  email_key text not null,
  address text,
  at timestamptz not null,
  done_at timestamptz,
  lease uuid,
  lease_until timestamptz
);
create index password_reset_asks_by_account on password_reset_asks (email_key, at);
create index password_reset_asks_by_address on password_reset_asks (address, at) where address is not null;
create index password_reset_asks_due on password_reset_asks (at, id) where done_at is null;

-- One open link a person: a new one replaces the old one.
create table password_resets (
  user_id uuid primary key references users on delete cascade,
  hash bytea not null unique check (octet_length(hash) = 32),
  expires_at timestamptz not null
);
