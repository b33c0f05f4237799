// What an activation gives the wire to by name: an edit by a token without wire holds the step, shows in the run and in Today,
// and someone with wire releases it by activating the version again.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  aCampaign,
  aDesk,
  type Desk,
  O,
  somebody,
  type TestCampaign,
} from '../../../../../test/support/letters.ts';
import { openTestApp, type TestApp, type TokenClient } from '../../../../../test/support/app.ts';
import { oneWaits } from '../../../../../test/support/locks.ts';
import { activeBy, ran, runNow, startedBy, step, worked } from '../../../../../test/support/workflows.ts';
import type { GivenKind } from './given.rules.ts';

let app: TestApp;
let desk: Desk;
let token: TokenClient;
let campaign: TestCampaign;
let person: string;

beforeAll(async () => {
  app = await openTestApp();
  token = await app.token();
});
afterAll(() => app.close());
beforeEach(async () => {
  desk = await aDesk(app);
  campaign = await aCampaign(app, desk);
  person = (await somebody(app)).id;
});

async function made(path: string, body: unknown, noun: string): Promise<{ id: string; revision: number }> {
  const answer = await app.admin.rest('POST', path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body[noun] ?? answer.body;
}

async function edited(method: string, path: string, body: unknown): Promise<void> {
  const answer = await token.rest(method, path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
}

const enrol = (of: object) => step('enrol', 'enrol', { campaign: campaign.id, ...of });
const prospects = () => app.sql`select 1 from prospects where campaign_id = ${campaign.id}`;
const people = () => enrol({ people: [person] });
const filterOf = (country: string) => ({ all: [{ field: 'country', op: 'is', value: country }] });
const name = () => `N ${crypto.randomUUID()}`;

async function activateAgain(workflow: string): Promise<void> {
  const { revision } = (await app.admin.rest('GET', `/api/workflows/${workflow}`)).body.workflow;
  const active = await app.admin.rest('POST', `/api/workflows/${workflow}/activate`, { revision });
  expect(active.status, JSON.stringify(active.body)).toBe(200);
}

test('hole A4: a segment that a token widens enrols no one until someone with wire activates the version again', async () => {
  await app.sql`update people set country = 'NO' where id = ${person}`;
  const segment = await made('/api/admin/crm/segments', { name: name(), filter: filterOf('DE') }, 'segment');
  const workflow = await activeBy(
    app.admin,
    [enrol({ segment: segment.id })],
    { kind: 'schedule', cron: '* * * * *', zone: 'UTC' },
    'Enrol Germans',
  );
  await edited('PATCH', `/api/admin/crm/segments/${segment.id}`, { revision: 1, filter: filterOf('NO') });
  app.clock.advance(61_000);
  await worked(app);
  const { body } = await app.admin.rest('GET', `/api/workflows/runs?workflow=${workflow}`);
  expect(body.items[0]).toMatchObject({
    state: 'waiting',
    held: 'changed',
    error:
      'a segment that this workflow acts on was changed after it was activated: someone with wire reads it, activates this version again and retries this run',
  });
  expect(await prospects()).toHaveLength(0);
  const today = (await app.admin.rest('GET', '/api/today')).body;
  expect(today.sections.find((of: { name: string }) => of.name === 'runs').rows).toContainEqual(
    expect.objectContaining({
      title: 'Enrol Germans',
      says: '1 run is held. What the workflow names was changed after it was activated. Someone with wire reads it, activates the workflow again and retries them.',
      place: `/workflows/${workflow}?view=runs`,
    }),
  );
  // Neither a retry nor an activation by a token without wire releases it.
  const [{ id }] = body.items;
  await token.rest('POST', `/api/workflows/runs/${id}/retry`, {});
  await worked(app);
  const { revision } = (await app.admin.rest('GET', `/api/workflows/${workflow}`)).body.workflow;
  expect((await token.rest('POST', `/api/workflows/${workflow}/activate`, { revision })).status).toBe(403);
  expect(await runNow(app, id)).toMatchObject({ state: 'waiting', held: 'changed' });
  expect(await prospects()).toHaveLength(0);
  await activateAgain(workflow);
  await app.admin.rest('POST', `/api/workflows/runs/${id}/retry`, {});
  await worked(app);
  expect((await runNow(app, id)).state).toBe('succeeded');
  expect(await prospects()).toHaveLength(1);
  await app.admin.rest('POST', `/api/workflows/${workflow}/deactivate`, {});
});

test('hole A4: a segment that is widened between its comparison and the enrolment enrols no one of the wider one', async () => {
  await app.sql`update people set country = 'IS' where id = ${person}`;
  const segment = await made('/api/admin/crm/segments', { name: name(), filter: filterOf('LI') }, 'segment');
  const workflow = await activeBy(app.admin, [enrol({ segment: segment.id })]);
  const run = await startedBy(app.admin, workflow);
  let widened: Promise<void> | undefined;
  let working: Promise<unknown> | undefined;
  // The campaign's row is what the enrolment waits for, once nothing was another.
  await app.sql.begin(async (tx) => {
    await tx`select from campaigns where id = ${campaign.id} for update`;
    working = worked(app);
    await oneWaits(app, 'campaigns');
    widened = edited('PATCH', `/api/admin/crm/segments/${segment.id}`, {
      revision: 1,
      filter: filterOf('IS'),
    });
    await Promise.race([widened, sleep(500)]);
  });
  await Promise.all([widened, working]);
  await worked(app);
  expect(await prospects()).toHaveLength(0);
  expect(['succeeded', 'waiting']).toContain((await runNow(app, run)).state);
});

type Case = { kind: GivenKind; says: string; lay(): Promise<{ steps: unknown[]; change(): Promise<void> }> };

const CASES: Case[] = [
  {
    kind: 'person',
    says: 'the address of a person',
    lay: async () => ({
      steps: [people()],
      change: async () => {
        const { revision } = (await app.admin.rest('GET', `/api/admin/crm/people/${person}`)).body.person;
        const addresses = [{ value: `stranger.${person.slice(0, 8)}@else.example` }];
        await edited('PATCH', `/api/admin/crm/people/${person}`, { revision, addresses });
      },
    }),
  },
  {
    kind: 'campaign',
    says: 'a campaign',
    lay: async () => ({
      steps: [people()],
      change: () =>
        edited('PATCH', `${O}/campaigns/${campaign.id}`, { revision: 1, verification_policy: 'any' }),
    }),
  },
  {
    kind: 'campaign',
    says: 'a campaign',
    lay: async () => ({
      steps: [people()],
      change: () =>
        edited('PUT', `${O}/campaigns/${campaign.id}/sequence`, {
          revision: 1,
          steps: [{ kind: 'letter', subject: 'Other', text: 'Other words.' }],
        }),
    }),
  },
  {
    kind: 'identity',
    says: 'a sender of a campaign',
    lay: async () => ({
      steps: [people()],
      change: () =>
        edited('PATCH', `${O}/identities/${desk.identity_id}`, {
          revision: 1,
          signature_text: 'Somebody else',
        }),
    }),
  },
  {
    kind: 'agent',
    says: 'an agent',
    lay: async () => {
      const agent = await made('/api/admin/agents', { name: name().slice(0, 40) }, 'agent');
      return {
        steps: [
          step('pick', 'condition', { value: 1, is: 'present', otherwise: 'ask' }, { next: 'enrol' }),
          step('ask', 'agent', { agent: agent.id, message: 'Whom?' }, { next: 'enrol' }),
          people(),
        ],
        change: () =>
          edited('PATCH', `/api/admin/agents/${agent.id}`, {
            revision: agent.revision,
            instructions: 'Name others.',
          }),
      };
    },
  },
  {
    kind: 'capability',
    says: 'a tool server of an agent',
    lay: async () => {
      const server = `srv-${crypto.randomUUID().slice(0, 6)}`;
      const capability = await made(
        '/api/admin/capabilities',
        { name: server, title: 'Server', url: 'https://tools.example.com/mcp', auth: 'none' },
        'capability',
      );
      const agent = await made(
        '/api/admin/agents',
        { name: name().slice(0, 40), tools: [`${server}__find`] },
        'agent',
      );
      return {
        steps: [
          step('pick', 'condition', { value: 1, is: 'present', otherwise: 'ask' }, { next: 'enrol' }),
          step('ask', 'agent', { agent: agent.id, message: 'Whom?' }, { next: 'enrol' }),
          people(),
        ],
        change: () =>
          edited('PATCH', `/api/admin/capabilities/${capability.id}`, {
            revision: capability.revision,
            url: 'https://other.example.com/mcp',
          }),
      };
    },
  },
];

test.each(CASES)(
  'hole A4: an edit of $kind without wire holds the step that enrols: $says',
  async ({ says, lay }) => {
    const { steps, change } = await lay();
    await app.admin.rest('POST', '/api/auth/step-up', { password: app.admin.password });
    const workflow = await activeBy(app.admin, steps);
    const run = await startedBy(app.admin, workflow);
    await change();
    await worked(app);
    expect(await runNow(app, run)).toMatchObject({
      state: 'waiting',
      held: 'changed',
      error: expect.stringMatching(new RegExp(`^${says} that this workflow acts on was changed`)),
    });
    expect(await prospects()).toHaveLength(0);
    await activateAgain(workflow);
    await app.admin.rest('POST', `/api/workflows/runs/${run}/retry`, {});
    await worked(app);
    expect(await runNow(app, run)).toMatchObject({ state: 'succeeded', held: null });
    expect(await prospects()).toHaveLength(1);
  },
);

test('hole A4: an edit of the form that sets a workflow off holds it too', async () => {
  const form = await made('/api/admin/forms', { name: name() }, 'form');
  const workflow = await activeBy(app.admin, [people()], { kind: 'form', form_id: form.id });
  await edited('PATCH', `/api/admin/forms/${form.id}`, { revision: 1, campaign_id: campaign.id });
  expect(await ran(app, app.admin, workflow)).toMatchObject({ held: 'changed' });
});

test('hole A4: what is deleted is another too, and what goes automatically holds nothing', async () => {
  const segment = await made('/api/admin/crm/segments', { name: name(), filter: filterOf('SE') }, 'segment');
  const deleted = await activeBy(app.admin, [enrol({ segment: segment.id })]);
  await edited('DELETE', `/api/admin/crm/segments/${segment.id}`, {});
  expect(await ran(app, app.admin, deleted)).toMatchObject({ held: 'changed' });
  const workflow = await activeBy(app.admin, [people()]);
  await app.admin.rest('POST', `${O}/campaigns/${campaign.id}/pause`, {});
  await app.sql`update identities set ramp_day = ramp_day + 1, last_tested_at = now()`;
  expect(await ran(app, app.admin, workflow)).toMatchObject({ state: 'succeeded' });
});

test('hole A4: a version that was activated before marks were saved has them saved when its step first fires', async () => {
  const workflow = await activeBy(app.admin, [people()]);
  await app.sql`update workflow_versions set given = null where workflow_id = ${workflow}`;
  expect(await ran(app, app.admin, workflow)).toMatchObject({ state: 'succeeded' });
  await edited('PATCH', `${O}/identities/${desk.identity_id}`, { revision: 1, signature_text: 'Other' });
  expect(await ran(app, app.admin, workflow)).toMatchObject({ held: 'changed' });
});
