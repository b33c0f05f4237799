// Settings that let a campaign do more than was agreed to when it was activated: by someone who may not activate it, they keep
// its letters back until it is activated again.
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type RestClient,
  openTestApp,
  type TestApp,
  type TokenClient,
} from '../../../../test/support/app.ts';
import {
  aCampaign,
  aDesk,
  aLetter,
  approved,
  type Desk,
  O,
  verdict,
} from '../../../../test/support/letters.ts';

let app: TestApp;
let desk: Desk;
let plain: TokenClient;
beforeAll(async () => {
  app = await openTestApp();
  desk = await aDesk(app);
  plain = await app.token();
});
afterAll(() => app?.close());

async function running() {
  const campaign = await aCampaign(app, desk, { exclusive: false, daily_cap: 100 });
  const { send_id } = await aLetter(app, campaign);
  expect((await approved(app.admin, send_id)).status).toBe(200);
  return { id: campaign.id, send_id };
}
async function patch(as: RestClient, id: string, body: object) {
  const { revision } = (await app.admin.rest('GET', `${O}/campaigns/${id}`)).body.campaign;
  const answer = await as.rest('PATCH', `${O}/campaigns/${id}`, { revision, ...body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
}

test.each<[string, object]>([
  ['a larger cap', { daily_cap: 101 }],
  ['no cap', { daily_cap: null }],
  ['more letters a week', { max_touches_per_week_per_person: 4 }],
  ['no basis', { require_basis: false }],
  ['any address', { verification_policy: 'any' }],
  ['letters after an answer', { stop_on_reply: false }],
  ['another zone', { timezone: 'Asia/Tokyo' }],
])(
  'hole A3: %s that a token gives a running campaign keeps its letters back, approved ones too',
  async (_, body) => {
    const { id, send_id } = await running();
    await patch(plain, id, body);
    expect(await verdict(app, send_id)).toMatchObject({
      gate: 'campaign',
      stop: { hold: 'campaign_eased', evidence: { settings: [Object.keys(body)[0]] } },
    });
    expect((await plain.rest('POST', `${O}/campaigns/${id}/pause`, {})).status).toBe(200);
    expect(await verdict(app, send_id)).toMatchObject({ stop: { hold: 'campaign_eased' } });
  },
);

test('what only holds a campaign tighter, or is edited by whoever may activate it, keeps nothing back', async () => {
  const { id, send_id } = await running();
  await patch(plain, id, {
    daily_cap: 50,
    blackout_dates: ['2030-01-01'],
    max_touches_per_week_per_person: 1,
  });
  await patch(plain, id, { windows: [{ days: [1, 2, 3], from: '01:00', to: '23:00' }] });
  await patch(app.admin, id, {
    daily_cap: 200,
    windows: [{ days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '24:00' }],
  });
  expect((await verdict(app, send_id))?.gate).not.toBe('campaign');
});

test('it is let go by activating it again, and not by someone else setting other things', async () => {
  const { id, send_id } = await running();
  await patch(plain, id, { daily_cap: 1_000 });
  await patch(app.admin, id, { goal: 'Bridges' });
  expect(await verdict(app, send_id)).toMatchObject({ stop: { hold: 'campaign_eased' } });
  await app.sql`update campaigns set state = 'paused', paused_reason = 'person' where id = ${id}`;
  const { seen } = (await app.admin.rest('GET', `${O}/campaigns/${id}/preflight`)).body;
  const again = await app.admin.rest('POST', `${O}/campaigns/${id}/activate`, { seen });
  expect(again.status, JSON.stringify(again.body)).toBe(200);
  expect((await verdict(app, send_id))?.gate).not.toBe('campaign');
});

test('what eased a campaign is in its answer and in its preflight, and undoing it lets its letters go', async () => {
  const { id, send_id } = await running();
  const read = async () => (await app.admin.rest('GET', `${O}/campaigns/${id}`)).body.campaign.eased;
  const check = async () =>
    (await app.admin.rest('GET', `${O}/campaigns/${id}/preflight`)).body.checks.find(
      ({ code }: { code: string }) => code === 'eased',
    );
  expect(await read()).toEqual([]);
  expect(await check()).toMatchObject({ ok: true });
  await patch(plain, id, { daily_cap: 150, stop_on_reply: false });
  await patch(plain, id, { daily_cap: 200 });
  expect(await read()).toEqual([
    { setting: 'daily_cap', was: 100, is: 200 },
    { setting: 'stop_on_reply', was: true, is: false },
  ]);
  expect(await check()).toMatchObject({
    ok: false,
    required: false,
    count: 2,
    sentence:
      'Someone without permission to activate this campaign relaxed its settings: letters per day from 100 to 200, stop when someone replies from yes to no. If you activate it, you accept these changes.',
  });
  // Less than it was made is still more than was agreed to.
  await patch(plain, id, { daily_cap: 120, stop_on_reply: true });
  expect(await read()).toEqual([{ setting: 'daily_cap', was: 100, is: 120 }]);
  expect(await verdict(app, send_id)).toMatchObject({ stop: { hold: 'campaign_eased' } });
  await patch(plain, id, { daily_cap: 100 });
  expect(await read()).toEqual([]);
  expect((await verdict(app, send_id))?.gate).not.toBe('campaign');
  // What someone sets who may activate it is agreed to.
  await patch(plain, id, { daily_cap: 300, require_basis: false });
  await patch(app.admin, id, { daily_cap: 250 });
  expect(await read()).toEqual([{ setting: 'require_basis', was: true, is: false }]);
});

test('what was eased in an earlier release waits for the activation, whatever it was', async () => {
  const { id, send_id } = await running();
  await app.sql`update campaigns set eased = '{daily_cap}' where id = ${id}`;
  await patch(plain, id, { daily_cap: 1 });
  expect((await app.admin.rest('GET', `${O}/campaigns/${id}`)).body.campaign.eased).toEqual([
    { setting: 'daily_cap', was: null, is: 1 },
  ]);
  expect(await verdict(app, send_id)).toMatchObject({ stop: { hold: 'campaign_eased' } });
});

test('a check of nothing says that it was not asked', async () => {
  const made = await app.admin.rest('POST', `${O}/campaigns`, { name: `Empty ${crypto.randomUUID()}` });
  const { checks } = (await app.admin.rest('GET', `${O}/campaigns/${made.body.campaign.id}/preflight`)).body;
  const open = checks.filter(({ ok }: { ok: boolean | null }) => ok === null);
  expect(open.length).toBeGreaterThan(3);
  for (const { sentence } of open) expect(sentence).toMatch(/^Not checked: /);
});
