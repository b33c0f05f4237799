// How the instance itself is: its passes, what waits for them, and the database it is on. For whoever runs it.
import { z } from 'zod';
import { named } from '../../../kernel/names.ts';
import { OK, operation } from '../../../kernel/operation.ts';
import { time } from '../../../kernel/shapes.ts';
import { PASS_STATES } from './rules.ts';

export const passHealth = z.object({
  name: z.string(),
  state: z.enum(PASS_STATES),
  /** How often it looks without being woken. */
  every_s: z.number(),
  /** Null: no one has run it yet. */
  ran_at: time.nullable(),
  well_at: time.nullable(),
  /** Rows that it took, since the database was made. */
  claimed: z.int(),
  faults: z.int(),
  fault_at: time.nullable(),
  /** The class of the last fault; the log of the process says the rest. */
  fault: z.string().nullable(),
});
export type PassHealth = z.infer<typeof passHealth>;
named('PassHealth', passHealth);

export const health = z.object({
  at: time,
  passes: z.array(passHealth),
  queues: z.array(
    z.object({
      name: z.enum(['letters', 'events', 'inbound_mail']),
      due: z.int(),
      oldest_at: time.nullable(),
    }),
  ),
  database: z.object({
    major: z.int(),
    bytes: z.number(),
    connections_used: z.int(),
    connections_most: z.int(),
  }),
  /** There where the database came from a backup and no one has released letters since. */
  letters_kept_back: z.object({ taken_at: time, restored_at: time }).nullable(),
});
export type Health = z.infer<typeof health>;
named('Health', health);

export const healthGet = operation({
  name: 'health_get',
  says: 'Reads the instance’s health: when each pass last ran, whether it failed or is late, its backlog, and the database.',
  method: 'GET',
  path: '/api/admin/health',
  takes: z.strictObject({}),
  gives: health,
  example: {},
  effect: 'read',
  needs: { action: 'admin.health.read', on: () => ['admin:health'] },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});
