-- Since when the connection of an identity waits for somebody who may create identities: it was changed by somebody who may
-- not, and nothing connects there before. Null: it is confirmed.

alter table identities
  add column transport_unconfirmed_at timestamptz,
  add column inbound_unconfirmed_at timestamptz;
