// In-instance agents, and the models that they may ask.
import { z } from 'zod';
import { named } from '../../../kernel/names.ts';
import { CREATED, OK, operation } from '../../../kernel/operation.ts';
import { done, id, listOf, page, principal, revision, text, time } from '../../../kernel/shapes.ts';

export const agent = z.object({
  id,
  name: z.string(),
  instructions: z.string(),
  /** Tools that it may use, by name; null: all that there are. */
  tools: z.array(z.string()).nullable(),
  /** `provider/model`; null: the instance's. */
  model: z.string().nullable(),
  /** Acts that it may do and need not propose, by operation; nothing of it holds once a turn has read an outsider's words. */
  allowed: z.array(z.string()),
  /** There from the start: it can be changed, and not deleted. */
  built_in: z.boolean(),
  revision: z.int(),
  created_by: principal.nullable(),
  created_at: time,
  updated_at: time,
});
export type Agent = z.infer<typeof agent>;
named('Agent', agent);

/** As GET /api/models names one. */
export const modelName = z
  .string()
  .regex(/^[a-z_]+\/[\w.:@/-]{1,200}$/, 'provider/model, as GET /api/models names it');

const byName = ({ agent: which }: { agent: string }) => [`admin:agent/${which}`];

export const agentList = operation({
  name: 'agent_list',
  says: 'Lists the agents of this instance: what each is told, which tools and which model it has.',
  method: 'GET',
  path: '/api/agents',
  takes: z.strictObject(page),
  gives: listOf(agent),
  example: {},
  effect: 'read',
  needs: { action: 'admin.agent.read', on: () => ['admin:agent'] },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});

export const modelList = operation({
  name: 'model_list',
  says: 'Lists the models that can be used, by asking each provider whose keys are saved; and which one is the default.',
  method: 'GET',
  path: '/api/models',
  takes: z.strictObject({}),
  gives: z.object({
    items: z.array(z.object({ name: z.string(), provider: z.string(), provider_title: z.string() })),
    next_cursor: z.null(),
    default: z.string().nullable(),
    /** Every provider of models: whether it answers, and if not, why. */
    providers: z.array(
      z.object({
        provider: z.string(),
        title: z.string(),
        state: z.enum(['usable', 'no_keys', 'failing']),
        sentence: z.string().nullable(),
      }),
    ),
  }),
  example: {},
  effect: 'read',
  needs: { action: 'admin.agent.read', on: () => ['admin:agent'] },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});

export const agentTools = operation({
  name: 'agent_tools',
  says: "Lists the tools that an agent of this instance can be given: the instance's own, and those of other parties that the caller knows of.",
  method: 'GET',
  path: '/api/agents/tools',
  takes: z.strictObject({}),
  gives: z.object({
    items: z.array(
      z.object({
        name: z.string(),
        title: z.string(),
        says: z.string(),
        /** Whose it is: its title and its words are theirs. Null: the instance's own. */
        party: z.string().nullable(),
      }),
    ),
    next_cursor: z.null(),
    /** Acts that an agent proposes, and that an administrator may allow it to do unasked. */
    acts: z.array(z.object({ operation: z.string(), says: z.string() })),
  }),
  example: {},
  effect: 'read',
  needs: { action: 'admin.agent.read', on: () => ['admin:agent'] },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});

const fields = {
  name: text(60),
  instructions: z.string().trim().max(20_000).optional(),
  tools: z.array(z.string().min(1).max(64)).max(200).nullable().optional(),
  model: modelName.nullable().optional(),
};

export const agentCreate = operation({
  name: 'agent_create',
  says: 'Makes an agent: its name, what it is told, the tools it may use and the model it asks. It has the permissions of the person who talks to it, never more.',
  method: 'POST',
  path: '/api/admin/agents',
  takes: z.strictObject(fields),
  gives: z.object({ agent }),
  example: { name: 'Librarian', instructions: 'Answer from the records alone.', tools: ['people_search'] },
  effect: 'write',
  needs: { action: 'admin.agent.create', on: () => ['admin:agent'] },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: CREATED,
});

export const agentUpdate = operation({
  name: 'agent_update',
  says: 'Changes an agent; it holds from its next step on. New instructions or tools by a token take away what it was allowed.',
  method: 'PATCH',
  path: '/api/admin/agents/:agent',
  takes: z.strictObject({ agent: id, revision, ...fields, name: fields.name.optional() }),
  gives: z.object({ agent }),
  example: { agent: '0198c0de-0000-7000-8000-0000000000a1', revision: 1, instructions: 'Be brief.' },
  effect: 'write',
  needs: { action: 'admin.agent.write', on: byName },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});

export const agentAllow = operation({
  name: 'agent_allow',
  says: 'Sets which acts an agent may do in place of proposing them: deleting, activating, changing who may do what. What is on the wire is always proposed.',
  method: 'PUT',
  path: '/api/admin/agents/:agent/allowed',
  takes: z.strictObject({ agent: id, revision, allowed: z.array(z.string().min(1).max(100)).max(100) }),
  gives: z.object({ agent }),
  example: { agent: '0198c0de-0000-7000-8000-0000000000a1', revision: 1, allowed: ['item_delete'] },
  effect: 'write',
  needs: { action: 'admin.agent.write', on: byName },
  who: {
    session_only: 'only a signed-in administrator can set what an agent may do without asking',
  },
  step_up: 'needed',
  wire: 'never',
  answers: OK,
});

export const agentDelete = operation({
  name: 'agent_delete',
  says: 'Deletes an agent. Its conversations stay and go on with the built-in one.',
  method: 'DELETE',
  path: '/api/admin/agents/:agent',
  takes: z.strictObject({ agent: id }),
  gives: done,
  example: { agent: '0198c0de-0000-7000-8000-0000000000a1' },
  effect: 'destroy',
  needs: { action: 'admin.agent.delete', on: byName },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});
