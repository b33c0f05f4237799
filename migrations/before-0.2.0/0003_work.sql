-- The work board and what waits for a person's decision. What must never be true of a card or an approval is refused here,
-- whatever the program above does.

-- Who did a thing stands in four columns: kind, id and name, and the person for whom an agent acted.

-- In the order of the columns and of urgency: both sort.
create type work_status as enum ('backlog', 'todo', 'in_progress', 'in_review', 'done', 'cancelled');
create type work_priority as enum ('none', 'low', 'medium', 'high', 'urgent');

create table work_projects (
  id uuid primary key,
  key text not null unique check (key ~ '^[A-Z][A-Z0-9]{1,9}$'),
  name text not null check (name <> ''),
  description text not null default '',
  lead uuid references users on delete set null,
  review_limit int not null default 5 check (review_limit between 1 and 1000),
  default_needs_review boolean not null default false,
  labels text[] not null default '{}',
  -- What people define: no fixed shape.
  custom_fields jsonb not null default '[]' check (jsonb_typeof(custom_fields) = 'array'),
  column_titles jsonb not null default '{}' check (jsonb_typeof(column_titles) = 'object'),
  -- The number of the next item: taken and raised in the statement that makes the item.
  next_number int not null default 1,
  revision int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create table work_project_members (
  project_id uuid not null references work_projects on delete cascade,
  user_id uuid not null references users on delete cascade,
  primary key (project_id, user_id)
);
create index work_project_members_by_user on work_project_members (user_id);

create table approvals (
  id uuid primary key,
  kind text not null check (kind in ('work_review', 'workflow_step', 'chat_action')),
  subject_kind text not null,
  subject_id uuid not null,
  -- The subject as it stood when this was opened; a decision is about exactly this revision.
  subject_key text not null,
  subject_title text not null,
  subject_revision int not null,
  project_id uuid references work_projects,
  requested_by_kind text not null,
  requested_by_id text not null,
  requested_by_name text not null,
  requested_by_on_behalf_of jsonb,
  author_kind text not null,
  author_id text not null,
  author_name text not null,
  author_on_behalf_of jsonb,
  state text not null check (state in ('pending', 'approved', 'returned', 'rejected', 'withdrawn', 'superseded')),
  note text,
  decided_by_kind text,
  decided_by_id text,
  decided_by_name text,
  decided_by_on_behalf_of jsonb,
  decided_at timestamptz,
  -- When the world was told that this waits: once.
  announced_at timestamptz,
  created_at timestamptz not null,
  unique (id, subject_id),
  check (num_nulls(decided_by_kind, decided_by_id, decided_by_name, decided_at) in (0, 4)),
  check ((state = 'pending') = (decided_at is null)),
  check (state not in ('returned', 'rejected') or note is not null),
  -- No agent decides, and nobody decides what they wrote (interface specification §3, §5).
  constraint approvals_decided_by_another_person check (
    state not in ('approved', 'returned', 'rejected')
    or (decided_by_kind = 'person' and (decided_by_kind, decided_by_id) <> (author_kind, author_id))
  )
);

create unique index approvals_one_open on approvals (subject_id) where state = 'pending';
create index approvals_by_state on approvals (state, created_at, id);
create index approvals_by_project on approvals (project_id, state, created_at, id);
create index approvals_oldest on approvals (created_at, id);
create index approvals_by_subject on approvals (subject_id, created_at, id);

create table work_items (
  id uuid primary key,
  project_id uuid not null references work_projects,
  number int not null check (number > 0),
  title text not null check (title <> ''),
  description text not null default '',
  status work_status not null,
  priority work_priority not null,
  labels text[] not null default '{}',
  assignee_kind text,
  assignee_id text,
  assignee_name text,
  assignee_on_behalf_of jsonb,
  author_kind text not null,
  author_id text not null,
  author_name text not null,
  author_on_behalf_of jsonb,
  due_on date,
  parent_id uuid,
  links jsonb not null default '[]' check (jsonb_typeof(links) = 'array'),
  custom jsonb not null default '{}' check (jsonb_typeof(custom) = 'object'),
  needs_review boolean not null,
  approval_id uuid,
  claim_kind text,
  claim_id text,
  claim_name text,
  claim_on_behalf_of jsonb,
  claim_since timestamptz,
  claim_expires_at timestamptz,
  position double precision not null,
  revision int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  completed_at timestamptz,
  -- The words of title and key, split and lowered by the process: lower() of a letter outside ASCII depends on the server.
  search tsvector not null,
  unique (project_id, number),
  unique (project_id, id),
  foreign key (project_id, parent_id) references work_items (project_id, id) on delete set null (parent_id),
  check (parent_id <> id),
  -- Deferred: a card is parked in one statement and its approval opened in the next.
  foreign key (approval_id, id) references approvals (id, subject_id) deferrable initially deferred,
  constraint work_items_in_review_has_approval check ((status = 'in_review') = (approval_id is not null)),
  check ((status = 'done') = (completed_at is not null)),
  check (num_nulls(assignee_kind, assignee_id, assignee_name) in (0, 3)),
  check (num_nulls(claim_kind, claim_id, claim_name, claim_since, claim_expires_at) in (0, 5)),
  check (claim_id is null or status not in ('done', 'cancelled'))
);

create index work_items_board on work_items (project_id, status, position, id);
create index work_items_next on work_items (project_id, priority desc, number) where status = 'todo';
create index work_items_newest on work_items (updated_at desc, id desc);
create index work_items_newest_of_project on work_items (project_id, updated_at desc, id desc);
create index work_items_newest_of_column on work_items (status, updated_at desc, id desc);
create index work_items_newest_of_priority on work_items (priority, updated_at desc, id desc);
create index work_items_newest_of_assignee on work_items (assignee_id, updated_at desc, id desc) where assignee_id is not null;
-- Which tokens does a project know? Asked for everybody that a card of it can be given to.
create index work_items_by_author on work_items (author_id, project_id) where author_kind <> 'person';
create index work_items_by_assignee on work_items (assignee_id, project_id) where assignee_kind <> 'person';
create index work_items_by_holder on work_items (claim_id, project_id) where claim_kind <> 'person';
create index work_items_by_parent on work_items (project_id, parent_id) where parent_id is not null;
create index work_items_by_label on work_items using gin (labels);
create index work_items_by_word on work_items using gin (search);

create table work_blocks (
  project_id uuid not null,
  item_id uuid not null,
  blocked_by_id uuid not null check (blocked_by_id <> item_id),
  primary key (item_id, blocked_by_id),
  foreign key (project_id, item_id) references work_items (project_id, id) on delete cascade,
  foreign key (project_id, blocked_by_id) references work_items (project_id, id) on delete cascade
);
create index work_blocks_by_blocker on work_blocks (blocked_by_id);

create table work_comments (
  id uuid primary key,
  item_id uuid not null references work_items on delete cascade,
  author_kind text not null,
  author_id text not null,
  author_name text not null,
  author_on_behalf_of jsonb,
  text text not null check (text <> ''),
  at timestamptz not null,
  edited_at timestamptz
);
create index work_comments_oldest on work_comments (item_id, at, id);

create table work_changes (
  id uuid primary key,
  -- The order in which changes of one item took effect: acts that begin in the same moment wait for each other on the item.
  turn bigint generated always as identity,
  item_id uuid not null references work_items on delete cascade,
  at timestamptz not null,
  by_kind text not null,
  by_id text not null,
  by_name text not null,
  by_on_behalf_of jsonb,
  field text not null,
  old jsonb,
  new jsonb
);
create index work_changes_newest on work_changes (item_id, turn desc);
