// The tool that runs a script: one operation under the name that the specification gives it (§4.2).
import { z } from 'zod';
import { tool, type Tool } from '../../../kernel/tool.ts';
import { scriptRun } from './contract.ts';

const plain = z.union([z.string(), z.number(), z.boolean(), z.null()]);

export const scriptTools: Tool[] = [
  tool({
    name: 'run',
    title: 'Run a Lua script',
    says: "Runs Lua 5.4 as you; needs the scripts scope. dunnock.call('person_list', {limit = 9}) runs an operation or raises its refusal; dunnock.try returns nil, sentence. Limits: 25 s, 200 calls. args is the table args. rehearse: calls that write change nothing.",
    hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    takes: z.strictObject({
      script: z.string(),
      args: z.record(z.string(), plain).optional(),
      rehearse: z.boolean().optional(),
    }),
    example: { script: 'return args.n + 1', args: { n: 1 } },
    calls: [scriptRun],
    pick: (args) => ({ operation: scriptRun, arguments: args }),
  }),
];
