// The audit log: who did what, with refusals. Rows are only ever added.
import { z } from 'zod';
import { OK, operation } from '../../kernel/operation.ts';
import { id, listOf, page, principal, text, time } from '../../kernel/shapes.ts';

export const auditRow = z.object({
  id,
  at: time,
  principal,
  on_behalf_of: principal.nullable(),
  token: z.object({ id: z.string(), name: z.string() }).nullable(),
  surface: z.string(),
  turn: z.enum(['direct', 'agent']),
  act: z.string(),
  resource: z.string().nullable(),
  outcome: z.enum(['done', 'refused', 'fault']),
  code: z.string().nullable(),
  sentence: z.string().nullable(),
  request_id: z.string(),
});
export type AuditEntry = z.infer<typeof auditRow>;

export const auditList = operation({
  name: 'audit_list',
  says: 'Lists who did what, newest first, refusals included.',
  method: 'GET',
  path: '/api/admin/audit',
  takes: z.strictObject({
    act: text(60).optional(),
    outcome: z.enum(['done', 'refused', 'fault']).optional(),
    /** A person's, an agent's or a token's id. */
    actor: id.optional(),
    surface: z.enum(['screen', 'rest', 'mcp', 'chat', 'lua', 'workflow', 'pass', 'setup']).optional(),
    ...page,
  }),
  gives: listOf(auditRow),
  example: {},
  effect: 'read',
  needs: { action: 'admin.audit.read', on: () => ['admin:audit'] },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});
