-- What agents read, kept for a month beside the audit log, and the ways into both by what an act was about.

-- Written in batches outside any act. Alike reads of one batch (who, with which token, what of what) are one row: `at` is the
-- first of them, and the id is made then, so that reads and acts stand in one order.
create table activity_reads (
  id uuid primary key,
  at timestamptz not null,
  until timestamptz not null,
  count int not null check (count > 0),
  principal_kind text not null check (principal_kind in ('person', 'agent', 'service', 'system')),
  principal_id text not null,
  principal_name text not null,
  on_behalf_of_id text,
  on_behalf_of_name text,
  token_id text,
  token_name text,
  surface text not null,
  turn text not null check (turn in ('direct', 'agent')),
  act text not null,
  resource text,
  -- `crm:person` of `crm:person/<id>`.
  noun text generated always as (split_part(resource, '/', 1)) stored,
  request_id text not null
);

create index activity_reads_by_principal on activity_reads (principal_id, id desc);
create index activity_reads_by_token on activity_reads (token_id, id desc) where token_id is not null;
create index activity_reads_by_person on activity_reads (on_behalf_of_id, id desc) where on_behalf_of_id is not null;
create index activity_reads_by_resource on activity_reads (resource, id desc) where resource is not null;
create index activity_reads_by_noun on activity_reads (noun, id desc) where noun is not null;

alter table audit add column noun text generated always as (split_part(resource, '/', 1)) stored;
create index audit_by_resource on audit (resource, id desc) where resource is not null;
create index audit_by_noun on audit (noun, id desc) where noun is not null;
