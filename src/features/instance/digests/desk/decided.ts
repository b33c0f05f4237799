// What came of the caller's own proposals: decided, performed or closed in a span.
import type { ReadContext } from '../../../../kernel/context.ts';
import { proposalList } from '../../../work/proposals/contract.ts';
import { FIRST_LINES, fewOf, shortOrNull } from '../section.ts';
import type { Span } from '../span.ts';

const NOTE_MAX = 200;
const MOST = 100;

export async function decidedIn(context: ReadContext, { since, until }: Span) {
  const { items } = await context.invoke(proposalList, {
    mine: true,
    since: since.toISOString(),
    limit: MOST,
  });
  const settled = items.filter(({ settled_at }) => settled_at !== null && new Date(settled_at) < until);
  return fewOf(
    settled,
    ({ id, act, state, note, settled_at }) => ({
      proposal_id: id,
      act,
      state,
      note: shortOrNull(note, NOTE_MAX),
      at: settled_at,
    }),
    { max: FIRST_LINES },
  );
}
