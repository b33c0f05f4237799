// Files that were uploaded and that nothing carries: so many at once in a campaign or a conversation, and for a day.
import type { PendingQuery, Row } from 'postgres';
import { after, DAY_MS } from '../../../kernel/clock.ts';
import type { Reader, Transaction } from '../../../kernel/database.ts';

const KEPT_MS = DAY_MS;
/** What is left over goes the next time. */
const FORGOTTEN_AT_ONCE = 1_000;

type Kind = {
  /** Whose they are. */
  home: 'campaign_id' | 'thread_id';
  /** Where it is who carries them. */
  links: 'step_attachments' | 'answer_attachments';
  /** Of a file `f`: rows, where something carries it that exists. */
  carried(db: Reader): PendingQuery<Row[]>;
};

/** Files of one kind. A letter that was drafted keeps its files, whatever becomes of where it came from. */
export function filesWaiting({ home, links, carried }: Kind) {
  // A campaign that was deleted leaves its files without one.
  const unnamed = (db: Reader) => db`
    ${home === 'thread_id' ? db`f.thread_id is not null` : db`f.thread_id is null`}
    and not exists (select from send_attachments s where s.attachment_id = f.id) and not exists (${carried(db)})`;
  return {
    /** Under the lock of whose they are, so that two uploads at once are counted one after the other. */
    async countIn(tx: Transaction, id: string): Promise<number> {
      const [row] = await tx<{ count: number }[]>`
        select count(*)::int as count from attachments f where f.${tx(home)} = ${id} and ${unnamed(tx)}`;
      return row?.count ?? 0;
    },
    /**
     * One that someone names just now is locked and passed over: whoever names files holds them (`for key share`). Asked again
     * once they are locked: one may have been named in between, and none can be from here on.
     */
    async forget(tx: Transaction, now: Date): Promise<void> {
      const rows = await tx<{ id: string }[]>`
        select f.id from attachments f where f.created_at <= ${after(now, -KEPT_MS)} and ${unnamed(tx)}
        order by f.id limit ${FORGOTTEN_AT_ONCE} for update of f skip locked`;
      const gone = await tx<{ id: string }[]>`
        select f.id from attachments f where f.id = any(${rows.map(({ id }) => id)}::uuid[]) and ${unnamed(tx)}`;
      const ids = gone.map(({ id }) => id);
      await tx`delete from ${tx(links)} where attachment_id = any(${ids}::uuid[])`;
      await tx`delete from attachments where id = any(${ids}::uuid[])`;
    },
  };
}

/** Those of a campaign, which its steps carry. */
export const stepFiles = filesWaiting({
  home: 'campaign_id',
  links: 'step_attachments',
  carried: (db) => db`
    select from step_attachments w join sequence_steps st on st.id = w.step_id
    where w.attachment_id = f.id and st.removed_at is null`,
});
