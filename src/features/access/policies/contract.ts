// Policies: named lists of statements, including the built-in ones, and the question of what they decide.
import { z } from 'zod';
import { named } from '../../../kernel/names.ts';
import { CREATED, OK, operation } from '../../../kernel/operation.ts';
import { statementSchema } from '../../../kernel/policy.ts';
import { done, id, listOf, page, text } from '../../../kernel/shapes.ts';
import { RIGHTS_ARE_SET_ON_SCREEN } from '../users/contract.ts';

export const policyName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,59}$/, 'lower case letters, digits and hyphens, at most 60');

export const policy = z.object({
  name: z.string(),
  version: z.literal(1),
  statements: z.array(statementSchema),
  built_in: z.boolean(),
  /** How many users, groups and service tokens carry it. */
  attached: z.int(),
});
export type PolicyRow = z.infer<typeof policy>;
named('Policy', policy);

const writes = {
  needs: { action: 'admin.policy.write', on: () => ['admin:policy'] },
  who: { session_only: RIGHTS_ARE_SET_ON_SCREEN },
  step_up: 'needed',
  wire: 'never',
} as const;

const document = { version: z.literal(1), statements: z.array(statementSchema).max(100) };
const example = {
  name: 'outreach-reader',
  version: 1,
  statements: [{ effect: 'allow', actions: ['work.*.read'], resources: ['*'] }],
} as const;

export const policyList = operation({
  name: 'policy_list',
  says: 'Lists policies, the built-in ones first.',
  method: 'GET',
  path: '/api/admin/policies',
  takes: z.strictObject(page),
  gives: listOf(policy),
  example: {},
  effect: 'read',
  needs: { action: 'admin.policy.read', on: () => ['admin:policy'] },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});

export const policyCreate = operation({
  ...writes,
  name: 'policy_create',
  says: 'Saves a policy. Unknown keys, actions and effects are refused, so a typo never silently denies or allows.',
  method: 'POST',
  path: '/api/admin/policies',
  takes: z.strictObject({ name: policyName, ...document }),
  gives: z.object({ policy }),
  example: {
    ...example,
    statements: [{ ...example.statements[0], actions: ['work.*.read'], resources: ['*'] }],
  },
  effect: 'write',
  answers: CREATED,
});

export const policyUpdate = operation({
  ...writes,
  name: 'policy_update',
  says: 'Replaces a policy’s statements. It applies to everyone who has the policy from their next request on.',
  method: 'PATCH',
  path: '/api/admin/policies/:policy',
  takes: z.strictObject({ policy: policyName, ...document }),
  gives: z.object({ policy }),
  example: { policy: 'outreach-reader', version: 1, statements: [] },
  effect: 'write',
  answers: OK,
});

export const policyDelete = operation({
  ...writes,
  name: 'policy_delete',
  says: 'Deletes a policy that isn’t attached to anyone.',
  method: 'DELETE',
  path: '/api/admin/policies/:policy',
  takes: z.strictObject({ policy: policyName }),
  gives: done,
  example: { policy: 'outreach-reader' },
  effect: 'destroy',
  answers: OK,
});

export const policyExplain = operation({
  name: 'policy_explain',
  says: 'Explains what policies decide for a user or token, an action and a resource, and which statement decides it.',
  method: 'POST',
  path: '/api/admin/policies/explain',
  takes: z.strictObject({
    principal: z.strictObject({ kind: z.enum(['user', 'token']), id }),
    action: text(100),
    resource: text(200).default('*'),
  }),
  gives: z.object({
    allowed: z.boolean(),
    by: z.enum(['admin', 'allow', 'propose', 'deny', 'default']),
    policy: z.string().nullable(),
    statement: statementSchema.nullable(),
    /** The decision in words, with what beside policy would still refuse (a scope, a session, a person). */
    sentence: z.string(),
  }),
  example: {
    principal: { kind: 'user', id: '0198c0de-0000-7000-8000-000000000005' },
    action: 'work.item.move',
    resource: 'work:project/OUT',
  },
  effect: 'read',
  needs: { action: 'admin.policy.read', on: () => ['admin:policy'] },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});
