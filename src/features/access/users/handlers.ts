// Handlers of users: the roster, invitations, and changes of what somebody may do.
import { z } from 'zod';
import { nameOf } from '../../../kernel/caller.ts';
import type { Reader, Transaction } from '../../../kernel/ground.ts';
import { keyIn, pageOf } from '../../../kernel/page.ts';
import { decide } from '../../../kernel/policy.ts';
import { type Refusal, notFound, stop } from '../../../kernel/refusal.ts';
import { type WriteScene, bind } from '../../../kernel/scene.ts';
import { id } from '../../../kernel/shapes.ts';
import { replaceGroupsOf } from '../groups/store.ts';
import { inviteWords } from '../instance-mail/letters.ts';
import { INSTANCE_MAIL_DUE, queueMail } from '../instance-mail/queue.store.ts';
import { mailIsSetUp } from '../instance-mail/way.store.ts';
import { attachable } from '../policies/store.ts';
import { drawSecret, hashOfSecret } from '../sessions/secret.ts';
import { endSessions } from '../sessions/store.ts';
import {
  type User,
  userDisable,
  userGet,
  userInvite,
  userInviteCancel,
  userList,
  userName,
  userUpdate,
} from './contract.ts';
import { cancelInvite, replaceInvite } from './invites.store.ts';
import {
  type RightsGiven,
  ruleAdminFlag,
  ruleDisable,
  ruleEnable,
  ruleInvite,
  ruleInviteAgain,
  ruleLastAdmin,
} from './rules.ts';
import {
  type LockedUser,
  lockOrInvite,
  lockUser,
  replaceUserPolicies,
  updateUser,
  userById,
  userRows,
} from './store.ts';

export const list = bind(userList, async (scene, { limit, cursor, query, state }) => {
  const after = keyIn(cursor, () => z.tuple([z.string(), id]));
  const rows = await userRows(scene.db, scene.caller, { query, state, after, count: limit + 1 });
  const page = pageOf(rows, limit, (row) => row.key);
  return { ...page, items: page.items.map((row) => row.user) };
});

export const get = bind(userGet, async ({ db, caller }, { user }) => {
  if (!decide(caller.rights, 'admin.user.read', [userName(user), 'admin:user']).allowed) throw nobody();
  return { user: await known(db, user) };
});

export const invite = bind(userInvite, async (scene, asked) => {
  const { db, now, caller, house } = scene;
  stop(ruleInvite(asked, caller));
  const name = asked.name ?? asked.email.slice(0, asked.email.indexOf('@'));
  const { user, made } = await lockOrInvite(db, { email: asked.email, name, now });
  if (!made) stop(ruleInviteAgain(await known(db, user.id), caller));
  await updateUser(db, user.id, { name: asked.name, admin: asked.admin });
  await giveRights(scene, user.id, asked);
  const secret = drawSecret();
  const expires_at = await replaceInvite(db, user.id, hashOfSecret(secret), now);
  const written = `${house.instance.base_url}/invite/${secret}`;
  const mailed = await mailIsSetUp(db);
  if (mailed) {
    const words = inviteWords(house.instance.name, nameOf(caller), written);
    const mail = {
      kind: 'invite',
      user_id: user.id,
      to: asked.email,
      ...words,
      ends_at: expires_at,
    } as const;
    await queueMail(db, house.sealer, mail, now);
    scene.tell(INSTANCE_MAIL_DUE, '');
  }
  const link = !mailed && caller.credential.kind === 'session' ? written : null;
  return { ...(await changed(scene, user.id)), link, expires_at: expires_at.toISOString() };
});

export const cancel = bind(userInviteCancel, async (scene, asked) => {
  if (!(await cancelInvite(scene.db, asked.invite)))
    throw notFound('open invitation', 'it was accepted, replaced or revoked');
  scene.about(`admin:invite/${asked.invite}`);
  scene.tell('users', asked.invite);
  return { ok: true } as const;
});

export const disable = bind(userDisable, async (scene, asked) => {
  const { user, others } = await locked(scene, asked.user);
  stop(ruleDisable(user) ?? ruleLastAdmin(user, false, others));
  await updateUser(scene.db, user.id, { state: 'disabled' });
  await endSessions(scene.db, user.id);
  return changed(scene, user.id);
});

export const update = bind(
  userUpdate,
  async (scene, { name, admin, groups, policies, projects, state, ...asked }) => {
    const { user, others } = await locked(scene, asked.user);
    stop(
      ruleAdminFlag(admin, scene.caller) ??
        ruleLastAdmin(user, admin ?? true, others) ??
        (state === undefined ? null : ruleEnable(user)),
    );
    await updateUser(scene.db, user.id, {
      name,
      admin,
      state,
      board_projects: projects?.map((key) => key.toUpperCase()) ?? projects,
    });
    await giveRights(scene, user.id, { groups, policies });
    return changed(scene, user.id);
  },
);

async function giveRights(scene: WriteScene, user: string, given: RightsGiven): Promise<void> {
  if (given.groups) await replaceGroupsOf(scene.db, user, given.groups);
  if (given.policies) await replaceUserPolicies(scene.db, user, await attachable(scene.db, given.policies));
}

async function locked(scene: WriteScene, user: string): Promise<{ user: LockedUser; others: number }> {
  const found = await lockUser(scene.db, user);
  if (!found) throw nobody();
  return found;
}

async function changed(scene: WriteScene, id: string): Promise<{ user: User }> {
  scene.about(userName(id));
  scene.tell('users', id);
  return { user: await known(scene.db, id) };
}

async function known(db: Reader | Transaction, id: string): Promise<User> {
  const user = await userById(db, id);
  if (!user) throw nobody();
  return user;
}

const nobody = (): Refusal => notFound('user', 'GET /api/admin/users lists users');
