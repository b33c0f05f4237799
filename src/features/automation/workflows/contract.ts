// Workflows: definitions as data, their triggers, and activation (domain.md §1.12). Runs are in runs.contract.ts.
import { z } from 'zod';
import { EVENT_NAMES } from '../../../kernel/events.rules.ts';
import { named } from '../../../kernel/names.ts';
import { CREATED, OK, operation } from '../../../kernel/operation.ts';
import { done, id, listOf, page, principal, revision, text, time } from '../../../kernel/shapes.ts';
import { RUN_STATES } from './run/machine.rules.ts';

export const HEARD = [...EVENT_NAMES, 'person.imported', 'form.submitted'] as const;

export const trigger = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('event'), event: z.enum(HEARD) }),
  /** Five fields of cron, and the zone they are read in, such as Europe/Oslo. */
  z.strictObject({ kind: z.literal('schedule'), cron: text(100), zone: text(60) }),
  z.strictObject({ kind: z.literal('manual') }),
  z.strictObject({ kind: z.literal('form'), form_id: id }),
]);
export type Trigger = z.infer<typeof trigger>;
named('WorkflowTrigger', trigger);

const stepId = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,39}$/, 'an id is up to 40 small letters, digits and _, and begins with a letter');

export const step = z.strictObject({
  id: stepId,
  /** condition, http, agent, lua, create_work_item, move_spine, tag, draft_answer, draft_letter, enrol, wait, ask_person, notify */
  kind: text(40),
  name: text(120),
  /** What its kind takes; texts may hold {{ trigger.person_id }} or {{ steps.<id>.<field> }}. */
  input: z.record(z.string().max(60), z.unknown()).default({}),
  /** The step after it; null ends the run. */
  next: stepId.nullable().default(null),
  /** The step that follows when it fails; null: the run fails. */
  on_error: stepId.nullable().default(null),
});
export type WorkflowStep = z.output<typeof step>;
named('WorkflowStep', step);

/** The first step is the first of the list. */
export const steps = named('WorkflowSteps', z.array(step).min(1).max(50));

export const WORKFLOW_STATES = ['draft', 'active', 'inactive'] as const;

export const workflow = z.object({
  id,
  name: z.string(),
  state: z.enum(WORKFLOW_STATES),
  version: z.int(),
  /** What runs; an edit runs only when it is activated. */
  active_version: z.int().nullable(),
  trigger,
  steps: z.array(step),
  runs_as: principal.nullable(),
  /** Who gave the wire to its steps that need it. */
  wire_granted_by: principal.nullable(),
  next_at: time.nullable(),
  /** Why it paused itself, and who can let it go on; null where it did not. */
  paused: z.object({ sentence: z.string(), at: time }).nullable(),
  /** Headers with a credential that an earlier release kept in plain text: an administrator saves it, and the header names it. */
  plain_credentials: z.array(z.object({ step: z.string(), header: z.string() })),
  revision: z.int(),
  created_by: principal,
  created_at: time,
  updated_at: time,
});
export type Workflow = z.infer<typeof workflow>;
named('Workflow', workflow);

export const listedWorkflow = workflow.extend({
  /** Null: it never ran, or its runs are not the caller's to read. */
  last_run: z
    .object({ id, state: z.enum(RUN_STATES), created_at: time, finished_at: time.nullable() })
    .nullable(),
  /** Runs that began in the 24 hours before now, counted to 1000. */
  runs_last_day: z.int(),
});
export type ListedWorkflow = z.infer<typeof listedWorkflow>;
named('ListedWorkflow', listedWorkflow);

/** A version as it was activated, word for word. */
export const workflowVersion = z.object({
  version: z.int(),
  name: z.string(),
  trigger,
  steps: z.array(step),
  /** Whoever activated it last: its runs act as them. */
  runs_as: principal,
  wire_granted: z.boolean(),
  activated_at: time,
  /** It is the one that runs now. */
  active: z.boolean(),
});
export type WorkflowVersion = z.infer<typeof workflowVersion>;
named('WorkflowVersion', workflowVersion);

export const workflowName = (of: string): string => `workflow:${of}`;
export const exampleWorkflow = '0198c0de-0000-7000-8000-000000000151';

const one = { workflow: id };
export const gated = { who: 'anyone', step_up: 'no', wire: 'never' } as const;

const exampleSteps = [
  {
    id: 'card',
    kind: 'create_work_item',
    name: 'A card for the answer',
    input: { project: 'OUT', title: 'Answer {{ trigger.person_name }}' },
  },
];

export const workflowList = operation({
  ...gated,
  name: 'workflow_list',
  says: 'Lists workflows, newest first, each with the outcome of its last run.',
  method: 'GET',
  path: '/api/workflows',
  takes: z.strictObject({ state: z.enum(WORKFLOW_STATES).optional(), ...page }),
  gives: listOf(listedWorkflow),
  example: {},
  effect: 'read',
  needs: { action: 'workflow.read', on: 'row' },
  answers: OK,
});

