// A run whose process is gone: killed between any two steps and within each, seen as stalled, tried again, and each effect once.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { aPerson } from '../../../../../test/support/crm.ts';
import { openTestApp, type TestApp } from '../../../../../test/support/app.ts';
import { activeBy, runNow, startedBy, step, worked } from '../../../../../test/support/workflows.ts';
import { claimRuns, type DueRun, giveBackRuns, outputsOf, settleRuns } from './pass.store.ts';
import { perform } from '../step/perform.ts';

let app: TestApp;
let workflow: string;
let person: string;

beforeAll(async () => {
  app = await openTestApp();
  await app.admin.rest('POST', '/api/work/projects', { key: 'OUT', name: 'Outreach' });
  workflow = await activeBy(app.admin, [
    step('first', 'create_work_item', { project: 'OUT', title: 'first {{ run.id }}' }, { next: 'tag' }),
    step('tag', 'tag', { person: '{{ trigger.person_id }}', add: ['seen'] }, { next: 'script' }),
    step(
      'script',
      'lua',
      {
        script: 'return dunnock.item_create{project = "OUT", title = "script " .. args.run}.item.key',
        args: { run: '{{ run.id }}' },
      },
      { next: 'bell' },
    ),
    step('bell', 'notify', { sentence: 'bell {{ run.id }}' }, { next: 'last' }),
    step('last', 'create_work_item', {
      project: 'OUT',
      title: 'last {{ steps.script.result }} {{ run.id }}',
    }),
  ]);
});
afterAll(() => app.close());
beforeEach(async () => {
  person = await aPerson(app);
});

const cut = new AbortController().signal;

/** One step by hand, as the pass does it; `dies` says how far it comes. */
async function oneStep(dies: 'before' | 'within' | 'after' | 'never'): Promise<DueRun> {
  const { database, clock } = app.instance.app;
  const from = clock.now();
  const lease = { id: crypto.randomUUID(), from, until: new Date(from.getTime() + 60_000) };
  const [run] = await database.transact((tx) => claimRuns(tx, lease, 1, new Map()));
  if (!run) throw new Error('nothing is due');
  if (dies === 'before') return run;
  const came = await perform(app.instance.app, run, cut);
  if (dies === 'within' || !came) return run;
  const worked = { run, outcome: came.outcome, beside: came.beside ?? {}, at: clock.now() };
  await database.transact((tx) => settleRuns(tx, lease, [worked]));
  return run;
}

async function effects(run: string): Promise<Record<string, number>> {
  const cards = await app.sql<
    { title: string }[]
  >`select title from work_items where title like ${`%${run}%`}`;
  const bells = await app.sql`select 1 from notifications where sentence like ${`%${run}%`}`;
  const tags = await app.sql<{ tags: string[] }[]>`select tags from people where id = ${person}`;
  return {
    first: cards.filter(({ title }) => title.startsWith('first')).length,
    script: cards.filter(({ title }) => title.startsWith('script')).length,
    last: cards.filter(({ title }) => title.startsWith('last')).length,
    bells: bells.length,
    tags: tags[0]?.tags.length ?? 0,
  };
}

const ONCE = { first: 1, script: 1, last: 1, bells: 1, tags: 1 };
const STEPS = ['first', 'tag', 'script', 'bell', 'last'];

describe.each(['before', 'within'] as const)('a process that is gone %s the effect', (dies) => {
  test.each(STEPS)(
    'of the step %s: the run is stalled there within two minutes, and retry does each effect once',
    async (at) => {
      const id = await startedBy(app.admin, workflow, { person_id: person });
      for (const step of STEPS) {
        const here = step === at;
        const run = await oneStep(here ? dies : 'never');
        expect(run.at_step).toBe(step);
        if (here) break;
      }
      expect((await runNow(app, id)).state).toBe('running');
      app.clock.advance(61_000);
      await app.instance.jobs.run('workflow_stalled');
      const stalled = await runNow(app, id);
      expect(stalled).toMatchObject({ state: 'stalled', at_step: at });
      expect(stalled.steps.at(-1)).toMatchObject({ id: at, state: 'stalled' });
      await worked(app);
      expect((await runNow(app, id)).state).toBe('stalled');
      const kept = await outputsOf(app.instance.app.database.reader, id);
      expect((await app.admin.rest('POST', `/api/workflows/runs/${id}/retry`, {})).status).toBe(200);
      await worked(app);
      const done = await runNow(app, id);
      expect(done.state, JSON.stringify(done)).toBe('succeeded');
      expect(done.steps.map(({ attempt }) => attempt)).toEqual(STEPS.map((step) => (step === at ? 2 : 1)));
      expect(await effects(id)).toEqual(ONCE);
      expect(await outputsOf(app.instance.app.database.reader, id)).toMatchObject(kept);
    },
  );
});

