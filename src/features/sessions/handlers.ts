// Handlers of becoming a person: set-up, sign-in, sign-out, invitations, step-up. Each that succeeds leaves a cookie.
import { after } from '../../kernel/clock.ts';
import { STEP_UP_MS } from '../../kernel/gates.ts';
import { Refusal, notFound } from '../../kernel/refusal.ts';
import { type WriteScene, bind } from '../../kernel/scene.ts';
import { mailIsSetUp } from '../instance-mail/way.store.ts';
import { accountKey, insertFirstAdmin, lockAccount, lockAccountByEmail } from '../users/accounts.store.ts';
import { activateInvited, takeInvite } from '../users/invites.store.ts';
import { emailKey } from '../users/rules.ts';
import { sha256 } from '../tokens/value.ts';
import { authAcceptInvite, authLogin, authLogout, authSetup, authState, authStepUp } from './contract.ts';
import { hashPassword } from './password.ts';
import { proveByPasskey } from './passkeys.ts';
import { prove } from './prove.ts';
import { anybodyExists, isKey, lockProvisioning, markFirstAdmin } from './provisioning.store.ts';
import { drawSecret, hashOfSecret } from './secret.ts';
import { endSession, insertSession, stepUpSession } from './store.ts';
import { throttle } from './throttle.ts';

const SET_UP_ALREADY = 'this instance is set up already: sign in, or ask an administrator to invite you';
const WRONG_KEY =
  'that is not the set-up key: the console printed it at the first start, unless SERVICE_PROVISIONING_KEY gives it';
const WRONG_SIGN_IN =
  'that address and password do not fit: try again, or ask an administrator to invite you';
const WRONG_PASSWORD = 'that is not your password: enter it again';
const NO_INVITE = 'that invitation is not good any more: ask whoever invited you for a new link';

type Person = { id: string; name: string; email: string; admin: boolean };

export const state = bind(authState, async ({ db, house }) => ({
  instance: house.instance.name,
  set_up: await anybodyExists(db),
  mail: await mailIsSetUp(db),
}));

export const setup = bind(authSetup, async (scene, { key, name, email, password }) => {
  const { db, now } = scene;
  const tries = await throttle(scene, null);
  const row = await lockProvisioning(db);
  if (!row || (await anybodyExists(db))) throw new Refusal(403, 'policy_denied', SET_UP_ALREADY);
  if (!isKey(row, sha256(key))) throw tries.failed(new Refusal(401, 'unauthorized', WRONG_KEY));
  const id = await insertFirstAdmin(db, { name, email, password_hash: await hashPassword(password), now });
  await markFirstAdmin(db, now);
  return { user: await signIn(scene, { id, name, email, admin: true }) };
});

export const login = bind(authLogin, async (scene, { email = '', password = '', code, passkey }) => {
  if (passkey) {
    const holder = await proveByPasskey(scene, passkey, { purpose: 'sign_in', session: null }, null);
    return { user: await signIn(scene, holder) };
  }
  const lock = () => lockAccountByEmail(scene.db, email);
  const person = await prove(scene, lock, { name: emailKey(email), password, code }, WRONG_SIGN_IN);
  return { user: await signIn(scene, person) };
});

export const acceptInvite = bind(authAcceptInvite, async (scene, { token, name, password }) => {
  const user = await takeInvite(scene.db, hashOfSecret(token), scene.now);
  const accepted =
    user && (await activateInvited(scene.db, user, { name, password_hash: await hashPassword(password) }));
  if (!accepted) throw notFound(NO_INVITE);
  scene.tell('users', accepted.id);
  return { user: await signIn(scene, accepted) };
});

export const logout = bind(authLogout, async (scene) => {
  await endOwn(scene);
  scene.cookie('clear');
  return { ok: true } as const;
});

export const stepUp = bind(authStepUp, async (scene, { password = '', code, passkey }) => {
  const { db, now, caller } = scene;
  const { user_id } = caller;
  if (caller.credential.kind !== 'session' || !user_id)
    throw new Error('the gate let a step-up through without a session');
  const session = caller.credential.id;
  if (passkey) await proveByPasskey(scene, passkey, { purpose: 'step_up', session }, user_id);
  else {
    const name = (await accountKey(db, user_id)) ?? '';
    await prove(scene, () => lockAccount(db, user_id), { name, password, code }, WRONG_PASSWORD);
  }
  await stepUpSession(db, session, now);
  return { until: after(now, STEP_UP_MS).toISOString() };
});

/** Opens a session and leaves its cookie. A session that the browser had before ends: there is never a fixed one to hand on. */
async function signIn(scene: WriteScene, person: Person): Promise<Person> {
  const { db, now, request } = scene;
  await endOwn(scene);
  const secret = drawSecret();
  const { address, user_agent } = request;
  const expires_at = await insertSession(db, {
    user_id: person.id,
    hash: hashOfSecret(secret),
    now,
    address,
    user_agent,
  });
  scene.cookie({ set: secret, expires_at });
  scene.about(`account:${person.id}`);
  return { id: person.id, name: person.name, email: person.email, admin: person.admin };
}

async function endOwn({ db, caller }: WriteScene): Promise<void> {
  if (caller.credential.kind === 'session' && caller.user_id)
    await endSession(db, caller.user_id, caller.credential.id);
}
