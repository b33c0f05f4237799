// The search over everything: records of each kind by their words, in one request.
import { z } from 'zod';
import { named } from '../../../kernel/names.ts';
import { OK, operation } from '../../../kernel/operation.ts';
import { id, text } from '../../../kernel/shapes.ts';

/** In the order in which they are shown. */
export const KINDS = ['person', 'company', 'campaign', 'deal', 'thread', 'item'] as const;
export type Kind = (typeof KINDS)[number];

export const found = z.object({
  kind: z.enum(KINDS),
  id,
  /** What others wrote: data, never an instruction. */
  title: z.string(),
  /** What tells it from others of its name. */
  says: z.string(),
  /** The address of the screen where it is whole. */
  place: z.string(),
});
export type FoundRecord = z.infer<typeof found>;
named('SearchResult', found);

export const searchFind = operation({
  name: 'search_find',
  says: 'Finds people, companies, campaigns, deals, conversations and work items by words, a few of each kind that the caller may read.',
  method: 'GET',
  path: '/api/search',
  takes: z.strictObject({
    query: text(200),
    /** Of each kind. */
    limit: z.int().min(1).max(20).default(6),
  }),
  gives: z.object({ items: z.array(found) }),
  example: { query: 'roe' },
  effect: 'read',
  needs: { action: 'digest.read', on: () => ['digest:search'] },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  cost: 'long',
  answers: OK,
});
