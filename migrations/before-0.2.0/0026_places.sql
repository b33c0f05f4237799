-- Where an account was signed in from: what others guess of its password does not slow those places (features/sessions/throttle.ts).
-- An IPv4 address, or the /64 of an IPv6 address.
create table sign_in_places (
  user_id uuid not null references users on delete cascade,
  place text not null check (length(place) between 1 and 64),
  at timestamptz not null,
  primary key (user_id, place)
);
insert into sign_in_places (user_id, place, at)
  select user_id, address, max(created_at) from sessions
  where address ~ '^\d{1,3}(\.\d{1,3}){3}$' group by user_id, address;
