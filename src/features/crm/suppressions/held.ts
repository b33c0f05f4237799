// What suppressions know of the letters that they hold, and no more: outreach states it, and features.ts hands it over.
import type { Transaction } from '../../../kernel/database.ts';

export type HeldLetters = {
  /** Notifies that letters may go. */
  due: string;
  /** Asks the letters to this address again at once. */
  wake(tx: Transaction, which: { address_hash: string }, now: Date): Promise<unknown>;
};
