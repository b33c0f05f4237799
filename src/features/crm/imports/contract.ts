// Imports' public face: giving a file for its plan, writing that plan, reading batches, and taking one back.
import { z } from 'zod';
import { named } from '../../../kernel/names.ts';
import { OK, operation } from '../../../kernel/operation.ts';
import { id, listOf, page, principal, text, time } from '../../../kernel/shapes.ts';
import { upload } from '../../../kernel/upload.ts';
import { BASES, tag } from '../people/contract.ts';
import { standingMark } from '../suppressions/contract.ts';
import { UPLOAD_MAX_BYTES } from './limits.rules.ts';

/** The product's end of the specification's sentence (§7). */
export const PREVIEW_FIRST =
  'nothing was written: a file can only be imported within 24 hours of its preview, unchanged and with the same options, so preview this file before importing it.';

export const JSON_FILE_MAX_BYTES = 1_048_576;

export const ON_DUPLICATE = ['skip', 'update_empty', 'update'] as const;
export const OUTCOMES = ['create', 'update', 'skip', 'reject'] as const;
export const STATES = ['writing', 'written', 'rolled_back', 'locked'] as const;

const planned = z.object({
  /** As a spreadsheet counts: the names of the columns are row 1. */
  row: z.int(),
  name: z.string().nullable(),
  address: z.string().nullable(),
  column: z.string().nullable(),
  reason: z.string().nullable(),
  /** Who is changed, or has the address. */
  person_id: id.nullable(),
});
export type PlannedRow = z.infer<typeof planned>;

const column = z.object({
  index: z.int(),
  name: z.string(),
  /** What it becomes, or null: it is ignored, and `why` says so. */
  field: z.string().nullable(),
  why: z.string().nullable(),
  /** What is below it in the first rows, cut; nothing where a file has too many columns for it. */
  samples: z.array(z.string()),
});
export type PlannedColumn = z.infer<typeof column>;

const plan = z.object({
  dry_run: z.literal(true),
  preview: z.object({
    id,
    sha256: z.string(),
    size: z.int(),
    rows: z.int(),
    options_hash: z.string(),
    expires_at: time,
  }),
  format: z.object({
    kind: z.enum(['csv', 'xlsx']),
    encoding: z.string().nullable(),
    delimiter: z.string().nullable(),
  }),
  columns: z.array(column),
  /** Of the file: an answer names as many as fit into it. */
  columns_in_all: z.int(),
  totals: z.object({
    create: z.int(),
    update: z.int(),
    skip: z.int(),
    reject: z.int(),
    /** Rows whose address is suppressed, and stays so, whatever becomes of the row; rejected ones are not counted. */
    suppressed: z.int(),
    /** Cells that are left out although their row is taken. */
    left_out: z.int(),
  }),
  /** The first 50 of each, or as many as fit into one answer. */
  examples: z.object({
    create: z.array(planned),
    update: z.array(planned),
    skip: z.array(planned),
    reject: z.array(planned),
  }),
  suppressed: z.array(planned.extend({ suppression: standingMark })),
  left_out: z.array(z.object({ row: z.int(), column: z.string().nullable(), reason: z.string() })),
});
export type Plan = z.infer<typeof plan>;

const differing = z.object({
  row: z.int(),
  outcome: z.enum(OUTCOMES),
  person_id: id.nullable(),
  why: z.string(),
});
export type Differing = z.infer<typeof differing>;

const result = z.object({
  dry_run: z.literal(false),
  batch_id: id,
  state: z.enum(STATES),
  rows: z.int(),
  done_rows: z.int(),
  created: z.int(),
  updated: z.int(),
  skipped: z.int(),
  rejected: z.int(),
  /** The first hundred; the batch's rows name all of them. */
  differs_from_plan: z.array(differing),
});
export type Result = z.infer<typeof result>;

export const batch = z.object({
  id,
  state: z.enum(STATES),
  filename: z.string().nullable(),
  sha256: z.string(),
  size: z.int(),
  options: z.record(z.string(), z.unknown()),
  rows: z.int(),
  done_rows: z.int(),
  created: z.int(),
  updated: z.int(),
  skipped: z.int(),
  rejected: z.int(),
  differs: z.int(),
  /** Letters to people in it that are on their way or gone: with one, it can no longer be rolled back. */
  letters: z.int(),
  created_by: principal,
  created_at: time,
  finished_at: time.nullable(),
  rolled_back: z
    .object({ by: principal, at: time, removed: z.int(), restored: z.int(), kept: z.int() })
    .nullable(),
});
export type Batch = z.infer<typeof batch>;
named('ImportBatch', batch);

