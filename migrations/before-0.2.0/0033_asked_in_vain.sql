-- A later asking that came to nothing stands beside the verdict that is known, and never in its place.

alter table verifications
  add column unknown_at timestamptz,
  add column unknown_reason text,
  add constraint verifications_unknown check ((unknown_at is null) = (unknown_reason is null));

alter table person_addresses
  add column unknown_at timestamptz,
  add column unknown_reason text,
  add constraint person_addresses_unknown check ((unknown_at is null) = (unknown_reason is null));
