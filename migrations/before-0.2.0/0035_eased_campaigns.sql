-- Settings of a campaign that somebody eased since it was activated, who may not activate it: none of its letters leaves until
-- somebody who may activates it again (domain.md §1.2, wire act 4).
alter table campaigns add column eased text[] not null default '{}';
