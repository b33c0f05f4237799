// Saved views: the address of a list (filters, order, columns) under a name, for the person who saved it alone.
import { z } from 'zod';
import { OK, operation } from '../../../kernel/operation.ts';
import { done, id, text, time } from '../../../kernel/shapes.ts';

const OWN = 'list views belong to a person: sign in through the browser to manage them';

/** The lists that have views. */
export const LISTS = [
  'people',
  'companies',
  'deals',
  'campaigns',
  'sends',
  'suppressions',
  'work',
  'activity',
] as const;
export type ListName = (typeof LISTS)[number];

const view = z.object({
  id,
  list: z.enum(LISTS),
  name: z.string(),
  /** What the list's address holds, as a query string without the question mark. */
  query: z.string(),
  updated_at: time,
});
export type View = z.infer<typeof view>;

const own = { who: { session_only: OWN }, step_up: 'no', wire: 'never', answers: OK } as const;
const reads = { action: 'account.read', on: () => ['account:own'] };
const writes = { action: 'account.write', on: () => ['account:own'] };

export const viewList = operation({
  ...own,
  name: 'view_list',
  says: 'Lists your saved views of a list, by name.',
  method: 'GET',
  path: '/api/me/views',
  takes: z.strictObject({ list: z.enum(LISTS) }),
  gives: z.object({ items: z.array(view) }),
  example: { list: 'people' },
  effect: 'read',
  needs: reads,
});

export const viewSave = operation({
  ...own,
  name: 'view_save',
  says: 'Saves the current view of a list under a name, for the caller only. The same name replaces it.',
  method: 'PUT',
  path: '/api/me/views',
  takes: z.strictObject({
    list: z.enum(LISTS),
    name: text(80),
    query: z
      .string()
      .max(2_000)
      // What is no query string is not kept: it goes back into an address.
      .regex(
        /^[\w\-.~!*'()%+=&:@,/]*$/,
        'give the query string of the list’s address, without its question mark',
      ),
  }),
  gives: z.object({ view }),
  example: { list: 'people', name: 'Buyers', query: 'tag=buyer' },
  effect: 'write',
  needs: writes,
});

export const viewRename = operation({
  ...own,
  name: 'view_rename',
  says: 'Renames one of your saved views.',
  method: 'PATCH',
  path: '/api/me/views/:view',
  takes: z.strictObject({ view: id, name: text(80) }),
  gives: z.object({ view }),
  example: { view: '0198c0de-0000-7000-8000-000000000091', name: 'Buyers in Spain' },
  effect: 'write',
  needs: writes,
});

export const viewDelete = operation({
  ...own,
  name: 'view_delete',
  says: 'Deletes one of your saved views. Records aren’t affected.',
  method: 'DELETE',
  path: '/api/me/views/:view',
  takes: z.strictObject({ view: id }),
  gives: done,
  example: { view: '0198c0de-0000-7000-8000-000000000091' },
  effect: 'destroy',
  needs: writes,
});
