// How a tool server is reached: at an address that was checked and pinned, never our own, within bounded time and
// size, as the person making the call.
import { withoutEnd } from '../../../kernel/edges.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Caller } from '../../../kernel/caller.ts';
import { SECOND_MS, after } from '../../../kernel/clock.ts';
import type { App } from '../../../kernel/app.ts';
import type { Refusal } from '../../../kernel/refusal.ts';
import { guardedFetch, type GuardedFetch } from '../../../net/fetch.ts';
import {
  accountOf,
  claimRenewal,
  delayRenewal,
  endAccount,
  keepChallenge,
  saveRenewed,
} from './account.store.ts';
import { ANSWER_BYTES, CONVERSATION_MS } from './limits.rules.ts';
import type { Away, Credentials } from './oauth.ts';
import { renew } from './renewal.ts';
import { isOwn, troubleRefusal } from './rules.ts';
import { type Bearer, type Server, speak } from './speak.ts';
import { clientContext, type LoadedCapability, noteTrouble } from './store.ts';
import { CapabilityTrouble, isLasting, type TroubleWhy } from './trouble.rules.ts';
import type { Client } from '@modelcontextprotocol/client';

const LIMITS = { firstMs: 15 * SECOND_MS, idleMs: 10 * SECOND_MS, limitBytes: ANSWER_BYTES };
/** A token that ends this soon is renewed before it is used. */
const EARLY_MS = 30 * SECOND_MS;
/** Longer than a renewal can take; whoever died in one holds no one up for longer. */
const RENEWAL_MS = 30 * SECOND_MS;
const LOOK_AGAIN_MS = 50;

/** `until`: the end of everything that is asked with it, however slowly each answer comes. */
export function outsideFetch(app: App, until?: AbortSignal): GuardedFetch {
  const guarded = guardedFetch({ lookup: app.outside.lookup, opening: app.outside.hosts }, LIMITS);
  return async (input, init = {}) => {
    // The other party names addresses of its own on the way: each of them is looked at.
    if (isOwn(app.instance.base_url, new URL(input instanceof Request ? input.url : String(input))))
      throw new CapabilityTrouble('own_address');
    const signals = [until, init.signal].filter((each) => each instanceof AbortSignal);
    return guarded(input, { ...init, signal: AbortSignal.any(signals) });
  };
}

const base = (app: App): string => withoutEnd(app.instance.base_url, '/');

export const callbackOf = (app: App): string => `${base(app)}/oauth/callback`;

/** Others take the description of a client over https alone. */
export const describedAt = (app: App): string | null =>
  base(app).startsWith('https://') ? `${base(app)}/oauth/client.json` : null;

/** A sign-in or a renewal, begun now: it ends with `until`. */
export function awayTo(
  app: App,
  capability: Pick<LoadedCapability, 'id' | 'url' | 'client_id' | 'client_secret'>,
  until: AbortSignal = AbortSignal.timeout(CONVERSATION_MS),
): Away {
  const { id, url, client_id, client_secret } = capability;
  return {
    server: url,
    fetch: outsideFetch(app, until),
    callback: callbackOf(app),
    described_at: describedAt(app),
    registered:
      client_id === null
        ? null
        : { client_id, client_secret: client_secret && app.sealer.open(client_secret, clientContext(id)) },
  };
}

