// The work board's public face: projects and their columns. Items are in items.contract.ts, what happens to a card in
// card.contract.ts; this file has the words they share.
import { z } from 'zod';
import { named } from '../../../kernel/names.ts';
import { CREATED, OK, operation } from '../../../kernel/operation.ts';
import { customField } from '../../crm/fields/contract.ts';
import { date, id, listOf, page, principal, revision, text, time } from '../../../kernel/shapes.ts';

/** Statuses are the columns, in this fixed order; a project may rename a column's title, never a status. */
export const STATUSES = ['backlog', 'todo', 'in_progress', 'in_review', 'done', 'cancelled'] as const;
export type Status = (typeof STATUSES)[number];
export const status = named('WorkStatus', z.enum(STATUSES));

export const PRIORITIES = ['none', 'low', 'medium', 'high', 'urgent'] as const;
export const priority = named('WorkPriority', z.enum(PRIORITIES));

/** A project by its id or its key. */
export const projectRef = z.string().min(1).max(60);

export const label = text(40);

export const claim = z.object({ holder: principal, since: time, expires_at: time });
named('BoardClaim', claim);

export const project = z.object({
  id,
  key: z.string(),
  name: z.string(),
  description: z.string(),
  lead: id.nullable(),
  members: z.array(id),
  review_limit: z.int(),
  default_needs_review: z.boolean(),
  labels: z.array(z.string()),
  custom_fields: z.array(customField),
  column_titles: z.record(z.string(), z.string()),
  revision,
  created_at: time,
  updated_at: time,
});
export type Project = z.infer<typeof project>;
named('Project', project);

export const listedProject = project.extend({ counts: z.record(status, z.int()) });
export type ListedProject = z.infer<typeof listedProject>;
named('ListedProject', listedProject);

export const card = z.object({
  id,
  key: z.string(),
  title: z.string(),
  status,
  priority,
  labels: z.array(z.string()),
  assignee: principal.nullable(),
  claim: claim.nullable(),
  approval_id: id.nullable(),
  due_on: date.nullable(),
  /** Moved to done by a person, it waits for someone's approval. */
  needs_review: z.boolean(),
  revision,
  position: z.number(),
});
export type Card = z.infer<typeof card>;
named('Card', card);

export const board = z.object({
  project: z.object({
    id,
    key: z.string(),
    name: z.string(),
    review_limit: z.int(),
    labels: z.array(z.string()),
  }),
  columns: z.array(
    z.object({
      status,
      title: z.string(),
      /** How many items are in the column; `cards` may hold fewer, `more` says how many are left out. */
      count: z.int(),
      more: z.int(),
      cards: z.array(card),
    }),
  ),
});
export type Board = z.infer<typeof board>;
named('Board', board);

const projectFields = {
  name: text(80),
  description: z.string().max(10_000),
  lead: id.nullable(),
  members: z.array(id).max(200),
  review_limit: z.int().min(1).max(1000),
  default_needs_review: z.boolean(),
  labels: z.array(label).max(100),
  custom_fields: z.array(customField).max(50),
  column_titles: z.partialRecord(status, text(40)),
};

export const projectList = operation({
  name: 'project_list',
  says: 'Lists the projects the caller sees, by key, with the number of items in each column.',
  method: 'GET',
  path: '/api/work/projects',
  takes: z.strictObject(page),
  gives: listOf(listedProject),
  example: {},
  effect: 'read',
  needs: { action: 'work.project.read', on: 'row' },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});

export const projectCreate = operation({
  name: 'project_create',
  says: 'Creates a project with a key of two to ten capitals and digits, which begins the key of each of its items.',
  method: 'POST',
  path: '/api/work/projects',
  takes: z.strictObject({
    key: z.string().regex(/^[A-Z][A-Z0-9]{1,9}$/, 'two to ten capitals and digits, a capital first'),
    name: projectFields.name,
    ...z.object(projectFields).omit({ name: true }).partial().shape,
  }),
  gives: z.object({ project }),
  example: { key: 'OUT', name: 'Outreach' },
  effect: 'write',
  needs: { action: 'work.project.create', on: ({ key }) => [`work:project/${key}`] },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: CREATED,
});

export const projectGet = operation({
  name: 'project_get',
  says: 'Reads one project by its id or key.',
  method: 'GET',
  path: '/api/work/projects/:project',
  takes: z.strictObject({ project: projectRef }),
  /** `item_fields` are all that its items take: its own, then those of every project. */
  gives: z.object({ project, item_fields: z.array(customField) }),
  example: { project: 'OUT' },
  effect: 'read',
  needs: { action: 'work.project.read', on: 'row' },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});

export const projectUpdate = operation({
  name: 'project_update',
  says: 'Changes a project; it needs the revision that was read, and refuses when the project changed since.',
  method: 'PATCH',
  path: '/api/work/projects/:project',
  takes: z.strictObject({ project: projectRef, revision, ...z.object(projectFields).partial().shape }),
  gives: z.object({ project }),
  example: { project: 'OUT', revision: 1, name: 'Outreach' },
  effect: 'write',
  needs: { action: 'work.project.write', on: 'row' },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});

export const projectBoard = operation({
  name: 'project_board',
  says: 'Reads a project as a board: its columns in order and the cards in them, without descriptions.',
  method: 'GET',
  path: '/api/work/projects/:project/board',
  takes: z.strictObject({ project: projectRef }),
  gives: board,
  example: { project: 'OUT' },
  effect: 'read',
  needs: { action: 'work.item.read', on: 'row' },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});

export const assigneeList = operation({
  name: 'assignee_list',
  says: 'Lists the people and tokens that a work item can be assigned to, by name.',
  method: 'GET',
  path: '/api/work/assignees',
  takes: z.strictObject({ query: text(80).optional(), ...page }),
  gives: listOf(principal),
  example: {},
  effect: 'read',
  needs: { action: 'work.item.read', on: 'row' },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});
