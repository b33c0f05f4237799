// The tool that rewrites a letter. Approving one is reached by the request tools, and needs wire there as everywhere.
import { z } from 'zod';
import { ON_THE_WIRE, tool, type Tool, WRITES } from '../../../kernel/tool.ts';
import { letterDraft } from './contract.ts';
import { sendResend } from './moves.contract.ts';

const text = z.string();

export const letterTools: Tool[] = [
  tool({
    name: 'letter_draft',
    title: 'Rewrite a drafted letter',
    says: 'Rewrites the letter of one step to one person while it is drafted or in review. It goes to review under your name. Signature, unsubscribe link and postal address are added.',
    hints: WRITES,
    creates: true,
    sparse: true,
    takes: z.strictObject({
      campaign: text,
      person_id: text,
      step: z.union([text, z.int()]),
      subject: text.optional(),
      text,
      reason: text,
    }),
    example: {
      campaign: '0198c0de-0000-7000-8000-000000000051',
      person_id: '0198c0de-0000-7000-8000-000000000052',
      step: 0,
      text: 'Dear Dana, congratulations on the new bridge.',
      reason: 'Their bridge opened last week',
    },
    calls: [letterDraft],
    pick: (args) => ({ operation: letterDraft, arguments: args }),
  }),
  tool({
    name: 'letter_resend',
    title: 'Send a failed letter again',
    says: 'Sends a failed letter again, as it was approved and through all its gates. Needs wire. Fix the cause first: GET /api/admin/outreach/sends/:send gives it.',
    hints: ON_THE_WIRE,
    takes: z.strictObject({ send_id: text, note: text.optional() }),
    example: { send_id: '0198c0de-0000-7000-8000-000000000051' },
    calls: [sendResend],
    pick: ({ send_id, ...rest }) => ({ operation: sendResend, arguments: { send: send_id, ...rest } }),
  }),
];
