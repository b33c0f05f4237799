// The pipeline: the stages that open deals are in, and the board of them with what each stage comes to.
import { z } from 'zod';
import { OK, operation } from '../../../kernel/operation.ts';
import { revision, text } from '../../../kernel/shapes.ts';
import { dealFilters, listedDeal, stageKey } from './contract.ts';

export const STAGES = 30;

const stage = z.object({
  key: stageKey,
  title: text(60),
  /** In per cent: what a deal of this stage is expected to come to where it says nothing itself. */
  probability: z.int().min(0).max(100).nullable(),
});
export type Stage = z.infer<typeof stage>;

const pipeline = z.object({ revision, stages: z.array(stage) });
export type Pipeline = z.infer<typeof pipeline>;

export const pipelineGet = operation({
  name: 'pipeline_get',
  says: 'Reads the stages of the pipeline in order.',
  method: 'GET',
  path: '/api/admin/crm/pipeline',
  takes: z.strictObject({}),
  gives: pipeline,
  example: {},
  effect: 'read',
  needs: { action: 'crm.pipeline.read', on: () => ['crm:pipeline'] },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});

export const pipelineReplace = operation({
  name: 'pipeline_replace',
  says: 'Replaces the stages of the pipeline; needs the revision that was read. To remove a stage with deals, name the stage they move to.',
  method: 'PUT',
  path: '/api/admin/crm/pipeline',
  takes: z.strictObject({
    revision,
    stages: z.array(z.strictObject(stage.shape)).min(1).max(STAGES),
    /** Of a stage that goes: the stage its deals move to. */
    move: z.record(stageKey, stageKey).default({}),
  }),
  gives: pipeline,
  example: {
    revision: 1,
    stages: [{ key: 'new', title: 'New', probability: 10 }],
    move: { qualified: 'new' },
  },
  effect: 'write',
  needs: { action: 'crm.pipeline.write', on: () => ['crm:pipeline'] },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});

const sum = z.object({
  currency: z.string(),
  /** Minor units: all of it, and each amount times its probability. */
  amount: z.number(),
  weighted: z.number(),
});
export type Sum = z.infer<typeof sum>;

const column = z.object({
  stage,
  /** How many open deals are in the stage; `deals` may hold fewer, `more` says how many are left out. */
  count: z.int(),
  more: z.int(),
  sums: z.array(sum),
  deals: z.array(listedDeal),
});
export type Column = z.infer<typeof column>;

export const pipelineBoard = operation({
  name: 'pipeline_board',
  says: 'Reads the open deals as a board: stages in order, each with its totals by currency and its deals.',
  method: 'GET',
  path: '/api/admin/crm/pipeline/board',
  takes: z.strictObject(dealFilters),
  gives: z.object({ revision, columns: z.array(column) }),
  example: {},
  effect: 'read',
  needs: { action: 'crm.deal.read', on: 'row' },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
  cost: ({ query }) => query !== undefined,
});
