-- What a proposed act names, as it was when it was proposed: [{kind, id, mark}]. Null: proposed before this was saved, and
-- to be proposed again.
alter table chat_actions add column bound jsonb check (jsonb_typeof(bound) = 'array');
