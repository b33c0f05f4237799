-- People's answers have a lane of their own: the next of an identity is found however many letters wait before it.
create index sends_answers_due on sends (identity_id, due_at, id) where state = 'scheduled' and kind = 'answer';

alter table sender_lanes
  -- Why the mail server could not be reached, in the sender's own words for it, and since when in a row.
  add column down_cause text,
  add column down_since timestamptz,
  -- Letters whose connection broke off midway at their first attempt, in a row.
  add column breaks int not null default 0 check (breaks >= 0);
