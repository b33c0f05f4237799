-- What of a company somebody last changed who could not set how letters are reviewed, under the names that letters ask by:
-- where edited values are read, a letter that says one is (domain.md §1.2).
alter table companies add column edited text[] not null default '{}';
