// Proposals: acts that someone prepares and a person signs; and rehearsals, which say what an act would do.
import { z } from 'zod';
import { KEY_FORM } from '../../../kernel/idempotency.ts';
import { named } from '../../../kernel/names.ts';
import { CREATED, OK, operation } from '../../../kernel/operation.ts';
import { NEEDS } from '../../../kernel/rehearse.ts';
import { id, listOf, moment, page, text, time } from '../../../kernel/shapes.ts';
import { EXPIRES_IN_HOURS_MAX, STEPS_MAX } from './rules.ts';

export const PROPOSAL_STATES = [
  'waiting',
  'performing',
  'done',
  'returned',
  'rejected',
  'withdrawn',
  'expired',
  'superseded',
] as const;
export type ProposalState = (typeof PROPOSAL_STATES)[number];

const oneRehearsed = z.object({
  act: z.string(),
  /** False: it can’t be rehearsed. `because` says why, or how the rehearsal differs from the act. */
  rehearsed: z.boolean(),
  because: z.string().nullable(),
  /** What the act would answer. */
  would: z.object({ status: z.int(), answer: z.unknown() }).nullable(),
  refused: z.object({ status: z.int(), code: z.string(), message: z.string() }).nullable(),
  /** What must be given for it to happen. */
  needs: z.array(z.enum([...NEEDS, 'second_signer'])),
  changes: z.array(z.object({ what: z.string(), count: z.int() })),
  events: z.array(z.object({ kind: z.string(), count: z.int() })),
});
/** Of a plan, all its steps together, with each of them in `steps`. */
export const rehearsal = oneRehearsed.extend({ steps: z.array(oneRehearsed).nullable() });
export type ShownRehearsal = z.infer<typeof rehearsal>;
named('Rehearsal', rehearsal);

const args = z.record(z.string(), z.unknown());
const step = z.strictObject({ act: text(100), arguments: args.default({}) });

export const proposal = z.object({
  id,
  approval_id: id,
  /** The operation; `plan` of a plan. */
  act: z.string(),
  /** Without their secrets. */
  arguments: args,
  steps: z.array(z.object({ act: z.string(), arguments: args })).nullable(),
  why: z.string(),
  state: z.enum(PROPOSAL_STATES),
  /** How many steps of a plan were performed. */
  steps_done: z.int().nullable(),
  expires_at: time.nullable(),
  sign_at: z.string(),
  rehearsal: rehearsal.nullable(),
  /** What the act answered, once it is done. */
  outcome: z.unknown(),
  /** The note of whoever decided it. */
  note: z.string().nullable(),
  supersedes: id.nullable(),
  created_at: time,
  /** When it was decided, performed or closed. */
  settled_at: time.nullable(),
});
export type ShownProposal = z.infer<typeof proposal>;
named('Proposal', proposal);

const own = { callers: 'the act that is proposed asks for its own right' } as const;

/** What proposing and rehearsing name: one act, or the steps of a plan. */
const acts = {
  /** The name of an operation or of a tool. */
  act: text(100).optional(),
  arguments: args.optional(),
  /** A plan. A later step takes what an earlier one answered: `{"$from": "steps.0.campaign.id"}`. */
  steps: z.array(step).min(1).max(STEPS_MAX).optional(),
};

export const proposalCreate = operation({
  name: 'proposal_create',
  says: 'Proposes an act, or a plan of up to 200 acts, for a person to sign. Nothing happens until they do.',
  method: 'POST',
  path: '/api/proposals',
  takes: z.strictObject({
    ...acts,
    /** Shown to whoever signs, as the proposer’s words. */
    why: text(1_000),
    expires_in_hours: z.int().min(1).max(EXPIRES_IN_HOURS_MAX).default(168),
    /** The id of a proposal of the caller’s own that this one replaces. */
    supersedes: id.optional(),
    /** A repeated call with this key and the same arguments gets the first answer. */
    key: z.string().regex(KEY_FORM, 'key: 1 to 200 letters, digits and signs of ASCII').optional(),
    /** Proposes the same once more within ten minutes. */
    again: z.boolean().default(false),
    /** Answers with the rehearsal and proposes nothing. */
    rehearse_only: z.boolean().default(false),
  }),
  gives: z.object({
    /** Null with rehearse_only. */
    proposal: proposal.nullable(),
    /** With rehearse_only alone: a proposal has its own. */
    rehearsal: rehearsal.nullable(),
    repeated: z.boolean(),
  }),
  example: {
    act: 'item_move',
    arguments: { item_id: '0198c0de-0000-7000-8000-000000000003', status: 'done' },
    why: 'It is over.',
  },
  effect: 'write',
  needs: own,
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: CREATED,
});

export const rehearsalCreate = operation({
  name: 'rehearsal_create',
  says: 'Rehearses an act or a plan: says what it would answer and change, and what it needs. Nothing happens.',
  method: 'POST',
  path: '/api/rehearsals',
  takes: z.strictObject(acts),
  gives: z.object({ rehearsal }),
  example: {
    act: 'item_move',
    arguments: { item_id: '0198c0de-0000-7000-8000-000000000003', status: 'done' },
  },
  effect: 'read',
  needs: own,
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});

const one = { proposal: id };
const EXAMPLE = { proposal: '0198c0de-0000-7000-8000-000000000003' };

export const proposalGet = operation({
  name: 'proposal_get',
  says: 'Reads one proposal: its state, what was rehearsed, and what came of it.',
  method: 'GET',
  path: '/api/proposals/:proposal',
  takes: z.strictObject(one),
  gives: z.object({ proposal }),
  example: EXAMPLE,
  effect: 'read',
  needs: own,
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});

export const proposalList = operation({
  name: 'proposal_list',
  says: 'Lists proposals, newest first: your own with mine=true, else those you may decide or read.',
  method: 'GET',
  path: '/api/proposals',
  takes: z.strictObject({
    mine: z.boolean().default(false),
    state: z.enum(PROPOSAL_STATES).optional(),
    /** Made or settled since. */
    since: moment.optional(),
    ...page,
  }),
  gives: listOf(proposal),
  example: { mine: true },
  effect: 'read',
  needs: own,
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
  brief: ['id', 'act', 'why', 'state', 'note', 'expires_at', 'sign_at'],
});

export const proposalWithdraw = operation({
  name: 'proposal_withdraw',
  says: 'Withdraws a proposal of your own that still waits.',
  method: 'POST',
  path: '/api/proposals/:proposal/withdraw',
  takes: z.strictObject(one),
  gives: z.object({ proposal }),
  example: EXAMPLE,
  effect: 'write',
  needs: own,
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});

export const proposalRehearse = operation({
  name: 'proposal_rehearse',
  says: 'Rehearses a proposal again with the caller’s rights, and says how that differs from when it was proposed.',
  method: 'GET',
  path: '/api/proposals/:proposal/rehearsal',
  takes: z.strictObject(one),
  gives: z.object({ rehearsal, differs: z.array(z.string()) }),
  example: EXAMPLE,
  effect: 'read',
  needs: own,
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});
