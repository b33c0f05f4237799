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
import { openTestHouse, type RestClient, type TestHouse } from '../../../../../test/support/house.ts';
import {
  activeBy,
  ran,
  runNow,
  savedBy,
  startedBy,
  step,
  worked,
} from '../../../../../test/support/workflows.ts';

let house: TestHouse;
let desk: Desk;
let campaign: TestCampaign;
let person: string;

beforeAll(async () => {
  house = await openTestHouse();
  await house.admin.rest('POST', '/api/work/projects', { key: 'OUT', name: 'Outreach' });
  desk = await aDesk(house);
});
afterAll(() => house.close());
beforeEach(async () => {
  campaign = await aCampaign(house, desk);
  person = (await somebody(house)).id;
});

const enrolls = () => step('enrol', 'enrol', { campaign: campaign.id, people: [person] });
const enrolled = () => house.sql`select 1 from prospects where campaign_id = ${campaign.id}`;
const retry = (who: RestClient, run: string) => who.rest('POST', `/api/workflows/runs/${run}/retry`, {});
const off = (workflow: string) => house.admin.rest('POST', `/api/workflows/${workflow}/deactivate`, {});

async function activateAgain(workflow: string): Promise<void> {
  const { revision } = (await house.admin.rest('GET', `/api/workflows/${workflow}`)).body.workflow;
  const active = await house.admin.rest('POST', `/api/workflows/${workflow}/activate`, { revision });
  expect(active.status, JSON.stringify(active.body)).toBe(200);
}

/** A run that failed at its step that enrols, because its campaign was archived for a while. */
async function failedRun(): Promise<{ workflow: string; run: string }> {
  const workflow = await activeBy(house.admin, [enrolls()]);
  await house.sql`update campaigns set state = 'archived' where id = ${campaign.id}`;
  const run = await ran(house, house.admin, workflow);
  expect(run.state).toBe('failed');
  await house.sql`update campaigns set state = 'active' where id = ${campaign.id}`;
  return { workflow, run: run.id };
}

