// Snippets: reusable text for answers, shared or private.
import { z } from 'zod';
import { named } from '../../../kernel/names.ts';
import { CREATED, OK, operation } from '../../../kernel/operation.ts';
import { done, id, listOf, page, principal, revision, text, time } from '../../../kernel/shapes.ts';

export const snippet = z.object({
  id,
  name: z.string(),
  text: z.string(),
  /** Only the user who made it sees it. */
  own: z.boolean(),
  revision,
  created_by: principal,
  created_at: time,
  updated_at: time,
});
export type Snippet = z.infer<typeof snippet>;
named('Snippet', snippet);

const words = text(10_000);
const example = '0198c0de-0000-7000-8000-000000000081';
const free = { who: 'anyone', step_up: 'no', wire: 'never' } as const;
const reads = { action: 'inbox.thread.read', on: () => ['inbox:snippet'] };
const writes = { action: 'inbox.thread.write', on: () => ['inbox:snippet'] };

export const snippetList = operation({
  ...free,
  name: 'snippet_list',
  says: 'Lists saved replies by name: shared ones and the caller’s own.',
  method: 'GET',
  path: '/api/snippets',
  takes: z.strictObject(page),
  gives: listOf(snippet),
  example: {},
  effect: 'read',
  needs: reads,
  answers: OK,
});

export const snippetCreate = operation({
  ...free,
  name: 'snippet_create',
  says: 'Saves a reply for everyone, or with own: true only for the user who asks.',
  method: 'POST',
  path: '/api/snippets',
  takes: z.strictObject({ name: text(120), text: words, own: z.boolean().default(false) }),
  gives: z.object({ snippet }),
  example: { name: 'Price list', text: 'Here is what it costs.' },
  effect: 'write',
  needs: writes,
  answers: CREATED,
});

export const snippetUpdate = operation({
  ...free,
  name: 'snippet_update',
  says: 'Changes a saved reply; it needs the revision that was read.',
  method: 'PATCH',
  path: '/api/snippets/:snippet',
  takes: z.strictObject({ snippet: id, revision, name: text(120).optional(), text: words.optional() }),
  gives: z.object({ snippet }),
  example: { snippet: example, revision: 1, name: 'Prices' },
  effect: 'write',
  needs: writes,
  answers: OK,
});

export const snippetDelete = operation({
  ...free,
  name: 'snippet_delete',
  says: 'Deletes a saved reply; answers that were written with it stay as they are.',
  method: 'DELETE',
  path: '/api/snippets/:snippet',
  takes: z.strictObject({ snippet: id }),
  gives: done,
  example: { snippet: example },
  effect: 'destroy',
  needs: writes,
  answers: OK,
});
