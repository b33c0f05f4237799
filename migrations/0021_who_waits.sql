-- Whoever declines or unsubscribes waits for no answer: their conversations leave Unanswered. The rule is that of
-- src/features/inbox/threads/record/settle.store.ts, brought to what came in before it.
with said as (
  select x.thread_id,
    max(x.at) filter (where x.direction = 'out' and not x.note) as last_out_at,
    max(x.at) filter (where x.direction = 'in' and not x.automatic and x.reading in ('negative', 'unsubscribe')) as last_no_at
  from touches x
  where x.thread_id in (
    select id from threads where merged_into is null and kind = 'conversation' and waiting <> 'none')
  group by x.thread_id
), closed as (
  select s.*, greatest(s.last_out_at, s.last_no_at) as closed_at, (
    select min(x.at) from touches x
    where x.thread_id = s.thread_id and x.direction = 'in' and not x.automatic
      and x.reading is distinct from 'out_of_office' and x.reading is distinct from 'negative'
      and x.reading is distinct from 'unsubscribe' and x.at > greatest(s.last_out_at, s.last_no_at)) as asked_at
  from said s where s.last_no_at is not null
), settled as (
  select c.thread_id,
    case when c.asked_at is not null then 'us' when c.last_out_at > c.last_no_at then 'them' else 'none' end as waiting,
    case when c.asked_at is not null then c.asked_at when c.last_out_at > c.last_no_at then c.last_out_at end as waiting_since
  from closed c
)
update threads t set waiting = s.waiting, waiting_since = s.waiting_since, revision = t.revision + 1
from settled s
where t.id = s.thread_id and (t.waiting, t.waiting_since) is distinct from (s.waiting, s.waiting_since);

-- Positive replies come first in Unanswered, then whoever has waited longest.
create index threads_unanswered_first on threads ((coalesce(reading, 'unread') <> 'positive'), waiting_since, id)
  where merged_into is null and kind = 'conversation' and state = 'open' and waiting = 'us';
drop index threads_unanswered;

-- The labels in use are those of the newest conversations that have any.
create index threads_labelled on threads (last_touch_at desc, id desc)
  where merged_into is null and kind = 'conversation' and labels <> '{}';
