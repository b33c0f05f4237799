// Passkeys themselves: what a browser is asked, and whether what it brings back holds. A proof holds for the challenge it was
// drawn for, of this instance's own pages, by a person whom the authenticator knew, and never twice.
import type { AuthenticatorTransport } from '@simplewebauthn/server';
import type { z } from 'zod';
import { createHash } from 'node:crypto';
import type { House } from '../../../kernel/house.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { type WriteScene, bind } from '../../../kernel/scene.ts';
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

const NO_NAME = 'passkeys need a host name and https: an operator sets them in SERVICE_BASE_URL';
const WRONG = 'that passkey doesn’t work on this instance: sign in with your password and add it again';

/** Read at the first passkey: its seven hundred files are a quarter of the work of a start, and 40 MB. */
const library = () => import('@simplewebauthn/server');

/** The number of ways a key may sign: Ed25519, P-256, RSA. */
const ALGORITHMS = [-8, -7, -257];

export function ownParty(house: Pick<House, 'instance'>): RelyingParty {
  const party = relyingParty(house.instance.base_url);
  if (!party) throw new Refusal(503, 'unavailable', NO_NAME);
  return party;
}

const known = (each: { id: string; transports: string[] }) => ({
  ...each,
  transports: each.transports as AuthenticatorTransport[],
});

export const passkeyOptions = bind(authPasskeyOptions, async ({ db, caller, house, now }, { purpose }) => {
  const party = ownParty(house);
  const session = caller.credential.kind === 'session' ? caller.credential.id : null;
  if (purpose === 'step_up' && (session === null || !caller.user_id))
    throw new Refusal(401, 'unauthorized', UNAUTHORIZED);
  const { generateAuthenticationOptions } = await library();
  const options = await generateAuthenticationOptions({
    rpID: party.id,
    challenge: drawChallenge(house.sealer, { purpose, session: purpose === 'step_up' ? session : null }, now),
    timeout: CHALLENGE_MS,
    userVerification: 'required',
    // At sign-in nobody is named, so that a browser offers what it has and an answer tells nobody apart.
    allowCredentials:
      purpose === 'step_up' && caller.user_id ? (await credentialsOf(db, caller.user_id)).map(known) : [],
  });
  return { options: { allowCredentials: [], ...options } as z.input<typeof askForProof> };
});

/** What a browser needs to make a passkey for this account. */
export async function askToMake(
  house: House,
  account: Pick<Account, 'id' | 'name' | 'email'>,
  session: string,
  has: { id: string; transports: string[] }[],
  now: Date,
): Promise<z.input<typeof askForPasskey>> {
  const party = ownParty(house);
  const { generateRegistrationOptions } = await library();
  const options = await generateRegistrationOptions({
    rpID: party.id,
    rpName: `Dunnock ${house.instance.name}`,
    userID: handleOf(account.id),
    userName: account.email,
    userDisplayName: account.name,
    challenge: drawChallenge(house.sealer, { purpose: 'register', session }, now),
    timeout: CHALLENGE_MS,
    attestationType: 'none',
    excludeCredentials: has.map(known),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  });
  return options as z.input<typeof askForPasskey>;
}

/** What was made, or null where it does not hold. */
export async function verifyMade(scene: WriteScene, session: string, made: MadePasskey) {
  const party = ownParty(scene.house);
  const drawn = expected(scene, { purpose: 'register', session });
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
 * Proves by a passkey who somebody is. Nobody guesses one, so what went wrong with passwords closes nothing here, and failures
 * are counted for the flood alone, by where they come from.
 */
export async function proveByPasskey(
  scene: WriteScene,
  proof: PasskeyProof,
  bound: Bound,
  mine: string | null,
): Promise<Account> {
  const { db, now, house } = scene;
  const party = ownParty(house);
  const owner = await ownerOfPasskey(db, proof.id);
  const tries = await throttle(scene, { at: 'passkey', place: placeOfRequest(scene.request) });
  const account = owner ? await lockAccount(db, owner) : null;
  if (account) scene.about(`account:${account.id}`);
  const wrong = () => tries.failed(new Refusal(401, 'unauthorized', WRONG));
  if (account?.state !== 'active' || (mine !== null && account.id !== mine)) throw wrong();
  const kept = await lockPasskey(db, account.id, proof.id);
  const { userHandle: handle, ...response } = proof.response;
  if (!kept || (handle && handle !== Buffer.from(handleOf(account.id)).toString('base64url'))) throw wrong();
  const drawn = expected(scene, bound);
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
function expected({ db, house, now }: WriteScene, bound: Bound) {
  let seen: { challenge: string; ends: Date } | null = null;
  return {
    fits: (challenge: string): boolean => {
      const ends = challengeEnds(house.sealer, bound, challenge, now);
      seen = ends && { challenge, ends };
      return ends !== null;
    },
    spend: async (): Promise<boolean> =>
      seen !== null &&
      spendChallenge(db, createHash('sha256').update(seen.challenge).digest(), seen.ends, now),
  };
}
