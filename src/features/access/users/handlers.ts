// Handlers of users: the roster, invitations, and changes of what someone may do.
import { z } from 'zod';
import { nameOf } from '../../../kernel/caller.ts';
import type { Reader, Transaction } from '../../../kernel/database.ts';
import { keyIn, pageOf } from '../../../kernel/page.ts';
import { decide } from '../../../kernel/policy.ts';
import { type Refusal, notFound, stop } from '../../../kernel/refusal.ts';
import { type WriteContext, bind } from '../../../kernel/context.ts';
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

export const list = bind(userList, async (context, { limit, cursor, query, state }) => {
  const after = keyIn(cursor, () => z.tuple([z.string(), id]));
  const rows = await userRows(context.db, context.caller, { query, state, after, count: limit + 1 });
  const page = pageOf(rows, limit, (row) => row.key);
  return { ...page, items: page.items.map((row) => row.user) };
});

export const get = bind(userGet, async ({ db, caller }, { user }) => {
  if (!decide(caller.rights, 'admin.user.read', [userName(user), 'admin:user']).allowed) throw nobody();
  return { user: await known(db, user) };
});

export const invite = bind(userInvite, async (context, asked) => {
  const { db, now, caller, app } = context;
  stop(ruleInvite(asked, caller));
  const name = asked.name ?? asked.email.slice(0, asked.email.indexOf('@'));
  const { user, made } = await lockOrInvite(db, { email: asked.email, name, now });
  if (!made) stop(ruleInviteAgain(await known(db, user.id), caller));
  await updateUser(db, user.id, { name: asked.name, admin: asked.admin });
  await giveRights(context, user.id, asked);
  const secret = drawSecret();
  const expires_at = await replaceInvite(db, user.id, hashOfSecret(secret), now);
  const written = `${app.instance.base_url}/invite/${secret}`;
  const mailed = await mailIsSetUp(db);
  if (mailed) {
    const words = inviteWords(app.instance.name, nameOf(caller), written);
    const mail = {
      kind: 'invite',
      user_id: user.id,
      to: asked.email,
      ...words,
      ends_at: expires_at,
    } as const;
    await queueMail(db, app.sealer, mail, now);
    context.tell(INSTANCE_MAIL_DUE, '');
  }
  const link = !mailed && caller.credential.kind === 'session' ? written : null;
  return { ...(await changed(context, user.id)), link, expires_at: expires_at.toISOString() };
});

export const cancel = bind(userInviteCancel, async (context, asked) => {
  if (!(await cancelInvite(context.db, asked.invite)))
    throw notFound('open invitation', 'it was accepted, replaced or revoked');
  context.about(`admin:invite/${asked.invite}`);
  context.tell('users', asked.invite);
  return { ok: true } as const;
});

export const disable = bind(userDisable, async (context, asked) => {
  const { user, others } = await locked(context, asked.user);
  stop(ruleDisable(user) ?? ruleLastAdmin(user, false, others));
  await updateUser(context.db, user.id, { state: 'disabled' });
  await endSessions(context.db, user.id);
  return changed(context, user.id);
});

export const update = bind(
  userUpdate,
  async (context, { name, admin, groups, policies, projects, state, ...asked }) => {
    const { user, others } = await locked(context, asked.user);
    stop(
      ruleAdminFlag(admin, context.caller) ??
        ruleLastAdmin(user, admin ?? true, others) ??
        (state === undefined ? null : ruleEnable(user)),
    );
    await updateUser(context.db, user.id, {
      name,
      admin,
      state,
      board_projects: projects?.map((key) => key.toUpperCase()) ?? projects,
    });
    await giveRights(context, user.id, { groups, policies });
    return changed(context, user.id);
  },
);

async function giveRights(context: WriteContext, user: string, given: RightsGiven): Promise<void> {
  if (given.groups) await replaceGroupsOf(context.db, user, given.groups);
  if (given.policies)
    await replaceUserPolicies(context.db, user, await attachable(context.db, given.policies));
}

async function locked(context: WriteContext, user: string): Promise<{ user: LockedUser; others: number }> {
  const found = await lockUser(context.db, user);
  if (!found) throw nobody();
  return found;
}

async function changed(context: WriteContext, id: string): Promise<{ user: User }> {
  context.about(userName(id));
  context.tell('users', id);
  return { user: await known(context.db, id) };
}

async function known(db: Reader | Transaction, id: string): Promise<User> {
  const user = await userById(db, id);
  if (!user) throw nobody();
  return user;
}

const nobody = (): Refusal => notFound('user', 'GET /api/admin/users lists users');
