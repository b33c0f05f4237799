// As whom a run acts (red-team A8, A9, F1, F2, B3; domain.md §1.12): the smaller rights of two, looked up again at every step, the
// wire and scripts only as they were given and still are, and no way from a run to what an agent does not do.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aPerson } from '../../../../../test/support/crm.ts';
import { openTestApp, type TestApp, type TokenClient } from '../../../../../test/support/app.ts';
import {
  activeBy,
  ran,
  runNow,
  savedBy,
  startedBy,
  step,
  worked,
} from '../../../../../test/support/workflows.ts';
import {
  AGENT_DOES_NOT_DECIDE,
  RUN_EVENTS_STREAM,
  SCRIPTS_REQUIRED,
  WIRE_REQUIRED,
} from '../../../../kernel/sentences.ts';

let app: TestApp;
let person: string;
let campaign: string;

beforeAll(async () => {
  app = await openTestApp();
  await app.admin.rest('POST', '/api/work/projects', { key: 'OUT', name: 'Outreach' });
  person = await aPerson(app);
  const made = await app.admin.rest('POST', '/api/admin/outreach/campaigns', {
    name: 'Autumn',
    goal: 'meetings',
  });
  campaign = made.body.campaign?.id ?? '0198c0de-0000-7000-8000-000000000051';
});
afterAll(() => app.close());

const card = step('card', 'create_work_item', { project: 'OUT', title: 'A card' });
const enrol = () => step('enrol', 'enrol', { campaign, people: [person] });
const script = (text: string) => step('script', 'lua', { script: text });
const activate = async (who: TokenClient | TestApp['admin'], id: string, revision = 1) =>
  who.rest('POST', `/api/workflows/${id}/activate`, { revision });

