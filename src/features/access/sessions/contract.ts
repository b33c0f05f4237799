// First boot, sign-in, invitations and step-up. They turn a request into a person, so tokens are always refused.
import { z } from 'zod';
import { OK, OK_WITH_SECRET, operation } from '../../../kernel/operation.ts';
import { passkeyProof } from './passkeys.contract.ts';
import { done, email, personName, text, time } from '../../../kernel/shapes.ts';

/** At least 12 characters (NIST SP 800-63B asks for 8, OWASP ASVS 5.0 6.2.1 for 8 and recommends 15); at most 200. */
export const newPassword = z.string().min(12, 'password must have at least 12 characters').max(200);

/** Of an authenticator, or one of the recovery codes that replace it. */
const code = text(40);

/** A passkey and nothing else, or all of these. */
const oneProof =
  (fields: string[]) =>
  (given: Record<string, unknown>, context: z.RefinementCtx): void => {
    const say = (field: string, message: string): void =>
      context.addIssue({ code: 'custom', path: [field], message });
    if (given['passkey'] === undefined)
      for (const field of fields.filter((each) => given[each] === undefined))
        say(field, 'is missing: give it, or a passkey');
    else
      for (const field of [...fields, 'code'].filter((each) => given[each] !== undefined))
        say(field, 'goes without a passkey');
  };

const NO_TOKEN = 'a token can’t sign in as a person: sign in through the browser, without a token';

const me = z.object({ id: z.string(), name: z.string(), email: z.string(), admin: z.boolean() });

const opening = {
  step_up: 'no',
  wire: 'never',
  who: { never_a_token: NO_TOKEN },
  effect: 'write',
  // The cookie is the secret that the answer shows; and what these acts take must not be kept, hashed or not.
  answers: OK_WITH_SECRET,
} as const;

export const authState = operation({
  name: 'auth_state',
  says: 'Returns the instance’s name and whether it still needs its first administrator, for the sign-in screen.',
  method: 'GET',
  path: '/api/auth/state',
  takes: z.strictObject({}),
  gives: z.object({
    instance: z.string(),
    set_up: z.boolean(),
    /** Whether a link for a new password can be sent. */
    mail: z.boolean(),
  }),
  example: {},
  effect: 'read',
  needs: { open: 'the sign-in screen shows it before anyone signs in' },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});

export const authSetup = operation({
  ...opening,
  name: 'auth_setup',
  says: 'Creates the first administrator with the key that the console printed at first boot, and signs them in. Refused once any user exists.',
  method: 'POST',
  path: '/api/auth/setup',
  takes: z.strictObject({ key: text(200), name: personName, email, password: newPassword }),
  gives: z.object({ user: me }),
  example: {
    key: 'set-up-key',
    name: 'Ada Operator',
    email: 'ada@example.com',
    password: 'correct horse battery',
  },
  needs: { open: 'there are no users yet; the key authorizes it' },
});

export const authLogin = operation({
  ...opening,
  name: 'auth_login',
  says: 'Signs a person in with address and password, and the code of their authenticator where they have one; or with only a passkey.',
  method: 'POST',
  path: '/api/auth/login',
  takes: z
    .strictObject({
      email: z.string().min(1).max(254).optional(),
      password: z.string().min(1).max(200).optional(),
      code: code.optional(),
      passkey: passkeyProof.optional(),
    })
    .superRefine(oneProof(['email', 'password'])),
  gives: z.object({ user: me }),
  example: { email: 'ada@example.com', password: 'correct horse battery' },
  needs: { open: 'the password is the right' },
});

export const authLogout = operation({
  ...opening,
  name: 'auth_logout',
  says: 'Ends this session.',
  method: 'POST',
  path: '/api/auth/logout',
  takes: z.strictObject({}),
  gives: done,
  example: {},
  needs: { open: 'leaving needs no right' },
});

export const authAcceptInvite = operation({
  ...opening,
  name: 'auth_accept_invite',
  says: 'Accepts an invitation by its link, sets a name and a password, and signs in.',
  method: 'POST',
  path: '/api/auth/accept-invite',
  takes: z.strictObject({ token: text(200), name: personName, password: newPassword }),
  gives: z.object({ user: me }),
  example: { token: 'invite-token', name: 'Ben Reviewer', password: 'correct horse battery' },
  needs: { open: 'the link is the right' },
});

export const authStepUp = operation({
  name: 'auth_step_up',
  says: 'Confirms the signed-in person by password and code or by a passkey, which allows minting, secrets, wire settings and policies for ten minutes.',
  method: 'POST',
  path: '/api/auth/step-up',
  takes: z
    .strictObject({
      password: z.string().min(1).max(200).optional(),
      code: code.optional(),
      passkey: passkeyProof.optional(),
    })
    .superRefine(oneProof(['password'])),
  gives: z.object({ until: time }),
  example: { password: 'correct horse battery' },
  effect: 'write',
  needs: { action: 'account.write', on: () => ['account:own'] },
  who: { session_only: 'a password can only be confirmed in a session: sign in through the browser' },
  step_up: 'no',
  wire: 'never',
  // Its arguments are a password: nothing of them may be kept for a replay.
  answers: OK_WITH_SECRET,
});
