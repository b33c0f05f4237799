-- Why nothing leaves by an identity: what its mail server said or showed, since when, and the server's own words as data. Null:
-- nothing is known against it. Letters of an identity in trouble are held; a passing test, changed settings of its transport
-- or a person's activation clears it.
alter table identities
  add column trouble text check (trouble in ('credentials', 'sender_refused', 'relay_refused', 'quota', 'refused',
    'certificate_expired', 'certificate_name', 'certificate_untrusted', 'tls_missing')),
  add column trouble_since timestamptz,
  add column trouble_code int,
  add column trouble_enhanced text,
  add column trouble_words text check (char_length(trouble_words) <= 500),
  -- Of a certificate that expired: when it did.
  add column trouble_expired_at timestamptz,
  add check ((trouble is null) = (trouble_since is null));

update identities set trouble = 'credentials', trouble_since = updated_at
where state_reason = 'credentials_refused' and gone_at is null;
