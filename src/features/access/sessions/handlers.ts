// Handlers of set-up, sign-in, sign-out, invitations and step-up. Each one that succeeds sets a cookie.
import { after } from '../../../kernel/clock.ts';
import { STEP_UP_MS } from '../../../kernel/gates.ts';
import { Refusal, notThere } from '../../../kernel/refusal.ts';
import { AskAgain, type WriteContext, bind, bindAsking } from '../../../kernel/context.ts';
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
  'wrong provisioning key: use the value of SERVICE_PROVISIONING_KEY if it’s set, otherwise the key printed in the console at first start';
const WRONG_SIGN_IN = 'wrong email or password: try again, or ask an administrator to invite you';
const WRONG_PASSWORD = 'this is not your password: enter it again';
const NO_INVITE =
  'this invitation has expired or was already used: ask the person who invited you for a new link';

type Person = { id: string; name: string; email: string; admin: boolean };

export const state = bind(authState, async ({ db, app }) => ({
  instance: app.instance.name,
  set_up: await anybodyExists(db),
  mail: await mailIsSetUp(db),
}));

/** Hashed before the transaction, and only for whoever may use it: null for everyone else. */
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
  async (context, { key, name, email }, password_hash) => {
    const { db, now } = context;
    const tries = await throttle(context, { at: 'place', place: placeOfRequest(context.request) });
    const row = await lockProvisioning(db);
    if (!row || (await anybodyExists(db))) throw new Refusal(403, 'policy_denied', SET_UP_ALREADY);
    if (!isKey(row, sha256(key))) throw tries.failed(new Refusal(401, 'unauthorized', WRONG_KEY));
    if (password_hash === null) throw new AskAgain();
    const id = await insertFirstAdmin(db, { name, email, password_hash, now });
    await markFirstAdmin(db, now);
    return { user: await signIn(context, { id, name, email, admin: true }) };
  },
  { cannot: 'Signing in and passwords can’t be rehearsed.' },
);

export const login = bindAsking(
  authLogin,
  async (context, { email = '', password = '', passkey }) => {
    if (passkey) return null;
    return compare(context, guessing(context, email), password, () => passwordByEmail(context.db, email));
  },
  async (context, { email = '', code, passkey }, compared) => {
    if (passkey) {
      const holder = await proveByPasskey(context, passkey, { purpose: 'sign_in', session: null }, null);
      return { user: await signIn(context, holder) };
    }
    if (!compared) throw new AskAgain();
    const lock = () => lockAccountByEmail(context.db, email);
    const person = await prove(context, guessing(context, email), lock, { compared, code }, WRONG_SIGN_IN);
    return { user: await signIn(context, person) };
  },
  { cannot: 'Signing in and passwords can’t be rehearsed.' },
);

const guessing = ({ request }: Pick<WriteContext, 'request'>, email: string): Guess => ({
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
  async (context, { token, name }, password_hash) => {
    const user = await takeInvite(context.db, hashOfSecret(token), context.now);
    const accepted = user && (await activateInvited(context.db, user, { name, password_hash }));
    if (!accepted) throw notThere(NO_INVITE);
    context.tell('users', accepted.id);
    return { user: await signIn(context, accepted) };
  },
  { cannot: 'Signing in and passwords can’t be rehearsed.' },
);

export const logout = bind(authLogout, async (context) => {
  await endOwn(context);
  context.cookie('clear');
  return { ok: true } as const;
});

export const stepUp = bindAsking(
  authStepUp,
  async (context, { password = '', passkey }) => {
    if (passkey) return null;
    const { session, user_id } = openSession(context);
    return compare(context, { at: 'session', session }, password, () => passwordOf(context.db, user_id));
  },
  async (context, { code, passkey }, compared) => {
    const { db, now } = context;
    const { session, user_id } = openSession(context);
    if (passkey) await proveByPasskey(context, passkey, { purpose: 'step_up', session }, user_id);
    else if (!compared) throw new AskAgain();
    else {
      const lock = () => lockAccount(db, user_id);
      await prove(context, { at: 'session', session }, lock, { compared, code }, WRONG_PASSWORD);
    }
    await stepUpSession(db, session, now);
    return { until: after(now, STEP_UP_MS).toISOString() };
  },
  { cannot: 'Signing in and passwords can’t be rehearsed.' },
);

function openSession({ caller }: Pick<WriteContext, 'caller'>): { session: string; user_id: string } {
  const { credential, user_id } = caller;
  if (credential.kind !== 'session' || !user_id)
    throw new Error('the gate let a step-up through without a session');
  return { session: credential.id, user_id };
}

/** Opens a session and leaves its cookie. A session that the browser had before ends: there is never a fixed one to hand on. */
async function signIn(context: WriteContext, person: Person): Promise<Person> {
  const { db, now, request } = context;
  await endOwn(context);
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
  context.cookie({ set: secret, expires_at });
  context.about(`account:${person.id}`);
  return { id: person.id, name: person.name, email: person.email, admin: person.admin };
}

async function endOwn({ db, caller }: WriteContext): Promise<void> {
  if (caller.credential.kind === 'session' && caller.user_id)
    await endSession(db, caller.user_id, caller.credential.id);
}
