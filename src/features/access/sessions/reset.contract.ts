// A new password by a link that goes to the account's address. As with signing in, every token is refused on both routes,
// and nothing in an answer tells whether there is such an account.
import { z } from 'zod';
import { OK_WITH_SECRET, operation } from '../../../kernel/operation.ts';
import { done, email, text } from '../../../kernel/shapes.ts';
import { newPassword } from './contract.ts';

const opening = {
  method: 'POST',
  gives: done,
  effect: 'write',
  who: { never_a_token: 'a token can’t act as a person here: open this in a browser, without a token' },
  step_up: 'no',
  wire: 'never',
  // Addresses and passwords: nothing of them may be kept for a replay.
  answers: OK_WITH_SECRET,
} as const;

export const authResetRequest = operation({
  ...opening,
  name: 'auth_reset_request',
  says: 'Sends a password reset link to this address if it belongs to an account. The response is the same if it doesn’t.',
  path: '/api/auth/reset/request',
  takes: z.strictObject({ email }),
  example: { email: 'ada@example.com' },
  needs: {
    open: 'whoever forgot their password cannot sign in; the link goes to the address of the account alone',
  },
});

export const authReset = operation({
  ...opening,
  name: 'auth_reset',
  says: 'Sets a new password with a reset link, once, and ends every session of the account.',
  path: '/api/auth/reset',
  takes: z.strictObject({ token: text(200), password: newPassword }),
  example: { token: 'reset-token', password: 'correct horse battery' },
  needs: { open: 'the link is the right' },
});
