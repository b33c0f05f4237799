-- In-instance agents, the turns of their conversations, and the acts that they propose to people. The conversations
-- themselves are threads of the channel chat.

create table agents (
  id uuid primary key,
  name text not null check (name <> ''),
  -- As names are compared; made by the process.
  name_key text not null unique,
  instructions text not null default '',
  -- Names of the tools that it may use; null: all that there are.
  tools text[],
  -- `provider/model`; null: the instance's.
  model text,
  -- One agent is there from the start. It can be changed, and not deleted.
  built_in boolean not null default false,
  revision int not null default 1,
  created_by_kind text,
  created_by_id text,
  created_by_name text,
  created_by_on_behalf_of jsonb,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index agents_by_name on agents (name_key collate "C");
create unique index agents_one_built_in on agents (built_in) where built_in;

insert into agents (id, name, name_key, built_in, created_at, updated_at)
values ('0198c0de-a6e0-7000-8000-000000000001', 'Assistant', 'assistant', true, '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z');

/*
 * One message to an agent and everything that came of it:
 *
 *   running → done        it answered
 *           → failed      it could not; `sentence` says why, and who can mend it
 *           → stopped     somebody stopped it, or whoever drove it may do nothing any more
 *           → stalled     the process that worked on it is gone; what it had done stays done
 */
create table chat_turns (
  id uuid primary key,
  thread_id uuid not null references threads,
  state text not null check (state in ('running', 'done', 'failed', 'stopped', 'stalled')),
  agent_id uuid references agents on delete set null,
  agent_name text not null,
  model text not null,
  -- Who drives it: whose rights each step has, looked up anew.
  by_kind text not null,
  by_id text not null,
  by_name text not null,
  by_on_behalf_of jsonb,
  user_id uuid,
  token_id uuid,
  -- The session of a person on screen: the turn ends with it.
  session_id uuid,
  message text not null,
  -- The Idempotency-Key that it was asked under: the same key asks for the same turn.
  asked_key text,
  -- What the agent has said so far.
  text text not null default '',
  -- Which tools it used and what came of them, for people to read; what they were given and gave is forgotten after a while.
  used jsonb not null default '[]' check (jsonb_typeof(used) = 'array'),
  -- What was said in the turn, as the model is told it again in the next; forgotten after a while.
  said jsonb not null default '[]' check (jsonb_typeof(said) = 'array'),
  sentence text,
  tokens bigint not null default 0 check (tokens >= 0),
  stop_wanted boolean not null default false,
  -- The hold of the process that works on it, and when that last said that it does.
  lease uuid,
  beat_at timestamptz not null,
  created_at timestamptz not null,
  finished_at timestamptz,
  check ((state = 'running') = (finished_at is null)),
  check ((state = 'running') = (lease is not null))
);
create unique index chat_turns_one_open on chat_turns (thread_id) where state = 'running';
create index chat_turns_of_thread on chat_turns (thread_id, id desc);
create index chat_turns_running on chat_turns (beat_at) where state = 'running';
-- Budgets and the limit a minute.
create index chat_turns_by_caller on chat_turns (by_kind, by_id, created_at);
create index chat_turns_by_token on chat_turns (token_id, created_at) where token_id is not null;
create index chat_turns_newest on chat_turns (created_at);
create unique index chat_turns_by_key on chat_turns (by_kind, by_id, asked_key) where asked_key is not null;
create index chat_turns_remembered on chat_turns (created_at) where said <> '[]';

/*
 * An act that only a person may do, proposed in a turn. Its approval says who decided; this, what became of it:
 *
 *   waiting → performing → done             it was approved, and performed as the decider
 *                        → waiting          the decider has no right to it: nothing was done
 *   waiting → dropped                       it was returned or rejected
 *   performing, and nobody at it            its end is not known: nobody performs it again
 */
create table chat_actions (
  id uuid primary key,
  thread_id uuid not null references threads,
  turn_id uuid not null references chat_turns,
  approval_id uuid not null unique references approvals,
  operation text not null,
  -- Sealed: there may be secrets among them.
  arguments text not null,
  -- What people are shown of them.
  shown jsonb not null check (jsonb_typeof(shown) = 'object'),
  -- What they name, by argument: {title, action}, the latter being what a reader must have something to do with.
  things jsonb not null default '{}' check (jsonb_typeof(things) = 'object'),
  state text not null default 'waiting' check (state in ('waiting', 'performing', 'done', 'dropped')),
  -- What the act answered, for the agent.
  outcome text,
  created_at timestamptz not null,
  settled_at timestamptz,
  check ((state in ('done', 'dropped')) = (settled_at is not null))
);
create index chat_actions_of_thread on chat_actions (thread_id, id);
create index chat_actions_of_turn on chat_actions (turn_id, id);

-- Model tokens that readings of answers took, by day (UTC). Turns carry their own; both count against the instance's day.
create table reading_tokens (
  day date primary key,
  tokens bigint not null check (tokens >= 0)
);