describe('the wire', () => {
  test('a token without it saves a step that enrols, and does not activate it', async () => {
    const token = await app.token();
    const { id } = await savedBy(token, [enrol()]);
    const refused = await activate(token, id);
    expect(refused.status).toBe(403);
    expect(refused.body.error).toMatchObject({ code: 'wire_required', message: WIRE_REQUIRED });
    expect((await app.admin.rest('GET', `/api/workflows/${id}`)).body.workflow).toMatchObject({
      state: 'draft',
      runs_as: null,
    });
  });

  test('a person in a session gives it to the version they activate, and a token with wire its own', async () => {
    const byPerson = await activeBy(app.admin, [enrol()]);
    expect((await app.admin.rest('GET', `/api/workflows/${byPerson}`)).body.workflow).toMatchObject({
      runs_as: { kind: 'person', id: app.admin.id },
      wire_granted_by: { kind: 'person', id: app.admin.id },
    });
    const run = await ran(app, app.admin, byPerson);
    expect(run.held).toBeNull();
    const wired = await app.token({ scopes: { wire: true } });
    const byToken = await activeBy(wired, [enrol()]);
    expect(
      (await app.admin.rest('GET', `/api/workflows/${byToken}`)).body.workflow.wire_granted_by,
    ).toMatchObject({
      kind: 'agent',
      id: wired.id,
    });
  });

  test('a token without it that starts a person’s workflow holds at the step with wire_required, and no one is enrolled', async () => {
    const workflow = await activeBy(app.admin, [enrol()]);
    const token = await app.token();
    const before = await app.sql`select 1 from prospects`;
    const run = await ran(app, token, workflow);
    expect(run).toMatchObject({ state: 'waiting', at_step: 'enrol', held: 'wire_required' });
    expect(run.error).toContain(token.name);
    expect(await app.sql`select 1 from prospects`).toHaveLength(before.length);
  });

  test('it is asked for again when the step fires: what was taken away holds the run, and activating fixes it', async () => {
    const wired = await app.token({ scopes: { wire: true } });
    const workflow = await activeBy(wired, [enrol()], { kind: 'event', event: 'send.held' });
    await app.sql`update tokens set wire = false where id = ${wired.id}`;
    await app.instance.app.database.transact((tx) =>
      app.instance.app.database.emit(
        tx,
        'send.held',
        { send_id: person, campaign_id: null, person_id: person, reason: 'x' },
        new Date(),
      ),
    );
    await worked(app);
    const { body } = await app.admin.rest('GET', `/api/workflows/runs?workflow=${workflow}`);
    expect(body.items).toMatchObject([
      { state: 'waiting', held: 'wire_required', trigger: { event: 'send.held' } },
    ]);
    const { revision } = (await app.admin.rest('GET', `/api/workflows/${workflow}`)).body.workflow;
    expect((await activate(app.admin, workflow, revision)).status).toBe(200);
    await app.admin.rest('POST', `/api/workflows/runs/${body.items[0].id}/retry`, {});
    await worked(app);
    expect((await runNow(app, body.items[0].id)).held).toBeNull();
  });

  test('each act on the wire is refused to a run that a token without it saved, and to a person’s run that it starts (red-team A8, A9)', async () => {
    const acts = app.instance.app.operations.filter(({ wire }) => wire !== 'never' && !wire.when);
    expect(acts.length).toBeGreaterThan(15);
    const asks = acts.map(
      ({ name, example }) => `try("${name}", ${JSON.stringify(JSON.stringify(example))})`,
    );
    const text = `local said = {} local function try(name) local _, s = dunnock.try(name, {}) said[#said + 1] = name .. ": " .. tostring(s) end\n${asks.join('\n')}\nreturn said`;
    const token = await app.token({ scopes: { scripts: true } });
    const saved = await activeBy(token, [script(text)], { kind: 'schedule', cron: '* * * * *', zone: 'UTC' });
    const started = await activeBy(app.admin, [script(text)]);
    app.clock.advance(61_000);
    await startedBy(token, started);
    await worked(app);
    const outputs = await app.sql<{ output: { result: string[] } }[]>`
      select s.output from workflow_run_steps s join workflow_runs r on r.id = s.run_id
      where r.workflow_id in (${saved}, ${started})`;
    expect(outputs).toHaveLength(2);
    for (const { output } of outputs)
      expect(output.result).toEqual(acts.map(({ name }) => `${name}: ${WIRE_REQUIRED}`));
    await app.admin.rest('POST', `/api/workflows/${saved}/deactivate`, {});
  });

  test('a script of a workflow has none, whoever activated it', async () => {
    const call = `local _, sentence = dunnock.try("campaign_enrol", { campaign = "${campaign}", people = { "${person}" } }) return sentence`;
    const wired = await app.token({ scopes: { wire: true, scripts: true } });
    for (const who of [app.admin, wired]) {
      const workflow = await activeBy(who, [
        { ...script(call), next: 'card' },
        step('card', 'create_work_item', { project: 'OUT', title: '{{ steps.script.result }}' }),
      ]);
      const run = await ran(app, who, workflow);
      expect(run.state, run.error ?? '').toBe('succeeded');
      const [made] = await app.sql<
        { title: string }[]
      >`select title from work_items order by created_at desc limit 1`;
      expect(made?.title).toBe(WIRE_REQUIRED);
    }
  });
});

describe('scripts', () => {
  test('a token without the scope neither saves nor activates a step with a script', async () => {
    const token = await app.token();
    const saved = await token.rest('POST', '/api/workflows', {
      name: 'A script',
      trigger: { kind: 'manual' },
      steps: [script('return 1')],
    });
    expect(saved.body.error).toMatchObject({ code: 'scripts_required', message: SCRIPTS_REQUIRED });
    const { id } = await savedBy(app.admin, [script('return 1')]);
    expect((await activate(token, id)).body.error.code).toBe('scripts_required');
  });

  test('a token without it that starts a person’s workflow holds at the script', async () => {
    const workflow = await activeBy(app.admin, [script('return 1')]);
    const run = await ran(app, await app.token(), workflow);
    expect(run).toMatchObject({ state: 'waiting', held: 'scripts_required' });
  });

  test('no decision is made from one', async () => {
    const asks = await activeBy(app.admin, [step('ask', 'ask_person', { question: 'May I?' })]);
    await ran(app, app.admin, asks);
    const { body } = await app.admin.rest('GET', '/api/approvals?kind=workflow_step');
    const call = `local _, sentence = dunnock.try("approval_decide", { approval = "${body.items[0].id}", decision = "approve", revision = 1 }) error(sentence)`;
    const workflow = await activeBy(app.admin, [script(call)]);
    const run = await ran(app, app.admin, workflow);
    expect(run.error).toContain(AGENT_DOES_NOT_DECIDE.slice(0, 100));
    expect((await app.admin.rest('GET', `/api/approvals/${body.items[0].id}`)).body.approval.state).toBe(
      'pending',
    );
  });

  test('no script of a run starts another run', async () => {
    const other = await activeBy(app.admin, [card]);
    const call = `local _, sentence = dunnock.try("run_start", { workflow = "${other}" }) error(sentence)`;
    const run = await ran(app, app.admin, await activeBy(app.admin, [script(call)]));
    expect(run.error).toContain('a run can’t start or activate another workflow');
  });
});

