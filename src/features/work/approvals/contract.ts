// Approvals: what waits for a person's decision, and the decision, which no agent ever makes (interface specification §5).
import { z } from 'zod';
import { named } from '../../../kernel/names.ts';
import { OK, OK_WITH_SECRET, operation } from '../../../kernel/operation.ts';
import { id, listOf, page, principal, revision, text, time } from '../../../kernel/shapes.ts';
import { AGENT_DOES_NOT_DECIDE } from '../../../kernel/sentences.ts';
import { rehearsal } from '../proposals/contract.ts';
import { ORIGINS } from '../proposals/rules.ts';
import { DECIDED_AT_ONCE_MAX } from './rules.ts';

export const APPROVAL_STATES = [
  'pending',
  'approved',
  'returned',
  'rejected',
  'withdrawn',
  'superseded',
] as const;
export const APPROVAL_KINDS = ['work_review', 'workflow_step', 'chat_action', 'proposal'] as const;
export const DECISIONS = ['approve', 'return', 'reject'] as const;

export const approval = z.object({
  id,
  kind: z.enum(APPROVAL_KINDS),
  subject: z.object({ kind: z.string(), id, key: z.string(), title: z.string(), revision }),
  project_id: id.nullable(),
  requested_by: principal,
  author: principal,
  state: z.enum(APPROVAL_STATES),
  note: z.string().nullable(),
  decided_by: principal.nullable(),
  decided_at: time.nullable(),
  created_at: time,
  /** What approving does, where that is an operation. */
  act: z
    .object({
      operation: z.string(),
      says: z.string(),
      /** Without their secrets. */
      arguments: z.record(z.string(), z.unknown()),
      /** What its arguments name, by argument: the titles of records that this reader may have to do with. */
      things: z.record(z.string(), z.string()),
      /** The letters that it would let go, whole, as this reader may read them. Null: there are none, or this is a list. */
      letters: z
        .array(
          z.object({
            id,
            to: z.array(z.string()),
            from: z.string().nullable(),
            subject: z.string(),
            text: z.string(),
            fingerprint: z.string(),
          }),
        )
        .nullable(),
      /** Of a plan: its steps, in order. Without arguments where the reader could not do that step. */
      steps: z
        .array(z.object({ act: z.string(), says: z.string(), arguments: z.record(z.string(), z.unknown()) }))
        .nullable(),
      proposal_id: id,
      origin: z.enum(ORIGINS),
      /** The proposer’s words. */
      why: z.string().nullable(),
      expires_at: time.nullable(),
      /** What it would change, in one line, as it was rehearsed when it was proposed. */
      effect: z.string().nullable(),
      /** Null in a list. */
      rehearsal: rehearsal.nullable(),
      /** The proposal that this one replaces. */
      supersedes: id.nullable(),
      /** Why approving it would be refused: something that it names changed since it was proposed. Null in a list. */
      changed: z.string().nullable(),
      /** A fingerprint of the act as it is shown here, for the decision to carry; null in a list. */
      seen: z.string().nullable(),
    })
    .nullable(),
  /** May this caller decide it now, and if not, the sentence that says why. */
  can_decide: z.boolean(),
  why_not: z.string().nullable(),
});
export type Approval = z.infer<typeof approval>;
named('Approval', approval);

export const approvalList = operation({
  name: 'approval_list',
  says: 'Lists approvals of the projects the caller sees, those awaiting a decision unless another state is asked for, oldest first; of one subject, newest first.',
  method: 'GET',
  path: '/api/approvals',
  takes: z.strictObject({
    state: z.enum([...APPROVAL_STATES, 'any']).default('pending'),
    project: z.string().min(1).max(60).optional(),
    kind: z.enum(APPROVAL_KINDS).optional(),
    /** The id of one thing, as of a work item: what was ever decided about it, the newest first. */
    subject: id.optional(),
    ...page,
  }),
  gives: listOf(approval),
  example: {},
  effect: 'read',
  needs: { action: 'approval.read', on: 'row' },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});

export const approvalGet = operation({
  name: 'approval_get',
  says: 'Reads one approval.',
  method: 'GET',
  path: '/api/approvals/:approval',
  takes: z.strictObject({ approval: id }),
  gives: z.object({ approval }),
  example: { approval: '0198c0de-0000-7000-8000-000000000003' },
  effect: 'read',
  needs: { action: 'approval.read', on: 'row' },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});

export const approvalDecide = operation({
  name: 'approval_decide',
  says: 'Approves, returns or rejects what waits. Only a person decides, never the author, and only the revision they were shown.',
  method: 'POST',
  path: '/api/approvals/:approval/decide',
  takes: z.strictObject({
    approval: id,
    decision: z.enum(DECISIONS),
    /** Required to return or reject; it becomes a comment on the item. */
    note: text(5_000).optional(),
    /** The `subject.revision` of the approval as it was read. */
    revision,
    /** The `act.seen` of the approval as it was read: approving is refused with 409 where it would show something else now. */
    seen: z.string().min(1).max(80).optional(),
  }),
  gives: z.object({
    approval,
    /** What the act answered that was performed by approving it; shown this once. */
    answer: z.record(z.string(), z.unknown()).nullable(),
  }),
  example: { approval: '0198c0de-0000-7000-8000-000000000003', decision: 'approve', revision: 1 },
  effect: 'write',
  needs: { action: 'approval.decide', on: 'row' },
  who: { people_only: AGENT_DOES_NOT_DECIDE, code: 'agent_turn' },
  step_up: 'no',
  wire: 'never',
  answers: OK_WITH_SECRET,
});

const refused = z.array(z.object({ id, code: z.string(), sentence: z.string() }));

/** What deciding and undoing many share. */
const many = {
  method: 'POST',
  effect: 'write',
  needs: { action: 'approval.decide', on: 'row' },
  who: { people_only: AGENT_DOES_NOT_DECIDE, code: 'agent_turn' },
  step_up: 'no',
  wire: 'never',
  answers: OK,
} as const;

export const approvalsDecide = operation({
  ...many,
  name: 'approvals_decide',
  says: 'Approves, returns or rejects up to 200 work items, each at the revision that was shown. What changed since, and what can’t be decided, is left out and listed with why.',
  path: '/api/approvals/decide',
  takes: z.strictObject({
    approvals: z.array(z.strictObject({ id, revision })).min(1).max(DECIDED_AT_ONCE_MAX),
    decision: z.enum(DECISIONS),
    /** Required to return or reject; it becomes a comment on each item. */
    note: text(5_000).optional(),
  }),
  gives: z.object({ decided: z.array(z.object({ id, state: z.enum(APPROVAL_STATES) })), refused }),
  example: {
    approvals: [{ id: '0198c0de-0000-7000-8000-000000000003', revision: 1 }],
    decision: 'approve',
  },
});

export const approvalsUndo = operation({
  ...many,
  name: 'approvals_undo',
  says: 'Undoes your own approval of up to 200 work items within 10 seconds: each is in review again. What can’t be undone is left out and listed with why.',
  path: '/api/approvals/undo',
  takes: z.strictObject({ approvals: z.array(id).min(1).max(DECIDED_AT_ONCE_MAX) }),
  gives: z.object({
    /** `approval`: the one that waits for a decision now. */
    undone: z.array(z.object({ id, approval: id })),
    refused,
  }),
  example: { approvals: ['0198c0de-0000-7000-8000-000000000003'] },
});
