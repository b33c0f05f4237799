-- not additive
-- Tables and columns whose names misled, or that had several spellings of one thing.

-- What became of a letter: bounces, complaints, deliveries. Events to the outside are in event_deliveries.
alter table delivery_events rename to send_outcomes;
do $$
declare
  each record;
begin
  for each in
    select c.relname as name from pg_class c join pg_index i on i.indexrelid = c.oid
    where i.indrelid = 'send_outcomes'::regclass and c.relname like 'delivery\_events\_%'
  loop
    execute format('alter index %I rename to %I', each.name, replace(each.name, 'delivery_events', 'send_outcomes'));
  end loop;
  for each in
    select conname as name from pg_constraint
    where conrelid = 'send_outcomes'::regclass and conname like 'delivery\_events\_%'
  loop
    execute format('alter table send_outcomes rename constraint %I to %I', each.name, replace(each.name, 'delivery_events', 'send_outcomes'));
  end loop;
end $$;

-- A hold that ends: lease and lease_until.
alter table workflow_runs rename column lease_id to lease;
alter table workflow_runs rename column leased_until to lease_until;
alter table import_chunks rename column lease_id to lease;
alter table import_chunks rename column leased_until to lease_until;
alter table event_deliveries rename column lease_id to lease;
alter table event_deliveries rename column leased_until to lease_until;
alter table domains rename column check_lease to lease;
alter table domains rename column check_lease_until to lease_until;

-- How often something was tried: attempts.
alter table mailboxes rename column tries to attempts;
alter table mailboxes rename column stuck_tries to stuck_attempts;
alter table inbound_mails rename column tries to attempts;
alter table vendor_mails rename column tries to attempts;
alter table readings_asked rename column tries to attempts;
alter table sent_folders rename column tries to attempts;

-- How many bytes something has: size_bytes.
alter table import_previews rename column size to size_bytes;
alter table import_batches rename column size to size_bytes;
alter table inbound_mails rename column size to size_bytes;
alter table touch_attachments rename column size to size_bytes;

-- Constraints carry the name of their column.
alter table inbound_mails rename constraint inbound_mails_size_check to inbound_mails_size_bytes_check;
alter table touch_attachments rename constraint touch_attachments_size_check to touch_attachments_size_bytes_check;
alter table sent_folders rename constraint sent_folders_tries_check to sent_folders_attempts_check;
