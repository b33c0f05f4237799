// Owns the spine through the entry points: never an error for a move that cannot happen, and what hangs on a move: letters, other
// campaigns, suppressions, a won deal, a merged, deleted or erased person.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  aCampaign,
  aDesk,
  aLetter,
  type Desk,
  drafted,
  enrolled,
  O,
} from '../../../../../test/support/letters.ts';
import { openTestApp, type TestApp, type TokenClient } from '../../../../../test/support/app.ts';

let app: TestApp;
let desk: Desk;
let agent: TokenClient;

beforeAll(async () => {
  app = await openTestApp();
  desk = await aDesk(app);
  agent = await app.token();
});
afterAll(() => app.close());

const move = async (prospect_id: string, stage: string) =>
  (await app.admin.rest('POST', `${O}/prospects/${prospect_id}/spine`, { stage })).body;
const states = async (prospect_id: string): Promise<string[]> =>
  (await app.sql<{ state: string }[]>`select state from sends where prospect_id = ${prospect_id}`).map(
    ({ state }) => state,
  );
const place = async (prospect_id: string) => {
  const [row] = await app.sql`select stage, ended, person_id from prospects where id = ${prospect_id}`;
  return row;
};

describe('spine_move', () => {
  test('a person who has unsubscribed does not move to positive: no error, and the sentence says what happened', async () => {
    const campaign = await aCampaign(app, desk);
    const { person, prospect_id } = await aLetter(app, campaign);
    const out = await agent.tool('spine_move', {
      campaign: campaign.id,
      person_id: person.id,
      stage: 'unsubscribed',
    });
    expect(out.json).toEqual({
      moved: true,
      stage: 'unsubscribed',
      asked: 'unsubscribed',
      sentence: 'Dana Roe moved from enrolled to unsubscribed, is suppressed and gets no further letter.',
    });
    const again = await agent.tool('spine_move', { prospect_id, stage: 'positive' });
    expect(again.isError).toBe(false);
    expect(again.json).toMatchObject({ moved: false, stage: 'unsubscribed', asked: 'positive' });
    expect(again.json.sentence).toMatch(
      /^Dana Roe stays at unsubscribed: they opted out on \d{4}-\d\d-\d\d and that stage is not left\.$/,
    );
    expect(await states(prospect_id)).toEqual(['cancelled']);
  });

  test('an agent does not say that someone met or bought; a person does', async () => {
    const { prospect_id } = await aLetter(app, await aCampaign(app, desk));
    const asked = await agent.tool('spine_move', { prospect_id, stage: 'meeting' });
    expect([asked.isError, asked.json.moved]).toEqual([false, false]);
    expect(await move(prospect_id, 'meeting')).toMatchObject({ moved: true, stage: 'meeting' });
  });

  test('bad arguments are refused, and an unknown prospect is not there', async () => {
    const nowhere = '0198c0de-0000-7000-8000-00000000ffff';
    expect((await agent.tool('spine_move', { prospect_id: nowhere, stage: 'positive' })).isError).toBe(true);
    expect((await agent.tool('spine_move', { stage: 'positive' })).text).toContain('campaign');
    expect((await agent.tool('spine_move', { prospect_id: nowhere, stage: 'delighted' })).isError).toBe(true);
  });
});

