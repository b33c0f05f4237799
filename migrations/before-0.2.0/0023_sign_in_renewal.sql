-- A renewal of somebody's sign-in at a tool server that came to nothing is tried again later; only the other party's word that
-- the sign-in is over ends it. And one more reason why a server does not answer.

alter table capability_accounts
  -- Nothing is asked for a renewal before this; null: it may be renewed at once.
  add column renew_after timestamptz,
  -- Why the last one came to nothing, and how many did in a row.
  add column renew_trouble text,
  add column renew_failures int not null default 0 check (renew_failures >= 0),
  add constraint capability_accounts_renewal check ((renew_after is null) = (renew_trouble is null));

alter table capabilities drop constraint capabilities_trouble_check;
alter table capabilities add constraint capabilities_trouble_check
  check (trouble in ('unreachable', 'slow', 'address', 'own_address', 'redirect', 'broken'));
