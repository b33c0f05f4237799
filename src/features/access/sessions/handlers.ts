// Handlers of becoming a person: set-up, sign-in, sign-out, invitations, step-up. Each that succeeds leaves a cookie.
import { after } from '../../../kernel/clock.ts';
import { STEP_UP_MS } from '../../../kernel/gates.ts';
import { Refusal, notThere } from '../../../kernel/refusal.ts';
import { AskAgain, type WriteScene, bind, bindAsking } from '../../../kernel/scene.ts';
import { mailIsSetUp } from '../instance-mail/way.store.ts';
import {
  insertFirstAdmin,
  lockAccount,
  lockAccountByEmail,
  passwordByEmail,
  passwordOf,
} from '../users/accounts.store.ts';
import { activateInvited, inviteIsOpen, takeInvite } from '../users/invites.store.ts';
import { emailKey } from '../users/rules.ts';
import { sha256 } from '../tokens/value.ts';
import { authAcceptInvite, authLogin, authLogout, authSetup, authState, authStepUp } from './contract.ts';
import { hashPassword } from './password.ts';
import { proveByPasskey } from './passkeys.ts';
import { compare, prove } from './prove.ts';
import {
  anybodyExists,
  isKey,
  lockProvisioning,
  markFirstAdmin,
  readProvisioning,
} from './provisioning.store.ts';
import { drawSecret, hashOfSecret } from './secret.ts';
import { endSession, insertSession, stepUpSession } from './store.ts';
import { demandTry, type Guess, placeOfRequest, throttle } from './throttle.ts';
import { rememberPlace } from './throttle.store.ts';

const SET_UP_ALREADY = 'this instance is already set up: sign in, or ask an administrator to invite you';
const WRONG_KEY =
  'that is not the provisioning key: the console printed it at the first start, unless SERVICE_PROVISIONING_KEY sets it';
const WRONG_SIGN_IN = 'wrong email or password: try again, or ask an administrator to invite you';
const WRONG_PASSWORD = 'that is not your password: enter it again';
const NO_INVITE =
  'that invitation has expired or was already used: ask the person who invited you for a new link';

type Person = { id: string; name: string; email: string; admin: boolean };

export const state = bind(authState, async ({ db, house }) => ({
  instance: house.instance.name,
  set_up: await anybodyExists(db),
  mail: await mailIsSetUp(db),
}));

/** Hashed before the transaction, and only for whoever may use it: null for everybody else. */
export const setup = bindAsking(
  authSetup,
  async ({ db, now, request }, { key, password }) => {
    const place = placeOfRequest(request);
    await demandTry(db, { at: 'place', place }, now);
    const row = await readProvisioning(db);
    // For ever after, whoever asks takes no row's lock.
    if (!row || (await anybodyExists(db))) throw new Refusal(403, 'policy_denied', SET_UP_ALREADY);
    return isKey(row, sha256(key)) ? await hashPassword(password, { whose: place, known: true }) : null;
  },
  async (scene, { key, name, email }, password_hash) => {
    const { db, now } = scene;
    const tries = await throttle(scene, { at: 'place', place: placeOfRequest(scene.request) });
    const row = await lockProvisioning(db);
    if (!row || (await anybodyExists(db))) throw new Refusal(403, 'policy_denied', SET_UP_ALREADY);
    if (!isKey(row, sha256(key))) throw tries.failed(new Refusal(401, 'unauthorized', WRONG_KEY));
    if (password_hash === null) throw new AskAgain();
    const id = await insertFirstAdmin(db, { name, email, password_hash, now });
    await markFirstAdmin(db, now);
    return { user: await signIn(scene, { id, name, email, admin: true }) };
  },
);

export const login = bindAsking(
  authLogin,
  async (scene, { email = '', password = '', passkey }) => {
    if (passkey) return null;
    return compare(scene, guessing(scene, email), password, () => passwordByEmail(scene.db, email));
  },
  async (scene, { email = '', code, passkey }, compared) => {
    if (passkey) {
      const holder = await proveByPasskey(scene, passkey, { purpose: 'sign_in', session: null }, null);
      return { user: await signIn(scene, holder) };
    }
    if (!compared) throw new AskAgain();
    const lock = () => lockAccountByEmail(scene.db, email);
    const person = await prove(scene, guessing(scene, email), lock, { compared, code }, WRONG_SIGN_IN);
    return { user: await signIn(scene, person) };
  },
);

const guessing = ({ request }: Pick<WriteScene, 'request'>, email: string): Guess => ({
  at: 'sign_in',
  account: emailKey(email),
  place: placeOfRequest(request),
});

export const acceptInvite = bindAsking(
  authAcceptInvite,
  async ({ db, now, request }, { token, password }) => {
    if (!(await inviteIsOpen(db, hashOfSecret(token), now))) throw notThere(NO_INVITE);
    return hashPassword(password, { whose: placeOfRequest(request), known: true });
  },
  async (scene, { token, name }, password_hash) => {
    const user = await takeInvite(scene.db, hashOfSecret(token), scene.now);
    const accepted = user && (await activateInvited(scene.db, user, { name, password_hash }));
    if (!accepted) throw notThere(NO_INVITE);
    scene.tell('users', accepted.id);
    return { user: await signIn(scene, accepted) };
  },
);

export const logout = bind(authLogout, async (scene) => {
  await endOwn(scene);
  scene.cookie('clear');
  return { ok: true } as const;
});

export const stepUp = bindAsking(
  authStepUp,
  async (scene, { password = '', passkey }) => {
    if (passkey) return null;
    const { session, user_id } = openSession(scene);
    return compare(scene, { at: 'session', session }, password, () => passwordOf(scene.db, user_id));
  },
  async (scene, { code, passkey }, compared) => {
    const { db, now } = scene;
    const { session, user_id } = openSession(scene);
    if (passkey) await proveByPasskey(scene, passkey, { purpose: 'step_up', session }, user_id);
    else if (!compared) throw new AskAgain();
    else {
      const lock = () => lockAccount(db, user_id);
      await prove(scene, { at: 'session', session }, lock, { compared, code }, WRONG_PASSWORD);
    }
    await stepUpSession(db, session, now);
    return { until: after(now, STEP_UP_MS).toISOString() };
  },
);

function openSession({ caller }: Pick<WriteScene, 'caller'>): { session: string; user_id: string } {
  const { credential, user_id } = caller;
  if (credential.kind !== 'session' || !user_id)
    throw new Error('the gate let a step-up through without a session');
  return { session: credential.id, user_id };
}

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
  await rememberPlace(db, person.id, placeOfRequest(request), now);
  scene.cookie({ set: secret, expires_at });
  scene.about(`account:${person.id}`);
  return { id: person.id, name: person.name, email: person.email, admin: person.admin };
}

async function endOwn({ db, caller }: WriteScene): Promise<void> {
  if (caller.credential.kind === 'session' && caller.user_id)
    await endSession(db, caller.user_id, caller.credential.id);
}
