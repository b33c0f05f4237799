// Handler of a test run: the walk of a run, in one transaction that is rolled back.
import { after, MINUTE_MS } from '../../../kernel/clock.ts';
import { bind, type ReadContext } from '../../../kernel/context.ts';
import { parseArguments } from '../../../kernel/parse.ts';
import { decide } from '../../../kernel/policy.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { type Rehearse, rehearsing } from '../../../kernel/rehearse.ts';
import { changesInWords } from '../../work/proposals/words.rules.ts';
import { answerWithoutSecrets } from '../../work/proposals/rules.ts';
import { personUpdate, personRead } from '../../crm/people/contract.ts';
import { type Trigger, workflowName, type WorkflowStep } from './contract.ts';
import { newestTrigger } from './run/runs.store.ts';
import { dueIn, inputOf } from './step/input.rules.ts';
import {
  BY_OPERATION,
  compare,
  isOperationKind,
  isOwnKind,
  OF_THEIR_OWN,
  type OwnKind,
} from './step/kinds.rules.ts';
import { storable } from './step/output.rules.ts';
import { tagsAfter } from './step/tag.ts';
import { renderer } from './step/template.rules.ts';
import { loadWorkflow } from './store.ts';
import { type TestedStep, workflowTest } from './test-run.contract.ts';

/** A test that goes round and round is ended. */
const MOST_STEPS = 50;
const RUN = '00000000-0000-7000-8000-000000000000';

const SAYS = {
  agent: 'An agent’s turn isn’t rehearsed.',
  lua: 'A script isn’t run in a test: the tool run rehearses it with rehearse.',
  http: 'No request is sent in a test.',
  wait: 'A test doesn’t wait.',
  notify: 'No one is notified in a test.',
} as const;

/** What a step came to, and where that leads. */
type Came = Pick<TestedStep, 'came' | 'output' | 'says'> &
  Partial<Pick<TestedStep, 'needs' | 'changes' | 'events'>> & { next?: string | null };

const done = (output: unknown, says: string | null = null): Came => ({ came: 'done', output, says });
const skipped = (says: string, output: unknown = null): Came => ({ came: 'skipped', output, says });
const failed = (says: string): Came => ({ came: 'failed', output: null, says });

export const test = bind(workflowTest, async (context, { workflow: id, trigger: given, approve }) => {
  const { app, caller, db, now, request } = context;
  const workflow = await loadWorkflow(db, caller, 'workflow.run', id);
  const mayReadRuns = decide(caller.rights, 'run.read', [workflowName(id)]).allowed;
  const trigger = {
    at: now.toISOString(),
    ...(given ?? (mayReadRuns ? await newestTrigger(db, id) : null) ?? sampleOf(workflow.trigger)),
  };
  const walk = { context, steps: workflow.steps, trigger, workflow: id, approve };
  return await rehearsing(app, caller, request, (rehearse) => walked(walk, rehearse));
});

/** A manual start has what its form gives; of other triggers only a run knows. */
const sampleOf = ({ kind }: Trigger): Record<string, unknown> => ({ kind });

type Walk = {
  context: ReadContext;
  steps: readonly WorkflowStep[];
  trigger: Record<string, unknown>;
  workflow: string;
  approve: boolean;
};

async function walked(walk: Walk, rehearse: Rehearse) {
  const shown: TestedStep[] = [];
  const outputs: Record<string, unknown> = {};
  let at: string | null = walk.steps[0]?.id ?? null;
  while (at !== null && shown.length < MOST_STEPS) {
    const step: WorkflowStep | undefined = walk.steps.find((each) => each.id === at);
    if (!step) break;
    const render = renderer({
      trigger: walk.trigger,
      steps: outputs,
      run: { id: RUN, workflow_id: walk.workflow },
    });
    let input: Record<string, unknown> = {};
    let came: Came;
    try {
      input = inputOf(step, render);
      came = await performed(walk, step.kind, input, rehearse);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      came = failed(error.sentence);
    }
    const { needs = [], changes = [], events = [], next, ...rest } = came;
    shown.push({
      step: step.id,
      kind: step.kind,
      name: step.name,
      input: answerWithoutSecrets(input),
      needs,
      changes,
      events,
      ...rest,
    });
    outputs[step.id] = came.output;
    // After an act that was refused the database does nothing more: the steps behind it are not tested.
    if (came.came === 'failed') return { trigger: walk.trigger, steps: shown, ended: 'failed' as const };
    at = next === undefined ? step.next : next;
  }
  const ended = at === null ? ('succeeded' as const) : ('too_long' as const);
  return { trigger: walk.trigger, steps: shown, ended };
}

async function performed(
  walk: Walk,
  kind: string,
  input: Record<string, unknown>,
  rehearse: Rehearse,
): Promise<Came> {
  if (kind === 'agent' || kind === 'lua') return skipped(SAYS[kind]);
  if (isOperationKind(kind)) {
    const given = kind === 'create_work_item' ? dueIn(input, walk.context.now) : input;
    return byAct(await rehearse(BY_OPERATION[kind], () => given));
  }
  return isOwnKind(kind)
    ? ofItsOwn(walk, kind, input, rehearse)
    : failed(`the step kind "${kind}" no longer exists`);
}

function byAct({ would, refused, because, needs, tables, events }: Awaited<ReturnType<Rehearse>>): Came {
  if (refused) return { ...failed(refused.message), needs };
  if (would === null) return { ...skipped(because ?? ''), needs };
  const output = storable(answerWithoutSecrets(would.answer));
  return { ...done(output, because), needs, changes: changesInWords(tables), events };
}

async function ofItsOwn(
  { context, approve }: Walk,
  kind: OwnKind,
  input: Record<string, unknown>,
  rehearse: Rehearse,
): Promise<Came> {
  switch (kind) {
    case 'condition': {
      const { value, is, than, otherwise } = parseArguments(OF_THEIR_OWN.condition, input);
      const holds = compare(is, value, than);
      return { ...done({ holds }), ...(!holds && { next: otherwise }) };
    }
    case 'wait': {
      const { minutes } = parseArguments(OF_THEIR_OWN.wait, input);
      return skipped(SAYS.wait, { until: after(context.now, minutes * MINUTE_MS).toISOString() });
    }
    case 'ask_person': {
      const { otherwise } = parseArguments(OF_THEIR_OWN.ask_person, input);
      const output = { approved: approve, by: context.caller.principal.name, note: null };
      const says = approve ? 'A person is asked; here they approve.' : 'A person is asked; here they say no.';
      if (!approve && otherwise === null) return failed('a person was asked and said no');
      return { ...skipped(says, output), ...(!approve && { next: otherwise }) };
    }
    case 'notify':
      return skipped(SAYS.notify, { users: parseArguments(OF_THEIR_OWN.notify, input).users });
    case 'tag': {
      const { person: id, ...change } = parseArguments(OF_THEIR_OWN.tag, input);
      const { person } = await context.invoke(personRead, { person: id });
      const tags = tagsAfter(person.tags, change);
      const came = byAct(
        await rehearse(personUpdate, () => ({ person: id, revision: person.revision, tags })),
      );
      return came.came === 'done' ? { ...came, output: { person_id: id, tags } } : came;
    }
    case 'http':
      parseArguments(OF_THEIR_OWN.http, input);
      return skipped(SAYS.http, { status: 200, body: null });
  }
}
