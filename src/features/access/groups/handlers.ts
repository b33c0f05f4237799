// Handlers of groups. What a group shares holds for its members from their next request on.
import { z } from 'zod';
import { keyIn, pageOf } from '../../../kernel/page.ts';
import { type Refusal, nameTaken, notFound } from '../../../kernel/refusal.ts';
import { type WriteScene, bind } from '../../../kernel/scene.ts';
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

export const create = bind(groupCreate, async (scene, { name, members, policies }) => {
  const people = members && (await holdUsers(scene.db, members));
  const made = await insertGroup(scene.db, name, scene.now);
  if (made === null) throw nameTaken('a group');
  return fill(scene, made, people, policies);
});

export const update = bind(groupUpdate, async (scene, { group, name, members, policies }) => {
  const people = members && (await holdUsers(scene.db, members));
  if (!(await lockGroup(scene.db, group))) throw noGroup();
  if (name !== undefined && !(await renameGroup(scene.db, group, name))) throw nameTaken('a group');
  return fill(scene, group, people, policies);
});

export const remove = bind(groupDelete, async (scene, { group }) => {
  if (!(await deleteGroup(scene.db, group))) throw noGroup();
  scene.about(`admin:group/${group}`);
  scene.tell('groups', group);
  return { ok: true } as const;
});

async function fill(
  scene: WriteScene,
  id: string,
  members?: string[],
  policies?: string[],
): Promise<{ group: Group }> {
  const { db } = scene;
  if (members) await replaceMembers(db, id, members);
  if (policies) await replaceGroupPolicies(db, id, await attachable(db, policies));
  const group = await groupById(db, id);
  if (!group) throw noGroup();
  scene.about(`admin:group/${id}`);
  scene.tell('groups', id);
  return { group };
}

const noGroup = (): Refusal => notFound('group', 'GET /api/admin/groups lists groups');
