-- The envelope sender of an identity's letters: a bounce address of each letter on its domain, or the identity's own address, by
-- which bounces are known by the Message-ID that they name.
alter table identities
  add column envelope_sender text not null default 'bounce' check (envelope_sender in ('bounce', 'own')),
  -- The last probe: a mail of ours to the address that bounces go to, which shows by arriving that they do.
  add column probe_id uuid,
  add column probe_sent_at timestamptz,
  add column probe_arrived_at timestamptz,
  -- The mail server would not take it: what it said, as data.
  add column probe_refused text check (char_length(probe_refused) <= 500),
  add check ((probe_id is null) = (probe_sent_at is null)),
  add check (probe_id is not null or (probe_arrived_at is null and probe_refused is null));
create unique index identities_probed on identities (probe_id) where probe_id is not null;
