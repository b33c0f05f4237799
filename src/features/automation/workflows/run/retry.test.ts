// Retrying a run (domain.md §1.12): only while its workflow is active at its version, and with the smallest rights and scopes of
// whoever activated it, started it and retried it.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  aCampaign,
  aDesk,
  type Desk,
  somebody,
  type TestCampaign,
} from '../../../../../test/support/letters.ts';
import { openTestApp, type RestClient, type TestApp } from '../../../../../test/support/app.ts';
import {
  activeBy,
  ran,
  runNow,
  savedBy,
  startedBy,
  step,
  worked,
} from '../../../../../test/support/workflows.ts';

let app: TestApp;
let desk: Desk;
let campaign: TestCampaign;
let person: string;

beforeAll(async () => {
  app = await openTestApp();
  await app.admin.rest('POST', '/api/work/projects', { key: 'OUT', name: 'Outreach' });
  desk = await aDesk(app);
});
afterAll(() => app.close());
beforeEach(async () => {
  campaign = await aCampaign(app, desk);
  person = (await somebody(app)).id;
});

const enrolls = () => step('enrol', 'enrol', { campaign: campaign.id, people: [person] });
const enrolled = () => app.sql`select 1 from prospects where campaign_id = ${campaign.id}`;
const retry = (who: RestClient, run: string) => who.rest('POST', `/api/workflows/runs/${run}/retry`, {});
const off = (workflow: string) => app.admin.rest('POST', `/api/workflows/${workflow}/deactivate`, {});

async function activateAgain(workflow: string): Promise<void> {
  const { revision } = (await app.admin.rest('GET', `/api/workflows/${workflow}`)).body.workflow;
  const active = await app.admin.rest('POST', `/api/workflows/${workflow}/activate`, { revision });
  expect(active.status, JSON.stringify(active.body)).toBe(200);
}

/** A run that failed at its step that enrols, because its campaign was archived for a while. */
async function failedRun(): Promise<{ workflow: string; run: string }> {
  const workflow = await activeBy(app.admin, [enrolls()]);
  await app.sql`update campaigns set state = 'archived' where id = ${campaign.id}`;
  const run = await ran(app, app.admin, workflow);
  expect(run.state).toBe('failed');
  await app.sql`update campaigns set state = 'active' where id = ${campaign.id}`;
  return { workflow, run: run.id };
}

describe('hole A6: a failed run of a workflow', () => {
  test('hole A6: a run of a deactivated workflow is not retried, by a token or by a person', async () => {
    const { workflow, run } = await failedRun();
    await off(workflow);
    for (const who of [await app.token(), app.admin]) {
      const refused = await retry(who, run);
      expect([refused.status, refused.body.error.message]).toEqual([
        409,
        'the workflow of this run is not active: activate it with POST /api/workflows/:id/activate, then retry this run',
      ]);
    }
    await worked(app);
    expect(await enrolled()).toHaveLength(0);
    expect((await runNow(app, run)).active_version).toBeNull();
  });

  test('hole A6: a run of another version than the active one is not retried', async () => {
    const { workflow, run } = await failedRun();
    const { revision } = (await app.admin.rest('GET', `/api/workflows/${workflow}`)).body.workflow;
    await app.admin.rest('PATCH', `/api/workflows/${workflow}`, {
      revision,
      steps: [step('enrol', 'enrol', { campaign: campaign.id, people: [person], dry_run: true })],
    });
    await activateAgain(workflow);
    const refused = await retry(app.admin, run);
    expect([refused.status, refused.body.error.message]).toEqual([
      409,
      'this run uses version 1, but version 2 is active: cancel this run and start the workflow again',
    ]);
    expect(await enrolled()).toHaveLength(0);
  });

  test('hole A6: retried by a token without wire it holds with wire_required, and a person with it retries it', async () => {
    const { run } = await failedRun();
    const token = await app.token();
    expect((await retry(token, run)).status).toBe(200);
    await worked(app);
    const held = await runNow(app, run);
    expect(held).toMatchObject({ state: 'waiting', held: 'wire_required' });
    expect(held.error).toBe(
      `"${token.name}", who retried this run, has no wire scope: someone who has it retries this run`,
    );
    expect(await enrolled()).toHaveLength(0);
    await retry(app.admin, run);
    await worked(app);
    expect((await runNow(app, run)).state).toBe('succeeded');
    expect(await enrolled()).toHaveLength(1);
  });

  test('hole A6: retried by someone whose policies deny its step it fails, and by no one once they are disabled', async () => {
    const policy = await app.admin.rest('POST', '/api/admin/policies', {
      name: 'retriers',
      version: 1,
      statements: [{ effect: 'allow', actions: ['workflow.*', 'run.*'], resources: ['*'] }],
    });
    expect(policy.status).toBe(201);
    const { run } = await failedRun();
    const service = await app.token({ mode: 'service', policies: ['retriers'], scopes: { wire: true } });
    expect((await retry(service, run)).status).toBe(200);
    await worked(app);
    expect((await runNow(app, run)).error).toMatch(/no policy lets "Follow up" do outreach.prospect.enrol/);
    const gone = await app.token({ scopes: { wire: true } });
    await retry(gone, run);
    await app.admin.rest('DELETE', `/api/admin/tokens/${gone.id}`);
    await worked(app);
    expect((await runNow(app, run)).error).toMatch(
      /who retried this run, no longer has permission to do anything/,
    );
    expect(await enrolled()).toHaveLength(0);
  });

  test('hole A6: no script of a run retries another run', async () => {
    const { run } = await failedRun();
    const text = `local _, sentence = dunnock.try("run_retry", { run = "${run}" }) return sentence`;
    const script = await ran(app, app.admin, await activeBy(app.admin, [step('s', 'lua', { script: text })]));
    const { body } = await app.admin.rest('GET', `/api/workflows/runs/${script.id}/steps/1`);
    expect(body.step.output.result).toMatch(/a run can’t start or activate another workflow/);
  });
});

