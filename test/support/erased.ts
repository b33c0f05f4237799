// Every row in which a word of someone could be left after an erasure, as text, for tests that look for what may not be there.
import { newId } from '../../src/kernel/ids.ts';
import type { TestApp } from './app.ts';

export const everythingSaid = async (app: TestApp): Promise<string[]> =>
  (
    await app.sql<{ row: string }[]>`
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
  app: TestApp,
  text: string,
  more: Record<string, unknown> = {},
): Promise<string> {
  const id = newId();
  await app.sql`insert into inbound_mails ${app.sql({
    id,
    key: id,
    source: 'imap',
    bytes: Buffer.from(text),
    size_bytes: text.length,
    received_at: app.clock.now(),
    state: 'landed',
    settled_at: app.clock.now(),
    ...more,
  } as never)}`;
  return id;
}