describe('what a move does', () => {
  test('a reply stops the sequence where the campaign stops on replies, and only there', async () => {
    const stops = await aLetter(app, await aCampaign(app, desk));
    const goesOn = await aLetter(app, await aCampaign(app, desk, { stop_on_reply: false }));
    for (const { prospect_id } of [stops, goesOn]) await move(prospect_id, 'replied');
    expect([await states(stops.prospect_id), await states(goesOn.prospect_id)]).toEqual([
      ['cancelled'],
      ['review'],
    ]);
    expect((await place(stops.prospect_id))?.['ended']).toBe('replied');
    await move(goesOn.prospect_id, 'declined');
    expect(await states(goesOn.prospect_id)).toEqual(['cancelled']);
  });

  test('a bounce ends nothing, and a reply after it counts', async () => {
    const { prospect_id } = await aLetter(app, await aCampaign(app, desk));
    await move(prospect_id, 'bounced');
    expect(await states(prospect_id)).toEqual(['review']);
    expect(await move(prospect_id, 'replied')).toMatchObject({ moved: true, stage: 'replied' });
    expect((await move(prospect_id, 'bounced')).sentence).toContain('it marks the address');
  });

  test('opting out ends every campaign of the person and suppresses every address, again after it was lifted', async () => {
    const [one, other] = [await aCampaign(app, desk), await aCampaign(app, desk)];
    const { person, prospect_id } = await aLetter(app, one);
    const second = await enrolled(app, other, person);
    await drafted(app, other, second);
    await move(prospect_id, 'unsubscribed');
    for (const id of [prospect_id, second]) {
      expect(await place(id)).toMatchObject({ stage: 'unsubscribed', ended: 'unsubscribed' });
      expect(await states(id)).toEqual(['cancelled']);
    }
    const standing = () => app.sql`
      select id from suppressions where value_hash = ${person.hash} and reason = 'unsubscribe' and lifted_at is null`;
    const [row] = await standing();
    await app.admin.rest('DELETE', `${O}/suppressions/${row?.['id']}`);
    expect(await standing()).toHaveLength(0);
    expect((await move(prospect_id, 'unsubscribed')).moved).toBe(false);
    expect(await standing()).toHaveLength(1);
  });

  test('two opt-outs of one person at once both end, and one suppression exists', async () => {
    const [one, other] = [await aCampaign(app, desk), await aCampaign(app, desk)];
    const { person, prospect_id } = await aLetter(app, one);
    const second = await enrolled(app, other, person);
    const done = await Promise.all([prospect_id, second].map((id) => move(id, 'unsubscribed')));
    expect(done.filter(({ moved }) => moved)).toHaveLength(1);
    expect(await app.sql`select 1 from suppressions where value_hash = ${person.hash}`).toHaveLength(1);
  });

  test('a won deal moves the spine to won, a lost one leaves it', async () => {
    const { person, prospect_id } = await aLetter(app, await aCampaign(app, desk));
    for (const [state, more] of [
      ['lost', { lost_reason: 'price' }],
      ['won', {}],
    ] as const) {
      const { deal } = (
        await app.admin.rest('POST', '/api/admin/crm/deals', { name: 'Bridge', person_id: person.id })
      ).body;
      const settled = await app.admin.rest('POST', `/api/admin/crm/deals/${deal.id}/state`, {
        state,
        revision: deal.revision,
        ...more,
      });
      expect(settled.status, JSON.stringify(settled.body)).toBe(200);
      expect((await place(prospect_id))?.['stage']).toBe(state === 'won' ? 'won' : 'enrolled');
    }
  });
});

