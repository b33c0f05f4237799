-- What a version with steps that need wire names, as it was when somebody gave the wire: an edit since then holds those steps.

-- [{kind, id, mark}], or null: activated before this was saved, and saved when such a step next fires.
alter table workflow_versions add column given jsonb check (jsonb_typeof(given) = 'array');

alter table workflow_runs drop constraint workflow_runs_held_check;
alter table workflow_runs add constraint workflow_runs_held_check
  check (held in ('wire_required', 'scripts_required', 'changed'));
create index workflow_runs_held on workflow_runs (workflow_id, held) where held is not null;