const batchRow = z.object({
  row: z.int(),
  outcome: z.enum(OUTCOMES),
  column: z.string().nullable(),
  reason: z.string().nullable(),
  /** Why it is not what the plan said. */
  differs: z.string().nullable(),
  person: z.object({ id, name: z.string().nullable() }).nullable(),
  rolled_back: z.enum(['removed', 'restored', 'kept', 'gone']).nullable(),
  kept_why: z.string().nullable(),
});
export type BatchRow = z.infer<typeof batchRow>;

const free = { who: 'anyone', step_up: 'no', wire: 'never' } as const;
const exampleBatch = '0198c0de-0000-7000-8000-000000000081';

export const options = {
  /** The name or the index (from 0) of a column, and the field that it becomes, or null to leave it out. */
  mapping: z.record(z.string().max(300), z.string().max(60).nullable()).optional(),
  on_duplicate: z.enum(ON_DUPLICATE).default('skip'),
  source: text(120).optional(),
  basis: z.enum(BASES).optional(),
  tags: z.array(tag).max(20).default([]),
};

export const peopleImport = operation({
  ...free,
  name: 'people_import',
  says: 'Plans an import of people from a CSV or Excel file; the literal dry_run false writes it, after its plan was read. No one is enrolled, and no suppression is lifted.',
  method: 'POST',
  path: '/api/admin/crm/people/import',
  takes: z.strictObject({
    file: z.union([z.string(), upload]).optional(),
    file_base64: z.string().optional(),
    filename: text(255).optional(),
    ...options,
    dry_run: z.unknown().optional(),
  }),
  gives: z.union([plan, result]),
  example: { file: 'Email,Name\nann@example.com,Ann Lee\n', dry_run: true },
  effect: 'write',
  needs: { action: 'crm.import.create', on: () => ['crm:import'] },
  answers: OK,
  upload: { argument: 'file', max_bytes: UPLOAD_MAX_BYTES },
});

export const importList = operation({
  ...free,
  name: 'import_list',
  says: 'Lists import batches, newest first.',
  method: 'GET',
  path: '/api/admin/crm/people/import',
  takes: z.strictObject(page),
  gives: listOf(batch),
  example: {},
  effect: 'read',
  needs: { action: 'crm.import.read', on: () => ['crm:import'] },
  answers: OK,
});

export const importGet = operation({
  ...free,
  name: 'import_get',
  says: 'Reads one import batch and its rows, each with its outcome and the reason.',
  method: 'GET',
  path: '/api/admin/crm/people/import/:batch',
  takes: z.strictObject({
    batch: id,
    outcome: z.enum(OUTCOMES).optional(),
    /** Only rows that are not what the plan said. */
    differs: z.literal(true).optional(),
    ...page,
  }),
  gives: z.object({ batch, rows: listOf(batchRow) }),
  example: { batch: exampleBatch },
  effect: 'read',
  needs: { action: 'crm.import.read', on: ({ batch: read }) => [`crm:import/${read}`] },
  answers: OK,
});

const keptPeople = z.array(z.object({ person_id: id, why: z.string() }));

export const importRehearse = operation({
  ...free,
  name: 'import_rehearse',
  says: 'Says what a rollback would do now, and does nothing: how many people would be removed and restored, and who would be kept, and why.',
  method: 'GET',
  path: '/api/admin/crm/people/import/:batch/rollback',
  takes: z.strictObject({ batch: id }),
  gives: z.object({
    removed: z.int(),
    restored: z.int(),
    /** Of those removed: people whose enrolments in campaigns that haven’t started go with them. */
    enrolled: z.int(),
    kept_in_all: z.int(),
    /** The first two hundred. */
    kept: keptPeople,
  }),
  example: { batch: exampleBatch },
  effect: 'read',
  needs: { action: 'crm.import.rollback', on: ({ batch: read }) => [`crm:import/${read}`] },
  cost: 'long',
  answers: OK,
});

export const importRollback = operation({
  ...free,
  name: 'import_rollback',
  says: 'Rolls a batch back while no one in it has received a letter: people it created are removed, people it changed are restored, and people changed since are kept and listed. One that kept people can be rolled back further.',
  method: 'DELETE',
  path: '/api/admin/crm/people/import/:batch',
  takes: z.strictObject({ batch: id }),
  gives: z.object({
    batch,
    removed: z.int(),
    restored: z.int(),
    /** The first two hundred; the batch's rows name all of them. */
    kept: keptPeople,
  }),
  example: { batch: exampleBatch },
  effect: 'destroy',
  needs: { action: 'crm.import.rollback', on: ({ batch: taken }) => [`crm:import/${taken}`] },
  answers: OK,
});
