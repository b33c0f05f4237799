// The parts that workflows are built from: triggers with their values, and kinds of steps with their inputs and
// outputs.
import { z } from 'zod';
import { OK, operation } from '../../../kernel/operation.ts';
import { gated, workflowName } from './contract.ts';

/** What steps can read and use: how a definition is built without guessing. */
export const workflowKinds = operation({
  ...gated,
  name: 'workflow_kinds',
  says: 'Lists the triggers of workflows with the values that steps can read of them, and the kinds of steps with their inputs and outputs.',
  method: 'GET',
  path: '/api/workflows/kinds',
  takes: z.strictObject({}),
  gives: z.object({
    triggers: z.array(
      z.object({
        kind: z.string(),
        event: z.string().nullable(),
        /** Written as {{ trigger.<name> }}; null: whoever starts the run chooses them. */
        values: z.array(z.string()).nullable(),
      }),
    ),
    kinds: z.array(
      z.object({
        kind: z.string(),
        /** Names of its input; those without a question mark are required. */
        takes: z.array(z.string()),
        /** Written as {{ steps.<id>.<name> }}. */
        gives: z.array(z.string()),
      }),
    ),
    /** What a reference to a time can end with, after a |. */
    filters: z.array(z.string()),
  }),
  example: {},
  effect: 'read',
  needs: { action: 'workflow.read', on: () => [workflowName('*')] },
  answers: OK,
});