test('a process that comes back after its lease changes nothing: what it did is found, and done once', async () => {
  const id = await startedBy(app.admin, workflow, { person_id: person });
  const { database, clock } = app.instance.app;
  const from = clock.now();
  const lease = { id: crypto.randomUUID(), from, until: new Date(from.getTime() + 60_000) };
  const [run] = await database.transact((tx) => claimRuns(tx, lease, 1, new Map()));
  if (!run) throw new Error('nothing is due');
  const came = await perform(app.instance.app, run, cut);
  app.clock.advance(61_000);
  await app.instance.jobs.run('workflow_stalled');
  await app.admin.rest('POST', `/api/workflows/runs/${id}/retry`, {});
  const late = { run, outcome: came!.outcome, beside: {}, at: clock.now() };
  await database.transact((tx) => settleRuns(tx, lease, [late]));
  expect(await runNow(app, id)).toMatchObject({ state: 'queued', at_step: 'first' });
  await worked(app);
  expect((await runNow(app, id)).state).toBe('succeeded');
  expect(await effects(id)).toEqual(ONCE);
});

test('a step that was cut off is given back, and begins again on its own', async () => {
  const id = await startedBy(app.admin, workflow, { person_id: person });
  const gone = new AbortController();
  gone.abort();
  const { database, clock } = app.instance.app;
  const from = clock.now();
  const lease = { id: crypto.randomUUID(), from, until: new Date(from.getTime() + 60_000) };
  const [run] = await database.transact((tx) => claimRuns(tx, lease, 1, new Map()));
  expect(await perform(app.instance.app, run!, gone.signal)).toBeNull();
  await database.transact((tx) => giveBackRuns(tx, lease, [run!]));
  await worked(app);
  expect((await runNow(app, id)).state).toBe('succeeded');
  expect(await effects(id)).toEqual(ONCE);
});

test('a run that is cancelled while its process ends begins nothing more', async () => {
  const id = await startedBy(app.admin, workflow, { person_id: person });
  const { database, clock } = app.instance.app;
  const from = clock.now();
  const lease = { id: crypto.randomUUID(), from, until: new Date(from.getTime() + 60_000) };
  const [run] = await database.transact((tx) => claimRuns(tx, lease, 1, new Map()));
  await app.admin.rest('POST', `/api/workflows/runs/${id}/cancel`, {});
  await database.transact((tx) => giveBackRuns(tx, lease, [run!]));
  await worked(app);
  expect(await runNow(app, id)).toMatchObject({ state: 'cancelled', steps: [{ state: 'cancelled' }] });
  expect(await effects(id)).toMatchObject({ first: 0 });
});

test('what a vanished step did is not known after a day: it is not tried again', async () => {
  const id = await startedBy(app.admin, workflow, { person_id: person });
  await oneStep('within');
  app.clock.advance(24 * 3_600_000);
  await app.instance.jobs.run('workflow_stalled');
  const refused = await app.admin.rest('POST', `/api/workflows/runs/${id}/retry`, {});
  expect(refused.status).toBe(409);
  expect(refused.body.error.message).toMatch(/too late to know/);
  const ended = await app.admin.rest('POST', `/api/workflows/runs/${id}/cancel`, {});
  expect(ended.body.run).toMatchObject({ state: 'cancelled' });
});

test('a run that is cancelled while a step is under way ends after it', async () => {
  const id = await startedBy(app.admin, workflow, { person_id: person });
  const { database, clock } = app.instance.app;
  const from = clock.now();
  const lease = { id: crypto.randomUUID(), from, until: new Date(from.getTime() + 60_000) };
  const [run] = await database.transact((tx) => claimRuns(tx, lease, 1, new Map()));
  expect((await app.admin.rest('POST', `/api/workflows/runs/${id}/cancel`, {})).body.run.state).toBe(
    'running',
  );
  const came = await perform(app.instance.app, run!, cut);
  const late = { run: run!, outcome: came!.outcome, beside: {}, at: clock.now() };
  await database.transact((tx) => settleRuns(tx, lease, [late]));
  await worked(app);
  expect(await runNow(app, id)).toMatchObject({ state: 'cancelled', steps: [{ state: 'succeeded' }] });
});
