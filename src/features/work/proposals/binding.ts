// What proposals need from later areas: marks of the records that an act names, and the letters it would release. features.ts
// passes it in.
import type { App } from '../../../kernel/app.ts';
import type { Caller } from '../../../kernel/caller.ts';
import type { ReadContext, WriteContext } from '../../../kernel/context.ts';
import type { Reader, Transaction } from '../../../kernel/database.ts';
import type { Approval } from '../approvals/contract.ts';
import type { Mark } from './bound.rules.ts';

/** Whom each segment of an act has, by its id. */
export type PeopleOf = Map<string, ReadonlySet<string>>;

export type Binding = {
  /** Marks of whatever is under the ids and keys among these arguments. `asSet`: a segment means its people. */
  now(db: Reader | Transaction, caller: Caller, args: unknown, asSet: boolean, now: Date): Promise<Mark[]>;
  /** The same of what was marked. `hold` keeps it as it is until the transaction ends; `taken` hears whom segments have. */
  again(
    db: Reader | Transaction,
    caller: Caller,
    before: readonly Mark[],
    hold: boolean,
    now: Date,
    taken?: PeopleOf,
  ): Promise<Mark[]>;
  /** The letters that an act lets go, whole, as this reader may read them; null where it is no such act. */
  letters(
    context: Pick<ReadContext, 'app' | 'db' | 'caller'>,
    operation: string,
    shown: Record<string, unknown>,
  ): Promise<NonNullable<Approval['act']>['letters']>;
  /** A conversation in which something was proposed hears of the decision. */
  toldIn(context: Pick<WriteContext, 'tell'>, thread_id: string): void;
};

/** Changes to a segment's filter leave its people alone; every other act takes them as they are. */
export const takesPeople = (app: App, operation: string): boolean =>
  !app.bound.get(operation)?.operation.path.startsWith('/api/admin/crm/segments');
