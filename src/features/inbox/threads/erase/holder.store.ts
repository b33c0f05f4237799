// What conversations keep of a person, for the acts on people that reach every row of one: merging, deleting, erasing, the
// timeline.
import type { Principal } from '../../../../kernel/caller.ts';
import type { PersonHolder } from '../../../crm/people/holders.ts';
import { decide } from '../../../../kernel/policy.ts';
import { principalIn, type PrincipalColumns } from '../../../../kernel/principal-row.ts';
import type { Channel } from '../names.rules.ts';
import { threadNames } from '../../../../kernel/messages.ts';
import { mayReadIn } from '../../../../kernel/messages.ts';
import { eraseSaid } from './erase.store.ts';

/** Whoever writes down what no one of ours wrote. */
const INBOX: Principal = { kind: 'system', id: 'threads', name: 'the inbox' };

/** That someone said something is told to whoever reads the conversation, and what to whoever reads the message. */
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
  erase: eraseSaid,
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