export const workflowGet = operation({
  ...gated,
  name: 'workflow_get',
  says: 'Reads one workflow with its steps.',
  method: 'GET',
  path: '/api/workflows/:workflow',
  takes: z.strictObject(one),
  gives: z.object({ workflow }),
  example: { workflow: exampleWorkflow },
  effect: 'read',
  needs: { action: 'workflow.read', on: 'row' },
  answers: OK,
});

export const workflowCreate = operation({
  ...gated,
  name: 'workflow_create',
  says: 'Saves a workflow as a draft. It runs only once it is activated. All problems are reported at once.',
  method: 'POST',
  path: '/api/workflows',
  takes: z.strictObject({ name: text(120), trigger, steps }),
  gives: z.object({ workflow }),
  example: {
    name: 'A card for every answer',
    trigger: { kind: 'event', event: 'reply.landed' },
    steps: exampleSteps,
  },
  effect: 'write',
  needs: { action: 'workflow.create', on: () => [workflowName('*')] },
  answers: CREATED,
});

export const workflowUpdate = operation({
  ...gated,
  name: 'workflow_update',
  says: 'Edits a workflow; needs the revision that was read. The active version keeps running until the workflow is activated again.',
  method: 'PATCH',
  path: '/api/workflows/:workflow',
  takes: z.strictObject({
    ...one,
    revision,
    name: text(120).optional(),
    trigger: trigger.optional(),
    steps: steps.optional(),
  }),
  gives: z.object({ workflow }),
  example: { workflow: exampleWorkflow, revision: 1, name: 'A card for every answer' },
  effect: 'write',
  needs: { action: 'workflow.write', on: 'row' },
  answers: OK,
});

export const workflowDelete = operation({
  ...gated,
  name: 'workflow_delete',
  says: 'Deletes an inactive workflow and its runs.',
  method: 'DELETE',
  path: '/api/workflows/:workflow',
  takes: z.strictObject(one),
  gives: done,
  example: { workflow: exampleWorkflow },
  effect: 'destroy',
  needs: { action: 'workflow.delete', on: 'row' },
  answers: OK,
});

export const workflowActivate = operation({
  ...gated,
  name: 'workflow_activate',
  says: 'Activates this version of a workflow: from now on it acts as the caller. Steps that enrol need the wire scope, and lua steps the scope scripts, now and whenever they fire.',
  method: 'POST',
  path: '/api/workflows/:workflow/activate',
  takes: z.strictObject({ ...one, revision }),
  gives: z.object({ workflow }),
  example: { workflow: exampleWorkflow, revision: 1 },
  effect: 'write',
  needs: { action: 'workflow.activate', on: 'row' },
  answers: OK,
});

export const workflowDeactivate = operation({
  ...gated,
  name: 'workflow_deactivate',
  says: 'Deactivates a workflow: nothing triggers it anymore. Runs that have started continue without wire, and can be canceled.',
  method: 'POST',
  path: '/api/workflows/:workflow/deactivate',
  takes: z.strictObject(one),
  gives: z.object({ workflow }),
  example: { workflow: exampleWorkflow },
  effect: 'write',
  needs: { action: 'workflow.deactivate', on: 'row' },
  answers: OK,
});

export const workflowVersions = operation({
  ...gated,
  name: 'workflow_versions',
  says: 'Lists the activated versions of a workflow, newest first, in full.',
  method: 'GET',
  path: '/api/workflows/:workflow/versions',
  takes: z.strictObject({ ...one, ...page }),
  gives: listOf(workflowVersion),
  example: { workflow: exampleWorkflow },
  effect: 'read',
  needs: { action: 'workflow.read', on: 'row' },
  answers: OK,
});

const hosts = z.object({ hosts: z.array(z.string()) });
const ALL_HOSTS = ['admin:setting/workflows'];

export const workflowHosts = operation({
  ...gated,
  name: 'workflow_hosts',
  says: 'Lists the hosts that http steps of workflows may reach.',
  method: 'GET',
  path: '/api/admin/workflows/hosts',
  takes: z.strictObject({}),
  gives: hosts,
  example: {},
  effect: 'read',
  needs: { action: 'admin.setting.read', on: () => ALL_HOSTS },
  answers: OK,
});

export const workflowHostsSet = operation({
  ...gated,
  name: 'workflow_hosts_set',
  says: 'Replaces the list of addresses that http steps of workflows may reach: a host, or a host with a port, a path or both.',
  method: 'PUT',
  path: '/api/admin/workflows/hosts',
  takes: z.strictObject({ hosts: z.array(text(500)).max(100) }),
  gives: hosts,
  example: { hosts: ['hooks.example.com'] },
  effect: 'write',
  needs: { action: 'admin.setting.write', on: () => ALL_HOSTS },
  who: {
    session_only: 'only a signed-in administrator can change the hosts that workflows can reach',
  },
  answers: OK,
});
