// The tool that stops letters to someone. There is none that lifts.
import { z } from 'zod';
import { tool, type Tool, WRITES_ONCE } from '../../../kernel/tool.ts';
import { REASONS, suppressionAdd } from './contract.ts';

const text = z.string();

export const suppressionTools: Tool[] = [
  tool({
    name: 'suppress',
    title: 'Stop writing to an address or domain',
    says: 'Suppresses one address, or every address of a domain; nothing is written to it from then on. Answers whom it reaches; look with dry_run first. A public provider’s domain (gmail.com) needs confirm. Lifting is not yours.',
    hints: WRITES_ONCE,
    takes: z.strictObject({
      address: text.optional(),
      domain: text.optional(),
      reason: z.enum(REASONS).optional(),
      note: text.optional(),
      dry_run: z.boolean().optional(),
      confirm: z.boolean().optional(),
    }),
    example: { address: 'ann@example.com' },
    calls: [suppressionAdd],
    pick: (args) => ({ operation: suppressionAdd, arguments: args }),
  }),
];
