-- What a workflow may take before it pauses itself, and the first of the runs that set each other off.

alter table workflows
  add column paused_why text check (paused_why in ('runs', 'turns', 'tokens', 'loop')),
  add column paused_at timestamptz,
  add constraint workflows_paused_check check ((paused_why is null) = (paused_at is null) and (paused_why is null or state = 'inactive'));
create index workflows_paused on workflows (paused_at) where paused_why is not null;

alter table workflow_runs add column root_id uuid;
create index workflow_runs_of_root on workflow_runs (root_id) where root_id is not null and depth > 1;

alter table workflow_runs drop constraint workflow_runs_held_check;
alter table workflow_runs add constraint workflow_runs_held_check
  check (held in ('wire_required', 'scripts_required', 'changed', 'budget'));
