// The sequence of a campaign: its steps in order, and the operations that read and replace them (domain.md §1.1, §4.4).
// Reusable letters and attachments are in templates.contract.ts.
import { z } from 'zod';
import { named } from '../../../kernel/names.ts';
import { CREATED, OK, operation } from '../../../kernel/operation.ts';
import { id, principal, revision, text, time } from '../../../kernel/shapes.ts';
import { exampleCampaign, ofCampaigns } from '../campaigns/contract.ts';

export const STEP_KINDS = ['letter', 'task', 'wait', 'branch'] as const;
export const STEPS_MAX = 50;
export const ATTACHMENTS_OF_A_STEP_MAX = 5;
/** What one JSON body of 1 MiB can hold of a file in base64. */
export const ATTACHMENT_MAX_BYTES = 760_000;

export const SUBJECT_MAX = 500;
export const TEXT_MAX = 50_000;
export const HTML_MAX = 100_000;

/** Stages that can be asked for; `enrolled` everyone has. */
export const ASKED_STAGES = [
  'contacted',
  'bounced',
  'replied',
  'declined',
  'positive',
  'meeting',
  'won',
] as const;

export const condition = z.discriminatedUnion('kind', [
  /** Their stage is this one or one of a higher rank. */
  z.strictObject({ kind: z.literal('stage_at_least'), stage: z.enum(ASKED_STAGES) }),
  z.strictObject({ kind: z.literal('tag'), tag: text(60) }),
  /** A merge field, such as person.country or custom.plan, is this word for word. */
  z.strictObject({ kind: z.literal('field_equals'), field: text(80), value: z.string().max(500) }),
]);
export type BranchCondition = z.infer<typeof condition>;
named('BranchCondition', condition);

/** Where to go on: a later step of the sequence; null ends it for this person. */
export const branch = z.strictObject({ on: condition, yes: id.nullable(), no: id.nullable() });
export type Branch = z.infer<typeof branch>;
named('SequenceBranch', branch);

export const TASK_CHANNELS = ['call', 'linkedin', 'sms', 'other'] as const;
/** What a person does by hand: it becomes a work item. Title and description take merge fields. */
export const task = z.strictObject({
  title: z.string().trim().max(200),
  description: z.string().max(10_000).default(''),
  channel: z.enum(TASK_CHANNELS).default('other'),
  /** The project of the work item; the campaign's own default where none is named. */
  project_id: id.nullable().default(null),
  assignee: id.nullable().default(null),
});
export type Task = z.infer<typeof task>;
named('SequenceTask', task);

const wait = z.strictObject({
  days: z.int().min(0).max(365).default(0),
  hours: z.int().min(0).max(23).default(0),
});

export const attachment = z.object({
  id,
  filename: z.string(),
  media_type: z.string(),
  size_bytes: z.int(),
  sha256: z.string(),
});
export type Attachment = z.infer<typeof attachment>;
named('Attachment', attachment);

/** A file as it is uploaded, for steps and for answers. */
export const fileGiven = {
  filename: text(200),
  media_type: z
    .string()
    .max(127)
    .regex(
      /^[a-z0-9][a-z0-9!#$&^_.+-]*\/[a-z0-9][a-z0-9!#$&^_.+-]*$/i,
      'a media type, such as application/pdf',
    ),
  file_base64: z
    .string()
    .min(1)
    .max(Math.ceil(ATTACHMENT_MAX_BYTES / 3) * 4),
};

export const step = z.object({
  id,
  kind: z.enum(STEP_KINDS),
  position: z.int(),
  /** How long after the step before. */
  wait,
  subject: z.string().nullable(),
  text: z.string().nullable(),
  html: z.string().nullable(),
  task: task.nullable(),
  branch: branch.nullable(),
  /** An answer to the letter before; its subject is that letter's. */
  same_thread: z.boolean(),
  attachments: z.array(attachment),
  /** Merge fields that its texts ask for. */
  fields: z.array(z.string()),
});
export type SequenceStep = z.infer<typeof step>;
named('SequenceStep', step);

const stepGiven = z.strictObject({
  /** Of a step that exists, to keep it; a new UUID makes a new step that branches can name. */
  id: id.optional(),
  kind: z.enum(STEP_KINDS),
  wait: wait.default({ days: 0, hours: 0 }),
  subject: z.string().trim().max(SUBJECT_MAX).nullable().default(null),
  text: z.string().max(TEXT_MAX).nullable().default(null),
  html: z.string().max(HTML_MAX).nullable().default(null),
  task: task.nullable().default(null),
  branch: branch.nullable().default(null),
  same_thread: z.boolean().default(false),
  /** Ids of attachments, in their order. */
  attachments: z.array(id).max(ATTACHMENTS_OF_A_STEP_MAX).default([]),
});
export type StepGiven = z.infer<typeof stepGiven>;

export const sequence = z.object({
  campaign_id: id,
  revision,
  steps: z.array(step),
  /** Every merge field that letters of this instance may ask for. */
  merge_fields: z.array(z.string()),
  changed_by: principal.nullable(),
  changed_at: time.nullable(),
});
export type Sequence = z.infer<typeof sequence>;
named('Sequence', sequence);

export const sequenceRead = operation({
  name: 'sequence_read',
  says: 'Reads the steps of a campaign in order, with the revision and the merge fields that letters may ask for.',
  method: 'GET',
  path: '/api/admin/outreach/campaigns/:campaign/sequence',
  takes: z.strictObject({ campaign: id }),
  gives: z.object({ sequence }),
  example: { campaign: exampleCampaign },
  effect: 'read',
  needs: { action: 'outreach.sequence.read', on: 'row' },
  ...ofCampaigns,
  wire: 'never',
  answers: OK,
});

export const sequenceSave = operation({
  name: 'sequence_save',
  says: 'Replaces the steps of a campaign; it needs the revision that was read, keeps the ids that are given, and names every fault at once. Letters that were not reviewed for this text go back to review.',
  method: 'PUT',
  path: '/api/admin/outreach/campaigns/:campaign/sequence',
  takes: z.strictObject({
    campaign: id,
    revision,
    // One more than may be: the sentence about too many steps is the rules'.
    steps: z.array(stepGiven).max(500),
  }),
  gives: z.object({ sequence }),
  example: {
    campaign: exampleCampaign,
    revision: 1,
    steps: [{ kind: 'letter', subject: 'Hello', text: 'Hello {{ person.given }}' }],
  },
  effect: 'write',
  needs: { action: 'outreach.sequence.write', on: 'row' },
  ...ofCampaigns,
  wire: 'never',
  answers: OK,
});

export const attachmentCreate = operation({
  name: 'attachment_create',
  says: 'Uploads a file in base64 that letters of a step can carry: name its id in the attachments of the step within a day.',
  method: 'POST',
  path: '/api/admin/outreach/campaigns/:campaign/attachments',
  takes: z.strictObject({ campaign: id, ...fileGiven }),
  gives: z.object({ attachment }),
  example: {
    campaign: exampleCampaign,
    filename: 'terms.pdf',
    media_type: 'application/pdf',
    file_base64: 'JVBERi0=',
  },
  effect: 'write',
  needs: { action: 'outreach.sequence.write', on: 'row' },
  ...ofCampaigns,
  wire: 'never',
  answers: CREATED,
});
