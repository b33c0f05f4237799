// The tool that stops letters to someone. There is none that lifts.
import { z } from 'zod';
import { tool, type Tool, WRITES_ONCE } from '../../../kernel/tool.ts';
import { REASONS, suppressionAdd } from './contract.ts';

const text = z.string();

export const suppressionTools: Tool[] = [
  tool({
    name: 'suppress',
    title: 'Stop writing to an address or domain',
    says: 'Suppresses an address, or all addresses of a domain: no more letters go to it. Returns who is affected; dry_run shows that first. A public provider’s domain (gmail.com) needs confirm. Only a person lifts it.',
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
