-- Everything that is proposed is in one table, whoever proposed it: the acts of chats were the first.
alter table chat_actions rename to proposals;
alter index chat_actions_pkey rename to proposals_pkey;
alter index chat_actions_approval_id_key rename to proposals_approval_id_key;
alter index chat_actions_of_thread rename to proposals_of_thread;
alter index chat_actions_of_turn rename to proposals_of_turn;
alter table proposals
  alter thread_id drop not null,
  alter turn_id drop not null,
  add origin text not null default 'chat' check (origin in ('chat', 'script', 'token', 'session')),
  -- The agent of a chat, a token or a user.
  add proposer text not null default '',
  -- The proposer's words to whoever signs.
  add why text not null default '' check (length(why) <= 1000),
  -- Of a plan: how many acts it has, and how many of them were performed.
  add steps int check (steps between 1 and 200),
  add steps_done int not null default 0,
  -- What it would do, as it was rehearsed when it was proposed.
  add rehearsal jsonb check (jsonb_typeof(rehearsal) = 'object'),
  add expires_at timestamptz,
  add supersedes uuid references proposals,
  -- The proposer's own name for it, and the arguments under a key of the instance's, by which a repeated call is told.
  add key text check (length(key) between 1 and 200),
  add asked_hash text,
  -- What the proposer was told of it: the note of whoever decided is with the approval.
  drop constraint chat_actions_state_check,
  drop constraint chat_actions_check;
update proposals p set state = case a.state
    when 'returned' then 'returned' when 'superseded' then 'superseded' when 'withdrawn' then 'withdrawn' else 'rejected' end
  from approvals a where a.id = p.approval_id and p.state = 'dropped';
update proposals p set proposer = a.requested_by_id from approvals a where a.id = p.approval_id;
alter table proposals
  alter origin drop default,
  alter proposer drop default,
  alter why drop default,
  add check (state in ('waiting', 'performing', 'done', 'returned', 'rejected', 'withdrawn', 'expired', 'superseded')),
  add constraint proposals_settled check ((state in ('waiting', 'performing')) = (settled_at is null)),
  add constraint proposals_of_chat check ((origin = 'chat') = (turn_id is not null));
create unique index proposals_of_key on proposals (proposer, key) where key is not null;
create index proposals_of_proposer on proposals (proposer, created_at desc, id desc);
create index proposals_superseding on proposals (supersedes) where supersedes is not null;
create index proposals_expiring on proposals (expires_at) where state = 'waiting' and expires_at is not null;

alter table approvals drop constraint approvals_kind_check;
alter table approvals add constraint approvals_kind_check
  check (kind in ('work_review', 'workflow_step', 'chat_action', 'proposal'));
