// Letters on their way: what a send is (domain.md §1.5, §4.4), and the operations that find, read, edit and write one. What
// moves one from state to state is in moves.contract.ts.
import { z } from 'zod';
import { csvOf } from '../../../kernel/csv.ts';
import { named } from '../../../kernel/names.ts';
import { CREATED, OK, operation } from '../../../kernel/operation.ts';
import { id, listOf, moment, page, principal, revision, text, time } from '../../../kernel/shapes.ts';
import { deliveryReport } from '../deliveries/report.contract.ts';
import { GATE_NAMES } from './gates/gates.rules.ts';
import { HOLD_REASONS, WAIT_REASONS } from './letter/reasons.rules.ts';
import { KINDS, REVIEW_REASONS } from './letter/send.rules.ts';
import { STATES } from './letter/transitions.rules.ts';

const who = z.enum(['person', 'operator', 'time']);

export const hold = z.object({
  reason: z.enum(HOLD_REASONS),
  sentence: z.string(),
  /** What lifts it, and who can. */
  fix: z.string(),
  who,
  since: time,
});
named('SendHold', hold);

/** What would show that an uncertain letter went. */
export const LOOKED_FOR = ['sent_copy', 'reply', 'bounce'] as const;

export const DELIVERIES = ['accepted', 'delivered', 'soft', 'hard', 'policy', 'complaint'] as const;

export const send = z.object({
  id,
  kind: z.enum(KINDS),
  campaign_id: id.nullable(),
  prospect_id: id.nullable(),
  /** Null once the person was deleted. */
  person_id: id.nullable(),
  step_id: id.nullable(),
  identity_id: id.nullable(),
  state: z.enum(STATES),
  subject: z.string(),
  text: z.string(),
  html: z.string().nullable(),
  /** An answer that quotes a message which the caller may not read: its own words are here, without that and without HTML. */
  quote_hidden: z.boolean(),
  to: z.string(),
  fingerprint: z.string(),
  message_id: z.string(),
  /** When it is due. */
  scheduled_for: time.nullable(),
  /** A gate that time opens is shut until then; `waiting_for` says which. */
  not_before: time.nullable(),
  waiting_for: z.enum(WAIT_REASONS).nullable(),
  hold: hold.nullable(),
  delivery: z.enum(DELIVERIES).nullable(),
  /** What kept it from its reader, or put it off; null where nothing did. */
  delivery_report: deliveryReport.nullable(),
  approved_by: principal.nullable(),
  approved_at: time.nullable(),
  sent_at: time.nullable(),
  /** Of an uncertain letter: what was looked for in the mailbox of its sender, and when last; null: not yet, or no mailbox is read. */
  looked_for: z.array(z.object({ evidence: z.enum(LOOKED_FOR), looked_at: time.nullable() })).nullable(),
  revision,
  /** Names that a screen shows; null where the caller may not read whom they name. */
  person_name: z.string().nullable(),
  campaign_name: z.string().nullable(),
  /** Name and address of the sender. */
  from: z.string().nullable(),
  /** Why someone is to read it before it goes; null: no one has to. */
  review_reason: z.enum(REVIEW_REASONS).nullable(),
  /** What was said when it was returned. */
  note: z.string().nullable(),
  /** Who wrote this letter instead of the sequence, and why. */
  rewritten: z.object({ by: principal, reason: z.string().nullable() }).nullable(),
  /** Names that the letter asks for and the person has no value for. */
  unresolved: z.array(z.string()),
  cancel_reason: z.string().nullable(),
  failed_reason: z.string().nullable(),
  created_at: time,
  updated_at: time,
});
export type Send = z.infer<typeof send>;
named('Send', send);

/** What one gate says at this moment. */
export const gateVerdict = z.object({
  gate: z.enum(GATE_NAMES),
  /** `skipped`: it is not asked of this kind of letter. */
  verdict: z.enum(['pass', 'wait', 'hold', 'over', 'skipped']),
  reason: z.string().nullable(),
  sentence: z.string().nullable(),
  fix: z.string().nullable(),
  who: who.nullable(),
  /** When time opens it, at the earliest. */
  until: time.nullable(),
  evidence: z.record(z.string(), z.unknown()),
});
export type GateRow = z.infer<typeof gateVerdict>;
named('GateVerdict', gateVerdict);

/** When it goes, or why not: one of the two, always; and both where its hour is over and it waits for something. */
export const outlook = z.object({
  /** The earliest moment at which it can go, as things exist. */
  goes_at: time.nullable(),
  why_not: z
    .object({ reason: z.string(), sentence: z.string(), fix: z.string(), who: who.nullable() })
    .nullable(),
  gates: z.array(gateVerdict),
});
export type Outlook = z.infer<typeof outlook>;
named('SendOutlook', outlook);

export const sendFact = z.object({
  id,
  kind: z.string(),
  details: z.record(z.string(), z.unknown()),
  by: principal,
  at: time,
});
export type SendFact = z.infer<typeof sendFact>;
named('SendFact', sendFact);

const one = '0198c0de-0000-7000-8000-000000000051';
const noun = { who: 'anyone', step_up: 'no', wire: 'never' } as const;

