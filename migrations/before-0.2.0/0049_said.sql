-- What a mail server, a report or a vendor said of a letter in words of its own: bounded data, forgotten with the person.
alter table delivery_events add said text check (char_length(said) between 1 and 500);
create index delivery_events_said_of on delivery_events (recipient_hash) where said is not null;
