// What a campaign's own acts do to its scheduled letters: an edit of the steps, an archive, a pause.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  activate,
  enrolled,
  LETTER,
  O,
  readyCampaign,
  saveSteps,
} from '../../../../../test/support/campaigns.ts';
import { openTestApp, type TestApp, type TokenClient } from '../../../../../test/support/app.ts';
import { verdict } from '../../../../../test/support/letters.ts';
import { draftLetter } from '../../sends/draft/draft.store.ts';

let app: TestApp;
let wire: TokenClient;
let plain: TokenClient;
beforeAll(async () => {
  app = await openTestApp();
  wire = await app.token({ scopes: { wire: true } });
  plain = await app.token();
});
afterAll(() => app?.close());

const BY = { kind: 'system', id: 'test', name: 'test' } as const;

/** A letter of the first step to someone new, as the stepping pass drafts it. */
async function drafted(campaign: string): Promise<string> {
  const { prospect_id } = await enrolled(app, campaign);
  const { sequence } = (await app.admin.rest('GET', `${O}/campaigns/${campaign}/sequence`)).body;
  const of = app.instance.app;
  const now = app.clock.now();
  const made = await of.database.transact((tx) =>
    draftLetter(tx, of, { prospect_id, step_id: sequence.steps[0].id, scheduled_for: now }, BY, now),
  );
  if (!made.drafted) throw new Error(made.why);
  return made.send_id;
}

const letter = async (id: string) =>
  (
    await app.sql<
      any[]
    >`select state, text, review_reason, cancel_reason, approved_at from sends where id = ${id}`
  )[0];

async function activeWithout(policy: 'none' | 'changed'): Promise<any> {
  const ready = await readyCampaign(app);
  await wire.rest('PUT', `${O}/campaigns/${ready.id}/no-human-review`, {
    confirmed: true,
    sequence_revision: 2,
  });
  const set = await wire.rest('PUT', `${O}/campaigns/${ready.id}/review-policy`, {
    review_policy: policy,
    revision: ready.revision + 1,
  });
  expect(set.status, JSON.stringify(set.body)).toBe(200);
  expect((await activate(wire, ready.id)).status).toBe(200);
  const { sequence } = (await wire.rest('GET', `${O}/campaigns/${ready.id}/sequence`)).body;
  return { id: ready.id, step: sequence.steps[0].id };
}

describe('an edit of the sequence', () => {
  test('by a caller without wire sends the letters it touches to review, and those drafted after it too', async () => {
    const { id, step } = await activeWithout('changed');
    const before = await drafted(id);
    expect(await letter(before)).toMatchObject({ state: 'scheduled', review_reason: null });
    await saveSteps(plain, id, [{ ...LETTER, id: step, text: 'Words nobody has read' }]);
    expect(await letter(before)).toMatchObject({
      state: 'review',
      text: expect.stringContaining('Words nobody has read'),
    });
    const after = await drafted(id);
    expect(await letter(after)).toMatchObject({ state: 'review' });
  });

  test('by a caller with wire changes them and lets them go on', async () => {
    const { id, step } = await activeWithout('changed');
    const send = await drafted(id);
    await saveSteps(wire, id, [{ ...LETTER, id: step, text: 'Words by wire' }]);
    expect(await letter(send)).toMatchObject({
      state: 'scheduled',
      text: expect.stringContaining('Words by wire'),
    });
    expect(await letter(await drafted(id))).toMatchObject({ state: 'scheduled' });
  });

  test('makes the confirmation that no person reviews stale, whoever makes it', async () => {
    const { id, step } = await activeWithout('none');
    await saveSteps(wire, id, [{ ...LETTER, id: step, text: 'Other words' }]);
    const { campaign } = (await wire.rest('GET', `${O}/campaigns/${id}`)).body;
    expect(campaign.no_human_review.stale).toBe(true);
  });

  test('that changes no words leaves every letter as it is', async () => {
    const { id, step } = await activeWithout('changed');
    const send = await drafted(id);
    await saveSteps(plain, id, [
      { ...LETTER, id: step },
      { kind: 'wait', wait: { days: 1, hours: 0 } },
    ]);
    expect(await letter(send)).toMatchObject({ state: 'scheduled' });
  });
});

