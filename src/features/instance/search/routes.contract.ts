// The search over the operations of this instance: which route does what the words say.
import { z } from 'zod';
import { named } from '../../../kernel/names.ts';
import { OK, operation } from '../../../kernel/operation.ts';
import { text } from '../../../kernel/shapes.ts';

export const foundRoute = z.object({
  method: z.string(),
  path: z.string(),
  does: z.string(),
  /** `name type`, a star behind what is required. */
  arguments: z.string(),
  /** What a token lacks without the scope, or what only a person does. Absent: neither. */
  needs: z.enum(['wire', 'a person']).exactOptional(),
});
export type FoundRoute = z.infer<typeof foundRoute>;
named('FoundRoute', foundRoute);

export const routeFind = operation({
  name: 'route_find',
  says: 'Finds the routes for words like “private note on a thread”: method, path, what it does, and its arguments in one line with a star behind required ones. Any list also takes limit, cursor and fields.',
  method: 'GET',
  path: '/api/routes',
  takes: z.strictObject({
    query: text(200),
    limit: z.int().min(1).max(20).default(5),
  }),
  gives: z.object({ routes: z.array(foundRoute) }),
  example: { query: 'private note on a thread' },
  effect: 'read',
  needs: { open: 'the API document shows every route to anyone' },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});
