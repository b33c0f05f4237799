import type { Feature } from '../../../kernel/app.ts';
import { acceptInvite, login, logout, setup, state, stepUp } from './handlers.ts';
import { passkeyOptions } from './passkeys.ts';
import { reset, resetRequest } from './reset.handlers.ts';
import { passwordResetPass } from './reset.pass.ts';

export const sessions: Feature = {
  name: 'sessions',
  operations: [state, setup, login, logout, acceptInvite, stepUp, passkeyOptions, resetRequest, reset],
  passes: [passwordResetPass],
};
