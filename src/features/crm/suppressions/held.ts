// What suppressions need to know about the letters they hold. Outreach implements it, and features.ts passes it in.
import type { Transaction } from '../../../kernel/database.ts';

export type HeldLetters = {
  /** Notifies that letters may go. */
  due: string;
  /** Asks the letters to this address again at once. */
  wake(tx: Transaction, which: { address_hash: string }, now: Date): Promise<unknown>;
};
