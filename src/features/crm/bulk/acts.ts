// What a bulk action does to a part of its people. Acts on fields are done in the job's own transaction; every other act is an
// operation of the product, run as whoever started the job, with its own gates and audit row.
import type { Caller } from '../../../kernel/caller.ts';
import type { Transaction } from '../../../kernel/database.ts';
import type { AnyOperation } from '../../../kernel/operation.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { personDelete } from '../people/contract.ts';
import { ADDED_AT_ONCE_MAX as SUPPRESSED_AT_ONCE, suppressionAdd } from '../suppressions/contract.ts';
import type { BulkArgs, Job } from './contract.ts';
import type { BulkResult } from './store.ts';

/** What came of one person. */
export type Came = Pick<BulkResult, 'outcome' | 'why'> & { changes?: BulkResult['changes'] };

export const DONE: Came = { outcome: 'done', why: null };
export const refusedAs = (why: string): Came => ({ outcome: 'refused', why });
export const unchanged = (why: string | null): Came => ({ outcome: 'unchanged', why });

/** Runs an operation for some people as one call; throws its Refusal. `part` tells the calls of one step apart. */
type BulkCall = (operation: AnyOperation, args: unknown, part?: string) => Promise<unknown>;

/** An act that other operations do; `people` are ids, and the answer has one entry for each of them. */
export type BulkAct = {
  act: Exclude<Job['act'], 'undo'>;
  /** People of one step. */
  at_once: number;
  run(
    call: BulkCall,
    args: BulkArgs,
    people: readonly string[],
    addresses: ReadonlyMap<string, readonly string[]>,
  ): Promise<ReadonlyMap<string, Came>>;
};

/** An act on the fields of people who are locked by it. */
export type FieldAct = (
  tx: Transaction,
  caller: Caller,
  people: readonly string[],
  now: Date,
) => Promise<ReadonlyMap<string, Came>>;

const NO_ADDRESS = 'they have no address';

export const suppressAct: BulkAct = {
  act: 'suppress',
  at_once: 40,
  async run(call, _args, people, addresses) {
    const suppressions = people.flatMap((id) => (addresses.get(id) ?? []).map((address) => ({ address })));
    for (let at = 0; at < suppressions.length; at += SUPPRESSED_AT_ONCE)
      await call(
        suppressionAdd as unknown as AnyOperation,
        { suppressions: suppressions.slice(at, at + SUPPRESSED_AT_ONCE) },
        String(at),
      );
    return new Map(people.map((id) => [id, addresses.has(id) ? DONE : unchanged(NO_ADDRESS)]));
  },
};

export const deleteAct: BulkAct = {
  act: 'delete',
  at_once: 25,
  async run(call, _args, people) {
    const came = new Map<string, Came>();
    for (const person of people)
      came.set(
        person,
        await call(personDelete as unknown as AnyOperation, { person }).then(
          () => DONE,
          (error: unknown) => {
            if (!(error instanceof Refusal) || isForNow(error)) throw error;
            return refusedAs(error.sentence);
          },
        ),
      );
    return came;
  },
};

/** The app is busy, or the token asks too often: nothing is said of these people yet. */
export const isForNow = ({ status }: Refusal): boolean => status === 429 || status === 503;
