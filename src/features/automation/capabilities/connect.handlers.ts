// Signing in at a tool server: sending the browser there, accepting its return, and signing out. Only the session that started a
// sign-in can finish it, so no sign-in ends up in another account.
import { randomBytes } from 'node:crypto';
import type { Caller } from '../../../kernel/caller.ts';
import { conflict, Refusal } from '../../../kernel/refusal.ts';
import { bind, bindAsking, type ReadContext } from '../../../kernel/context.ts';
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
  async (context, { capability }) => {
    const row = await loadCapability(context.db, context.caller, CONNECT, capability);
    demandApproved(context.caller, row);
    if (row.auth === 'none') throw troubleRefusal('open', row.title, null);
    // One end for all that is asked: the server for its challenge, and then its sign-in.
    const until = AbortSignal.timeout(CONVERSATION_MS);
    const account = await accountOf(context.db, context.app.sealer, of(row, userOf(context.caller)));
    const before: Credentials = account?.credentials ?? {};
    const challenge = account?.challenge ?? (await challengeOf(context, row, until));
    const state = randomBytes(32).toString('base64url');
    const gone = await begin(awayTo(context.app, row, until), state, { before, challenge }).catch(
      (error: unknown) => {
        throw refusalOf(error, row.title);
      },
    );
    return { ...gone, state, row };
  },
  async (context, _, { url, draft, state, row }) => {
    const { db, app, caller, now } = context;
    context.about(capabilityName(row.name));
    const flow = { ...of(row, userOf(caller)), session_id: sessionOf(caller), draft };
    await saveFlow(db, app.sealer, state, flow, now);
    return { url };
  },
  { cannot: 'This asks another server, which a rehearsal doesn’t do.' },
);

export const comeBack = bindAsking(
  capabilityFinish,
  async (context, { state, code, iss = null }) => {
    const { app, caller, now } = context;
    const session = sessionOf(caller);
    // Gone before anything is asked: a state is good once, also where two come at the same moment.
    const flow = await app.database.transact((tx) => takeFlow(tx, app.sealer, state, session, now));
    if (!flow || flow.user_id !== caller.user_id)
      throw conflict(
        'that sign-in was not started in this session, or is more than 10 minutes old: connect again',
      );
    const row = await loadCapability(context.db, caller, CONNECT, flow.capability_id);
    try {
      return { row, credentials: await finish(awayTo(app, row), flow.draft, { code, iss }) };
    } catch (error) {
      throw refusalOf(error, row.title);
    }
  },
  async (context, _, { row, credentials }) => {
    const { db, app, caller, now } = context;
    context.about(capabilityName(row.name));
    await saveAccount(db, app.sealer, of(row, userOf(caller)), credentials, now);
    return answer(context, row.id);
  },
  { cannot: 'This asks another server, which a rehearsal doesn’t do.' },
);

export const disconnect = bind(capabilityDisconnect, async (context, { capability }) => {
  const row = await loadCapability(context.db, context.caller, CONNECT, capability);
  context.about(capabilityName(row.name));
  await deleteAccount(context.db, of(row, userOf(context.caller)));
  return answer(context, row.id);
});

const of = (row: LoadedCapability, user_id: string) => ({ capability_id: row.id, user_id });

function userOf(caller: Caller): string {
  if (caller.user_id !== null) return caller.user_id;
  throw new Refusal(
    403,
    'people_only',
    'a service token has no user, so it can’t connect an account: a person can',
  );
}

function sessionOf({ credential }: Caller): string {
  if (credential.kind === 'session') return credential.id;
  throw new Error('a sign-in elsewhere was begun without a session');
}

/** What the server asks for where it is asked without a sign-in. */
async function challengeOf(
  { app }: ReadContext,
  row: LoadedCapability,
  signal: AbortSignal,
): Promise<Challenge | null> {
  try {
    const { version } = app.instance;
    const server = { url: row.url, fetch: outsideFetch(app, signal), bearer: NO_BEARER, version, signal };
    await speak(server, async () => undefined);
  } catch (error) {
    if (error instanceof CapabilityTrouble && error.why === 'sign_in') return error.challenge;
    throw refusalOf(error, row.title);
  }
  // It lets everyone begin, and may still want a sign-in for its tools.
  return null;
}