describe('an edit of what the campaign puts into its letters', () => {
  const edited = async (as: TokenClient, id: string, change: object) => {
    const { campaign } = (await as.rest('GET', `${O}/campaigns/${id}`)).body;
    const answer = await as.rest('PATCH', `${O}/campaigns/${id}`, { revision: campaign.revision, ...change });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    app.clock.advance(1000);
    return answer.body.campaign;
  };
  const anotherAddress = async () => {
    const made = await wire.rest('POST', `${O}/postal-addresses`, { name: 'Other', lines: 'Evil Road 6' });
    return { postal_address_id: made.body.postal_address.id as string };
  };
  const asking = { ...LETTER, text: 'Our goal: {{ campaign.goal }} of {{ campaign.name }}' };

  test('by a caller without wire sends the letters it touches to review, and those drafted after it too', async () => {
    for (const [change, says] of [
      [{ goal: 'Buy now' }, 'Our goal: Buy now'],
      [{ name: 'Pay at evil.example' }, 'of Pay at evil.example'],
      [await anotherAddress(), 'Evil Road 6'],
    ] as const) {
      const { id, step } = await activeWithout('changed');
      await saveSteps(wire, id, [{ ...asking, id: step }]);
      const before = await drafted(id);
      expect(await letter(before)).toMatchObject({ state: 'scheduled' });
      app.clock.advance(1000);
      await edited(plain, id, change);
      const changed = await letter(before);
      expect(changed).toMatchObject({ state: 'review', review_reason: 'sequence_changed' });
      expect(changed.text).toContain(says);
      const after = await drafted(id);
      expect(await letter(after)).toMatchObject({ state: 'review', review_reason: 'sequence_changed' });
    }
  });

  test('by a caller with wire makes them again and lets them go on', async () => {
    const { id } = await activeWithout('changed');
    const send = await drafted(id);
    app.clock.advance(1000);
    await edited(wire, id, await anotherAddress());
    expect(await letter(send)).toMatchObject({
      state: 'scheduled',
      text: expect.stringContaining('Evil Road 6'),
    });
    expect(await letter(await drafted(id))).toMatchObject({ state: 'scheduled' });
  });

  test('where none is read makes the confirmation stale, and a new one lets them all go on', async () => {
    const { id } = await activeWithout('none');
    const send = await drafted(id);
    const held = async () => (await verdict(app, send))?.stop;
    expect(await held()).not.toMatchObject({ hold: 'review_confirmation_stale' });
    app.clock.advance(1000);
    const campaign = await edited(plain, id, await anotherAddress());
    expect(campaign.no_human_review.stale).toBe(true);
    expect(await letter(send)).toMatchObject({ text: expect.stringContaining('Evil Road 6') });
    expect(await held()).toMatchObject({ hold: 'review_confirmation_stale' });
    const confirm = { confirmed: true, sequence_revision: 2 };
    const again = await wire.rest('PUT', `${O}/campaigns/${id}/no-human-review`, confirm);
    expect(again.body.campaign.no_human_review.stale).toBe(false);
    expect(await held()).not.toMatchObject({ hold: 'review_confirmation_stale' });
  });

  test('that no letter says leaves them, those to be drafted too', async () => {
    const { id } = await activeWithout('changed');
    const send = await drafted(id);
    app.clock.advance(1000);
    await edited(plain, id, { name: 'Another name', goal: 'Another goal', daily_cap: 7 });
    expect(await letter(send)).toMatchObject({ state: 'scheduled' });
    expect(await letter(await drafted(id))).toMatchObject({ state: 'scheduled' });
  });

  test('is not undone by an edit of the steps with wire: no one has read it by that', async () => {
    const { id, step } = await activeWithout('changed');
    app.clock.advance(1000);
    await edited(plain, id, await anotherAddress());
    await saveSteps(wire, id, [{ ...LETTER, id: step, text: 'Words by wire' }]);
    expect(await letter(await drafted(id))).toMatchObject({ state: 'review' });
  });
});

test('archiving cancels every letter that has not left, and pausing cancels none', async () => {
  const { id } = await activeWithout('changed');
  const sends = [await drafted(id), await drafted(id)];
  await app.admin.rest('POST', `${O}/campaigns/${id}/pause`, {});
  for (const send of sends) expect(await letter(send)).toMatchObject({ state: 'scheduled' });
  await app.admin.rest('POST', `${O}/campaigns/${id}/archive`, {});
  for (const send of sends)
    expect(await letter(send)).toMatchObject({ state: 'cancelled', cancel_reason: 'campaign_archived' });
});

test('a step whose letters exist stays a letter', async () => {
  const { id, step } = await activeWithout('changed');
  await drafted(id);
  const { sequence } = (await plain.rest('GET', `${O}/campaigns/${id}/sequence`)).body;
  const turned = await plain.rest('PUT', `${O}/campaigns/${id}/sequence`, {
    revision: sequence.revision,
    steps: [{ id: step, kind: 'wait', wait: { days: 1, hours: 0 } }],
  });
  expect(turned.body.error.details.fields).toHaveProperty(['steps.0.kind']);
});
