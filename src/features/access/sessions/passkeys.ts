// Passkeys: what the browser is asked, and whether its answer is valid. An answer is valid once, for its challenge, from this
// instance’s pages, with the person verified by the authenticator.
import type { AuthenticatorTransport } from '@simplewebauthn/server';
import type { z } from 'zod';
import { createHash } from 'node:crypto';
import type { App } from '../../../kernel/app.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { type WriteContext, bind } from '../../../kernel/context.ts';
import { UNAUTHORIZED } from '../../../kernel/sentences.ts';
import { type Account, lockAccount } from '../users/accounts.store.ts';
import { type Bound, CHALLENGE_MS, challengeEnds, drawChallenge } from './challenge.ts';
import {
  type MadePasskey,
  type PasskeyProof,
  type askForPasskey,
  type askForProof,
  authPasskeyOptions,
} from './passkeys.contract.ts';
import { type RelyingParty, relyingParty } from './passkeys.rules.ts';
import { credentialsOf, lockPasskey, ownerOfPasskey, passkeyUsed, spendChallenge } from './passkeys.store.ts';
import { placeOfRequest, throttle } from './throttle.ts';

const NO_NAME = 'passkeys require HTTPS and a domain name: the operator sets the address in SERVICE_BASE_URL';
const WRONG = 'this passkey doesn’t work on this instance: sign in with your password and add it again';

/** Read at the first passkey: its seven hundred files are a quarter of the work of a start, and 40 MB. */
const library = () => import('@simplewebauthn/server');

/** The number of ways a key may sign: Ed25519, P-256, RSA. */
const ALGORITHMS = [-8, -7, -257];

export function ownParty(app: Pick<App, 'instance'>): RelyingParty {
  const party = relyingParty(app.instance.base_url);
  if (!party) throw new Refusal(503, 'unavailable', NO_NAME);
  return party;
}

const known = (each: { id: string; transports: string[] }) => ({
  ...each,
  transports: each.transports as AuthenticatorTransport[],
});

export const passkeyOptions = bind(authPasskeyOptions, async ({ db, caller, app, now }, { purpose }) => {
  const party = ownParty(app);
  const session = caller.credential.kind === 'session' ? caller.credential.id : null;
  if (purpose === 'step_up' && (session === null || !caller.user_id))
    throw new Refusal(401, 'unauthorized', UNAUTHORIZED);
  const { generateAuthenticationOptions } = await library();
  const options = await generateAuthenticationOptions({
    rpID: party.id,
    challenge: drawChallenge(app.sealer, { purpose, session: purpose === 'step_up' ? session : null }, now),
    timeout: CHALLENGE_MS,
    userVerification: 'required',
    // At sign-in no one is named, so that a browser offers what it has and an answer tells no one apart.
    allowCredentials:
      purpose === 'step_up' && caller.user_id ? (await credentialsOf(db, caller.user_id)).map(known) : [],
  });
  return { options: { allowCredentials: [], ...options } as z.input<typeof askForProof> };
});

/** What a browser needs to make a passkey for this account. */
export async function askToMake(
  app: App,
  account: Pick<Account, 'id' | 'name' | 'email'>,
  session: string,
  has: { id: string; transports: string[] }[],
  now: Date,
): Promise<z.input<typeof askForPasskey>> {
  const party = ownParty(app);
  const { generateRegistrationOptions } = await library();
  const options = await generateRegistrationOptions({
    rpID: party.id,
    rpName: `Dunnock ${app.instance.name}`,
    userID: handleOf(account.id),
    userName: account.email,
    userDisplayName: account.name,
    challenge: drawChallenge(app.sealer, { purpose: 'register', session }, now),
    timeout: CHALLENGE_MS,
    attestationType: 'none',
    excludeCredentials: has.map(known),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  });
  return options as z.input<typeof askForPasskey>;
}

/** What was made, or null where it does not hold. */
export async function verifyMade(context: WriteContext, session: string, made: MadePasskey) {
  const party = ownParty(context.app);
  const drawn = expected(context, { purpose: 'register', session });
  const { transports, ...response } = made.response;
  const { verifyRegistrationResponse } = await library();
  const holds = await verifyRegistrationResponse({
    response: {
      ...made,
      response: { ...response, transports: (transports ?? []) as AuthenticatorTransport[] },
      clientExtensionResults: {},
    },
    expectedChallenge: drawn.fits,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => null);
  if (!holds?.verified || !(await drawn.spend())) return null;
  return { ...holds.registrationInfo, transports: transports ?? [] };
}

/**
 * Proves by a passkey who someone is. No one guesses one, so what went wrong with passwords closes nothing here, and failures
 * are counted for the flood alone, by where they come from.
 */
export async function proveByPasskey(
  context: WriteContext,
  proof: PasskeyProof,
  bound: Bound,
  mine: string | null,
): Promise<Account> {
  const { db, now, app } = context;
  const party = ownParty(app);
  const owner = await ownerOfPasskey(db, proof.id);
  const tries = await throttle(context, { at: 'passkey', place: placeOfRequest(context.request) });
  const account = owner ? await lockAccount(db, owner) : null;
  if (account) context.about(`account:${account.id}`);
  const wrong = () => tries.failed(new Refusal(401, 'unauthorized', WRONG));
  if (account?.state !== 'active' || (mine !== null && account.id !== mine)) throw wrong();
  const kept = await lockPasskey(db, account.id, proof.id);
  const { userHandle: handle, ...response } = proof.response;
  if (!kept || (handle && handle !== Buffer.from(handleOf(account.id)).toString('base64url'))) throw wrong();
  const drawn = expected(context, bound);
  const { verifyAuthenticationResponse } = await library();
  const holds = await verifyAuthenticationResponse({
    response: { ...proof, response, clientExtensionResults: {} },
    expectedChallenge: drawn.fits,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    credential: { id: proof.id, publicKey: new Uint8Array(kept.public_key), counter: kept.counter },
    requireUserVerification: true,
  }).catch(() => null);
  if (!holds?.verified || !(await drawn.spend())) throw wrong();
  await passkeyUsed(db, kept.id, holds.authenticationInfo.newCounter, now);
  await tries.passed();
  return account;
}

const handleOf = (user: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(user);

/** Is it a challenge of ours for this, and was it not used before? */
function expected({ db, app, now }: WriteContext, bound: Bound) {
  let seen: { challenge: string; ends: Date } | null = null;
  return {
    fits: (challenge: string): boolean => {
      const ends = challengeEnds(app.sealer, bound, challenge, now);
      seen = ends && { challenge, ends };
      return ends !== null;
    },
    spend: async (): Promise<boolean> =>
      seen !== null &&
      spendChallenge(db, createHash('sha256').update(seen.challenge).digest(), seen.ends, now),
  };
}
