// What outreach knows of the conversations that its letters are in, and no more: the inbox states it, and features.ts hands it
// over to whatever finds out that letters went.
import type { Transaction } from '../../../../kernel/database.ts';

export type OnSent = {
  /** Locks the conversations that these letters will be written into: before anything else of theirs is locked. */
  lock(tx: Transaction, send_ids: readonly string[]): Promise<void>;
  /** Writes those of them that were sent into their conversations, once each. Gives the conversations, for whoever tells. */
  record(tx: Transaction, send_ids: readonly string[], now: Date): Promise<string[]>;
};
