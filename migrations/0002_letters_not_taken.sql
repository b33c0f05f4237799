-- Digests say of a campaign why its letters were not taken: what was put off for good and what a policy refused is found as
-- fast as what bounced.
create index sends_not_taken on sends (campaign_id, delivery, sending_at) where delivery in ('soft', 'hard', 'policy', 'complaint');
drop index sends_gone_wrong;
