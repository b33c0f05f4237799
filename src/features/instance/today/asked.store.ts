// All SQL of what letters ask people to do. Each query uses an index of its own.
import type { Caller } from '../../../kernel/caller.ts';
import type { Reader } from '../../../kernel/database.ts';
import { readable } from '../../inbox/threads/read/list.store.ts';

const COUNTED_MAX = 200;

export type ErasureAsked = { person_id: string; person_name: string; at: Date };

/** Whoever asked and is still here, the longest waiting first. */
export const erasuresAsked = (db: Reader, caller: Caller): Promise<ErasureAsked[]> => db<ErasureAsked[]>`
  select x.person_id, p.name as person_name, min(x.at) as at
  from (select x.person_id, x.at from touches x join threads t on t.id = x.thread_id
    where x.direction = 'in' and x.reading = 'unsubscribe' and x.details @> '{"erasure": true}'
      and x.person_id is not null and ${readable(db, caller)}
    order by x.at, x.id limit ${COUNTED_MAX}) x
  join people p on p.id = x.person_id
  group by x.person_id, p.name order by min(x.at), x.person_id`;

export type NamedLately = {
  touch_id: string;
  thread_id: string;
  campaign_id: string | null;
  person_name: string | null;
  referred_to: string;
  left: boolean;
  at: Date;
};

/** Of conversations that are not closed: closing one is how someone says that they have seen it. */
export const namedLately = (db: Reader, caller: Caller, since: Date): Promise<NamedLately[]> => db<
  NamedLately[]
>`
  select x.id as touch_id, x.thread_id, x.campaign_id, p.name as person_name, x.details ->> 'referred_to' as referred_to,
    coalesce(x.details @> '{"left": true}', false) as left, x.at
  from (select x.* from touches x join threads t on t.id = x.thread_id
    where x.direction = 'in' and x.reading = 'referral' and x.details ? 'referred_to' and x.at > ${since}
      and t.state <> 'closed' and ${readable(db, caller)}
    order by x.at desc, x.id desc limit ${COUNTED_MAX}) x
  left join people p on p.id = x.person_id order by x.at, x.id`;

/** Of these hashes, those that someone here has. */
export async function addressesKnown(db: Reader, hashes: readonly string[]): Promise<ReadonlySet<string>> {
  if (hashes.length === 0) return new Set();
  const rows = await db<{ hash: string }[]>`
    select hash from person_addresses where hash = any(${[...hashes]}::text[])`;
  return new Set(rows.map(({ hash }) => hash));
}
