-- Whom a letter goes to is part of what enrolling signs for: the hash of the address that somebody who may enrol chose, with
-- the prospect, and as it stood when a letter was drafted, with the letter (domain.md §1.5, gate 8).

-- Null: nothing is known of it, and no letter is compared with it.
alter table prospects add column to_hash text;
update prospects p set to_hash = (
  select a.hash from person_addresses a where a.person_id = p.person_id and a.is_primary)
where p.person_id is not null and p.ended is null;

alter table sends add column enrolled_hash text;
update sends set enrolled_hash = to_hash
where kind = 'sequence' and state in ('drafted', 'review', 'scheduled', 'held', 'sending', 'uncertain');
