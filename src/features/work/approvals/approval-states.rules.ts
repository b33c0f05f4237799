// The states of an approval, as a table: the rule, and what the SQL is made of (approval-states.store.ts). It is opened as pending
// and leaves that once, for ever.
//
//   pending → approved | returned | rejected    a person who is not its author decided
//   pending → withdrawn                         its subject was moved out of review, or deleted
//   pending → superseded                        its subject changed: another one is opened for the new revision
import { given, type Machine, NOW } from '../../../kernel/machine.ts';
import type { Approval } from './contract.ts';

export type ApprovalAct = 'approve' | 'return' | 'reject' | 'withdraw' | 'supersede';

const note = { note: given('note') };

export const APPROVAL = {
  table: 'approvals',
  acts: {
    approve: { from: ['pending'], to: 'approved', set: note },
    return: { from: ['pending'], to: 'returned', set: note },
    reject: { from: ['pending'], to: 'rejected', set: note },
    withdraw: { from: ['pending'], to: 'withdrawn', set: {} },
    supersede: { from: ['pending'], to: 'superseded', set: {} },
  },
  always: {
    decided_by_kind: given('decided_by_kind'),
    decided_by_id: given('decided_by_id'),
    decided_by_name: given('decided_by_name'),
    decided_by_on_behalf_of: given('decided_by_on_behalf_of'),
    decided_at: NOW,
  },
} as const satisfies Machine<Approval['state'], ApprovalAct>;
