// The pass that looks again at held letters: every ten minutes, and at once when whatever may have lifted the cause woke them.
import { SECOND_MS } from '../../../../kernel/clock.ts';
import type { Principal } from '../../../../kernel/caller.ts';
import type { App } from '../../../../kernel/app.ts';
import type { Transaction } from '../../../../kernel/database.ts';
import { type AnyPass, pass, type Pass as PassOf } from '../../../../kernel/pass.ts';
import { factsOf } from './facts.store.ts';
import type { LetterFacts } from './facts.rules.ts';
import { LETTERS_DUE } from '../letter/flow.store.ts';
import { claimHeld, giveBackHeld, stillIn } from './recheck.store.ts';
import { lookAgain } from './stops.ts';

const GATEKEEPER: Principal = {
  kind: 'system',
  id: '00000000-0000-0000-0000-000000000000',
  name: 'the gates',
};

type Due = { id: string };
type Result = { id: string; facts: LetterFacts; at: Date; app: App };

type Emit = Parameters<typeof lookAgain>[3]['emit'];
type Told = { by: Principal; now: Date; emit: Emit };
type Row = Awaited<ReturnType<typeof stillIn>>[number];

/** A pass that reads the facts of letters in one state outside its transaction, and settles in it those that are in it still. */
export const lookingPass = ({
  state,
  look,
  ...own
}: Pick<PassOf<Due, Result>, 'name' | 'wakes_on' | 'every_ms' | 'claim'> & {
  state: 'held' | 'review';
  look: (tx: Transaction, row: Row, result: Result, told: Told) => Promise<unknown>;
}): AnyPass =>
  pass<Due, Result>({
    ...own,
    interrupted_by: [],
    tells: 'sends',
    batch: 100,
    at_a_time: 10,
    starts_within_ms: 20 * SECOND_MS,
    open: (app) => ({
      async begin(rows) {
        const at = app.clock.now();
        const ids = rows.map(({ id }) => id);
        const facts = await factsOf(app.database.reader, ids, at, app);
        return async ({ id }) => {
          const known = facts.get(id);
          return known ? { id, facts: known, at, app } : null;
        };
      },
      close: () => undefined,
    }),
    async commit(tx, lease, results) {
      const byId = new Map(results.map((result) => [result.id, result]));
      for (const row of await stillIn(tx, lease, [...byId.keys()], state)) {
        const result = byId.get(row.id);
        if (!result) continue;
        const { at, app } = result;
        const emit = async (...[event, data]: Parameters<Emit>) => {
          await app.database.emit(tx, event, data, at);
        };
        await look(tx, row, result, { by: GATEKEEPER, now: at, emit: emit as Emit });
      }
    },
    release: giveBackHeld,
    tidy: async () => undefined,
  });

export const recheckPass: AnyPass = lookingPass({
  name: 'letters_recheck',
  wakes_on: [LETTERS_DUE],
  every_ms: 10 * SECOND_MS,
  claim: claimHeld,
  state: 'held',
  look: (tx, row, { facts }, told) => lookAgain(tx, row, facts, told),
});
