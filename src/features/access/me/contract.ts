// One's own account: what a person or a token is here, its profile, password, second factor and sessions.
import { z } from 'zod';
import { OK, OK_WITH_SECRET, operation } from '../../../kernel/operation.ts';
import { done, id, listOf, page, personName, principal, text, time } from '../../../kernel/shapes.ts';
import { NOTICE_CHOICES, NOTICE_KINDS } from '../notifications/choices.rules.ts';
import { newPassword } from '../sessions/contract.ts';

const OWN_ACCOUNT = 'only the owner of an account can change it: sign in through the browser';
const reads = {
  effect: 'read',
  needs: { action: 'account.read', on: () => ['account:own'] },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
} as const;
const changes = {
  needs: { action: 'account.write', on: () => ['account:own'] },
  who: { session_only: OWN_ACCOUNT },
  step_up: 'no',
  wire: 'never',
  answers: OK,
} as const;

export const meGet = operation({
  ...reads,
  name: 'me_get',
  says: 'Tells the caller who they are here: principal, rights in short, scopes of the token, board and time zone.',
  method: 'GET',
  path: '/api/me',
  takes: z.strictObject({}),
  gives: z.object({
    principal,
    /** What the credential is: a session, a token or the provisioning key. */
    via: z.enum(['session', 'token', 'provisioning_key']),
    /** Does this caller count as an agent wherever agents and people differ? */
    agent: z.boolean(),
    admin: z.boolean(),
    policies: z.array(z.string()),
    scopes: z.object({ wire: z.boolean(), scripts: z.boolean() }).nullable(),
    user: z
      .object({
        id,
        name: z.string(),
        email: z.string(),
        timezone: z.string().nullable(),
        totp: z.boolean(),
        passkeys: z.int(),
        /** Do they hear by mail that approvals wait for them? */
        mail_approvals: z.boolean(),
        /** Of what they are notified, by kind. */
        notices: z.record(z.enum(NOTICE_KINDS), z.enum(NOTICE_CHOICES)),
        board: z.object({ projects: z.array(z.string()).nullable(), default_project: z.string().nullable() }),
      })
      .nullable(),
    stepped_up_until: time.nullable(),
    instance: z.string(),
    unread_notifications: z.int(),
  }),
  example: {},
});

export const meMay = operation({
  ...reads,
  name: 'me_may',
  says: 'Tells whether policy lets the caller do an action on anything at all, and where it does not, in which sentence it refuses it.',
  method: 'GET',
  path: '/api/me/may',
  takes: z.strictObject({
    /** As a policy names it: `crm.import.create`. */
    action: z
      .string()
      .regex(/^[a-z_]+(\.[a-z_]+){1,2}$/, 'area.noun.verb, such as work.item.move')
      .max(100),
  }),
  gives: z.object({ may: z.boolean(), sentence: z.string().nullable() }),
  example: { action: 'crm.import.create' },
});

export const meUpdate = operation({
  ...changes,
  name: 'me_update',
  says: "Changes one's own name, time zone, default project, whether waiting approvals are emailed, and what one is notified of.",
  method: 'PATCH',
  path: '/api/me',
  takes: z.strictObject({
    name: personName.optional(),
    timezone: text(60).nullable().optional(),
    default_project: text(60).nullable().optional(),
    mail_approvals: z.boolean().optional(),
    /** Kinds that are left out stay as they are. */
    notices: z.partialRecord(z.enum(NOTICE_KINDS), z.enum(NOTICE_CHOICES)).optional(),
  }),
  gives: done,
  example: { name: 'Ada' },
  effect: 'write',
});

export const mePassword = operation({
  ...changes,
  name: 'me_password',
  says: "Changes one's own password and ends every other session.",
  method: 'POST',
  path: '/api/me/password',
  takes: z.strictObject({ current: z.string().min(1).max(200), password: newPassword }),
  gives: done,
  example: { current: 'correct horse battery', password: 'correct horse battery staple' },
  effect: 'write',
  // Its arguments are passwords: nothing of them may be kept for a replay.
  answers: OK_WITH_SECRET,
});

export const meTotp = operation({
  ...changes,
  name: 'me_totp',
  says: 'Without a code, draws a new authenticator secret and shows it once; with a code of that secret, turns the second factor on.',
  method: 'POST',
  path: '/api/me/totp',
  takes: z.strictObject({ code: text(20).optional() }),
  gives: z.object({ on: z.boolean(), secret: z.string().nullable(), uri: z.string().nullable() }),
  example: {},
  effect: 'write',
  step_up: 'needed',
  answers: OK_WITH_SECRET,
});

export const meTotpRemove = operation({
  ...changes,
  name: 'me_totp_remove',
  says: 'Turns the second factor off.',
  method: 'DELETE',
  path: '/api/me/totp',
  takes: z.strictObject({}),
  gives: done,
  example: {},
  effect: 'destroy',
  step_up: 'needed',
});

export const meSessions = operation({
  ...reads,
  name: 'me_sessions',
  says: 'Lists where one is signed in.',
  method: 'GET',
  path: '/api/me/sessions',
  takes: z.strictObject(page),
  gives: listOf(
    z.object({
      id,
      created_at: time,
      last_seen_at: time,
      expires_at: time,
      address: z.string().nullable(),
      user_agent: z.string().nullable(),
      current: z.boolean(),
    }),
  ),
  example: {},
});

export const meSessionEnd = operation({
  ...changes,
  name: 'me_session_end',
  says: 'Ends one of the sessions one is signed in with.',
  method: 'DELETE',
  path: '/api/me/sessions/:session',
  takes: z.strictObject({ session: id }),
  gives: done,
  example: { session: '0198c0de-0000-7000-8000-000000000004' },
  effect: 'destroy',
});
