// Every row in which a word of somebody could be left after an erasure, as text, for tests that look for what may not be there.
import { newId } from '../../src/kernel/ids.ts';
import type { TestHouse } from './house.ts';

export const everythingSaid = async (house: TestHouse): Promise<string[]> =>
  (
    await house.sql<{ row: string }[]>`
      select 'touch ' || x::text as row from touches x union all select 'answer ' || a::text from answers a
      union all select 'letter ' || s::text from sends s union all select 'thread ' || t::text from threads t
      union all select 'fact ' || f::text from send_facts f
      union all select 'bytes ' || encode(b.bytes, 'escape') from send_bytes b
      union all select 'mail ' || m::text || encode(m.bytes, 'escape') from inbound_mails m
      union all select 'file ' || encode(f.bytes, 'escape') from attachments f
      union all select 'replay ' || k::text from idempotency_keys k`
  ).map(({ row }) => row);

/** A mail as it came; what more is known of it is given. */
export async function aMailAsItCame(
  house: TestHouse,
  text: string,
  more: Record<string, unknown> = {},
): Promise<string> {
  const id = newId();
  await house.sql`insert into inbound_mails ${house.sql({
    id,
    key: id,
    source: 'imap',
    bytes: Buffer.from(text),
    size_bytes: text.length,
    received_at: house.clock.now(),
    state: 'landed',
    settled_at: house.clock.now(),
    ...more,
  } as never)}`;
  return id;
}
