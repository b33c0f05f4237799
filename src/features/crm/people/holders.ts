// What people need to know about other features’ data: a feature implements PersonHolder, and features.ts passes it in, so that
// no act on a person forgets any of it.
import type { Caller, Principal } from '../../../kernel/caller.ts';
import type { Reader, Transaction } from '../../../kernel/database.ts';
import type { ReadContext, WriteContext } from '../../../kernel/context.ts';
import type { TimelineEntry } from './person-acts.contract.ts';

/** What is in place of words of, and to, someone who was erased. */
export const ERASED = 'Erased';

/** Who calls off what the end of a person ends. */
export const APP: Principal = {
  kind: 'system',
  id: '00000000-0000-0000-0000-000000000000',
  name: 'the house',
};

export type PersonHolder = {
  /** The rows' noun in the plural, as in `deals`. */
  name: string;
  /**
   * `from` is merged into `into`: every row of the one becomes the other's. Both people are held until the act is over. What
   * comes to be true by it alone may be told by `emit`.
   */
  move(tx: Transaction, from: string, into: string, now: Date, emit: WriteContext['emit']): Promise<void>;
  /** This caller gave someone another first address, by an edit or by a merge. */
  addressed?(tx: Transaction, caller: Caller, person: string, now: Date): Promise<void>;
  /** A person is about to be deleted: lets the rows go, or throws the Refusal that says why that cannot be. */
  release(tx: Transaction, person: string, now: Date): Promise<void>;
  /**
   * A person is about to be erased: every personal datum in the rows goes. It may not refuse. Gives the ids of what held any:
   * answers that are kept for a repeated call and name one of them go too.
   */
  erase(tx: Transaction, person: string, now: Date): Promise<readonly string[]>;
  /**
   * Rows that nothing has come of, such as an enrolment in a campaign that never started: they keep no one from being removed
   * with the import that brought them. `of` names those people of whom the table has no other rows.
   */
  idle?: {
    table: string;
    of(db: Reader, people: readonly string[]): Promise<ReadonlySet<string>>;
    drop(tx: Transaction, people: readonly string[]): Promise<void>;
  };
  /** Entries of a person's timeline that this caller may see, newest first by (at, id), at most `count`, older than `after`. */
  timeline?(
    db: Reader,
    caller: Caller,
    person: string,
    after: readonly [at: string, id: string] | null,
    count: number,
  ): Promise<TimelineEntry[]>;
};

/** Who looks for people, and where. */
export type Looking = Pick<ReadContext, 'db' | 'caller'>;

/**
 * The campaigns in which the caller may read who is where; null: in all of them. Of the one that is named, or of any; throws
 * where that one is not there for them. So no one is found by where they are in a campaign whose people the caller may not read.
 */
export type CampaignsRead = (context: Looking, campaign: string | null) => Promise<string[] | null>;
