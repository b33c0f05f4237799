// Running a Lua script against this instance (interface specification §4.2, §5): every call it makes is an operation,
// run as whoever runs the script and through every gate, so that the scope `scripts` grants nothing else.
import { z } from 'zod';
import { named } from '../../../kernel/names.ts';
import { OK, operation } from '../../../kernel/operation.ts';
import { listOf, page } from '../../../kernel/shapes.ts';
import { SCRIPTS_REQUIRED } from '../../../kernel/sentences.ts';

const SCRIPT_MAX_CHARS = 100_000;
const ARGS_MAX = 100;

export const scriptRun = operation({
  name: 'script_run',
  says: "Runs a Lua 5.4 script. dunnock.call('person_list', {limit = 10}) runs that operation as you and raises its refusal; dunnock.try returns nil and the sentence instead; dunnock.list() is an empty list. Returns what the script returns and prints.",
  method: 'POST',
  path: '/api/admin/scripts/run',
  takes: z.strictObject({
    script: z.string().min(1).max(SCRIPT_MAX_CHARS),
    /** One level deep; the script finds them in the table `args`. */
    args: z
      .record(
        z.string().max(100),
        z.union([z.string().max(SCRIPT_MAX_CHARS), z.number(), z.boolean(), z.null()]),
      )
      .refine((args) => Object.keys(args).length <= ARGS_MAX, `args may hold ${ARGS_MAX} values`)
      .optional(),
    /** Each call that writes is rehearsed alone: it is answered as it would be, and changes nothing. */
    rehearse: z.boolean().default(false),
  }),
  gives: z.object({
    state: z.enum(['finished', 'failed', 'stopped']),
    /** What the script returned; null where it did not finish. */
    result: z.unknown(),
    /** Why it failed or was stopped; it may hold text of the script's own. */
    error: z.string().nullable(),
    output: z.string(),
    /** It printed more than is shown. */
    output_cut: z.boolean(),
    /** Calls that it made. What a finished call changed stays changed, however the script ends. */
    calls: z.int(),
    /** What each rehearsed call would change and needs; null where nothing was rehearsed. */
    rehearsed: z
      .array(
        z.object({
          act: z.string(),
          needs: z.array(z.string()),
          changes: z.array(z.object({ what: z.string(), count: z.int() })),
          events: z.array(z.object({ kind: z.string(), count: z.int() })),
        }),
      )
      .nullable(),
  }),
  example: { script: 'return dunnock.call("person_list", { limit = args.limit })', args: { limit: 10 } },
  // It may do whatever its caller may.
  effect: 'destroy',
  needs: { action: 'admin.script.run', on: () => ['admin:script'] },
  who: { scripts_scope: SCRIPTS_REQUIRED },
  step_up: 'no',
  wire: 'never',
  answers: OK,
});

/** What a script may call, as its author needs to know it. */
export const scriptOperation = z.object({
  name: z.string(),
  says: z.string(),
  effect: z.enum(['read', 'write', 'destroy']),
  /** It cannot be undone: a script does it with a token that has the wire scope, and never from a session. */
  wire: z.boolean(),
  arguments: z.array(z.object({ name: z.string(), type: z.string(), required: z.boolean() })),
  example: z.record(z.string(), z.unknown()),
});
export type ScriptOperation = z.infer<typeof scriptOperation>;
named('ScriptOperation', scriptOperation);

export const scriptOperations = operation({
  name: 'script_operations',
  says: 'Lists the operations that scripts may call, by name, with arguments and an example.',
  method: 'GET',
  path: '/api/admin/scripts/operations',
  takes: z.strictObject({
    /** Words that are in the name or in what it says. */
    query: z.string().trim().max(200).optional(),
    ...page,
  }),
  gives: listOf(scriptOperation),
  example: { query: 'person' },
  effect: 'read',
  needs: { action: 'admin.script.run', on: () => ['admin:script'] },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});
