// A test run of a workflow: its steps as they are now, with every act rehearsed and nothing waited for.
import { z } from 'zod';
import { OK, operation } from '../../../kernel/operation.ts';
import { id } from '../../../kernel/shapes.ts';
import { exampleWorkflow, gated } from './contract.ts';

export const TESTED = ['done', 'failed', 'skipped'] as const;

const testedStep = z.object({
  step: z.string(),
  kind: z.string(),
  name: z.string(),
  came: z.enum(TESTED),
  /** What it takes, with its references filled in. */
  input: z.record(z.string(), z.unknown()),
  output: z.unknown(),
  /** Why it failed, was skipped, or differs from a run. */
  says: z.string().nullable(),
  needs: z.array(z.string()),
  changes: z.array(z.object({ what: z.string(), count: z.int() })),
  events: z.array(z.object({ kind: z.string(), count: z.int() })),
});
export type TestedStep = z.infer<typeof testedStep>;

export const workflowTest = operation({
  name: 'workflow_test',
  says: 'Walks a workflow as it is saved now, with every act rehearsed and nothing waited for, and says what each step would do. Nothing happens.',
  method: 'POST',
  path: '/api/workflows/:workflow/test',
  takes: z.strictObject({
    workflow: id,
    /** What sets it off. Absent: what set off its newest run. */
    trigger: z.record(z.string().max(60), z.unknown()).optional(),
    /** What everyone who is asked says. */
    approve: z.boolean().default(true),
  }),
  gives: z.object({
    trigger: z.record(z.string(), z.unknown()),
    steps: z.array(testedStep),
    /** Whether it came to its end. */
    ended: z.enum(['succeeded', 'failed', 'too_long']),
  }),
  example: { workflow: exampleWorkflow },
  effect: 'read',
  needs: { action: 'workflow.run', on: 'row' },
  ...gated,
  answers: OK,
});
