-- A workflow that a reply starts is given the reply's thread: the event's own body carries none.
create or replace function workflow_hears_event() returns trigger language plpgsql as $$
begin
  insert into workflow_events (kind, data, at)
  select new.event, data || case new.event
      when 'reply.landed' then coalesce(
        (select jsonb_build_object('thread_id', thread_id) from touches where id = (data ->> 'touch_id')::uuid), '{}')
      else '{}' end,
    new.occurred_at
  from (select new.body::jsonb -> 'data' as data) body
  where exists (select from workflows where listens = new.event);
  return null;
end $$;
