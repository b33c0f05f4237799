// What is done to a sending identity: tested, set active (wire act 9), set inactive and taken away, which are free.
import { z } from 'zod';
import { OK, operation } from '../../../kernel/operation.ts';
import { id, seenIn } from '../../../kernel/shapes.ts';
import { EXAMPLE_IDENTITY, identity, identityName } from './contract.ts';

const PATH = '/api/admin/outreach/identities/:identity';
const takes = z.strictObject({ identity: id });
const gives = z.object({ identity });
const example = { identity: EXAMPLE_IDENTITY };
const on = ({ identity: which }: { identity: string }): string[] => [identityName(which)];

/** Stopping and looking need no scope. */
const free = { who: 'anyone', step_up: 'no', wire: 'never', answers: OK, takes, example } as const;

export const identityTest = operation({
  ...free,
  name: 'identity_test',
  says: 'Tests the outgoing mail of an identity with the real envelope sender and sends no letter, and its mailbox: step by step, what passed. When run by someone who may set it active, with wire, a test that passes also ends its trouble and lets its letters go.',
  method: 'POST',
  path: `${PATH}/test`,
  gives: z.object({
    identity,
    rungs: z.array(
      z.object({
        rung: z.string(),
        outcome: z.enum(['pass', 'fail', 'unknown', 'skipped']),
        sentence: z.string(),
      }),
    ),
  }),
  effect: 'write',
  needs: { action: 'outreach.identity.test', on },
});

export const identityProbe = operation({
  ...free,
  name: 'identity_probe',
  says: 'Sends one mail to the address that bounces of an identity go to, and waits for it in its mailbox: identity_read then says in bounces.arrive whether they arrive.',
  method: 'POST',
  path: `${PATH}/probe`,
  gives,
  effect: 'write',
  needs: { action: 'outreach.identity.test', on },
  wire: { act: 'identity.probe' },
});

export const identityActivate = operation({
  name: 'identity_activate',
  says: 'Sets an identity active: letters may leave in its name. Its domain must be active, and its password set; where it changed since the seen that this carries, it is refused.',
  method: 'POST',
  path: `${PATH}/activate`,
  takes: takes.extend({ seen: seenIn('identity_read') }),
  gives,
  example,
  effect: 'write',
  needs: { action: 'outreach.identity.activate', on },
  who: 'anyone',
  step_up: 'no',
  wire: { act: 'identity.activate' },
  answers: OK,
});

export const identityDeactivate = operation({
  ...free,
  name: 'identity_deactivate',
  says: 'Sets an identity inactive: its letters hold as they fall due, and no other takes over.',
  method: 'POST',
  path: `${PATH}/deactivate`,
  gives,
  effect: 'write',
  needs: { action: 'outreach.identity.deactivate', on },
});

export const identityDelete = operation({
  ...free,
  name: 'identity_delete',
  says: 'Deletes an identity with its secrets; letters that it sent go on naming it, and those that wait for it hold.',
  method: 'DELETE',
  path: PATH,
  gives,
  effect: 'destroy',
  needs: { action: 'outreach.identity.delete', on },
});
