-- Rows that refer to one that is deleted, merged or shown are found without reading their whole table. The references that stay
-- without an index are listed with their reasons in test/ground/references.test.ts.
create index sends_of_step on sends (step_id) where step_id is not null;
create index prospects_of_step on prospects (step_id) where step_id is not null;
create index threads_merged_into on threads (merged_into) where merged_into is not null;
create index deals_of_thread on deals (thread_id) where thread_id is not null;
create index chat_turns_of_agent on chat_turns (agent_id) where agent_id is not null;
create index inbound_mails_of_touch on inbound_mails (touch_id) where touch_id is not null;
create index inbound_mails_of_identity on inbound_mails (identity_id) where identity_id is not null;
create index send_outcomes_of_identity on send_outcomes (identity_id) where identity_id is not null;
create index sequence_steps_of_campaign on sequence_steps (campaign_id);
create index instance_mails_to_user on instance_mails (user_id) where user_id is not null;
