// Signing in at a tool server: away with the browser, back with it, and out again. What comes back is redeemed in the session
// that began it and nowhere else, so that nobody's sign-in ends in somebody else's account.
import { randomBytes } from 'node:crypto';
import type { Caller } from '../../../kernel/caller.ts';
import { conflict, Refusal } from '../../../kernel/refusal.ts';
import { bind, bindAsking, type ReadScene } from '../../../kernel/scene.ts';
import { accountOf, deleteAccount, saveAccount, saveFlow, takeFlow } from './account.store.ts';
import { capabilityConnect, capabilityDisconnect, capabilityFinish } from './connect.contract.ts';
import { capabilityName } from './contract.ts';
import { demandApproved } from './approved.ts';
import { CONVERSATION_MS } from './limits.rules.ts';
import { answer } from './handlers.ts';
import { begin, type Credentials, finish } from './oauth.ts';
import { awayTo, NO_BEARER, outsideFetch, refusalOf } from './reach.ts';
import { troubleRefusal } from './rules.ts';
import { speak } from './speak.ts';
import { type LoadedCapability, loadCapability } from './store.ts';
import { CapabilityTrouble, type Challenge } from './trouble.rules.ts';

const CONNECT = 'admin.capability.connect';

export const connect = bindAsking(
  capabilityConnect,
  async (scene, { capability }) => {
    const row = await loadCapability(scene.db, scene.caller, CONNECT, capability);
    demandApproved(scene.caller, row);
    if (row.auth === 'none') throw troubleRefusal('open', row.title, null);
    // One end for all that is asked: the server for its challenge, and then its sign-in.
    const until = AbortSignal.timeout(CONVERSATION_MS);
    const account = await accountOf(scene.db, scene.house.sealer, of(row, userOf(scene.caller)));
    const before: Credentials = account?.credentials ?? {};
    const challenge = account?.challenge ?? (await challengeOf(scene, row, until));
    const state = randomBytes(32).toString('base64url');
    const gone = await begin(awayTo(scene.house, row, until), state, { before, challenge }).catch(
      (error: unknown) => {
        throw refusalOf(error, row.title);
      },
    );
    return { ...gone, state, row };
  },
  async (scene, _, { url, draft, state, row }) => {
    const { db, house, caller, now } = scene;
    scene.about(capabilityName(row.name));
    const flow = { ...of(row, userOf(caller)), session_id: sessionOf(caller), draft };
    await saveFlow(db, house.sealer, state, flow, now);
    return { url };
  },
);

export const comeBack = bindAsking(
  capabilityFinish,
  async (scene, { state, code, iss = null }) => {
    const { house, caller, now } = scene;
    const session = sessionOf(caller);
    // Gone before anything is asked: a state is good once, also where two come at the same moment.
    const flow = await house.ground.transact((tx) => takeFlow(tx, house.sealer, state, session, now));
    if (!flow || flow.user_id !== caller.user_id)
      throw conflict(
        'that sign-in was not begun in this session, or more than ten minutes ago: connect again',
      );
    const row = await loadCapability(scene.db, caller, CONNECT, flow.capability_id);
    try {
      return { row, credentials: await finish(awayTo(house, row), flow.draft, { code, iss }) };
    } catch (error) {
      throw refusalOf(error, row.title);
    }
  },
  async (scene, _, { row, credentials }) => {
    const { db, house, caller, now } = scene;
    scene.about(capabilityName(row.name));
    await saveAccount(db, house.sealer, of(row, userOf(caller)), credentials, now);
    return answer(scene, row.id);
  },
);

export const disconnect = bind(capabilityDisconnect, async (scene, { capability }) => {
  const row = await loadCapability(scene.db, scene.caller, CONNECT, capability);
  scene.about(capabilityName(row.name));
  await deleteAccount(scene.db, of(row, userOf(scene.caller)));
  return answer(scene, row.id);
});

const of = (row: LoadedCapability, user_id: string) => ({ capability_id: row.id, user_id });

function userOf(caller: Caller): string {
  if (caller.user_id !== null) return caller.user_id;
  throw new Refusal(
    403,
    'people_only',
    'a service token is nobody, and nobody is signed in anywhere: a person is',
  );
}

function sessionOf({ credential }: Caller): string {
  if (credential.kind === 'session') return credential.id;
  throw new Error('a sign-in elsewhere was begun without a session');
}

/** What the server asks for where it is asked without a sign-in. */
async function challengeOf(
  { house }: ReadScene,
  row: LoadedCapability,
  signal: AbortSignal,
): Promise<Challenge | null> {
  try {
    const { version } = house.instance;
    const server = { url: row.url, fetch: outsideFetch(house, signal), bearer: NO_BEARER, version, signal };
    await speak(server, async () => undefined);
  } catch (error) {
    if (error instanceof CapabilityTrouble && error.why === 'sign_in') return error.challenge;
    throw refusalOf(error, row.title);
  }
  // It lets everybody begin, and may still want a sign-in for its tools.
  return null;
}
