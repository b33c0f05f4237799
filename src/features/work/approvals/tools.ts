// The two tools of approvals. The second one only refuses, in a sentence: an agent never decides (interface specification §5).
import { z } from 'zod';
import { READS, tool, WRITES_ONCE } from '../../../kernel/tool.ts';
import { proposalList } from '../proposals/contract.ts';
import { APPROVAL_KINDS, approvalDecide, approvalList, DECISIONS } from './contract.ts';

export const approvalsInbox = tool({
  name: 'approvals_inbox',
  title: 'Approvals awaiting a decision',
  says: 'Lists what waits for a person, oldest first, with sign_at, where they decide. You can’t decide any of it. mine: what you proposed instead, newest first, with what came of it.',
  hints: READS,
  takes: z.strictObject({
    project: z.string().optional(),
    kind: z.enum(APPROVAL_KINDS).optional(),
    mine: z.boolean().optional(),
    since: z.string().optional(),
    limit: z.int().optional(),
  }),
  example: {},
  calls: [approvalList, proposalList],
  pick: ({ mine, since, ...args }) =>
    mine
      ? { operation: proposalList, arguments: { mine, ...(since && { since }), ...args } }
      : { operation: approvalList, arguments: args },
});

export const decideTool = tool({
  name: 'approval_decide',
  title: 'Decide an approval (people only)',
  says: 'Always refused on an agent turn: a person decides.',
  hints: WRITES_ONCE,
  takes: z.strictObject({
    approval_id: z.string(),
    decision: z.enum(DECISIONS),
    note: z.string().optional(),
    revision: z.int().optional(),
  }),
  example: { approval_id: '0198c0de-0000-7000-8000-000000000003', decision: 'approve' },
  calls: [approvalDecide],
  pick: ({ approval_id, ...rest }) => ({
    operation: approvalDecide,
    arguments: { approval: approval_id, ...rest },
  }),
});
