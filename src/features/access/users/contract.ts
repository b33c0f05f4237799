// Users: the roster, invitations, and what each may do. No one but a session changes rights.
import { z } from 'zod';
import { csvOf } from '../../../kernel/csv.ts';
import { named } from '../../../kernel/names.ts';
import { CREATED_WITH_SECRET, OK, operation } from '../../../kernel/operation.ts';
import { done, email, id, listOf, page, personName, text, time } from '../../../kernel/shapes.ts';

export const user = z.object({
  id,
  name: z.string(),
  email: z.string(),
  admin: z.boolean(),
  state: z.enum(['invited', 'active', 'disabled']),
  groups: z.array(z.object({ id, name: z.string() })),
  policies: z.array(z.string()),
  board: z.object({ projects: z.array(z.string()).nullable(), default_project: z.string().nullable() }),
  timezone: z.string().nullable(),
  totp: z.boolean(),
  created_at: time,
  last_seen_at: time.nullable(),
  /** The pending invitation's id, for revoking it; null where none is open. */
  invite_id: id.nullable(),
});
export type User = z.infer<typeof user>;
named('User', user);

export const RIGHTS_ARE_SET_ON_SCREEN =
  'a token cannot change what tokens may do: an administrator changes permissions in the app';

/** How policy names a user. */
export const userName = (id: string): string => `admin:user/${id}`;

export const userList = operation({
  name: 'user_list',
  says: 'Lists users with their groups and policies, by name.',
  method: 'GET',
  path: '/api/admin/users',
  takes: z.strictObject({
    query: text(80).optional(),
    state: z.enum(['invited', 'active', 'disabled']).optional(),
    ...page,
  }),
  gives: listOf(user),
  example: {},
  effect: 'read',
  needs: { action: 'admin.user.read', on: () => ['admin:user'] },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});

export const userExport = csvOf(userList, 'user_export', 'users');

export const userGet = operation({
  name: 'user_get',
  says: 'Reads one user.',
  method: 'GET',
  path: '/api/admin/users/:user',
  takes: z.strictObject({ user: id }),
  gives: z.object({ user }),
  example: { user: '0198c0de-0000-7000-8000-000000000005' },
  effect: 'read',
  needs: { action: 'admin.user.read', on: 'row' },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});

export const userInvite = operation({
  name: 'user_invite',
  says: 'Invites someone, or replaces the link of an open invitation. The link is emailed if the instance sends mail; otherwise it is shown to a session and never to a token; an invitation made by a token carries no rights.',
  method: 'POST',
  path: '/api/admin/users/invite',
  takes: z.strictObject({
    email,
    name: personName.optional(),
    admin: z.boolean().optional(),
    groups: z.array(id).max(50).optional(),
    policies: z.array(text(60)).max(50).optional(),
  }),
  gives: z.object({
    user,
    /** Where to accept; null for a token, and wherever the link goes by mail. */ link: z.string().nullable(),
    expires_at: time,
  }),
  example: { email: 'ben@example.com', name: 'Ben' },
  effect: 'write',
  needs: { action: 'admin.user.invite', on: () => ['admin:user'] },
  who: 'anyone',
  // The link is a secret, and one of an open invitation that gives rights is worth them, whatever this call says.
  step_up: 'needed',
  wire: { act: 'user.invite' },
  answers: CREATED_WITH_SECRET,
});

export const userInviteCancel = operation({
  name: 'user_invite_cancel',
  says: 'Revokes an open invitation. Its link stops working immediately.',
  method: 'DELETE',
  path: '/api/admin/users/invites/:invite',
  takes: z.strictObject({ invite: id }),
  gives: done,
  example: { invite: '0198c0de-0000-7000-8000-000000000006' },
  effect: 'destroy',
  needs: { action: 'admin.user.write', on: () => ['admin:user'] },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});

export const userDisable = operation({
  name: 'user_disable',
  says: 'Disables a user: their sessions end and their tokens are refused from the next request on. The last active administrator can’t be disabled.',
  method: 'POST',
  path: '/api/admin/users/:user/disable',
  takes: z.strictObject({ user: id }),
  gives: z.object({ user }),
  example: { user: '0198c0de-0000-7000-8000-000000000005' },
  effect: 'write',
  needs: { action: 'admin.user.disable', on: (a) => [userName(a.user), 'admin:user'] },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});

export const userUpdate = operation({
  name: 'user_update',
  says: "Changes a user's administrator flag, groups, policies or board, or enables them again.",
  method: 'PATCH',
  path: '/api/admin/users/:user',
  takes: z.strictObject({
    user: id,
    name: personName.optional(),
    admin: z.boolean().optional(),
    groups: z.array(id).max(50).optional(),
    policies: z.array(text(60)).max(50).optional(),
    /** Keys of the projects on their board; null is all of them. */
    projects: z.array(text(10)).max(200).nullable().optional(),
    state: z.literal('active').optional(),
  }),
  gives: z.object({ user }),
  example: { user: '0198c0de-0000-7000-8000-000000000005', admin: false },
  effect: 'write',
  needs: { action: 'admin.user.write', on: (a) => [userName(a.user), 'admin:user'] },
  who: { session_only: RIGHTS_ARE_SET_ON_SCREEN },
  step_up: 'needed',
  wire: 'never',
  answers: OK,
});
