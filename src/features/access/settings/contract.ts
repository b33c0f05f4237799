// Settings of the instance, in sections. Gated values (providers' keys, the events address) are not here and have routes of their own.
import { z } from 'zod';
import { named } from '../../../kernel/names.ts';
import { OK, operation } from '../../../kernel/operation.ts';

export const settings = z.object({
  instance: z.object({ name: z.string(), base_url: z.string(), version: z.string() }),
  security: z.object({
    /** On: approvals are decided in a session only, never with a token of a person's own. */
    decide_on_screen_only: z.boolean(),
  }),
  chat: z.object({
    /** The model that is asked where neither agent nor caller names one; null: the first that a provider lists. */
    default_model: z.string().nullable(),
    /** Model tokens, in and out together. */
    tokens_per_turn: z.int(),
    /** Of one token or one person, in a day (UTC). */
    tokens_per_caller_per_day: z.int(),
    /** Of everyone together. */
    tokens_per_day: z.int(),
  }),
  /** Of each workflow alone; one that passes any of them pauses itself. */
  workflows: z.object({
    runs_per_hour: z.int(),
    /** Turns of agents that its runs begin. */
    turns_per_hour: z.int(),
    /** Model tokens of those turns, in a day (UTC). They don't count for the person it acts for. */
    tokens_per_day: z.int(),
  }),
});
export type Settings = z.infer<typeof settings>;
named('Settings', settings);

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
  who: { session_only: 'only a signed-in administrator can change security settings' },
  step_up: 'needed',
  wire: 'never',
  answers: OK,
});

const tokens = z.int().min(0).max(2_000_000_000).optional();

export const settingsChat = operation({
  name: 'settings_chat',
  says: 'Changes the default model of in-instance agents, and the token budgets per turn, per caller and per day.',
  method: 'PATCH',
  path: '/api/admin/settings/chat',
  takes: z.strictObject({
    default_model: z
      .string()
      .regex(/^[a-z_]+\/[\w.:@/-]{1,200}$/, 'provider/model, as GET /api/models names it')
      .nullable()
      .optional(),
    tokens_per_turn: tokens,
    tokens_per_caller_per_day: tokens,
    tokens_per_day: tokens,
  }),
  gives: settings,
  example: { tokens_per_day: 5_000_000 },
  effect: 'write',
  needs: { action: 'admin.setting.write', on: () => ['admin:setting/chat'] },
  who: { session_only: 'only a signed-in administrator can set agent budgets' },
  step_up: 'no',
  wire: 'never',
  answers: OK,
});

const most = z.int().min(0).max(1_000_000).optional();

export const settingsWorkflows = operation({
  name: 'settings_workflows',
  says: 'Changes the budget of one workflow: runs and agent turns per hour, model tokens per day. A workflow over budget pauses.',
  method: 'PATCH',
  path: '/api/admin/settings/workflows',
  takes: z.strictObject({ runs_per_hour: most, turns_per_hour: most, tokens_per_day: tokens }),
  gives: settings,
  example: { runs_per_hour: 5_000 },
  effect: 'write',
  needs: { action: 'admin.setting.write', on: () => ['admin:setting/workflows'] },
  who: { session_only: 'only a signed-in administrator can set workflow budgets' },
  step_up: 'no',
  wire: 'never',
  answers: OK,
});
