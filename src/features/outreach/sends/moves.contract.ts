// The operations that move a letter from state to state (domain.md §1.5). Approving is wire act 1; what happened to a letter
// that no one knows of is said by a person, since "not sent" sends it again.
import { z } from 'zod';
import { OK, operation } from '../../../kernel/operation.ts';
import { id, revision, text, time } from '../../../kernel/shapes.ts';
import { send } from './contract.ts';
import { RESOLVED_AT_ONCE_MAX } from './letter/send.rules.ts';
import { STATES } from './letter/transitions.rules.ts';

const one = '0198c0de-0000-7000-8000-000000000051';
const fingerprint = z.string().min(1).max(200);
/** The letter starts ten seconds later at the earliest, so that whoever approves it can undo that. */
const undoable = z.boolean().optional();

/** What all of them share. */
const moves = {
  method: 'POST',
  gives: z.object({ send }),
  effect: 'write',
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
} as const;

export const sendApprove = operation({
  ...moves,
  name: 'send_approve',
  says: 'Approves one letter as it was read: it goes once its gates let it. Refused where it says something else by now.',
  path: '/api/admin/outreach/sends/:send/approve',
  takes: z.strictObject({ send: id, fingerprint, undoable }),
  example: { send: one, fingerprint: 'b0a1c2' },
  needs: { action: 'outreach.send.approve', on: 'row' },
  wire: { act: 'send.approve' },
});

export const APPROVED_AT_ONCE_MAX = 50;

export const sendsApprove = operation({
  ...moves,
  name: 'sends_approve',
  says: 'Approves up to 50 letters as they were read, all of them or none: where one cannot be, every fault is named.',
  path: '/api/admin/outreach/sends/approve',
  takes: z.strictObject({
    sends: z.array(z.strictObject({ id, fingerprint })).min(1).max(APPROVED_AT_ONCE_MAX),
    undoable,
  }),
  gives: z.object({
    sends: z.array(
      z.object({
        id,
        state: z.enum(STATES),
        fingerprint: z.string(),
        scheduled_for: time.nullable(),
        revision,
      }),
    ),
  }),
  example: { sends: [{ id: one, fingerprint: 'b0a1c2' }] },
  needs: { action: 'outreach.send.approve', on: 'row' },
  wire: { act: 'send.approve' },
});

export const sendsUnapprove = operation({
  ...moves,
  name: 'sends_unapprove',
  says: 'Undoes the approval of up to 50 letters that have not started: they are in review again. Each that can’t be undone is listed with why.',
  path: '/api/admin/outreach/sends/unapprove',
  takes: z.strictObject({ sends: z.array(id).min(1).max(APPROVED_AT_ONCE_MAX) }),
  gives: z.object({
    undone: z.array(z.object({ id, state: z.enum(STATES), revision })),
    refused: z.array(z.object({ id, code: z.string(), sentence: z.string() })),
  }),
  example: { sends: [one] },
  needs: { action: 'outreach.send.approve', on: 'row' },
});

export const sendReturn = operation({
  ...moves,
  name: 'send_return',
  says: 'Returns a letter in review to be rewritten, with a note; editing it puts it back in review.',
  path: '/api/admin/outreach/sends/:send/return',
  takes: z.strictObject({ send: id, note: text(2_000) }),
  example: { send: one, note: 'The second paragraph is not about them.' },
  needs: { action: 'outreach.send.return', on: 'row' },
});

export const sendReject = operation({
  ...moves,
  name: 'send_reject',
  says: 'Rejects a letter in review: it never goes.',
  path: '/api/admin/outreach/sends/:send/reject',
  takes: z.strictObject({ send: id, note: text(2_000).optional() }),
  example: { send: one },
  needs: { action: 'outreach.send.reject', on: 'row' },
});

export const sendCancel = operation({
  ...moves,
  name: 'send_cancel',
  says: 'Cancels a letter that has not started: it never goes.',
  path: '/api/admin/outreach/sends/:send/cancel',
  takes: z.strictObject({ send: id, note: text(2_000).optional() }),
  example: { send: one },
  needs: { action: 'outreach.send.cancel', on: 'row' },
});

export const sendHold = operation({
  ...moves,
  name: 'send_hold',
  says: 'Holds one letter until someone releases it by rechecking its gates.',
  path: '/api/admin/outreach/sends/:send/hold',
  takes: z.strictObject({ send: id, note: text(500).optional() }),
  example: { send: one },
  needs: { action: 'outreach.send.hold', on: 'row' },
});

export const sendRecheck = operation({
  ...moves,
  name: 'send_recheck',
  says: "Asks a held letter's gates again at once, and lets go of one that was held by hand; it goes on where none is shut.",
  path: '/api/admin/outreach/sends/:send/recheck',
  takes: z.strictObject({ send: id }),
  example: { send: one },
  needs: { action: 'outreach.send.recheck', on: 'row' },
});

export const sendResend = operation({
  ...moves,
  name: 'send_resend',
  says: 'Sends a letter that failed once more, as it was approved and through all its gates; its person is at its step again. An answer is called back in its thread instead.',
  path: '/api/admin/outreach/sends/:send/resend',
  takes: z.strictObject({ send: id, note: text(500).optional() }),
  example: { send: one },
  needs: { action: 'outreach.send.resend', on: 'row' },
  wire: { act: 'send.approve' },
});

export const RESOLVED_BY_PEOPLE =
  'only a person can say whether a letter was sent, on screen or with a token of their own: "not sent" sends it again';

export const sendResolve = operation({
  ...moves,
  name: 'send_resolve',
  says: 'Records the outcome of a letter whose sending broke off: it was sent, or it was not and is sent again.',
  path: '/api/admin/outreach/sends/:send/resolve',
  takes: z.strictObject({ send: id, outcome: z.enum(['sent', 'not_sent']), note: text(500).optional() }),
  example: { send: one, outcome: 'sent' },
  needs: { action: 'outreach.send.resolve', on: 'row' },
  who: { people_only: RESOLVED_BY_PEOPLE },
  // It puts the letter on the wire once more.
  wire: { act: 'send.approve', when: ({ outcome }) => outcome === 'not_sent' },
});

export const sendsResolve = operation({
  ...moves,
  name: 'sends_resolve',
  says: 'Records the outcome of up to 200 uncertain letters: they were sent, or they were not and are sent again. Each that can’t be settled is listed with why.',
  path: '/api/admin/outreach/sends/resolve',
  takes: z.strictObject({
    sends: z.array(id).min(1).max(RESOLVED_AT_ONCE_MAX),
    outcome: z.enum(['sent', 'not_sent']),
    note: text(500).optional(),
  }),
  gives: z.object({
    settled: z.array(z.object({ id, state: z.enum(STATES), revision })),
    refused: z.array(z.object({ id, code: z.string(), sentence: z.string() })),
  }),
  example: { sends: [one], outcome: 'sent' },
  needs: { action: 'outreach.send.resolve', on: 'row' },
  who: { people_only: RESOLVED_BY_PEOPLE },
  wire: { act: 'send.approve', when: ({ outcome }) => outcome === 'not_sent' },
});
