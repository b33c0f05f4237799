-- Which addresses a pass has asked about right now, and how many addresses of strangers a caller had asked of late.

alter table verifications add column lease uuid, add column lease_until timestamptz;

-- What a real letter met is a rung of verification.
create index delivery_events_hard on delivery_events (recipient_hash, at) where kind = 'hard';

create table verification_asks (
  id uuid primary key,
  who text not null,
  addresses int not null check (addresses > 0),
  at timestamptz not null
);
create index verification_asks_by_who on verification_asks (who, at);
create index verification_asks_oldest on verification_asks (at);
