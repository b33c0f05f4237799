// What conversations keep of a person, for the acts on people that reach every row of one: merging, deleting, erasing, the
// timeline.
import type { Principal } from '../../kernel/caller.ts';
import type { PersonHolder } from '../people/holders.ts';
import { decide } from '../../kernel/policy.ts';
import { principalIn, type PrincipalColumns } from '../../kernel/principal-row.ts';
import type { Channel } from './names.rules.ts';
import { threadNames } from './names.rules.ts';
import { settleThreads } from './settle.store.ts';
import { mayReadIn } from './words.rules.ts';

/** What stands in place of words of, and to, somebody who was erased. */
const ERASED = 'Erased';

/** Whoever writes down what nobody of ours wrote. */
const INBOX: Principal = { kind: 'system', id: 'threads', name: 'the inbox' };

/** That somebody said something is told to whoever reads the conversation, and what to whoever reads the message. */
const UNREAD = { subject: null, snippet: null };

type Row = PrincipalColumns<'by'> & {
  id: string;
  thread_id: string;
  campaign_id: string | null;
  channel: Channel;
  direction: 'in' | 'out';
  note: boolean;
  at: Date;
  subject: string;
  snippet: string;
  reading: string | null;
  automatic: boolean;
  send_id: string | null;
};

export const threadsOfPerson: PersonHolder = {
  name: 'threads',
  async move(tx, from, into) {
    await tx`update threads set person_id = ${into}, revision = revision + 1 where person_id = ${from}`;
    await tx`update touches set person_id = ${into} where person_id = ${from}`;
  },
  // What was said stays, as the letters that went do.
  async release(tx, person) {
    await tx`update threads set person_id = null, revision = revision + 1 where person_id = ${person}`;
    await tx`update touches set person_id = null where person_id = ${person}`;
  },
  // Their words, ours to them, and the mail as it came. When, and on which channel, stays in the figures.
  async erase(tx, person, now) {
    const threads = await tx<{ id: string }[]>`
      select id from threads where person_id = ${person} order by id for no key update`;
    const ids = threads.map(({ id }) => id);
    const touches = await tx<{ id: string; thread_id: string }[]>`
      select id, thread_id from touches where person_id = ${person} or thread_id = any(${ids}::uuid[])`;
    const said = touches.map(({ id }) => id);
    await tx`
      update inbound_mails m set bytes = '', size = 0, delivered_to = '{}', message_id = null, from_address = null,
        from_name = null, from_hash = null, subject = ''
      from touches x where x.id = any(${said}::uuid[]) and m.id = x.raw_ref`;
    // Mail of theirs that stands in no conversation, as what came before anybody knew them: nothing is left to be placed.
    await tx`
      update inbound_mails set bytes = '', size = 0, delivered_to = '{}', message_id = null, from_address = null,
        from_name = null, from_hash = null, subject = '', note = 'Whoever wrote it was erased.',
        state = case when state in ('quarantined', 'broken') then 'ignored' else state end
      where touch_id is null and from_hash in (select hash from person_addresses where person_id = ${person})`;
    await tx`delete from touch_attachments where touch_id = any(${said}::uuid[])`;
    await tx`
      update touches set person_id = null, from_address = null, from_name = null, to_addresses = '{}', cc_addresses = '{}',
        subject = ${ERASED}, text = ${ERASED}, text_stripped = ${ERASED}, html = null, message_id = null, in_reply_to = null,
        message_references = '{}', authentication = null, details = '{}', words = ''
      where id = any(${said}::uuid[])`;
    await tx`
      update answers set subject = ${ERASED}, text = ${ERASED}, html = null, to_address = ${ERASED}, cc = '{}',
        state = case when state = 'draft' then 'discarded' else state end, revision = revision + 1, updated_at = ${now}
      where thread_id = any(${ids}::uuid[])`;
    // The files that our answers carried; a file of a campaign's step is not theirs.
    const files = await tx<{ id: string }[]>`
      select f.id from attachments f where f.thread_id = any(${ids}::uuid[]) or f.id in (
        select w.attachment_id from answer_attachments w join answers a on a.id = w.answer_id
        where a.thread_id = any(${ids}::uuid[]))`;
    const carried = files.map(({ id }) => id);
    await tx`delete from send_attachments where attachment_id = any(${carried}::uuid[])`;
    await tx`delete from answer_attachments where attachment_id = any(${carried}::uuid[])`;
    await tx`delete from attachments where id = any(${carried}::uuid[])`;
    await tx`
      update threads set person_id = null, subject = ${ERASED}, labels = '{}' where id = any(${ids}::uuid[])`;
    // Answers that are kept for a repeated call hold the same words.
    await tx`
      delete from idempotency_keys
      where answer -> 'thread' ->> 'id' = any(${ids}::text[]) or answer -> 'answer' ->> 'thread_id' = any(${ids}::text[])
        or answer -> 'touch' ->> 'id' = any(${said}::text[])`;
    await settleThreads(tx, [...new Set([...ids, ...touches.map(({ thread_id }) => thread_id)])], now);
  },
  async timeline(db, caller, person, after, count) {
    const all = await db<{ id: string; campaign_id: string | null }[]>`
      select t.id, t.campaign_id from threads t where t.id in (
        select x.thread_id from touches x where x.person_id = ${person} and x.channel <> 'chat')`;
    const seen = all
      .filter((each) => decide(caller.rights, 'inbox.thread.read', threadNames(each)).allowed)
      .map(({ id }) => id);
    if (seen.length === 0) return [];
    const rows = await db<Row[]>`
      select x.id, x.thread_id, x.campaign_id, x.channel, x.direction, x.note, x.at, x.subject, x.reading, x.automatic,
        x.send_id, x.by_kind, x.by_id, x.by_name, x.by_on_behalf_of,
        left(btrim(regexp_replace(left(x.text_stripped, 600), '\\s+', ' ', 'g')), 160) as snippet
      from touches x
      where x.person_id = ${person} and x.channel <> 'chat' and x.thread_id = any(${seen}::uuid[])
        ${after === null ? db`` : db`and (x.at, x.id) < (${after[0]}::timestamptz, ${after[1]})`}
      order by x.at desc, x.id desc limit ${count}`;
    return rows.map((row) => {
      const { id, note, direction, thread_id, channel, reading, automatic, campaign_id, send_id } = row;
      const { subject, snippet } = mayReadIn(caller.rights, row) ? row : UNREAD;
      return {
        id,
        kind: note ? 'touch_note' : `touch_${direction}`,
        text: null,
        details: { thread_id, channel, subject, snippet, reading, automatic, campaign_id, send_id },
        by: principalIn(row, 'by') ?? INBOX,
        at: row.at.toISOString(),
      };
    });
  },
};
