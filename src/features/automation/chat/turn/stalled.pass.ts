// Finds turns whose process died: they visibly end as stalled, and nothing of them is repeated automatically.
import { DAY_MS, SECOND_MS, after } from '../../../../kernel/clock.ts';
import { pass } from '../../../../kernel/pass.ts';
import { insertTouch } from '../../../inbox/threads/record/touch.store.ts';
import { CHAT, SILENT_MS } from './run.ts';
import { forgetSaid, stallTurns } from './turn.store.ts';

const STALLED =
  'the instance was stopped while I was at it; what I had done by then stays done. Say "go on" to let me continue';

/** What was said in a turn is told to a model again for so long. */
const REMEMBER_MS = 30 * DAY_MS;

type Stalled = Awaited<ReturnType<typeof stallTurns>>[number];

export const stalledTurns = pass<Stalled, Stalled>({
  name: 'chat_stalled',
  wakes_on: [],
  interrupted_by: [],
  tells: CHAT,
  every_ms: 20 * SECOND_MS,
  batch: 50,
  at_a_time: 10,
  starts_within_ms: 20 * SECOND_MS,
  async claim(tx, { from }) {
    const stalled = await stallTurns(tx, after(from, -SILENT_MS), STALLED, from);
    for (const { thread_id, text, agent_name } of stalled) {
      const said = [text, STALLED].filter(Boolean).join('\n\n');
      const name = { address: null, name: agent_name };
      await insertTouch(
        tx,
        { thread_id, direction: 'out', channel: 'chat', at: from, from: name, text: said, automatic: true },
        from,
      );
    }
    return stalled;
  },
  // Finding one ends it: there is nothing left to work on, and the change notification of the pass tells who follows.
  open: () => ({ begin: async () => async (row) => row, close: () => undefined }),
  commit: async () => undefined,
  release: async () => undefined,
  tidy: (tx, now) => forgetSaid(tx, after(now, -REMEMBER_MS)),
});
