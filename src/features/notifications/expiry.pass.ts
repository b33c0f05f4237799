// Forgets old notifications. It has no rows to work on: the runner has it tidy about once an hour.
import { HOUR_MS } from '../../kernel/clock.ts';
import { pass, type AnyPass } from '../../kernel/pass.ts';
import { forgetOld } from './store.ts';

export const notificationsExpiry: AnyPass = pass<never, never>({
  name: 'notifications_expiry',
  wakes_on: [],
  interrupted_by: [],
  tells: 'settings',
  every_ms: HOUR_MS,
  batch: 1,
  at_a_time: 1,
  starts_within_ms: 1_000,
  claim: async () => [],
  open: () => ({ begin: async () => async () => null, close: () => undefined }),
  commit: async () => undefined,
  release: async () => undefined,
  tidy: forgetOld,
});
