// Groups: people who share policies.
import { z } from 'zod';
import { named } from '../../../kernel/names.ts';
import { CREATED, OK, operation } from '../../../kernel/operation.ts';
import { done, id, listOf, page, text } from '../../../kernel/shapes.ts';
import { RIGHTS_ARE_SET_ON_SCREEN } from '../users/contract.ts';

export const group = z.object({
  id,
  name: z.string(),
  members: z.array(z.object({ id, name: z.string() })),
  policies: z.array(z.string()),
});
export type Group = z.infer<typeof group>;
named('Group', group);

const writes = {
  needs: { action: 'admin.group.write', on: () => ['admin:group'] },
  who: { session_only: RIGHTS_ARE_SET_ON_SCREEN },
  step_up: 'needed',
  wire: 'never',
} as const;

const fields = {
  name: text(60),
  members: z.array(id).max(500).optional(),
  policies: z.array(text(60)).max(50).optional(),
};

export const groupList = operation({
  name: 'group_list',
  says: 'Lists groups with their members and policies.',
  method: 'GET',
  path: '/api/admin/groups',
  takes: z.strictObject(page),
  gives: listOf(group),
  example: {},
  effect: 'read',
  needs: { action: 'admin.group.read', on: () => ['admin:group'] },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});

export const groupCreate = operation({
  ...writes,
  name: 'group_create',
  says: 'Creates a group.',
  method: 'POST',
  path: '/api/admin/groups',
  takes: z.strictObject(fields),
  gives: z.object({ group }),
  example: { name: 'Reviewers' },
  effect: 'write',
  answers: CREATED,
});

export const groupUpdate = operation({
  ...writes,
  name: 'group_update',
  says: "Changes a group's name, members or policies.",
  method: 'PATCH',
  path: '/api/admin/groups/:group',
  takes: z.strictObject({ group: id, ...fields, name: fields.name.optional() }),
  gives: z.object({ group }),
  example: { group: '0198c0de-0000-7000-8000-000000000007', name: 'Reviewers' },
  effect: 'write',
  answers: OK,
});

export const groupDelete = operation({
  ...writes,
  name: 'group_delete',
  says: 'Deletes a group. Its members lose its policies immediately.',
  method: 'DELETE',
  path: '/api/admin/groups/:group',
  takes: z.strictObject({ group: id }),
  gives: done,
  example: { group: '0198c0de-0000-7000-8000-000000000007' },
  effect: 'destroy',
  answers: OK,
});