describe('hole A6: a failed run of a workflow', () => {
  test('hole A6: a run of a deactivated workflow is not retried, by a token or by a person', async () => {
    const { workflow, run } = await failedRun();
    await off(workflow);
    for (const who of [await house.token(), house.admin]) {
      const refused = await retry(who, run);
      expect([refused.status, refused.body.error.message]).toEqual([
        409,
        'the workflow of this run is not active: activate it with POST /api/workflows/:id/activate, then retry this run',
      ]);
    }
    await worked(house);
    expect(await enrolled()).toHaveLength(0);
    expect((await runNow(house, run)).active_version).toBeNull();
  });

  test('hole A6: a run of another version than the active one is not retried', async () => {
    const { workflow, run } = await failedRun();
    const { revision } = (await house.admin.rest('GET', `/api/workflows/${workflow}`)).body.workflow;
    await house.admin.rest('PATCH', `/api/workflows/${workflow}`, {
      revision,
      steps: [step('enrol', 'enrol', { campaign: campaign.id, people: [person], dry_run: true })],
    });
    await activateAgain(workflow);
    const refused = await retry(house.admin, run);
    expect([refused.status, refused.body.error.message]).toEqual([
      409,
      'this run is of version 1, and version 2 is active: start the workflow again, and cancel this run',
    ]);
    expect(await enrolled()).toHaveLength(0);
  });

  test('hole A6: retried by a token without wire it holds with wire_required, and a person with it retries it', async () => {
    const { run } = await failedRun();
    const token = await house.token();
    expect((await retry(token, run)).status).toBe(200);
    await worked(house);
    const held = await runNow(house, run);
    expect(held).toMatchObject({ state: 'waiting', held: 'wire_required' });
    expect(held.error).toBe(
      `"${token.name}", who retried this run, has no wire scope: someone who has it retries this run`,
    );
    expect(await enrolled()).toHaveLength(0);
    await retry(house.admin, run);
    await worked(house);
    expect((await runNow(house, run)).state).toBe('succeeded');
    expect(await enrolled()).toHaveLength(1);
  });

  test('hole A6: retried by someone whose policies deny its step it fails, and by nobody once they are disabled', async () => {
    const policy = await house.admin.rest('POST', '/api/admin/policies', {
      name: 'retriers',
      version: 1,
      statements: [{ effect: 'allow', actions: ['workflow.*', 'run.*'], resources: ['*'] }],
    });
    expect(policy.status).toBe(201);
    const { run } = await failedRun();
    const service = await house.token({ mode: 'service', policies: ['retriers'], scopes: { wire: true } });
    expect((await retry(service, run)).status).toBe(200);
    await worked(house);
    expect((await runNow(house, run)).error).toMatch(/no policy lets "Follow up" do outreach.prospect.enrol/);
    const gone = await house.token({ scopes: { wire: true } });
    await retry(gone, run);
    await house.admin.rest('DELETE', `/api/admin/tokens/${gone.id}`);
    await worked(house);
    expect((await runNow(house, run)).error).toMatch(/who retried this run, may do nothing any more/);
    expect(await enrolled()).toHaveLength(0);
  });

  test('hole A6: no script of a run retries another run', async () => {
    const { run } = await failedRun();
    const text = `local _, sentence = dunnock.try("run_retry", { run = "${run}" }) return sentence`;
    const script = await ran(
      house,
      house.admin,
      await activeBy(house.admin, [step('s', 'lua', { script: text })]),
    );
    const { body } = await house.admin.rest('GET', `/api/workflows/runs/${script.id}/steps/1`);
    expect(body.step.output.result).toMatch(/a run sets off and activates no other workflow/);
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
    const workflow = await activeBy(house.admin, [
      step('wait', 'wait', { minutes: 5 }, { next: 'enrol' }),
      enrolls(),
    ]);
    const run = await startedBy(house.admin, workflow);
    await worked(house);
    await off(workflow);
    house.clock.advance(6 * 60_000);
    await worked(house);
    expect(await runNow(house, run)).toMatchObject(held);
    expect((await retry(house.admin, run)).status).toBe(409);
    await house.admin.rest('POST', '/api/auth/step-up', { password: house.admin.password });
    await activateAgain(workflow);
    await retry(house.admin, run);
    await worked(house);
    expect((await runNow(house, run)).state).toBe('succeeded');
  });

  test('hole A6: so does a queued one, and one whose question is answered after', async () => {
    const queued = await activeBy(house.admin, [enrolls()]);
    const first = await startedBy(house.admin, queued);
    await off(queued);
    const asks = await activeBy(house.admin, [
      step('ask', 'ask_person', { question: 'May I?' }, { next: 'enrol' }),
      enrolls(),
    ]);
    const second = await ran(house, house.admin, asks);
    await off(asks);
    const { body } = await house.admin.rest('GET', '/api/approvals?kind=workflow_step');
    const [{ id, subject }] = body.items;
    await house.admin.rest('POST', `/api/approvals/${id}/decide`, {
      decision: 'approve',
      revision: subject.revision,
    });
    await worked(house);
    expect(await runNow(house, first)).toMatchObject(held);
    expect(await runNow(house, second.id)).toMatchObject(held);
    expect(await enrolled()).toHaveLength(0);
  });

  test('hole A6: another version that is activated meanwhile gives the earlier one nothing back', async () => {
    const workflow = await activeBy(house.admin, [
      step('wait', 'wait', { minutes: 5 }, { next: 'enrol' }),
      enrolls(),
    ]);
    const run = await startedBy(house.admin, workflow);
    await worked(house);
    await off(workflow);
    const { revision } = (await house.admin.rest('GET', `/api/workflows/${workflow}`)).body.workflow;
    const card = step('card', 'create_work_item', { project: 'OUT', title: 'A card' });
    await house.admin.rest('PATCH', `/api/workflows/${workflow}`, { revision, steps: [card] });
    await activateAgain(workflow);
    house.clock.advance(6 * 60_000);
    await worked(house);
    expect(await runNow(house, run)).toMatchObject(held);
    await house.admin.rest('POST', '/api/auth/step-up', { password: house.admin.password });
  });

  test('hole A6: an inactive workflow and a draft are started by nobody', async () => {
    const workflow = await activeBy(house.admin, [enrolls()]);
    await off(workflow);
    const draft = (await savedBy(house.admin, [enrolls()])).id;
    for (const id of [workflow, draft])
      expect((await house.admin.rest('POST', `/api/workflows/${id}/runs`, { inputs: {} })).status).toBe(409);
  });
});

test('many runs are retried and cancelled at once, each through its own gates', async () => {
  const { run } = await failedRun();
  const over = await ran(house, house.admin, await activeBy(house.admin, [enrolls()]));
  const other = await failedRun();
  await off(other.workflow);
  const many = (who: RestClient, act: string, runs: string[]) =>
    who.rest('POST', `/api/workflows/runs/${act}`, { runs });
  const ids = [run, over.id, other.run, run];
  const retried = await many(house.admin, 'retry', ids);
  expect(retried.body.done, JSON.stringify(retried.body)).toEqual([run]);
  expect(new Set(retried.body.refused.map((each: { run: string }) => each.run))).toEqual(
    new Set([over.id, other.run]),
  );
  const blind = await house.token({ mode: 'service' });
  expect((await many(blind, 'cancel', ids)).status).toBe(403);
  const cancelled = await many(house.admin, 'cancel', ids);
  expect(cancelled.body).toMatchObject({ done: [run] });
  expect((await runNow(house, run)).state).toBe('cancelled');
  expect(
    (
      await many(
        house.admin,
        'cancel',
        Array.from({ length: 201 }, () => run),
      )
    ).status,
  ).toBe(400);
});
