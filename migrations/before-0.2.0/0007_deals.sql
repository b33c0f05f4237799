-- Deals and their pipeline, and what must both be true before the world is told that one opened (domain.md §1.9).

create table deal_stages (
  key text primary key check (key ~ '^[a-z][a-z0-9_]{0,39}$'),
  title text not null check (title <> ''),
  position int not null,
  -- In per cent: what a deal of this stage is expected to come to, where it says nothing itself.
  probability int check (probability between 0 and 100)
);
insert into deal_stages (key, title, position, probability) values
  ('new', 'New', 0, 10), ('qualified', 'Qualified', 1, 30), ('proposal', 'Proposal', 2, 60), ('negotiation', 'Negotiation', 3, 80);

-- The stages are replaced together, against the revision that was read.
create table deal_pipeline (
  only_one boolean primary key default true check (only_one),
  revision int not null default 1
);
insert into deal_pipeline default values;

create table deals (
  id uuid primary key,
  name text not null check (name <> ''),
  person_id uuid references people on delete set null,
  company_id uuid references companies on delete set null,
  campaign_id uuid,
  prospect_id uuid,
  thread_id uuid,
  state text not null check (state in ('open', 'won', 'lost')),
  stage text not null references deal_stages on update cascade,
  -- Minor units of the currency: cents, not euros.
  amount bigint check (amount between 0 and 9007199254740991),
  currency text check (currency ~ '^[A-Z]{3}$'),
  probability int check (probability between 0 and 100),
  expected_on date,
  owner uuid references users on delete set null,
  lost_reason text,
  custom jsonb not null default '{}' check (jsonb_typeof(custom) = 'object'),
  opened_by text not null check (opened_by in ('reading', 'person', 'agent')),
  position double precision not null,
  search tsvector not null,
  revision int not null default 1,
  created_by_kind text not null,
  created_by_id text not null,
  created_by_name text not null,
  created_by_on_behalf_of jsonb,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  closed_at timestamptz,
  check ((amount is null) = (currency is null)),
  check ((state = 'open') = (closed_at is null)),
  check ((state = 'lost') = (lost_reason is not null))
);
create index deals_board on deals (stage, position, id) where state = 'open';
-- What the columns of the board come to is read from this alone.
create index deals_sums on deals (stage, currency) include (amount, probability) where state = 'open';
create index deals_newest on deals (updated_at desc, id desc);
create index deals_by_state on deals (state, updated_at desc, id desc);
create index deals_by_stage on deals (stage, updated_at desc, id desc);
-- A deal that nobody has put a day or an amount to comes last.
create index deals_by_day on deals (coalesce(expected_on, 'infinity'), id);
create index deals_by_amount on deals (coalesce(amount, -1) desc, id desc);
create index deals_by_owner on deals (owner, updated_at desc, id desc) where owner is not null;
create index deals_by_person on deals (person_id, updated_at desc, id desc) where person_id is not null;
create index deals_by_company on deals (company_id, updated_at desc, id desc) where company_id is not null;
create index deals_by_campaign on deals (campaign_id, updated_at desc, id desc) where campaign_id is not null;
create index deals_by_search on deals using gin (search);

create table deal_facts (
  id uuid primary key,
  deal_id uuid not null references deals on delete cascade,
  kind text not null,
  details jsonb not null default '{}' check (jsonb_typeof(details) = 'object'),
  by_kind text not null,
  by_id text not null,
  by_name text not null,
  by_on_behalf_of jsonb,
  at timestamptz not null
);
create index deal_facts_newest on deal_facts (deal_id, at desc, id desc);

-- A person's answer was read as positive: half of what `deal.opened` says. The prospect is the zero id where the answer
-- came outside any campaign.
create table positive_readings (
  person_id uuid not null references people on delete cascade,
  prospect_id uuid not null,
  campaign_id uuid,
  at timestamptz not null,
  primary key (person_id, prospect_id)
);

-- The pairs that the world was told of: once each.
create table deals_announced (
  deal_id uuid not null references deals on delete cascade,
  prospect_id uuid not null,
  at timestamptz not null,
  primary key (deal_id, prospect_id)
);
