// The tool of people. Its arguments are typed loosely on purpose: the operation behind it parses them again.
import { z } from 'zod';
import { READS, tool, type Tool } from '../../../kernel/tool.ts';
import { personList } from './contract.ts';

/** What an agent reads where it does not say how many: each person costs it about 300 tokens. */
const SHOWN = 10;

export const peopleTools: Tool[] = [
  tool({
    name: 'people_search',
    title: 'Find people',
    says: 'Finds people by words of name, title, company or address, by tag, by stage and campaign, or by suppression.',
    hints: READS,
    takes: z.strictObject({
      query: z.string().optional(),
      tag: z.string().optional(),
      stage: z.string().optional(),
      campaign: z.string().optional(),
      suppressed: z.boolean().optional(),
      limit: z.int().optional(),
      cursor: z.string().optional(),
    }),
    example: { query: 'ann example', limit: 10 },
    calls: [personList],
    pick: ({ tag, stage, limit = SHOWN, ...args }) => ({
      operation: personList,
      arguments: {
        ...args,
        limit,
        ...(tag !== undefined && { tag: [tag] }),
        ...(stage !== undefined && { stage: [stage] }),
      },
    }),
  }),
];