describe('acts on people reach their campaigns', () => {
  test('of two people of one campaign who are merged, one place goes on, as far as either came', async () => {
    const campaign = await aCampaign(app, desk);
    const [kept, gone] = [await aLetter(app, campaign, 'Kim One'), await aLetter(app, campaign, 'Kim One')];
    await move(gone.prospect_id, 'replied');
    const [from] = await app.sql`select revision from people where id = ${gone.person.id}`;
    const [into] = await app.sql`select revision from people where id = ${kept.person.id}`;
    const merged = await app.admin.rest('POST', `/api/admin/crm/people/${kept.person.id}/merge`, {
      from: gone.person.id,
      revision: into?.['revision'],
      from_revision: from?.['revision'],
    });
    expect(merged.status, JSON.stringify(merged.body)).toBe(200);
    expect(await place(kept.prospect_id)).toMatchObject({
      stage: 'replied',
      ended: 'replied',
      person_id: kept.person.id,
    });
    expect(await place(gone.prospect_id)).toMatchObject({ ended: 'merged', person_id: null });
  });

  test('whoever was merged into someone who opted out has opted out', async () => {
    const [one, other] = [await aCampaign(app, desk), await aCampaign(app, desk)];
    const [kept, gone] = [await aLetter(app, one), await aLetter(app, other)];
    await move(gone.prospect_id, 'unsubscribed');
    const merged = await app.admin.rest('POST', `/api/admin/crm/people/${kept.person.id}/merge`, {
      from: gone.person.id,
      revision: 1,
      from_revision: 1,
    });
    expect(merged.status, JSON.stringify(merged.body)).toBe(200);
    expect(await place(kept.prospect_id)).toMatchObject({ stage: 'unsubscribed', ended: 'unsubscribed' });
    expect(await states(kept.prospect_id)).toEqual(['cancelled']);
  });

  test('deleting a person ends their places, and an erased one leaves no words', async () => {
    const campaign = await aCampaign(app, desk);
    const [gone, erased] = [await aLetter(app, campaign), await aLetter(app, campaign)];
    expect((await app.admin.rest('DELETE', `/api/admin/crm/people/${gone.person.id}`)).status).toBe(200);
    expect(await place(gone.prospect_id)).toMatchObject({ ended: 'person_deleted', person_id: null });
    await app.admin.rest('POST', `${O}/prospects/${erased.prospect_id}/hold`, {
      reason: 'her mother is ill',
    });
    const done = await app.admin.rest('POST', `/api/admin/crm/people/${erased.person.id}/erase`, {
      revision: 1,
    });
    expect(done.status, JSON.stringify(done.body)).toBe(200);
    const left = await app.sql`
      select p.hold_reason, f.details from prospects p join prospect_facts f on f.prospect_id = p.id where p.id = ${erased.prospect_id}`;
    expect(JSON.stringify(left)).not.toContain('mother');
    expect(await states(erased.prospect_id)).toEqual(['cancelled']);
  });

  test('the timeline of a person tells what happened in campaigns', async () => {
    const { person, prospect_id } = await aLetter(app, await aCampaign(app, desk));
    await move(prospect_id, 'positive');
    const { items } = (await app.admin.rest('GET', `/api/admin/crm/people/${person.id}/timeline`)).body;
    expect(items.map(({ kind }: { kind: string }) => kind)).toEqual(
      expect.arrayContaining(['prospect_stage', 'prospect_ended']),
    );
  });
});

test('people are found by stage and campaign, and by no one who may not read those', async () => {
  const [one, other] = [await aCampaign(app, desk), await aCampaign(app, desk)];
  const [seen, elsewhere] = [await aLetter(app, one), await aLetter(app, other)];
  await move(seen.prospect_id, 'positive');
  const found = async (args: object): Promise<string[]> => {
    const { json } = await agent.tool('people_search', { ...args, limit: 200 });
    return json.items.map(({ id }: { id: string }) => id);
  };
  expect(await found({ campaign: one.id })).toEqual([seen.person.id]);
  expect(await found({ campaign: one.id, stage: 'enrolled' })).toEqual([]);
  const positive = await found({ stage: 'positive' });
  expect(positive).toContain(seen.person.id);
  expect(positive).not.toContain(elsewhere.person.id);
  expect((await agent.tool('people_search', { stage: 'delighted' })).isError).toBe(true);
  const reader = await app.person({ policies: ['crm-editor'] });
  expect((await reader.rest('GET', '/api/admin/crm/people?stage=positive')).body.items).toEqual([]);
  expect((await reader.rest('GET', `/api/admin/crm/people?campaign=${one.id}`)).status).toBe(404);
});

test('whoever may read only one campaign sees its people, and no one’s of another', async () => {
  const [mine, other] = [await aCampaign(app, desk), await aCampaign(app, desk)];
  const [seen, hidden] = [await aLetter(app, mine), await aLetter(app, other)];
  const made = await app.admin.rest('POST', '/api/admin/policies', {
    name: 'one-campaign',
    version: 1,
    statements: [
      {
        effect: 'allow',
        actions: ['outreach.campaign.read', 'outreach.prospect.read'],
        resources: [`outreach:campaign/${mine.id}`],
      },
    ],
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const person = await app.person({ policies: ['one-campaign'] });
  const list = (await person.rest('GET', `${O}/campaigns/${mine.id}/prospects`)).body.items;
  expect(list).toMatchObject([{ id: seen.prospect_id, person_name: null }]);
  expect((await person.rest('GET', `${O}/campaigns/${other.id}/prospects`)).status).toBe(404);
  expect((await person.rest('GET', `${O}/prospects/${hidden.prospect_id}`)).status).toBe(404);
  expect((await person.rest('POST', `${O}/prospects/${seen.prospect_id}/remove`, {})).status).toBe(403);
});
