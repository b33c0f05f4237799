// The board's tools. Their arguments are typed loosely on purpose: the operation behind each parses them again and refuses
// with the board's own sentences, and every character of a schema is read by every model at every start.
import { z } from 'zod';
import { invalid } from '../../../kernel/refusal.ts';
import { READS, tool, type Tool, WRITES, WRITES_ONCE } from '../../../kernel/tool.ts';
import { claimNext, commentCreate, itemClaim, itemMove, itemRelease } from './card.contract.ts';
import { PRIORITIES, STATUSES } from './contract.ts';
import { itemCreate, itemGet, itemList, itemUpdate } from './items.contract.ts';

const exampleItem = '0198c0de-0000-7000-8000-000000000001';
const text = z.string();
const texts = z.array(text);

/** What an agent reads where it does not say how many: each card costs it about 130 tokens. */
const SHOWN = 15;

/** A card by its id, or by its key as people say it. `item_id` stays a UUID and nothing else (interface specification §7). */
const card = { item_id: text.optional(), item: text.optional() };

/** An item's key was read as its id before this (kernel/by-name.ts). */
const byId = <T extends { item_id?: string | undefined; item?: string | undefined }>({
  item,
  ...args
}: T) => ({
  ...args,
  item_id: args.item_id ?? item,
});

const fields = {
  description: text.optional(),
  priority: z.enum(PRIORITIES).optional(),
  labels: texts.optional(),
  assignee: text.optional(),
  due_on: text.optional(),
  needs_review: z.boolean().optional(),
};

export const workTools: Tool[] = [
  tool({
    name: 'work_move',
    title: 'Move a work item',
    says: 'Moves an item to a column. Name it by item_id, or by item, its key (OUT-12). Your move to done always parks it in_review and returns the approval_id a person decides.',
    hints: WRITES_ONCE,
    takes: z.strictObject({
      ...card,
      status: z.enum(STATUSES),
      revision: z.int().optional(),
      note: text.optional(),
    }),
    example: { item_id: exampleItem, status: 'done' },
    calls: [itemMove],
    pick: (args) => ({ operation: itemMove, arguments: byId(args) }),
  }),
  tool({
    name: 'work_search',
    title: 'Find work items',
    says: 'Finds items, last changed first. assignee: me, none, a name, an address or an id.',
    hints: READS,
    takes: z.strictObject({
      project: text.optional(),
      status: z.enum(STATUSES).optional(),
      assignee: text.optional(),
      overdue: z.boolean().optional(),
      query: text.optional(),
      limit: z.int().optional(),
      cursor: text.optional(),
    }),
    example: { project: 'OUT', status: 'todo' },
    calls: [itemList],
    pick: ({ limit = SHOWN, ...args }) => ({ operation: itemList, arguments: { ...args, limit } }),
  }),
  tool({
    name: 'work_get',
    title: 'Read a work item',
    says: 'Reads one item in full, with its revision.',
    hints: READS,
    takes: z.strictObject(card),
    example: { item_id: exampleItem },
    calls: [itemGet],
    pick: (args) => ({ operation: itemGet, arguments: byId(args) }),
  }),
  tool({
    name: 'work_create',
    title: 'Create a work item',
    says: 'Creates an item; you are its author.',
    hints: WRITES,
    creates: true,
    takes: z.strictObject({
      project: text,
      title: text,
      status: z.enum(['backlog', 'todo']).optional(),
      ...fields,
      parent_id: text.optional(),
      links: z.array(z.strictObject({ kind: text, ref: text })).optional(),
    }),
    example: { project: 'OUT', title: 'Write to the ten oldest customers' },
    calls: [itemCreate],
    pick: (args) => ({ operation: itemCreate, arguments: args }),
  }),
  tool({
    name: 'work_update',
    title: 'Change a work item',
    says: 'Changes an item you read at this revision; refused if it changed since. needs_review can only be set to true.',
    hints: WRITES_ONCE,
    takes: z.strictObject({
      ...card,
      revision: z.int(),
      title: text.optional(),
      ...fields,
      custom: z.record(text, z.unknown()).optional(),
    }),
    example: { item_id: exampleItem, revision: 1, title: 'Write to twenty' },
    calls: [itemUpdate],
    pick: (args) => ({ operation: itemUpdate, arguments: byId(args) }),
  }),
  tool({
    name: 'work_claim',
    title: 'Claim a work item',
    says: 'Claims an item, or the best unclaimed todo item of a project (the one you hold there, unless another: true), for 30 minutes; your writes renew it.',
    hints: WRITES,
    takes: z.strictObject({ ...card, project: text.optional(), another: z.boolean().optional() }),
    example: { item_id: exampleItem },
    calls: [itemClaim, claimNext],
    pick: ({ project, another, ...args }) => {
      const { item_id } = byId(args);
      if ((item_id === undefined) === (project === undefined))
        throw invalid('give item_id, or give project to claim its best unclaimed todo item');
      return item_id === undefined
        ? { operation: claimNext, arguments: { project, ...(another && { another }) } }
        : { operation: itemClaim, arguments: { item_id } };
    },
  }),
  tool({
    name: 'work_release',
    title: 'Release a claim',
    says: 'Releases your claim; note becomes a comment.',
    hints: WRITES_ONCE,
    takes: z.strictObject({ ...card, note: text.optional() }),
    example: { item_id: exampleItem },
    calls: [itemRelease],
    pick: (args) => ({ operation: itemRelease, arguments: byId(args) }),
  }),
  tool({
    name: 'work_comment',
    title: 'Comment on a work item',
    says: 'Adds a comment in Markdown.',
    hints: WRITES,
    creates: true,
    takes: z.strictObject({ ...card, text }),
    example: { item_id: exampleItem, text: 'The list is ready.' },
    calls: [commentCreate],
    pick: (args) => ({ operation: commentCreate, arguments: byId(args) }),
  }),
];
