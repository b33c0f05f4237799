// Forgets files that no answer carries. It has no rows to work on: the runner has it tidy about once an hour.
import { HOUR_MS } from '../../kernel/clock.ts';
import { pass, type AnyPass } from '../../kernel/pass.ts';
import { forgetUnnamed } from './files.store.ts';

export const answersExpiry: AnyPass = pass<never, never>({
  name: 'answers_expiry',
  wakes_on: [],
  interrupted_by: [],
  tells: 'threads',
  every_ms: HOUR_MS,
  batch: 1,
  at_a_time: 1,
  starts_within_ms: 1_000,
  claim: async () => [],
  open: () => ({ begin: async () => async () => null, close: () => undefined }),
  commit: async () => undefined,
  release: async () => undefined,
  tidy: forgetUnnamed,
});
