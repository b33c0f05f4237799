// Handlers of groups. A policy attached to a group applies to its members from their next request.
import { z } from 'zod';
import { keyIn, pageOf } from '../../../kernel/page.ts';
import { type Refusal, nameTaken, notFound } from '../../../kernel/refusal.ts';
import { type WriteContext, bind } from '../../../kernel/context.ts';
import { attachable } from '../policies/store.ts';
import { type Group, groupCreate, groupDelete, groupList, groupUpdate } from './contract.ts';
import {
  deleteGroup,
  groupById,
  groupRows,
  holdUsers,
  insertGroup,
  lockGroup,
  renameGroup,
  replaceGroupPolicies,
  replaceMembers,
} from './store.ts';

export const list = bind(groupList, async ({ db }, { limit, cursor }) => {
  const after = keyIn(cursor, () => z.tuple([z.string()]));
  const page = pageOf(await groupRows(db, after?.[0] ?? null, limit + 1), limit, (row) => row.key);
  return { ...page, items: page.items.map((row) => row.group) };
});

export const create = bind(groupCreate, async (context, { name, members, policies }) => {
  const people = members && (await holdUsers(context.db, members));
  const made = await insertGroup(context.db, name, context.now);
  if (made === null) throw nameTaken('a group');
  return fill(context, made, people, policies);
});

export const update = bind(groupUpdate, async (context, { group, name, members, policies }) => {
  const people = members && (await holdUsers(context.db, members));
  if (!(await lockGroup(context.db, group))) throw noGroup();
  if (name !== undefined && !(await renameGroup(context.db, group, name))) throw nameTaken('a group');
  return fill(context, group, people, policies);
});

export const remove = bind(groupDelete, async (context, { group }) => {
  if (!(await deleteGroup(context.db, group))) throw noGroup();
  context.about(`admin:group/${group}`);
  context.tell('groups', group);
  return { ok: true } as const;
});

async function fill(
  context: WriteContext,
  id: string,
  members?: string[],
  policies?: string[],
): Promise<{ group: Group }> {
  const { db } = context;
  if (members) await replaceMembers(db, id, members);
  if (policies) await replaceGroupPolicies(db, id, await attachable(db, policies));
  const group = await groupById(db, id);
  if (!group) throw noGroup();
  context.about(`admin:group/${id}`);
  context.tell('groups', id);
  return { group };
}

const noGroup = (): Refusal => notFound('group', 'GET /api/admin/groups lists groups');
