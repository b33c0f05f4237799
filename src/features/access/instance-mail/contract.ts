// The instance’s own outgoing mail (invitations, new passwords). Only a person in a session sets it up; the password is written
// and never shown.
import { z } from 'zod';
import { OK, OK_WITH_SECRET, operation } from '../../../kernel/operation.ts';
import { done, text } from '../../../kernel/shapes.ts';
import { SECURITIES } from '../../../mail/transport.rules.ts';

const way = z.object({
  host: z.string(),
  port: z.int(),
  security: z.enum(SECURITIES),
  user: z.string().nullable(),
  from_name: z.string(),
  from_address: z.string(),
});
export type ShownWay = z.infer<typeof way>;

const mailSettings = z.object({
  /** Null: the instance sends no mail, and links are shown on the screen. */
  mail: way.nullable(),
  waiting: z.int(),
  /** What kept the last mail from going; null where it went. */
  trouble: z.string().nullable(),
});

const kept = {
  who: {
    session_only: 'only a signed-in administrator can change how this instance sends mail',
  },
  step_up: 'needed',
  wire: 'never',
  effect: 'write',
  needs: { action: 'admin.setting.write', on: () => ['admin:setting/mail'] },
} as const;

export const mailSettingsGet = operation({
  name: 'settings_mail_get',
  says: 'Reads how the instance sends its own mail, and whether any is waiting. Never returns the password.',
  method: 'GET',
  path: '/api/admin/settings/mail',
  takes: z.strictObject({}),
  gives: mailSettings,
  example: {},
  effect: 'read',
  // Every member may read settings; where the mail server exists and who signs in there is not for every member.
  needs: { action: 'admin.setting.write', on: () => ['admin:setting/mail'] },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});

export const mailSettingsSet = operation({
  ...kept,
  name: 'settings_mail',
  says: 'Sets how the instance sends its own mail. The password is kept while host, port, encryption and user stay the same, and is required again when one of them changes.',
  method: 'PUT',
  path: '/api/admin/settings/mail',
  takes: z.strictObject({
    host: z
      .string()
      .trim()
      .max(253)
      .regex(/^[a-z0-9]([a-z0-9.:-]*[a-z0-9])?$/i, 'give a host name, such as smtp.example.com'),
    port: z.int().min(1).max(65_535),
    security: z.enum(SECURITIES),
    user: text(320).nullable(),
    password: z.string().min(1).max(1_000).optional(),
    from_name: text(120),
    from_address: z.string().max(2_000),
  }),
  gives: mailSettings,
  example: {
    host: 'smtp.example.com',
    port: 465,
    security: 'tls',
    user: 'desk@example.com',
    password: 'correct horse battery',
    from_name: 'The desk',
    from_address: 'desk@example.com',
  },
  // What it takes is a password: nothing of it may be kept for a replay.
  answers: OK_WITH_SECRET,
});

export const mailSettingsClear = operation({
  ...kept,
  name: 'settings_mail_clear',
  says: 'Removes the instance’s mail settings: links are shown on screen again, and no one can request a password reset.',
  method: 'DELETE',
  path: '/api/admin/settings/mail',
  takes: z.strictObject({}),
  gives: done,
  example: {},
  answers: OK,
});

export const mailSettingsTest = operation({
  ...kept,
  name: 'settings_mail_test',
  says: 'Sends a short test email to the address of the signed-in user.',
  method: 'POST',
  path: '/api/admin/settings/mail/test',
  takes: z.strictObject({}),
  gives: z.object({ to: z.string() }),
  example: {},
  answers: OK,
});