/** A conversation with the server as this caller; a CapabilityTrouble becomes a refusal. */
export async function converse<T>(
  app: App,
  caller: Caller,
  capability: LoadedCapability,
  { signal, within_ms }: { signal: AbortSignal | undefined; within_ms: number },
  work: (client: Client, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { id: capability_id, url, title, auth } = capability;
  const of = caller.user_id === null ? null : { capability_id, user_id: caller.user_id };
  const deadline = AbortSignal.timeout(within_ms);
  const until = signal ? AbortSignal.any([signal, deadline]) : deadline;
  const server: Server = {
    url,
    fetch: outsideFetch(app, until),
    bearer: auth === 'oauth' && of ? bearerOf(app, capability, of, until) : NO_BEARER,
    version: app.instance.version,
    signal: until,
  };
  try {
    const said = await speak(server, (client) => work(client, server.signal));
    if (capability.trouble !== null)
      await app.database.transact((tx) => noteTrouble(tx, capability_id, null));
    return said;
  } catch (error) {
    if (!(error instanceof CapabilityTrouble)) throw error;
    const { why } = error;
    // Whoever asked and went away says nothing of the server.
    if (isLasting(why) && !signal?.aborted)
      await app.database.transact((tx) => noteTrouble(tx, capability_id, { why, now: app.clock.now() }));
    if (error.why === 'scope' && error.challenge && of) {
      const { challenge } = error;
      await app.database.transact((tx) => keepChallenge(tx, of, challenge));
    }
    throw refusalOf(error, title);
  }
}

export const refusalOf = (error: unknown, title: string): Refusal => {
  if (error instanceof CapabilityTrouble) return troubleRefusal(error.why, title, error.wait_s);
  throw error;
};

export const NO_BEARER: Bearer = {
  token: async () => null,
  renew: async () => {
    throw new CapabilityTrouble('sign_in');
  },
};

type Of = { capability_id: string; user_id: string };

/**
 * Tokens of one person at one server. However many calls find one expired, on however many nodes, one of them renews it: a
 * server that gives a new refresh token with every renewal takes a second use of the old one for theft. A renewal is not ended
 * with the call that began it, which would lose the token that comes back.
 */
function bearerOf(app: App, capability: LoadedCapability, of: Of, signal: AbortSignal): Bearer {
  const read = () => accountOf(app.database.reader, app.sealer, of);
  const renewFrom = async (stale: string | null): Promise<string> => {
    for (;;) {
      const account = await read();
      const held = account?.credentials.tokens?.access_token;
      if (!account || account.state === 'lost' || held === undefined) throw new CapabilityTrouble('sign_in');
      if (held !== stale) return held;
      const { version, renew_after, renew_trouble } = account;
      const now = app.clock.now();
      if (renew_after !== null && renew_after > now) throw waiting(renew_trouble, renew_after, now);
      if (await app.database.inOneStatement((db) => claimRenewal(db, of, version, now, RENEWAL_MS)))
        return renewNow(app, capability, of, account);
      await sleep(LOOK_AGAIN_MS);
      if (signal.aborted) throw new CapabilityTrouble('slow');
    }
  };
  return {
    async token() {
      const account = await read();
      const held = account?.credentials.tokens?.access_token;
      if (!account || account.state === 'lost' || held === undefined) return null;
      const { expires_at, credentials } = account;
      const now = app.clock.now();
      const ending = expires_at !== null && expires_at <= after(now, EARLY_MS);
      if (!ending || !credentials.tokens?.refresh_token) return held;
      return renewFrom(held).catch((error: unknown) => {
        // It is good until it ends, whatever came of renewing it early.
        if (expires_at > now && error instanceof CapabilityTrouble && error.why === 'renewal') return held;
        throw error;
      });
    },
    async renew(stale) {
      await renewFrom(stale);
    },
  };
}

const waiting = (why: TroubleWhy | null, until: Date, now: Date): CapabilityTrouble =>
  new CapabilityTrouble(why ?? 'renewal', {
    wait_s: Math.max(1, Math.ceil((until.getTime() - now.getTime()) / SECOND_MS)),
  });

async function renewNow(
  app: App,
  capability: LoadedCapability,
  of: Of,
  { credentials, version }: { credentials: Credentials; version: number },
): Promise<string> {
  try {
    const renewed = await renew(awayTo(app, capability), credentials);
    await app.database.transact((tx) => saveRenewed(tx, app.sealer, of, version, renewed, app.clock.now()));
    return renewed.tokens?.access_token ?? '';
  } catch (error) {
    if (!(error instanceof CapabilityTrouble)) throw error;
    const { why, wait_s } = error;
    if (why === 'ended') {
      await app.database.transact((tx) => endAccount(tx, of, version));
      throw new CapabilityTrouble('sign_in');
    }
    const now = app.clock.now();
    const until = await app.database.transact((tx) => delayRenewal(tx, of, version, { why, wait_s }, now));
    app.log.warn({ capability: capability.name, why, until }, 'a sign-in at a tool server was not renewed');
    throw until ? waiting(why, until, now) : error;
  }
}
