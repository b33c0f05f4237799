// What identities and domains need from the letters that use them. The sends feature implements it, so that identities don’t
// depend on letters.
import type { Principal } from '../../../kernel/caller.ts';
import type { Transaction } from '../../../kernel/database.ts';
import type { App } from '../../../kernel/app.ts';

export type LettersOfSenders = {
  /** Notifies that letters may start: told by whoever woke some. */
  due: string;
  /** Lets waiting and held letters ask their gates again at once. Takes letters, so it comes before identities and domains. */
  wake(tx: Transaction, of: { identity_id: string } | { domain_id: string }, now: Date): Promise<unknown>;
  /**
   * Letters of this identity that have not left are made again, with its name, addresses and signature as they are by now;
   * by someone without wire they go to review.
   */
  touched(
    tx: Transaction,
    post: Pick<App, 'sealer' | 'instance'>,
    identity_id: string,
    edit: { by_wire: boolean; by: Principal; now: Date },
  ): Promise<unknown>;
};
