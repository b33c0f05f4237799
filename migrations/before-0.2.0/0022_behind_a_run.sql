-- Who is behind a run beside whoever activated and started it, and what an activation was given by name.

alter table workflow_runs
  -- Who retried it last: it has their rights too, the smallest of all.
  add column retrier_kind text,
  add column retrier_id text,
  add column retrier_name text,
  add column retrier_on_behalf_of jsonb,
  add column retrier_token_id uuid,
  add column retrier_narrow boolean not null default false;

-- When the workflow was deactivated: the wire given to this version is withdrawn until it is activated again.
alter table workflow_versions add column withdrawn_at timestamptz;
update workflow_versions v set withdrawn_at = now()
from workflows w where w.id = v.workflow_id and w.state <> 'active';
