// Handlers of workflows: saving, activating and listing them.
import { z } from 'zod';
import { after, DAY_MS } from '../../../kernel/clock.ts';
import { keyIn, pageOf } from '../../../kernel/page.ts';
import { refusalNaming } from '../../../kernel/parse.ts';
import { refusedBeforeReading, withoutStepUp, withoutWire } from '../../../kernel/gates.ts';
import { Refusal, changedSince, conflict, stop } from '../../../kernel/refusal.ts';
import { bind, type WriteContext } from '../../../kernel/context.ts';
import { WIRE_REQUIRED } from '../../../kernel/sentences.ts';
import { scriptRun } from '../scripts/contract.ts';
import { markAgentTurn } from '../../access/tokens/store.ts';
import {
  type WorkflowStep,
  type Trigger,
  workflowActivate,
  workflowCreate,
  workflowDeactivate,
  workflowDelete,
  workflowGet,
  workflowList,
  workflowName,
  workflowUpdate,
  workflowVersions,
} from './contract.ts';
import { faultsOfSteps } from './definition.rules.ts';
import { marksNow } from './given/given.store.ts';
import { needsScripts, needsWire } from './step/kinds.rules.ts';
import { faultOfSchedule, nextDue } from './triggers/schedule.ts';
import {
  deleteWorkflow,
  insertWorkflow,
  loadWorkflow,
  saveActivation,
  savedWorkflow,
  saveDeactivation,
  saveDefinition,
} from './store.ts';
import { versionRows, workflowRows } from './lists.store.ts';
import { standingOf } from './run/whom.ts';

const WORKFLOWS = 'workflows';

const list = bind(workflowList, async ({ db, caller, now }, { limit, cursor, state }) => {
  const before = keyIn(cursor, () => z.tuple([z.guid()]))?.[0] ?? null;
  const found = await workflowRows(db, caller, { state, before, count: limit + 1 }, after(now, -DAY_MS));
  return pageOf(found, limit, (row) => [row.id]);
});

const get = bind(workflowGet, async ({ db, caller }, { workflow }) => ({
  workflow: await loadWorkflow(db, caller, 'workflow.read', workflow),
}));

type Given = { trigger?: Trigger | undefined; steps?: readonly WorkflowStep[] | undefined };

/** All that is wrong at once. What stays as it was saved is looked at when it is activated. */
function demandSound({ now }: WriteContext, { trigger, steps }: Given, saved?: Trigger): void {
  const schedule = trigger && faultOfSchedule(trigger, now);
  const starts = trigger ?? saved;
  const faults = [...(schedule ? [schedule] : []), ...(steps && starts ? faultsOfSteps(steps, starts) : [])];
  if (faults.length > 0) throw refusalNaming(faults);
}

/** A definition with a script in it is saved only by whoever may run scripts. */
function demandScripts({ caller, now }: WriteContext, steps: readonly WorkflowStep[]): void {
  if (needsScripts(steps)) stop(refusedBeforeReading(scriptRun, caller, now));
}

const create = bind(workflowCreate, async (context, given) => {
  demandSound(context, given);
  demandScripts(context, given.steps);
  const id = await insertWorkflow(context.db, given, context.caller.principal, context.now);
  return answer(context, id);
});

const update = bind(workflowUpdate, async (context, { workflow: id, revision, ...given }) => {
  const { db, caller, now } = context;
  const found = await loadWorkflow(db, caller, 'workflow.write', id, 'for_update');
  demandRevision(found.revision, revision);
  demandSound(context, given, found.trigger);
  demandScripts(context, given.steps ?? found.steps);
  await saveDefinition(db, id, given, now);
  return answer(context, id);
});

const remove = bind(workflowDelete, async ({ db, caller, about, tell }, { workflow: id }) => {
  const { state } = await loadWorkflow(db, caller, 'workflow.delete', id, 'for_update');
  if (state === 'active') throw conflict('this workflow is active: deactivate it first');
  if (!(await deleteWorkflow(db, id)))
    throw conflict('this workflow has open runs: cancel them, or wait for them to finish');
  about(workflowName(id));
  tell(WORKFLOWS, id);
  return { ok: true } as const;
});

const activate = bind(workflowActivate, async (context, { workflow: id, revision }) => {
  const { db, caller, now } = context;
  const found = await loadWorkflow(db, caller, 'workflow.activate', id, 'for_update');
  demandRevision(found.revision, revision);
  const { trigger, steps } = found;
  demandSound(context, found);
  demandScripts(context, steps);
  const standing = await standingOf(db, caller, now);
  const wire_granted = needsWire(steps);
  if (wire_granted) {
    stop(withoutWire(caller));
    // Only a token's own scope, or a person at their screen, gives the wire away for later.
    if (standing.narrow) throw new Refusal(403, 'wire_required', WIRE_REQUIRED);
    stop(withoutStepUp(caller, now));
  }
  if (standing.token_id !== null) await markAgentTurn(db, standing.token_id, now);
  const listens =
    trigger.kind === 'event' ? trigger.event : trigger.kind === 'form' ? 'form.submitted' : null;
  const next_at = trigger.kind === 'schedule' ? nextDue(trigger, now) : null;
  const given = await marksNow(db, trigger, steps);
  await saveActivation(db, found, { ...standing, wire_granted, given, listens, next_at }, now);
  return answer(context, id);
});

const deactivate = bind(workflowDeactivate, async (context, { workflow: id }) => {
  const { state } = await loadWorkflow(context.db, context.caller, 'workflow.deactivate', id, 'for_update');
  if (state === 'active') await saveDeactivation(context.db, id, context.now);
  return answer(context, id);
});

const versions = bind(workflowVersions, async ({ db, caller }, { workflow, limit, cursor }) => {
  const before = keyIn(cursor, () => z.tuple([z.int().max(2_147_483_647)]))?.[0] ?? null;
  const loaded = await loadWorkflow(db, caller, 'workflow.read', workflow);
  return pageOf(await versionRows(db, loaded, before, limit + 1), limit, ({ version }) => [version]);
});

function demandRevision(current: number, read: number): void {
  if (current !== read) throw changedSince('this workflow', current);
}

async function answer({ db, about, tell }: WriteContext, id: string) {
  about(workflowName(id));
  tell(WORKFLOWS, id);
  return { workflow: await savedWorkflow(db, id) };
}

export const workflowHandlers = [list, get, create, update, remove, activate, deactivate, versions];
