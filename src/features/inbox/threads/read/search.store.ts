// The search over everything that was said, in and out, for a caller who may read both the message and its conversation.
import type { Caller } from '../../../../kernel/caller.ts';
import type { Reader } from '../../../../kernel/database.ts';
import type { FoundTouch } from '../touches.contract.ts';
import { fromOf } from '../names.rules.ts';
import { whoseWords } from './touches.store.ts';
import { readable } from './words.store.ts';

/** The moment and the id of a touch: newest first, what comes after it is older. */
type Place = readonly [at: string, id: string];

export type MailSearch = {
  /** A tsquery (kernel/words.ts). */
  words?: string | undefined;
  campaign?: string | undefined;
  identity?: string | undefined;
  after: Place | null;
  count: number;
};

type FoundRow = Omit<FoundTouch, 'at' | 'from' | 'to' | 'words'> & {
  at: Date;
  from_address: string | null;
  from_name: string | null;
  to_addresses: string[];
};

/** How many of the newest are looked through before the index of words is asked. */
const LOOKED_THROUGH = 2_000;

/**
 * Newest first, of every channel but chats, which are their owners': of those that the caller may read, and as if no others were
 * there. Neither how many come nor where they end may say whether a word is in a message that they may not read.
 */
export async function searchMail(db: Reader, caller: Caller, search: MailSearch): Promise<FoundTouch[]> {
  const rows = await lookFor(db, caller, search);
  return rows.map(toFound);
}

const toFound = (row: FoundRow): FoundTouch => ({
  id: row.id,
  thread_id: row.thread_id,
  direction: row.direction,
  words: whoseWords(row.direction),
  channel: row.channel,
  note: row.note,
  at: row.at.toISOString(),
  from: fromOf(row),
  to: row.to_addresses,
  subject: row.subject,
  automatic: row.automatic,
  reading: row.reading,
  person_id: row.person_id,
  campaign_id: row.campaign_id,
  identity_id: row.identity_id,
  snippet: row.snippet,
});

/**
 * A word that half of all mail holds is found among the newest at once; the index would gather every one of them and sort.
 */
async function lookFor(
  db: Reader,
  caller: Caller,
  { words, campaign, identity, after, count }: MailSearch,
): Promise<FoundRow[]> {
  const columns = db`
    x.id, x.thread_id, x.direction, x.channel, x.note, x.at, x.from_address, x.from_name, x.to_addresses, x.subject,
    x.automatic, x.reading, x.person_id, x.campaign_id, x.identity_id,
    left(btrim(regexp_replace(left(x.text_stripped, 600), '\\s+', ' ', 'g')), 160) as snippet`;
  const narrowed = db`
    x.channel <> 'chat'
      ${campaign === undefined ? db`` : db`and x.campaign_id = ${campaign}`}
      ${identity === undefined ? db`` : db`and x.identity_id = ${identity}`}
      ${after === null ? db`` : db`and (x.at, x.id) < (${after[0]}::timestamptz, ${after[1]})`}`;
  const newestFirst = db`order by x.at desc, x.id desc`;
  const theirs = readable(db, caller);
  const has = db`x.words @@ ${words ?? ''}::tsquery`;
  let rows: FoundRow[] = [];
  if (words !== undefined)
    rows = await db<FoundRow[]>`
      select ${columns} from (
        select * from touches x where ${narrowed} ${newestFirst} limit ${LOOKED_THROUGH}
      ) x where ${has} and ${theirs} ${newestFirst} limit ${count}`;
  if (rows.length < count)
    rows = await db<FoundRow[]>`
      select ${columns} from touches x where ${narrowed} ${words === undefined ? db`` : db`and ${has}`} and ${theirs}
      ${newestFirst} limit ${count}`;
  return rows;
}
