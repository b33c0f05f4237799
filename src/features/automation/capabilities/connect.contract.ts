// Signing in at a tool server: the browser goes there and comes back, in one session of one person.
import { z } from 'zod';
import { OK, operation } from '../../../kernel/operation.ts';
import { id } from '../../../kernel/shapes.ts';
import { capability, one } from './contract.ts';

const ON_SCREEN =
  'only a signed-in person can connect an account: open Settings → Capabilities in the browser';

export const capabilityConnect = operation({
  name: 'capability_connect',
  says: 'Starts the caller’s own sign-in at a tool server. Returns the address to open in the browser.',
  method: 'POST',
  path: '/api/admin/capabilities/:capability/connect',
  takes: z.strictObject({ capability: id }),
  gives: z.object({ url: z.string() }),
  example: { capability: one },
  effect: 'write',
  needs: { action: 'admin.capability.connect', on: 'row' },
  who: { session_only: ON_SCREEN },
  step_up: 'no',
  wire: 'never',
  // Its state lets a browser come back once.
  answers: { json: 200, shows_secret: true },
});

export const capabilityFinish = operation({
  name: 'capability_finish',
  says: 'Completes a sign-in with what the browser returned, in the session that started it.',
  method: 'POST',
  path: '/api/admin/capabilities/finish',
  takes: z.strictObject({
    state: z.string().min(1).max(200),
    code: z.string().min(1).max(4_000),
    /** Who says to have sent the browser back. */
    iss: z.string().max(2_000).optional(),
  }),
  gives: capability,
  example: { state: 'as it was sent', code: 'as it came back' },
  effect: 'write',
  needs: { action: 'admin.capability.connect', on: 'row' },
  who: { session_only: ON_SCREEN },
  step_up: 'no',
  wire: 'never',
  answers: OK,
});

export const capabilityDisconnect = operation({
  name: 'capability_disconnect',
  says: 'Deletes the caller’s own sign-in at a tool server.',
  method: 'POST',
  path: '/api/admin/capabilities/:capability/disconnect',
  takes: z.strictObject({ capability: id }),
  gives: capability,
  example: { capability: one },
  effect: 'write',
  needs: { action: 'admin.capability.connect', on: 'row' },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});
