-- Somebody in a campaign who had no address when 0024 ran: nobody chose any for them, so that the first letter to one waits for
-- somebody who may enrol. An empty text is no address's hash.
update prospects set to_hash = '' where person_id is not null and ended is null and to_hash is null;
