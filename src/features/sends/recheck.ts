// The pass that looks again at held letters: every ten minutes, and at once when whatever may have lifted the cause woke them.
import { SECOND_MS } from '../../kernel/clock.ts';
import type { Principal } from '../../kernel/caller.ts';
import type { House } from '../../kernel/house.ts';
import { type AnyPass, pass } from '../../kernel/pass.ts';
import { factsOf } from './facts.store.ts';
import type { LetterFacts } from './facts.rules.ts';
import { LETTERS_DUE } from './flow.store.ts';
import { claimHeld, giveBackHeld, stillHeld } from './recheck.store.ts';
import { lookAgain } from './stops.ts';

export const GATEKEEPER: Principal = {
  kind: 'system',
  id: '00000000-0000-0000-0000-000000000000',
  name: 'the gates',
};

type Due = { id: string };
type Result = { id: string; facts: LetterFacts; at: Date; house: House };

export const recheckPass: AnyPass = pass<Due, Result>({
  name: 'letters_recheck',
  wakes_on: [LETTERS_DUE],
  interrupted_by: [],
  tells: 'sends',
  every_ms: 10 * SECOND_MS,
  batch: 100,
  at_a_time: 10,
  starts_within_ms: 20 * SECOND_MS,
  claim: claimHeld,
  open: (house) => ({
    async begin(rows) {
      const at = house.clock.now();
      const ids = rows.map(({ id }) => id);
      const facts = await factsOf(house.ground.reader, ids, at, house);
      return async ({ id }) => {
        const known = facts.get(id);
        return known ? { id, facts: known, at, house } : null;
      };
    },
    close: () => undefined,
  }),
  async commit(tx, lease, results) {
    const rows = await stillHeld(
      tx,
      lease,
      results.map(({ id }) => id),
    );
    const byId = new Map(results.map((result) => [result.id, result]));
    for (const row of rows) {
      const result = byId.get(row.id);
      if (!result) continue;
      const { facts, at, house } = result;
      const emit = async (...[event, data]: Parameters<Emit>) => {
        await house.ground.emit(tx, event, data, at);
      };
      await lookAgain(tx, row, facts, { by: GATEKEEPER, now: at, emit: emit as Emit });
    }
  },
  release: giveBackHeld,
  tidy: async () => undefined,
});

type Emit = Parameters<typeof lookAgain>[3]['emit'];
