// The tool that talks to a built-in agent.
import { z } from 'zod';
import { tool, type Tool, WRITES } from '../../../kernel/tool.ts';
import { chatTurn } from './contract.ts';

export const chatTools: Tool[] = [
  tool({
    name: 'chat',
    title: 'Talk to a built-in agent',
    says: 'Runs one turn of a built-in agent, at most 45 s. Returns thread_id, state, text and pending[]: what still runs or waits for a person.',
    hints: { ...WRITES, openWorldHint: true },
    creates: true,
    takes: z.strictObject({
      message: z.string(),
      thread_id: z.string().optional(),
      agent: z.string().optional(),
      model: z.string().optional(),
    }),
    example: { message: 'What waits for a person?' },
    calls: [chatTurn],
    pick: (args) => ({ operation: chatTurn, arguments: args }),
  }),
];