describe('rights', () => {
  test('a run that someone started by hand has the smaller rights of two', async () => {
    const policy = await app.admin.rest('POST', '/api/admin/policies', {
      name: 'starters',
      version: 1,
      statements: [{ effect: 'allow', actions: ['workflow.*', 'run.*'], resources: ['*'] }],
    });
    expect(policy.status, JSON.stringify(policy.body)).toBe(201);
    const service = await app.token({ mode: 'service', policies: ['starters'] });
    const workflow = await activeBy(app.admin, [card]);
    const run = await ran(app, service, workflow);
    expect(run.state).toBe('failed');
    expect(run.error).toMatch(/no policy lets "Follow up" do work.item.create/);
    expect((await ran(app, app.admin, workflow)).state).toBe('succeeded');
  });

  test('they are looked up again: whoever activated it and is disabled since does nothing any more', async () => {
    const dana = await app.person({ name: 'Dana Roe', admin: true });
    const workflow = await activeBy(dana, [card]);
    const id = await startedBy(app.admin, workflow);
    await app.admin.rest('POST', `/api/admin/users/${dana.id}/disable`, {});
    await worked(app);
    const run = await runNow(app, id);
    expect(run.state).toBe('failed');
    expect(run.error).toMatch(/Dana Roe, who activated "Follow up", no longer has permission to do anything/);
  });

  test('a token is an agent’s from the moment it activates or starts something', async () => {
    const token = await app.token();
    await startedBy(token, await activeBy(app.admin, [card]));
    const [row] = await app.sql`select first_agent_turn_at from tokens where id = ${token.id}`;
    expect(row?.['first_agent_turn_at']).not.toBeNull();
  });

  test('an edited definition runs only when it is activated again', async () => {
    const workflow = await activeBy(app.admin, [card]);
    const { revision } = (await app.admin.rest('GET', `/api/workflows/${workflow}`)).body.workflow;
    const edited = await app.admin.rest('PATCH', `/api/workflows/${workflow}`, {
      revision,
      steps: [{ ...card, id: 'other' }],
    });
    expect(edited.body.workflow).toMatchObject({ version: 2, active_version: 1, state: 'active' });
    expect(await ran(app, app.admin, workflow)).toMatchObject({ version: 1, steps: [{ id: 'card' }] });
    await activate(app.admin, workflow, revision + 1);
    expect(await ran(app, app.admin, workflow)).toMatchObject({ version: 2, steps: [{ id: 'other' }] });
  });
});

describe('the stream of a run', () => {
  test('is refused to the request tools, which read the run as it exists', async () => {
    const token = await app.token();
    const id = await startedBy(app.admin, await activeBy(app.admin, [card]));
    const path = `/api/workflows/runs/${id}`;
    expect((await token.tool('api_request', { method: 'GET', path: `${path}/events` })).text).toContain(
      RUN_EVENTS_STREAM,
    );
    expect((await token.tool('api_request', { method: 'GET', path })).text).toContain(id);
    await worked(app);
  });

  test('shows a run to its end', async () => {
    const id = await startedBy(app.admin, await activeBy(app.admin, [card]));
    const streamed = await fetch(`${app.url}/api/workflows/runs/${id}/events`, {
      headers: { cookie: app.admin.cookie },
    });
    const text = streamed.text();
    await worked(app);
    expect(await text).toContain('"state":"succeeded"');
  });
});
