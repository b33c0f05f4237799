// Owns the way of one person through a sequence: drafted at once, on after a letter went, tasks, branches, holds whose time
// spends no wait, and a campaign that ends when no one can move.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, after } from '../../../../kernel/clock.ts';
import {
  aCampaign,
  aDesk,
  type Desk,
  O,
  somebody,
  type TestCampaign,
} from '../../../../../test/support/letters.ts';
import { openTestApp, type TestApp } from '../../../../../test/support/app.ts';
import { holdAway } from './hold.store.ts';
import { STEPPING } from '../names.rules.ts';
import { letterWent } from './steps.store.ts';

let app: TestApp;
let desk: Desk;
let campaign: TestCampaign;

beforeAll(async () => {
  app = await openTestApp();
  desk = await aDesk(app);
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.sql`update campaigns set state = 'finished' where state = 'active'`; // whose people come due at any hour
  campaign = await aCampaign(app, desk);
});

type NewStep = { kind: string; wait_days?: number; [column: string]: unknown };

async function addSteps(...steps: NewStep[]): Promise<string[]> {
  const ids: string[] = [];
  for (const [n, { kind, task, branch, ...more }] of steps.entries()) {
    const id = (more['id'] as string | undefined) ?? randomUUID();
    await app.sql`insert into sequence_steps ${app.sql({
      id,
      campaign_id: campaign.id,
      position: n + 1,
      kind,
      ...(kind === 'letter' && { subject: `Step ${n + 1}`, text: 'Me again.' }),
      ...(task !== undefined && { task: app.sql.json(task as never) }),
      ...(branch !== undefined && { branch: app.sql.json(branch as never) }),
      ...more,
    } as never)}`;
    ids.push(id);
  }
  return ids;
}

async function enrolOne(name?: string): Promise<{ prospect_id: string; person_id: string }> {
  const person = await somebody(app, name);
  const answer = await app.admin.rest('POST', `${O}/campaigns/${campaign.id}/enrol`, {
    people: [person.id],
  });
  expect(answer.body.enrolled, JSON.stringify(answer.body)).toBe(1);
  const [row] = await app.sql<{ id: string }[]>`
    select id from prospects where person_id = ${person.id} and campaign_id = ${campaign.id}`;
  return { prospect_id: row?.id ?? '', person_id: person.id };
}

const step = (): Promise<number> => app.instance.jobs.run('stepping');
const place = async (id: string) => (await app.admin.rest('GET', `${O}/prospects/${id}`)).body.prospect;

type Letter = { id: string; step_id: string; state: string; scheduled_for: Date };
const letters = (prospect_id: string): Promise<Letter[]> => app.sql<Letter[]>`
  select id, step_id, state, scheduled_for from sends where prospect_id = ${prospect_id} order by created_at`;

/** As the sender settles it. */
async function went(prospect_id: string): Promise<Date> {
  const at = app.clock.now();
  const letter = (await letters(prospect_id)).at(-1);
  await app.sql`
    update sends set state = 'sent', sending_at = ${at}, sent_at = ${at}, delivery = 'accepted' where id = ${letter?.id ?? ''}`;
  await app.instance.app.database.transact((tx) =>
    letterWent(tx, { prospect_id, step_id: letter?.step_id ?? null, at }, at),
  );
  return at;
}

