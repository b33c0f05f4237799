// The import tool (interface specification §4.2). Its arguments are typed loosely on purpose: the operation parses them.
import { z } from 'zod';
import { tool, type Tool, WRITES } from '../../../kernel/tool.ts';
import { ON_DUPLICATE, peopleImport } from './contract.ts';

const text = z.string();

export const importTools: Tool[] = [
  tool({
    name: 'people_import',
    title: 'Import people',
    says: 'Plans an import of people from CSV or Excel (at most 1 MiB). Only the literal dry_run: false writes, and only the exact file and options whose plan you read. mapping: column to field, or null. Enrols no one.',
    hints: WRITES,
    creates: ({ dry_run }) => dry_run === false,
    takes: z.strictObject({
      file: text.optional(),
      file_base64: text.optional(),
      filename: text.optional(),
      mapping: z.record(text, text.nullable()).optional(),
      on_duplicate: z.enum(ON_DUPLICATE).optional(),
      source: text.optional(),
      basis: text.optional(),
      tags: z.array(text).optional(),
      // Anything is taken, and all but the literal false gives the plan; a client is told the type that it means.
      dry_run: z.unknown().meta({ type: 'boolean' }).optional(),
    }),
    example: { file: 'Email,Name\nann@example.com,Ann Lee\n', dry_run: true },
    calls: [peopleImport],
    pick: (args) => ({ operation: peopleImport, arguments: args }),
  }),
];
