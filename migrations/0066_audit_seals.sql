-- The audit log is sealed: each five minutes of its rows are closed into a chain of hashes (docs/decisions/0065-sealed-audit-log.md).
create table audit_seals (
  number int primary key check (number >= 1),
  -- Rows whose ids are of these moments.
  from_at timestamptz not null,
  until_at timestamptz not null check (until_at > from_at),
  rows int not null check (rows >= 1),
  -- SHA-256, in hexadecimal, of the rows alone, and of the seal before, this one's span and count, and the rows' hash.
  rows_hash text not null check (rows_hash ~ '^[0-9a-f]{64}$'),
  hash text not null unique check (hash ~ '^[0-9a-f]{64}$'),
  sealed_at timestamptz not null
);
create function audit_seals_only_added() returns trigger language plpgsql as $$
begin
  raise exception 'seals of the audit log are only ever added';
end $$;
create trigger audit_seals_only_added before update or delete on audit_seals
  for each row execute function audit_seals_only_added();
