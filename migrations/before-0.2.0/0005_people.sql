-- People, the companies they work for, the fields that this instance gives them, and the segments that are cut from them.
-- Keys for matching and sorting (`normalised`, `name_key`, `domain`) are made by the process: lower() of a letter outside
-- ASCII depends on the server.

-- Fields that people define (domain.md §1.9). The fields of a work item stand here for every project, beside its own.
create table custom_fields (
  noun text not null check (noun in ('person', 'company', 'deal', 'work_item')),
  key text not null check (key ~ '^[a-z][a-z0-9_]{0,39}$'),
  title text not null check (title <> ''),
  kind text not null check (kind in ('text', 'number', 'date', 'bool', 'select', 'multiselect', 'url')),
  options text[] not null default '{}',
  position int not null,
  primary key (noun, key),
  check ((kind in ('select', 'multiselect')) = (cardinality(options) > 0))
);

-- The definitions of a noun are replaced together, against the revision that was read. Writers of values share this row.
create table custom_field_sets (
  noun text collate "C" primary key check (noun in ('person', 'company', 'deal', 'work_item')),
  revision int not null default 1
);
insert into custom_field_sets (noun) values ('person'), ('company'), ('deal'), ('work_item');

create table companies (
  id uuid primary key,
  name text not null check (name <> ''),
  name_key text not null,
  -- As it stands in an address: lower-case ASCII.
  domain text unique check (domain <> ''),
  timezone text,
  country text check (country ~ '^[A-Z]{2}$'),
  size text,
  custom jsonb not null default '{}' check (jsonb_typeof(custom) = 'object'),
  search tsvector not null,
  revision int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index companies_by_name on companies (name_key collate "C", id);
create index companies_by_search on companies using gin (search);
create index companies_newest on companies (updated_at desc, id desc);

create table people (
  id uuid primary key,
  name text not null,
  given text,
  family text,
  -- What lists sort by: the name, folded; where there is none, the first address.
  name_key text not null,
  title text,
  company_id uuid references companies on delete set null,
  phone text,
  links text[] not null default '{}',
  timezone text,
  language text,
  country text check (country ~ '^[A-Z]{2}$'),
  source text,
  basis text not null default 'none' check (basis in ('legitimate_interest', 'consent', 'customer', 'none')),
  basis_note text,
  tags text[] not null default '{}',
  custom jsonb not null default '{}' check (jsonb_typeof(custom) = 'object'),
  -- What letters may ask for and somebody without wire last changed, as 'person.title' or 'custom.opener': a campaign whose
  -- policy is `changed` has letters read that say it.
  edited text[] not null default '{}',
  owner uuid references users on delete set null,
  do_not_merge boolean not null default false,
  search tsvector not null,
  revision int not null default 1,
  created_by_kind text not null,
  created_by_id text not null,
  created_by_name text not null,
  created_by_on_behalf_of jsonb,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index people_by_name on people (name_key collate "C", id);
create index people_newest on people (updated_at desc, id desc);
create index people_oldest on people (created_at desc, id desc);
create index people_by_company on people (company_id, name_key collate "C", id) where company_id is not null;
create index people_by_owner on people (owner, name_key collate "C", id) where owner is not null;
create index people_by_country on people (country, name_key collate "C", id) where country is not null;
create index people_by_source on people (source, name_key collate "C", id) where source is not null;
create index people_by_basis on people (basis, name_key collate "C", id);
create index people_by_tag on people using gin (tags);
create index people_by_search on people using gin (search);

create table person_addresses (
  id uuid primary key,
  person_id uuid not null references people on delete cascade,
  -- As it was written, and as it is matched (src/mail/address.ts): one address belongs to one person.
  value text not null,
  normalised text not null unique,
  domain text not null,
  -- What suppressions are matched by (`addressHash`).
  hash text not null,
  kind text not null default 'work' check (kind in ('work', 'personal', 'other')),
  is_primary boolean not null,
  position int not null,
  verdict text check (verdict in ('DELIVERABLE', 'UNDELIVERABLE', 'RISKY', 'UNKNOWN')),
  verdict_reason text,
  -- The account of each rung (domain.md §6.8): no fixed shape.
  rungs jsonb,
  verified_at timestamptz,
  check (num_nulls(verdict, verdict_reason, rungs, verified_at) in (0, 4))
);
create unique index person_addresses_one_primary on person_addresses (person_id) where is_primary;
create index person_addresses_of_person on person_addresses (person_id, position);
create index person_addresses_by_hash on person_addresses (hash);
create index person_addresses_by_domain on person_addresses (domain);

-- What happened to a person, newest first: notes, and facts with who and when.
create table person_facts (
  id uuid primary key,
  person_id uuid not null references people on delete cascade,
  kind text not null,
  text text,
  details jsonb not null default '{}' check (jsonb_typeof(details) = 'object'),
  by_kind text not null,
  by_id text not null,
  by_name text not null,
  by_on_behalf_of jsonb,
  at timestamptz not null,
  check ((kind = 'note') = (text is not null))
);
create index person_facts_newest on person_facts (person_id, at desc, id desc);

-- Where somebody went who was merged into another: an old id still leads to the person.
create table person_merges (
  from_id uuid primary key,
  into_id uuid not null,
  at timestamptz not null
);
create index person_merges_into on person_merges (into_id);

create table segments (
  id uuid primary key,
  name text not null check (name <> ''),
  name_key text not null unique,
  -- {all | any: [{field, op, value}]}: checked by the program when it is saved and when it is read.
  filter jsonb not null check (jsonb_typeof(filter) = 'object'),
  revision int not null default 1,
  created_by_kind text not null,
  created_by_id text not null,
  created_by_name text not null,
  created_by_on_behalf_of jsonb,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
