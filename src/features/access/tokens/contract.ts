// Tokens: minted by people for programs and agents (interface specification §2.2, §5). Only a hash is stored; the value is
// shown once. No token mints tokens, and nothing of a token can be changed: it is deleted and minted again.
import { z } from 'zod';
import { csvOf } from '../../../kernel/csv.ts';
import { named } from '../../../kernel/names.ts';
import { CREATED_WITH_SECRET, OK, operation } from '../../../kernel/operation.ts';
import { done, id, listOf, page, text, time } from '../../../kernel/shapes.ts';
import { TOKEN_CANNOT_MINT } from '../../../kernel/sentences.ts';

/** `bootstrap` and `api` are reserved: they name the provisioning key and the program itself in the audit log. */
export const RESERVED_NAMES = ['bootstrap', 'api'];

export const tokenName = z
  .string()
  .regex(/^[a-z0-9-]{1,60}$/, 'lower case letters, digits and hyphens, at most 60')
  .refine((name) => !RESERVED_NAMES.includes(name), 'name "bootstrap" and name "api" are reserved');

export const token = z.object({
  id,
  name: z.string(),
  mode: z.enum(['user', 'service']),
  user_id: id.nullable(),
  user_name: z.string().nullable(),
  policies: z.array(z.string()),
  scopes: z.object({ wire: z.boolean(), scripts: z.boolean() }),
  expires_at: time.nullable(),
  created_at: time,
  created_by: z.object({ kind: z.string(), id: z.string(), name: z.string() }),
  last_used_at: time.nullable(),
  first_agent_turn_at: time.nullable(),
  /** The last four characters of the value. */
  hint: z.string(),
});
export type TokenRow = z.infer<typeof token>;
named('Token', token);

export const tokenList = operation({
  name: 'token_list',
  says: 'Lists tokens, newest first, never their values.',
  method: 'GET',
  path: '/api/admin/tokens',
  takes: z.strictObject(page),
  gives: listOf(token),
  example: {},
  effect: 'read',
  needs: { action: 'admin.token.read', on: () => ['admin:token'] },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});

export const tokenExport = csvOf(tokenList, 'token_export', 'tokens');

export const tokenMint = operation({
  name: 'token_mint',
  says: 'Mints a token and shows its value once. Bound to a user it acts as that user; a service token carries only its policies.',
  method: 'POST',
  path: '/api/admin/tokens',
  takes: z.strictObject({
    name: tokenName,
    mode: z.enum(['user', 'service']),
    /** Whose token it is; the minter where nothing is said. */
    user_id: id.optional(),
    policies: z.array(text(60)).max(50).optional(),
    /** Whole days, 1 to 365; absent or 0 never expires. */
    expires_in: z
      .int('expires_in must be whole days, 1 to 365, or 0 for never')
      .min(0, 'expires_in must be whole days, 1 to 365, or 0 for never')
      .max(365, 'expires_in must be whole days, 1 to 365, or 0 for never')
      .optional(),
    scopes: z.strictObject({ wire: z.boolean().optional(), scripts: z.boolean().optional() }).optional(),
  }),
  gives: z.object({ token, value: z.string() }),
  example: { name: 'scout', mode: 'user', expires_in: 90 },
  effect: 'write',
  needs: { action: 'admin.token.mint', on: () => ['admin:token'] },
  who: { session_only: TOKEN_CANNOT_MINT, code: 'token_cannot_mint', provisioning_key: 'admitted' },
  step_up: 'needed',
  wire: 'never',
  answers: CREATED_WITH_SECRET,
});

export const tokenDelete = operation({
  name: 'token_delete',
  says: 'Revokes a token. It is refused from its next request on.',
  method: 'DELETE',
  path: '/api/admin/tokens/:token',
  takes: z.strictObject({ token: id }),
  gives: done,
  example: { token: '0198c0de-0000-7000-8000-000000000008' },
  effect: 'destroy',
  needs: { action: 'admin.token.delete', on: () => ['admin:token'] },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});
