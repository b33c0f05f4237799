// The pass that finishes re-rendering letters after an edit of a sender or a campaign, a part at a time, with the current
// values. None of them leaves before (gate 6).
import { SECOND_MS } from '../../../../kernel/clock.ts';
import type { App } from '../../../../kernel/app.ts';
import { type AnyPass, pass } from '../../../../kernel/pass.ts';
import { LETTERS_DUE } from '../letter/flow.store.ts';
import { claimUnfinished, giveBackUnfinished, type Unfinished } from './remake.store.ts';
import { rerenderMore } from './reached.store.ts';

type Result = { of: Unfinished; app: App };

export const rerenderPass: AnyPass = pass<Unfinished, Result>({
  name: 'letters_remake',
  wakes_on: [LETTERS_DUE],
  interrupted_by: [],
  tells: 'sends',
  every_ms: 10 * SECOND_MS,
  batch: 1,
  at_a_time: 1,
  starts_within_ms: 10 * SECOND_MS,
  claim: claimUnfinished,
  open: (app) => ({
    begin: async () => async (of) => ({ of, app }),
    close: () => undefined,
  }),
  async commit(tx, lease, results) {
    for (const { of, app } of results) {
      await rerenderMore(tx, app, of, lease);
      // What is left is due at once, and so is what may leave now.
      app.database.tell([{ topic: LETTERS_DUE, id: '' }]);
    }
  },
  release: giveBackUnfinished,
  tidy: async () => undefined,
});