describe('letters', () => {
  test('the first is drafted when someone is enrolled into an active campaign, so that its review can begin', async () => {
    const { prospect_id } = await enrolOne();
    await step();
    const [letter] = await letters(prospect_id);
    expect(letter).toMatchObject({ step_id: campaign.step_id, state: 'review' });
    expect(await place(prospect_id)).toMatchObject({
      stage: 'enrolled',
      step_id: campaign.step_id,
      identity_id: desk.identity_id,
      next_at: letter?.scheduled_for.toISOString(),
    });
  });

  test('no one of a draft begins before it is activated, and the first delay counts from then', async () => {
    campaign = await aCampaign(app, desk, { state: 'draft', activated_at: null, first_delay_hours: 48 });
    const { prospect_id } = await enrolOne();
    await step();
    expect(await letters(prospect_id)).toEqual([]);
    app.clock.advance(3 * DAY_MS);
    const at = app.clock.now();
    await app.sql`update campaigns set state = 'active', activated_at = ${at} where id = ${campaign.id}`;
    await step();
    expect((await letters(prospect_id))[0]?.scheduled_for).toEqual(after(at, 48 * HOUR_MS));
  });

  test('a follow-up is drafted when the one before went, and waits are added up', async () => {
    const [, second] = await addSteps({ kind: 'wait', wait_days: 2 }, { kind: 'letter', wait_days: 3 });
    const { prospect_id } = await enrolOne();
    await step();
    const at = await went(prospect_id);
    await step();
    const [, letter] = await letters(prospect_id);
    expect(letter).toMatchObject({ step_id: second, state: 'review', scheduled_for: after(at, 5 * DAY_MS) });
    expect(await place(prospect_id)).toMatchObject({ stage: 'contacted', step_id: second });
  });

  test('whoever is through every step has none, and the campaign ends once no one can move', async () => {
    const { prospect_id } = await enrolOne();
    await step();
    await app.instance.jobs.run('finishing');
    const read = async () =>
      (await app.admin.rest('GET', `${O}/campaigns/${campaign.id}`)).body.campaign.state;
    expect(await read()).toBe('active');
    await went(prospect_id);
    expect(await place(prospect_id)).toMatchObject({ step_id: null, next_at: null, ended: null });
    await app.instance.jobs.run('finishing');
    expect(await read()).toBe('finished');
  });

  test('a second telling that a letter went changes nothing', async () => {
    const [second] = await addSteps({ kind: 'letter', wait_days: 1 }, { kind: 'letter', wait_days: 1 });
    const { prospect_id } = await enrolOne();
    await step();
    await went(prospect_id);
    const at = app.clock.now();
    await app.instance.app.database.transact((tx) =>
      letterWent(tx, { prospect_id, step_id: campaign.step_id, at }, at),
    );
    expect((await place(prospect_id)).step_id).toBe(second);
    const reached = await app.sql`
      select people from stages_reached where campaign_id = ${campaign.id} and stage = 'contacted'`;
    expect(reached).toEqual([{ people: 1 }]);
  });

  test.each(['reject', 'cancel'])(
    'a letter that somebody calls off (%s) ends its step: its person is held, and goes on when released',
    async (act) => {
      const [second] = await addSteps({ kind: 'letter', wait_days: 1 });
      const { prospect_id } = await enrolOne();
      await step();
      const [letter] = await letters(prospect_id);
      await app.admin.rest('POST', `${O}/sends/${letter!.id}/${act}`, {});
      const hold = { by: 'system', reason: expect.stringContaining('release them to continue') };
      expect(await place(prospect_id)).toMatchObject({ step_id: second, ended: null, hold });
      expect(await step()).toBe(0);
      await app.admin.rest('POST', `${O}/prospects/${prospect_id}/release`, {});
      await step();
      expect((await letters(prospect_id)).map(({ step_id }) => step_id)).toEqual([campaign.step_id, second]);
    },
  );

  test('whoever has no address is held until they have one', async () => {
    const { prospect_id, person_id } = await enrolOne();
    await app.sql`delete from person_addresses where person_id = ${person_id}`;
    await step();
    expect((await place(prospect_id)).hold).toMatchObject({ by: 'system', until: null });
    expect(await step()).toBe(0);
  });

  test('those of a paused campaign are not looked at', async () => {
    await enrolOne();
    await app.sql`update campaigns set state = 'paused', paused_reason = 'person' where id = ${campaign.id}`;
    expect(await step()).toBe(0);
  });
});

