// What a browser and the instance exchange for passkeys (Web Authentication, level 3). Only verified fields are declared; others
// are ignored.
import { z } from 'zod';
import { named } from '../../../kernel/names.ts';
import { OK, operation } from '../../../kernel/operation.ts';

/** Bytes as base64url, at most so many letters. */
const bytes = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[A-Za-z0-9_-]+$/, 'bytes as base64url');

const credential = { id: bytes(1_400), rawId: bytes(1_400), type: z.literal('public-key') };

/** What a passkey signed. */
export const passkeyProof = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes(4_000),
    authenticatorData: bytes(4_000),
    signature: bytes(2_000),
    userHandle: bytes(200).nullish(),
  }),
});
export type PasskeyProof = z.output<typeof passkeyProof>;
named('PasskeyProof', passkeyProof);

/** A passkey that an authenticator has just made. */
export const madePasskey = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes(4_000),
    attestationObject: bytes(20_000),
    transports: z.array(z.string().max(20)).max(10).optional(),
  }),
});
export type MadePasskey = z.output<typeof madePasskey>;
named('CreatedPasskey', madePasskey);

const passkeyId = z.object({
  id: z.string(),
  type: z.literal('public-key'),
  transports: z.array(z.string()).optional(),
});

/** What a browser needs to ask an authenticator for a proof. */
export const askForProof = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.int(),
  userVerification: z.literal('required'),
  allowCredentials: z.array(passkeyId),
});
named('AskForProof', askForProof);

/** What a browser needs to have an authenticator make a passkey. */
export const askForPasskey = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.int() })),
  timeout: z.int(),
  attestation: z.literal('none'),
  excludeCredentials: z.array(passkeyId),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
});
named('AskForPasskey', askForPasskey);

export const authPasskeyOptions = operation({
  name: 'auth_passkey_options',
  says: 'Returns a challenge for a passkey, to sign in or to confirm the signed-in person. Valid once, for five minutes.',
  method: 'POST',
  path: '/api/auth/passkey/options',
  takes: z.strictObject({ purpose: z.enum(['sign_in', 'step_up']) }),
  gives: z.object({ options: askForProof }),
  example: { purpose: 'sign_in' },
  effect: 'read',
  needs: { open: 'a challenge is worth nothing without the passkey that signs it' },
  who: { never_a_token: 'a token can’t sign in as a person: sign in through the browser, without a token' },
  step_up: 'no',
  wire: 'never',
  answers: OK,
});
