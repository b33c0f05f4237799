-- Turns of agents that steps of workflows' runs began: what they set off counts as caused by that run.

alter table chat_turns
  add column run_step_id uuid,
  add column workflow_id uuid;
create index chat_turns_of_step on chat_turns (run_step_id, id desc) where run_step_id is not null;
create index chat_turns_of_workflow on chat_turns (workflow_id, created_at) where workflow_id is not null;

-- An act of a run, of a script or of an agent that a run runs, says in its audit row whose it was.
drop trigger workflow_hears_itself on audit;
create trigger workflow_hears_itself after insert on audit
  for each row when (new.outcome = 'done' and new.surface in ('workflow', 'lua', 'chat')) execute function workflow_hears_itself();
