// Settings of the instance, in sections. Gated values (providers' keys, the events address) are not here and have routes of their own.
import { z } from 'zod';
import { OK, operation } from '../../kernel/operation.ts';

export const settings = z.object({
  instance: z.object({ name: z.string(), base_url: z.string(), version: z.string() }),
  security: z.object({
    /** On: approvals are decided in a session only, never with a token of a person's own. */
    decide_on_screen_only: z.boolean(),
  }),
});
export type Settings = z.infer<typeof settings>;

export const settingsGet = operation({
  name: 'settings_get',
  says: "Reads the instance's settings by section.",
  method: 'GET',
  path: '/api/settings',
  takes: z.strictObject({}),
  gives: settings,
  example: {},
  effect: 'read',
  needs: { action: 'admin.setting.read', on: () => ['admin:setting'] },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});

export const settingsSecurity = operation({
  name: 'settings_security',
  says: 'Changes the security settings.',
  method: 'PATCH',
  path: '/api/admin/settings/security',
  takes: z.strictObject({ decide_on_screen_only: z.boolean().optional() }),
  gives: settings,
  example: { decide_on_screen_only: true },
  effect: 'write',
  needs: { action: 'admin.setting.write', on: () => ['admin:setting/security'] },
  who: { session_only: 'security settings are changed on the screen, by an administrator who is signed in' },
  step_up: 'needed',
  wire: 'never',
  answers: OK,
});
