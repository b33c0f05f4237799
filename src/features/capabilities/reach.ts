// How a tool server is reached: by an address that was checked and pinned, never our own, in bounded time and size, as the
// person whose call it is.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Caller } from '../../kernel/caller.ts';
import { SECOND_MS, after } from '../../kernel/clock.ts';
import type { House } from '../../kernel/house.ts';
import type { Refusal } from '../../kernel/refusal.ts';
import { guardedFetch, type GuardedFetch } from '../../net/fetch.ts';
import { accountOf, claimRenewal, endRenewal, keepChallenge, saveRenewed } from './account.store.ts';
import { ANSWER_BYTES, CONVERSATION_MS } from './limits.rules.ts';
import { type Away, type Credentials, refresh } from './oauth.ts';
import { isOwn, troubleRefusal } from './rules.ts';
import { type Bearer, type Server, speak } from './speak.ts';
import { clientContext, type LoadedCapability, noteTrouble } from './store.ts';
import { CapabilityTrouble, isLasting } from './trouble.rules.ts';
import type { Client } from '@modelcontextprotocol/client';

const LIMITS = { firstMs: 15 * SECOND_MS, idleMs: 10 * SECOND_MS, limitBytes: ANSWER_BYTES };
/** A token that ends this soon is renewed before it is used. */
const EARLY_MS = 30 * SECOND_MS;
/** Longer than a renewal can take; whoever died in one holds nobody up for longer. */
const RENEWAL_MS = 30 * SECOND_MS;
const LOOK_AGAIN_MS = 50;

/** `until`: the end of everything that is asked with it, however slowly each answer comes. */
export function outsideFetch(house: House, until?: AbortSignal): GuardedFetch {
  const guarded = guardedFetch({ lookup: house.outside.lookup, opening: house.outside.hosts }, LIMITS);
  return async (input, init = {}) => {
    // The other party names addresses of its own on the way: each of them is looked at.
    if (isOwn(house.instance.base_url, new URL(input instanceof Request ? input.url : String(input))))
      throw new CapabilityTrouble('own_address');
    const signals = [until, init.signal].filter((each) => each instanceof AbortSignal);
    return guarded(input, { ...init, signal: AbortSignal.any(signals) });
  };
}

const base = (house: House): string => house.instance.base_url.replace(/\/+$/, '');

export const callbackOf = (house: House): string => `${base(house)}/oauth/callback`;

/** Others take the description of a client over https alone. */
export const describedAt = (house: House): string | null =>
  base(house).startsWith('https://') ? `${base(house)}/oauth/client.json` : null;

/** A sign-in or a renewal, begun now: it ends with `until`. */
export function awayTo(
  house: House,
  capability: Pick<LoadedCapability, 'id' | 'url' | 'client_id' | 'client_secret'>,
  until: AbortSignal = AbortSignal.timeout(CONVERSATION_MS),
): Away {
  const { id, url, client_id, client_secret } = capability;
  return {
    server: url,
    fetch: outsideFetch(house, until),
    callback: callbackOf(house),
    described_at: describedAt(house),
    registered:
      client_id === null
        ? null
        : { client_id, client_secret: client_secret && house.sealer.open(client_secret, clientContext(id)) },
  };
}

/** A conversation with the server as this caller; a CapabilityTrouble becomes a refusal. */
export async function converse<T>(
  house: House,
  caller: Caller,
  capability: LoadedCapability,
  { signal, within_ms }: { signal: AbortSignal | undefined; within_ms: number },
  work: (client: Client, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { id: capability_id, url, title, auth } = capability;
  const of = caller.user_id === null ? null : { capability_id, user_id: caller.user_id };
  const deadline = AbortSignal.timeout(within_ms);
  const server: Server = {
    url,
    fetch: outsideFetch(house),
    bearer: auth === 'oauth' && of ? bearerOf(house, capability, of) : NO_BEARER,
    version: house.instance.version,
    signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
  };
  try {
    const said = await speak(server, (client) => work(client, server.signal));
    if (capability.trouble !== null)
      await house.ground.transact((tx) => noteTrouble(tx, capability_id, null));
    return said;
  } catch (error) {
    if (!(error instanceof CapabilityTrouble)) throw error;
    const { why } = error;
    // Whoever asked and went away says nothing of the server.
    if (isLasting(why) && !signal?.aborted)
      await house.ground.transact((tx) => noteTrouble(tx, capability_id, { why, now: house.clock.now() }));
    if (error.why === 'scope' && error.challenge && of) {
      const { challenge } = error;
      await house.ground.transact((tx) => keepChallenge(tx, of, challenge));
    }
    throw refusalOf(error, title);
  }
}

export const refusalOf = (error: unknown, title: string): Refusal => {
  if (error instanceof CapabilityTrouble) return troubleRefusal(error.why, title);
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
 * server that gives a new refresh token with every renewal takes a second use of the old one for theft.
 */
function bearerOf(house: House, capability: LoadedCapability, of: Of): Bearer {
  const read = () => accountOf(house.ground.reader, house.sealer, of);
  const renewFrom = async (stale: string | null): Promise<string> => {
    for (;;) {
      const account = await read();
      const held = account?.credentials.tokens?.access_token;
      if (!account || account.state === 'lost' || held === undefined) throw new CapabilityTrouble('sign_in');
      if (held !== stale) return held;
      const { version } = account;
      const now = house.clock.now();
      if (await house.ground.inOneStatement((db) => claimRenewal(db, of, version, now, RENEWAL_MS)))
        return renewNow(house, capability, of, account);
      await sleep(LOOK_AGAIN_MS);
    }
  };
  return {
    async token() {
      const account = await read();
      const held = account?.credentials.tokens?.access_token;
      if (!account || account.state === 'lost' || held === undefined) return null;
      const ending = account.expires_at !== null && account.expires_at <= after(house.clock.now(), EARLY_MS);
      return ending && account.credentials.tokens?.refresh_token ? renewFrom(held) : held;
    },
    async renew(stale) {
      await renewFrom(stale);
    },
  };
}

async function renewNow(
  house: House,
  capability: LoadedCapability,
  of: Of,
  { credentials, version }: { credentials: Credentials; version: number },
): Promise<string> {
  try {
    const renewed = await refresh(awayTo(house, capability), credentials);
    await house.ground.transact((tx) =>
      saveRenewed(tx, house.sealer, of, version, renewed, house.clock.now()),
    );
    return renewed.tokens?.access_token ?? '';
  } catch (error) {
    const lost = error instanceof CapabilityTrouble && ['sign_in', 'denied', 'untrusted'].includes(error.why);
    await house.ground.transact((tx) => endRenewal(tx, of, version, lost));
    throw lost ? new CapabilityTrouble('sign_in') : error;
  }
}
