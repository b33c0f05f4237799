// Handlers of the pipeline: read and replace its stages, and the board of open deals.
import { fairlyCut } from '../../../kernel/page.ts';
import { changedSince, stop } from '../../../kernel/refusal.ts';
import { bind, type Bound } from '../../../kernel/context.ts';
import { filtersOf } from './handlers.ts';
import { loadBoard } from './list.store.ts';
import { pipelineBoard, pipelineGet, pipelineReplace } from './pipeline.contract.ts';
import {
  countStanding,
  deleteStages,
  holdStages,
  lockPipeline,
  moveDeals,
  readPipeline,
  replaceStages,
} from './pipeline.store.ts';
import { goneStages, refusedStages, refusedToDrop } from './rules.ts';
import { insertFacts } from './save.store.ts';

const get = bind(pipelineGet, async ({ db }) => await readPipeline(db));

const replace = bind(pipelineReplace, async (context, { revision, stages, move }) => {
  const { db, caller, now } = context;
  const before = await lockPipeline(db);
  if (before.revision !== revision) throw changedSince('the pipeline', before.revision);
  stop(refusedStages(before.stages, stages, move));
  const gone = goneStages(before.stages, stages).map(({ key }) => key);
  await holdStages(db, gone);
  stop(refusedToDrop(await countStanding(db, gone), move));
  await replaceStages(db, revision + 1, stages);
  for (const [from, to] of Object.entries(move)) {
    const moved = await moveDeals(db, from, to, now);
    const changes = [{ field: 'stage', from, to }];
    await insertFacts(db, moved, 'changed', { changes }, { by: caller.principal, now });
  }
  await deleteStages(db, gone);
  context.tell('deals', 'pipeline');
  return { revision: revision + 1, stages };
});

/** Found nowhere, as is a question that holds no word: the stages are empty. */
const NOTHING = "'-'";

const board = bind(pipelineBoard, async (context, args) => {
  const filters = filtersOf(context, args);
  const { db, caller } = context;
  const found = await loadBoard(db, caller, 'crm.deal.read', filters ?? { words: NOTHING });
  const columns = fairlyCut(found.columns).map(({ cards, ...column }) => ({ ...column, deals: cards }));
  return { revision: found.revision, columns };
});

export const pipelineHandlers: Bound[] = [get, replace, board];
