-- A letter that failed, or that never went, and that a person had sent again. What was said of it before that moment is said
-- of an attempt that is over.
alter table sends add column resent_at timestamptz;
-- How often it failed and was sent again: a vendor that refused it is given another key.
alter table sends add column resent int not null default 0 check (resent >= 0);
