// The first steps of an instance, and data to try it with that is made up from end to end.
import { z } from 'zod';
import { CREATED, OK, operation } from '../../../kernel/operation.ts';
import { done } from '../../../kernel/shapes.ts';

const PEOPLE = 'only a person can create or remove sample data';

const setsUp = {
  needs: { action: 'admin.setting.write', on: () => ['admin:setting/start'] },
  step_up: 'no',
  // Nothing of it can leave: its sender is the built-in sink, and its addresses belong to no one (decision 24).
  wire: 'never',
} as const;

export const STEPS = [
  'domain',
  'identity',
  'postal_address',
  'people',
  'campaign',
  'agent',
  'mail',
  'second_factor',
] as const;
export type StepKey = (typeof STEPS)[number];

export const startGet = operation({
  ...setsUp,
  name: 'start_get',
  says: 'Shows how far this instance is set up, as it follows from what is there, whether its address can be opened from outside, and whether sample data is in it.',
  method: 'GET',
  path: '/api/admin/start',
  takes: z.strictObject({}),
  gives: z.object({
    steps: z.array(z.object({ key: z.enum(STEPS), state: z.enum(['done', 'begun', 'open']) })),
    /** Does the person behind the caller not want to see them any more? */
    dismissed: z.boolean(),
    samples: z.boolean(),
    /** What links in letters begin with; letters are held while no one outside can open it. */
    address: z.object({ base_url: z.string(), opens_outside: z.boolean() }),
  }),
  example: {},
  effect: 'read',
  who: 'anyone',
  answers: OK,
});

export const startDismiss = operation({
  ...setsUp,
  name: 'start_dismiss',
  says: 'Puts the first steps away for oneself, or brings them back.',
  method: 'POST',
  path: '/api/admin/start/dismiss',
  takes: z.strictObject({ dismissed: z.boolean() }),
  gives: done,
  example: { dismissed: true },
  effect: 'write',
  who: { people_only: 'only a person can dismiss the first steps, for their own account' },
  answers: OK,
});

export const sampleCreate = operation({
  ...setsUp,
  name: 'sample_create',
  says: 'Makes sample data to try the product with: people, a campaign with letters to review, answers, deals and a project. None of it can leave.',
  method: 'POST',
  path: '/api/admin/samples',
  takes: z.strictObject({}),
  gives: done,
  example: {},
  effect: 'write',
  who: { people_only: PEOPLE },
  answers: CREATED,
});

export const sampleDelete = operation({
  ...setsUp,
  name: 'sample_delete',
  says: 'Removes all sample data, edited or not, with everything that hangs on it: letters, answers and cards made since as well. Nothing else is removed.',
  method: 'DELETE',
  path: '/api/admin/samples',
  takes: z.strictObject({}),
  gives: done,
  example: {},
  effect: 'destroy',
  who: { people_only: PEOPLE },
  answers: OK,
});
