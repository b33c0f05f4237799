-- Mail that nobody has to look at: from an address, from a domain and what lies under it, or of a mailing list.
alter table inbound_mails
  -- Of its sender, in lower case.
  add column from_domain text,
  -- As it says itself (RFC 2919), without its brackets.
  add column list_id text;
update inbound_mails set from_domain = lower(substring(from_address from '@([^@]+)$'))
where state in ('quarantined', 'broken') and from_address is not null;
create index inbound_mails_quarantined_from on inbound_mails (from_hash) where state in ('quarantined', 'broken');
create index inbound_mails_quarantined_domain on inbound_mails (from_domain) where state in ('quarantined', 'broken');
create index inbound_mails_quarantined_list on inbound_mails (list_id) where state in ('quarantined', 'broken');

create table quarantine_rules (
  id uuid primary key,
  kind text not null check (kind in ('address', 'domain', 'list')),
  -- As it is matched; `value_hash` of an address, so that the rule of somebody who is erased is found.
  value text not null,
  value_hash text,
  matched bigint not null default 0,
  last_matched_at timestamptz,
  created_by_kind text not null,
  created_by_id text not null,
  created_by_name text not null,
  created_by_on_behalf_of jsonb,
  created_at timestamptz not null,
  unique (kind, value),
  check ((kind = 'address') = (value_hash is not null))
);
