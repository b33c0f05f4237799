-- A dry run is no act: the audit log says which rows are one. On which rows it was so before is not known.
alter table audit add rehearsed boolean not null default false;

-- What a review sent back or rejected is found without going through every draft and every canceled letter.
create index sends_returned on sends (updated_at, id) where state = 'drafted' and note is not null;
create index sends_rejected on sends (updated_at, id) where state = 'cancelled' and cancel_reason = 'rejected';
-- Drafted answers, the oldest first; and open work by its due date.
create index answers_drafted on answers (updated_at, id) where state = 'draft';
create index work_items_due on work_items (due_on, id)
  where status in ('backlog', 'todo', 'in_progress', 'in_review') and due_on is not null;
-- The cards that name a person.
create index work_items_linked on work_items using gin (links jsonb_path_ops) where links <> '[]';
