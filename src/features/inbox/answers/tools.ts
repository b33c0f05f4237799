// The two tools of answers. Arguments are typed loosely: the operation behind each parses them again.
import { z } from 'zod';
import { ON_THE_WIRE, tool, type Tool, WRITES } from '../../../kernel/tool.ts';
import { answerDraft, answerSend, answerUpdate } from './contract.ts';

const text = z.string();
const exampleAnswer = '0198c0de-0000-7000-8000-000000000062';

export const answerTools: Tool[] = [
  tool({
    name: 'answer_draft',
    title: 'Draft an answer',
    says: 'Drafts an answer in a thread; it goes to no one until it is sent. answer_id and revision edit a draft. Check recipients: in_thread false is someone new to the thread.',
    hints: WRITES,
    creates: true,
    sparse: true,
    takes: z.strictObject({
      thread_id: text,
      text,
      subject: text.optional(),
      answer_id: text.optional(),
      revision: z.int().optional(),
    }),
    example: {
      thread_id: '0198c0de-0000-7000-8000-000000000061',
      text: 'Dear Dana, Tuesday suits us well.',
    },
    calls: [answerDraft, answerUpdate],
    pick: ({ thread_id: thread, answer_id, ...args }) =>
      answer_id === undefined
        ? { operation: answerDraft, arguments: { thread, ...args } }
        : { operation: answerUpdate, arguments: { thread, answer: answer_id, ...args } },
  }),
  tool({
    name: 'answer_send',
    title: 'Send an answer',
    says: 'Sends a drafted answer with the fingerprint you read. Needs wire. It leaves after 10 seconds; a person can undo it until then.',
    hints: { ...ON_THE_WIRE, idempotentHint: true },
    takes: z.strictObject({ answer_id: text, fingerprint: text }),
    example: { answer_id: exampleAnswer, fingerprint: 'b0a1c2' },
    calls: [answerSend],
    pick: ({ answer_id, fingerprint }) => ({
      operation: answerSend,
      arguments: { answer: answer_id, fingerprint },
    }),
  }),
];
