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
  says: 'Lists the agents of this instance with their instructions, tools and models.',
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
  says: 'Lists available models, as reported by each provider with saved keys, and the default.',
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
  says: 'Lists the tools an agent of this instance can have: the instance’s own, and third-party tools the caller may see.',
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
  says: 'Creates an agent with a name, instructions, tools and a model. It has the permissions of the person who chats with it, never more.',
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
  says: 'Changes an agent, effective from its next step. Instructions or tools set by a token reset what the agent may do without approval.',
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
  says: 'Sets which acts an agent may perform without approval: deletions, activations, permission changes. Wire acts always need approval.',
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
  says: 'Deletes an agent. Its conversations are kept and continue with the built-in agent.',
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