describe('hole A6: deactivating withdraws the wire from runs that have begun', () => {
  const held = {
    state: 'waiting',
    held: 'wire_required',
    error:
      'this workflow was deactivated, which withdraws its wire: someone with wire activates this version again, then retry this run',
  };

  test('hole A6: a run that waits for its time holds at the step that enrols, until it is activated again and retried', async () => {
    const workflow = await activeBy(app.admin, [
      step('wait', 'wait', { minutes: 5 }, { next: 'enrol' }),
      enrolls(),
    ]);
    const run = await startedBy(app.admin, workflow);
    await worked(app);
    await off(workflow);
    app.clock.advance(6 * 60_000);
    await worked(app);
    expect(await runNow(app, run)).toMatchObject(held);
    expect((await retry(app.admin, run)).status).toBe(409);
    await app.admin.rest('POST', '/api/auth/step-up', { password: app.admin.password });
    await activateAgain(workflow);
    await retry(app.admin, run);
    await worked(app);
    expect((await runNow(app, run)).state).toBe('succeeded');
  });

  test('hole A6: so does a queued one, and one whose question is answered after', async () => {
    const queued = await activeBy(app.admin, [enrolls()]);
    const first = await startedBy(app.admin, queued);
    await off(queued);
    const asks = await activeBy(app.admin, [
      step('ask', 'ask_person', { question: 'May I?' }, { next: 'enrol' }),
      enrolls(),
    ]);
    const second = await ran(app, app.admin, asks);
    await off(asks);
    const { body } = await app.admin.rest('GET', '/api/approvals?kind=workflow_step');
    const [{ id, subject }] = body.items;
    await app.admin.rest('POST', `/api/approvals/${id}/decide`, {
      decision: 'approve',
      revision: subject.revision,
    });
    await worked(app);
    expect(await runNow(app, first)).toMatchObject(held);
    expect(await runNow(app, second.id)).toMatchObject(held);
    expect(await enrolled()).toHaveLength(0);
  });

  test('hole A6: another version that is activated meanwhile gives the earlier one nothing back', async () => {
    const workflow = await activeBy(app.admin, [
      step('wait', 'wait', { minutes: 5 }, { next: 'enrol' }),
      enrolls(),
    ]);
    const run = await startedBy(app.admin, workflow);
    await worked(app);
    await off(workflow);
    const { revision } = (await app.admin.rest('GET', `/api/workflows/${workflow}`)).body.workflow;
    const card = step('card', 'create_work_item', { project: 'OUT', title: 'A card' });
    await app.admin.rest('PATCH', `/api/workflows/${workflow}`, { revision, steps: [card] });
    await activateAgain(workflow);
    app.clock.advance(6 * 60_000);
    await worked(app);
    expect(await runNow(app, run)).toMatchObject(held);
    await app.admin.rest('POST', '/api/auth/step-up', { password: app.admin.password });
  });

  test('hole A6: an inactive workflow and a draft are started by no one', async () => {
    const workflow = await activeBy(app.admin, [enrolls()]);
    await off(workflow);
    const draft = (await savedBy(app.admin, [enrolls()])).id;
    for (const id of [workflow, draft])
      expect((await app.admin.rest('POST', `/api/workflows/${id}/runs`, { inputs: {} })).status).toBe(409);
  });
});

test('many runs are retried and cancelled at once, each through its own gates', async () => {
  const { run } = await failedRun();
  const over = await ran(app, app.admin, await activeBy(app.admin, [enrolls()]));
  const other = await failedRun();
  await off(other.workflow);
  const many = (who: RestClient, act: string, runs: string[]) =>
    who.rest('POST', `/api/workflows/runs/${act}`, { runs });
  const ids = [run, over.id, other.run, run];
  const retried = await many(app.admin, 'retry', ids);
  expect(retried.body.done, JSON.stringify(retried.body)).toEqual([run]);
  expect(new Set(retried.body.refused.map((each: { run: string }) => each.run))).toEqual(
    new Set([over.id, other.run]),
  );
  const blind = await app.token({ mode: 'service' });
  expect((await many(blind, 'cancel', ids)).status).toBe(403);
  const cancelled = await many(app.admin, 'cancel', ids);
  expect(cancelled.body).toMatchObject({ done: [run] });
  expect((await runNow(app, run)).state).toBe('cancelled');
  expect(
    (
      await many(
        app.admin,
        'cancel',
        Array.from({ length: 201 }, () => run),
      )
    ).status,
  ).toBe(400);
});
