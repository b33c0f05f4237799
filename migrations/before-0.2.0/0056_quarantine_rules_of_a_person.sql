-- Erasing somebody finds the rules that name their address.
create index quarantine_rules_of_address on quarantine_rules (value_hash) where value_hash is not null;
