// Further ways to sign in: passkeys, and recovery codes for a lost authenticator.
import { z } from 'zod';
import { CREATED, OK, OK_WITH_SECRET, operation } from '../../../kernel/operation.ts';
import { done, id, text, time } from '../../../kernel/shapes.ts';
import { askForPasskey, madePasskey } from '../sessions/passkeys.contract.ts';

const own = {
  needs: { action: 'account.write', on: () => ['account:own'] },
  who: { session_only: 'only the owner of an account can change it: sign in through the browser' },
  step_up: 'needed',
  wire: 'never',
} as const;

const passkey = z.object({
  id,
  name: z.string(),
  /** Is it kept by an account of its maker's, and so on more than one device? */
  backed_up: z.boolean(),
  created_at: time,
  last_used_at: time.nullable(),
});

export const mePasskeys = operation({
  name: 'me_passkeys',
  says: 'Lists your own passkeys, and how many recovery codes are left.',
  method: 'GET',
  path: '/api/me/passkeys',
  takes: z.strictObject({}),
  gives: z.object({
    passkeys: z.array(passkey),
    /** Where passkeys work: the address to open the screens at; null where the instance has no name to bind one to. */
    work_at: z.string().nullable(),
    recovery_codes: z.object({ left: z.int(), made_at: time.nullable() }),
  }),
  example: {},
  effect: 'read',
  needs: { action: 'account.read', on: () => ['account:own'] },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});

export const passkeyOptions = operation({
  ...own,
  name: 'passkey_options',
  says: 'Returns the options a browser needs to create a passkey for you. Valid once, for five minutes.',
  method: 'POST',
  path: '/api/me/passkeys/options',
  takes: z.strictObject({}),
  gives: z.object({ options: askForPasskey }),
  example: {},
  effect: 'read',
  answers: OK,
});

export const passkeyCreate = operation({
  ...own,
  name: 'passkey_create',
  says: 'Saves a newly created passkey under a name. It signs in and confirms in place of password and code.',
  method: 'POST',
  path: '/api/me/passkeys',
  takes: z.strictObject({ name: text(60), made: madePasskey }),
  gives: z.object({ passkey }),
  example: {
    name: 'Laptop',
    made: {
      id: 'AAAA',
      rawId: 'AAAA',
      type: 'public-key',
      response: { clientDataJSON: 'e30', attestationObject: 'oA' },
    },
  },
  effect: 'write',
  answers: CREATED,
});

export const passkeyDelete = operation({
  ...own,
  name: 'passkey_delete',
  says: 'Removes one of your passkeys. It no longer signs you in.',
  method: 'DELETE',
  path: '/api/me/passkeys/:passkey',
  takes: z.strictObject({ passkey: id }),
  gives: done,
  example: { passkey: '0198c0de-0000-7000-8000-000000000004' },
  effect: 'destroy',
  answers: OK,
});

export const recoveryCodes = operation({
  ...own,
  name: 'recovery_codes',
  says: 'Replaces your recovery codes with ten new ones and shows them once. Each works once in place of an authenticator code.',
  method: 'POST',
  path: '/api/me/recovery-codes',
  takes: z.strictObject({}),
  gives: z.object({ codes: z.array(z.string()) }),
  example: {},
  effect: 'write',
  answers: OK_WITH_SECRET,
});
