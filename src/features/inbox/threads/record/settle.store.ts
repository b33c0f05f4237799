// The one place that works out what a thread says of itself from its touches: who waits since when, the reading, the line for
// lists, the counts. Whoever adds, moves or reads a touch again ends here, so that no two ways of counting can differ.
import type { Transaction } from '../../../../kernel/database.ts';

/**
 * Brings threads up to their touches. They wait for us while the newest of what a person of theirs said is newer than the
 * newest we said (domain.md §1.8): machines' mail and away messages never make anyone wait, and a note is said to no one. A
 * no settles a conversation as an answer of ours does: whoever declines or unsubscribes waits for nothing, whatever they
 * asked before. Since when: since the first of theirs after that which we have not answered, or since our last.
 */
export async function settleThreads(tx: Transaction, ids: readonly string[], now: Date): Promise<void> {
  if (ids.length === 0) return;
  const word = tx`(x.direction = 'in' and not x.automatic and x.reading is distinct from 'out_of_office')`;
  const no = tx`(x.reading is not null and x.reading in ('negative', 'unsubscribe'))`;
  await tx`
    with said as (
      select x.thread_id, count(*)::int as touches,
        max(x.at) filter (where not x.note) as last_touch_at,
        max(x.at) filter (where x.direction = 'in') as last_in_at,
        max(x.at) filter (where x.direction = 'out' and not x.note) as last_out_at,
        max(x.at) filter (where ${word} and not ${no}) as last_word_at,
        max(x.at) filter (where ${word} and ${no}) as last_no_at,
        max(x.created_at) filter (where x.direction = 'in') as landed_at
      from touches x where x.thread_id = any(${[...ids]}::uuid[]) group by x.thread_id
    ), settled as (
      select t.id, coalesce(s.touches, 0) as touches, coalesce(s.last_touch_at, t.created_at) as last_touch_at,
        s.last_in_at, s.last_out_at, s.landed_at, coalesce(greatest(s.last_out_at, s.last_no_at), '-infinity') as closed_at,
        case when t.kind = 'chat' then 'none'
          when s.last_word_at > coalesce(greatest(s.last_out_at, s.last_no_at), '-infinity') then 'us'
          when s.last_out_at > coalesce(s.last_no_at, '-infinity') then 'them' else 'none' end as waiting
      from threads t left join said s on s.thread_id = t.id where t.id = any(${[...ids]}::uuid[])
    )
    update threads t set touches = s.touches, last_touch_at = s.last_touch_at, last_in_at = s.last_in_at,
      last_out_at = s.last_out_at, landed_at = s.landed_at, waiting = s.waiting,
      waiting_since = case s.waiting
        when 'us' then (
          select min(x.at) from touches x
          where x.thread_id = s.id and ${word} and not ${no} and x.at > s.closed_at)
        when 'them' then s.last_out_at end,
      reading = (
        select x.reading from touches x where x.thread_id = s.id and x.direction = 'in' and x.reading is not null
        order by (x.automatic or x.reading = 'out_of_office'), x.at desc, x.id desc limit 1),
      snippet = coalesce((
        select left(btrim(regexp_replace(left(x.text_stripped, 600), '\\s+', ' ', 'g')), 160) from touches x
        where x.thread_id = s.id and not x.note order by x.at desc, x.id desc limit 1), ''),
      revision = t.revision + 1, updated_at = ${now}
    from settled s where t.id = s.id`;
}
