-- Mail that stands in no conversation and still has its bytes: an erasure looks through it for an address that it names.
create index inbound_mails_loose on inbound_mails (id) where touch_id is null and state <> 'new' and size > 0;
