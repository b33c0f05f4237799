// The pass that goes on with an edit of a sender or a campaign: the letters that the edit itself did not come to are made anew
// some at a time, and say what stands by then. None of them leaves meanwhile (gate 6).
import { SECOND_MS } from '../../../../kernel/clock.ts';
import type { House } from '../../../../kernel/house.ts';
import { type AnyPass, pass } from '../../../../kernel/pass.ts';
import { LETTERS_DUE } from '../letter/flow.store.ts';
import { claimUnfinished, giveBackUnfinished, type Unfinished } from './remake.store.ts';
import { remakeMore } from './reached.store.ts';

type Result = { of: Unfinished; house: House };

export const remakePass: AnyPass = pass<Unfinished, Result>({
  name: 'letters_remake',
  wakes_on: [LETTERS_DUE],
  interrupted_by: [],
  tells: 'sends',
  every_ms: 10 * SECOND_MS,
  batch: 1,
  at_a_time: 1,
  starts_within_ms: 10 * SECOND_MS,
  claim: claimUnfinished,
  open: (house) => ({
    begin: async () => async (of) => ({ of, house }),
    close: () => undefined,
  }),
  async commit(tx, lease, results) {
    for (const { of, house } of results) {
      await remakeMore(tx, house, of, lease);
      // What is left is due at once, and so is what may leave now.
      house.ground.tell([{ topic: LETTERS_DUE, id: '' }]);
    }
  },
  release: giveBackUnfinished,
  tidy: async () => undefined,
});
