// Secrets that headers of http steps name as {{ secrets.<name> }}. Each belongs to one host, is sent to no other, and
// can never be read back.
import { z } from 'zod';
import { OK, operation } from '../../../kernel/operation.ts';
import { done, principal, text, time } from '../../../kernel/shapes.ts';

const workflowSecret = z.object({
  name: z.string(),
  /** Sent to this host, by https and at this port (443 where none is said), and to no other. */
  host: z.string(),
  saved_by: principal,
  saved_at: time,
});
export type WorkflowSecret = z.infer<typeof workflowSecret>;

const secretName = z
  .string()
  .regex(
    /^[a-z][a-z0-9_]{0,39}$/,
    'a name is up to 40 small letters, digits and _, and begins with a letter',
  );

const secrets = z.object({ secrets: z.array(workflowSecret) });
const ALL = ['admin:setting/workflows'];
const held = {
  needs: { action: 'admin.setting.write', on: () => ALL },
  who: {
    session_only: 'only a signed-in administrator can save or delete workflow secrets',
  },
  wire: 'never',
  answers: OK,
} as const;

export const workflowSecrets = operation({
  name: 'workflow_secrets',
  says: 'Lists the secrets that http steps of workflows may name, without their values.',
  method: 'GET',
  path: '/api/admin/workflows/secrets',
  takes: z.strictObject({}),
  gives: secrets,
  example: {},
  effect: 'read',
  needs: { action: 'admin.setting.read', on: () => ALL },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});

export const workflowSecretSet = operation({
  ...held,
  name: 'workflow_secret_set',
  says: 'Saves a secret for headers of http steps, which write it as {{ secrets.<name> }}. It is sent to its host only.',
  method: 'PUT',
  path: '/api/admin/workflows/secrets/:name',
  takes: z.strictObject({
    name: secretName,
    host: text(260),
    secret: z
      .string()
      .min(8, 'a secret is at least 8 characters')
      .max(4_000)
      .regex(/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/, 'a secret is one line of printable ASCII'),
  }),
  gives: secrets,
  example: { name: 'crm_hook', host: 'hooks.example.com', secret: 'a-long-secret' },
  effect: 'write',
  step_up: 'needed',
});

export const workflowSecretDelete = operation({
  ...held,
  name: 'workflow_secret_delete',
  says: 'Deletes a workflow secret. Steps that name it fail from then on.',
  method: 'DELETE',
  path: '/api/admin/workflows/secrets/:name',
  takes: z.strictObject({ name: secretName }),
  gives: done,
  example: { name: 'crm_hook' },
  effect: 'destroy',
  step_up: 'no',
});
