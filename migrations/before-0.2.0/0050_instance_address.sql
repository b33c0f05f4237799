-- The address that links in letters begin with, as the process that started last was given it. Another one has every letter that
-- has not left rendered again.
create table instance_address (
  one boolean primary key default true check (one),
  base_url text not null,
  since timestamptz not null
);

alter table letters_to_remake drop constraint letters_to_remake_of_kind_check;
alter table letters_to_remake add constraint letters_to_remake_of_kind_check
  check (of_kind in ('identity', 'campaign', 'instance'));

-- Letters that have not left, in the order in which they are rendered again.
create index sends_unstarted on sends (id) where state in ('drafted', 'review', 'scheduled', 'held') and kind <> 'answer';
