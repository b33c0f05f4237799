// Closes proposals that have expired.
import { MINUTE_MS } from '../../../kernel/clock.ts';
import { pass } from '../../../kernel/pass.ts';
import { withdrawApproval } from '../approvals/open.store.ts';
import { expiredProposals, lockProposal, moveProposal } from './proposals.store.ts';

const DUNNOCK = { kind: 'system', id: 'proposals', name: 'Dunnock' } as const;

type Expired = { id: string; at: Date };

export const proposalExpiry = pass<Expired, Expired>({
  name: 'proposals',
  wakes_on: [],
  interrupted_by: [],
  tells: 'approvals',
  every_ms: MINUTE_MS,
  batch: 100,
  at_a_time: 10,
  starts_within_ms: 1_000,
  // Closed once, whoever claims it: only what waits still is.
  claim: async (tx, { from }, count) =>
    (await expiredProposals(tx, from, count)).map(({ id }) => ({ id, at: from })),
  open: () => ({ begin: async () => async (row) => row, close: () => undefined }),
  async commit(tx, _, results) {
    for (const { id, at } of results) {
      await lockProposal(tx, id);
      if (await moveProposal(tx, id, 'waiting', 'expired', { settled_at: at }))
        await withdrawApproval(tx, { id }, DUNNOCK, at);
    }
  },
  release: async () => undefined,
  tidy: async () => undefined,
});