export const sendList = operation({
  ...noun,
  name: 'send_list',
  says: 'Lists letters by state, campaign, identity, person or the reason they are held, newest first; with order=oldest a queue to review.',
  method: 'GET',
  path: '/api/admin/outreach/sends',
  takes: z.strictObject({
    state: z.enum(STATES).optional(),
    campaign: id.optional(),
    identity: id.optional(),
    person: id.optional(),
    prospect: id.optional(),
    /** Why they are held; only held letters have one. */
    reason: z.enum(HOLD_REASONS).optional(),
    /** Sent back by a review and not rewritten since; of a canceled letter: rejected by a review. */
    returned: z.boolean().optional(),
    /** Last changed at or after the one, and before the other. */
    since: moment.optional(),
    until: moment.optional(),
    order: z.enum(['newest', 'oldest']).default('newest'),
    ...page,
  }),
  gives: listOf(send),
  brief: [
    'id',
    'state',
    'campaign_id',
    'person_id',
    'to',
    'subject',
    'note',
    'why_held:hold.reason',
    'failed_reason',
    'cancel_reason',
    'sent_at',
  ],
  example: { state: 'held' },
  effect: 'read',
  needs: { action: 'outreach.send.read', on: 'row' },
  answers: OK,
});

export const sendExport = csvOf(sendList, 'send_export', 'letters');

export const sendRead = operation({
  ...noun,
  name: 'send_read',
  says: 'Reads one letter whole: what it says, when it goes or why not, every gate with its evidence, what servers reported of it in their own words, and what happened to it.',
  method: 'GET',
  path: '/api/admin/outreach/sends/:send',
  takes: z.strictObject({ send: id }),
  gives: z.object({
    send,
    outlook,
    /** What its step says, to be held beside it; null where it has none. */
    template: z.object({ subject: z.string().nullable(), text: z.string() }).nullable(),
    /** What it said before it was last changed. */
    previous: z.object({ subject: z.string(), text: z.string() }).nullable(),
    /** All that was reported of it, newest first: at most 20. */
    reports: z.array(deliveryReport),
    history: z.array(sendFact),
  }),
  example: { send: one },
  effect: 'read',
  needs: { action: 'outreach.send.read', on: 'row' },
  answers: OK,
});

/** Longer is no letter. */
const LONGEST_TEXT = 100_000;
const words = {
  subject: z.string().max(998),
  text: z.string().max(LONGEST_TEXT),
  html: z.string().max(LONGEST_TEXT).nullable(),
};

export const sendUpdate = operation({
  ...noun,
  name: 'send_update',
  says: 'Edits a letter that has not started: it gets a new fingerprint, loses its approval and goes to review. New text without html makes it a plain letter.',
  method: 'PATCH',
  path: '/api/admin/outreach/sends/:send',
  takes: z.strictObject({
    send: id,
    revision,
    ...z.object(words).partial().shape,
    /** Another address of the same person. */
    to: z.string().max(2_000).optional(),
    /** Why it says something else than its step. */
    reason: text(500).optional(),
  }),
  gives: z.object({ send }),
  example: { send: one, revision: 1, subject: 'Your bridge over the Spree' },
  effect: 'write',
  needs: { action: 'outreach.send.write', on: 'row' },
  answers: OK,
});

export const letterDraft = operation({
  ...noun,
  name: 'letter_draft',
  says: "Rewrites the letter of one step to one person, as long as it is drafted or in review; it goes to review under the writer's name.",
  method: 'POST',
  path: '/api/admin/outreach/letters/rewrite',
  takes: z.strictObject({
    campaign: id,
    person_id: id,
    /** The step's id, or its position, from 0. */
    step: z.union([id, z.int().min(0).max(1000)]),
    subject: words.subject.optional(),
    text: z.string().trim().min(1).max(LONGEST_TEXT),
    reason: text(500),
  }),
  gives: z.object({ send }),
  example: { campaign: one, person_id: one, step: 0, text: 'Dear Dana', reason: 'She moved to Roe & Sons' },
  effect: 'write',
  needs: { action: 'outreach.letter.write', on: 'row' },
  answers: OK,
});

export const letterCreate = operation({
  ...noun,
  name: 'letter_create',
  says: 'Drafts a single letter to one person outside any campaign; it waits in review, and meets the same gates as every other.',
  method: 'POST',
  path: '/api/admin/outreach/letters',
  takes: z.strictObject({
    person_id: id,
    identity_id: id,
    subject: z.string().trim().min(1).max(998),
    text: z.string().trim().min(1).max(LONGEST_TEXT),
    html: words.html.optional(),
    /** An address of theirs; the first one where none is named. */
    to: z.string().max(2_000).optional(),
    /** Not before; as soon as the gates let it where nothing is said. */
    scheduled_for: time.optional(),
  }),
  gives: z.object({ send }),
  example: { person_id: one, identity_id: one, subject: 'Your talk in Ghent', text: 'Dear Dana' },
  effect: 'write',
  needs: { action: 'outreach.letter.create', on: () => ['outreach:letter'] },
  answers: CREATED,
});
