// What outreach needs to know of conversations. The inbox implements it, and features.ts passes it to everything that learns
// that a letter was sent.
import type { Transaction } from '../../../../kernel/database.ts';

export type OnSent = {
  /** Locks the conversations that these letters will be written into: before anything else of theirs is locked. */
  lock(tx: Transaction, send_ids: readonly string[]): Promise<void>;
  /** Writes those of them that were sent into their conversations, once each. Gives the conversations, for whoever tells. */
  record(tx: Transaction, send_ids: readonly string[], now: Date): Promise<string[]>;
};