describe('branches and tasks', () => {
  test('a branch goes by a tag, and by how far someone came', async () => {
    const [yes, no] = [randomUUID(), randomUUID()];
    await addSteps(
      { kind: 'branch', branch: { on: { kind: 'tag', tag: 'vip' }, yes, no } },
      { kind: 'letter', id: no },
      { kind: 'letter', id: yes },
    );
    const [one, other] = [await enrolOne(), await enrolOne()];
    await app.sql`update people set tags = '{vip}' where id = ${one.person_id}`;
    await step();
    for (const { prospect_id } of [one, other]) await went(prospect_id);
    await step();
    expect((await letters(one.prospect_id)).at(-1)?.step_id).toBe(yes);
    expect((await letters(other.prospect_id)).at(-1)?.step_id).toBe(no);
  });

  test('a task becomes a work item of whoever activated the campaign, and its end takes the person on', async () => {
    const made = await app.admin.rest('POST', '/api/work/projects', { key: 'OUT', name: 'Outreach' });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const task = {
      title: 'Call {{ person.name }}',
      description: '',
      channel: 'call',
      project_id: made.body.project.id,
      assignee: null,
    };
    const [, last] = await addSteps({ kind: 'task', task }, { kind: 'letter' });
    const { prospect_id } = await enrolOne('Tess Task');
    await step();
    await went(prospect_id);
    await step();
    const { item_id } = await place(prospect_id);
    const { item } = (await app.admin.rest('GET', `/api/work/items/${item_id}`)).body;
    expect(item).toMatchObject({ title: 'Call Tess Task', status: 'todo', author: { name: 'Ada Operator' } });
    expect(item.links).toContainEqual({ kind: 'campaign', ref: campaign.id });
    app.clock.advance(HOUR_MS);
    await step();
    expect((await place(prospect_id)).item_id).toBe(item_id);
    await app.admin.rest('POST', `/api/work/items/${item_id}/move`, { status: 'done' });
    app.clock.advance(HOUR_MS);
    await step();
    expect((await letters(prospect_id)).at(-1)?.step_id).toBe(last);
    expect((await app.sql`select count(*)::int as n from work_items`)[0]).toEqual({ n: 1 });
  });

  test('a task that its activator may not open holds the person, and says why', async () => {
    await addSteps({
      kind: 'task',
      task: { title: 'Call', description: '', channel: 'call', project_id: null, assignee: null },
    });
    const { prospect_id } = await enrolOne();
    await step();
    await went(prospect_id);
    await step();
    expect((await place(prospect_id)).hold.reason).toContain('names no project');
  });
});

describe('holds', () => {
  const post = (id: string, verb: string, body: object = {}) =>
    app.admin.rest('POST', `${O}/prospects/${id}/${verb}`, body);

  test('a person’s hold has no end unless given, and time that is held spends no wait', async () => {
    await addSteps({ kind: 'letter', wait_days: 4 });
    const { prospect_id } = await enrolOne();
    await step();
    const at = await went(prospect_id);
    await step();
    app.clock.advance(DAY_MS);
    const held = (await post(prospect_id, 'hold', { reason: 'fair' })).body.prospect;
    expect(held.hold).toMatchObject({ by: 'person', reason: 'fair', until: null });
    app.clock.advance(10 * DAY_MS);
    await post(prospect_id, 'release');
    const due = (await letters(prospect_id)).at(-1)?.scheduled_for.getTime() ?? 0;
    expect(Math.abs(due - after(at, 14 * DAY_MS).getTime())).toBeLessThan(HOUR_MS);
    expect((await place(prospect_id)).hold).toBeNull();
  });

  test('an away message neither shortens nor replaces it, and the later of two away messages counts', async () => {
    const { prospect_id } = await enrolOne();
    await step();
    const away = (days: number): Promise<boolean> =>
      app.instance.app.database.transact((tx) =>
        holdAway(
          tx,
          { prospect_id, until: after(app.clock.now(), days * DAY_MS), reason: 'away' },
          STEPPING,
          app.clock.now(),
        ),
      );
    expect([await away(5), await away(2), await away(9)]).toEqual([true, false, true]);
    await post(prospect_id, 'hold', { reason: 'mine' });
    expect(await away(30)).toBe(false);
    expect((await place(prospect_id)).hold).toMatchObject({ by: 'person', reason: 'mine', until: null });
  });

  test('with an end it is over on its own', async () => {
    const { prospect_id } = await enrolOne();
    const until = after(app.clock.now(), DAY_MS).toISOString();
    await post(prospect_id, 'hold', { reason: 'later', until });
    await step();
    expect(await letters(prospect_id)).toEqual([]);
    app.clock.advance(DAY_MS + HOUR_MS);
    await step();
    expect(await letters(prospect_id)).toHaveLength(1);
    expect((await place(prospect_id)).hold).toBeNull();
    const late = { reason: 'late', until: '2020-01-01T00:00:00.000Z' };
    expect((await post(prospect_id, 'hold', late)).status).toBe(409);
  });

  test('taking someone out cancels what has not started, and nothing is left to hold', async () => {
    const { prospect_id } = await enrolOne();
    await step();
    await post(prospect_id, 'remove');
    expect((await letters(prospect_id)).map(({ state }) => state)).toEqual(['cancelled']);
    expect((await post(prospect_id, 'hold', { reason: 'x' })).status).toBe(409);
    expect((await post(prospect_id, 'remove')).body.prospect.ended).toBe('removed');
  });
});
