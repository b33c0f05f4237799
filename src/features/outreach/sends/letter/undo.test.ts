// Undoing an approval: a letter that is approved from a screen starts ten seconds later, and until it starts it can go back to
// review.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../../../test/support/app.ts';
import {
  aCampaign,
  aDesk,
  aLetter,
  approved,
  O,
  readSend,
  type TestCampaign,
} from '../../../../../test/support/letters.ts';
import { claimLetters } from '../sender/store.ts';

let app: TestApp;
let campaign: TestCampaign;
beforeAll(async () => {
  app = await openTestApp();
  campaign = await aCampaign(app, await aDesk(app));
});
afterAll(async () => app?.close());

const now = () => app.clock.now();
const state = async (id: string) => (await readSend(app.admin, id)).send.state;

describe('an approval from a screen', () => {
  const undoable = async (id: string) => {
    const { send } = await readSend(app.admin, id);
    return app.admin.rest('POST', `${O}/sends/${id}/approve`, {
      fingerprint: send.fingerprint,
      undoable: true,
    });
  };
  const undo = (...sends: string[]) => app.admin.rest('POST', `${O}/sends/unapprove`, { sends });
  /** Whether any process would take it into its hands then. */
  async function isTaken(id: string, at: Date): Promise<boolean> {
    let ids: string[] = [];
    const lease = { id: randomUUID(), from: at, until: at };
    await app.instance.app.database
      .transact(async (tx) => {
        ids = (await claimLetters(tx, lease, 50, new Map())).map((one) => one.id);
        throw new Error('given back');
      })
      .catch(() => undefined);
    return ids.includes(id);
  }

  test('keeps the letter back for ten seconds, to the millisecond, and one that is due later as long as it was', async () => {
    const { send_id } = await aLetter(app, campaign);
    const begun = now().getTime();
    expect((await undoable(send_id)).body.send.state).toBe('scheduled');
    const due = Date.parse((await readSend(app.admin, send_id)).send.scheduled_for);
    expect(due).toBeGreaterThanOrEqual(begun + 10_000);
    expect(due).toBeLessThanOrEqual(now().getTime() + 10_000);
    expect(await isTaken(send_id, new Date(due - 1))).toBe(false);
    expect(await isTaken(send_id, new Date(due))).toBe(true);

    const later = await aLetter(app, campaign);
    const tomorrow = new Date(now().getTime() + 86_400_000);
    await app.sql`update sends set scheduled_for = ${tomorrow} where id = ${later.send_id}`;
    await undoable(later.send_id);
    expect((await readSend(app.admin, later.send_id)).send.scheduled_for).toBe(tomorrow.toISOString());
  });

  test('is undone as long as nothing started: the letter is in review again, approved by no one, and its history says so', async () => {
    const { send_id } = await aLetter(app, campaign);
    const before = (await readSend(app.admin, send_id)).send;
    await undoable(send_id);
    const answer = await undo(send_id);
    expect(answer.body).toMatchObject({ undone: [{ id: send_id, state: 'review' }], refused: [] });
    const { send, history } = await readSend(app.admin, send_id);
    expect(send).toMatchObject({
      state: 'review',
      approved_by: null,
      fingerprint: before.fingerprint,
      review_reason: before.review_reason,
    });
    expect(history.map(({ kind }: { kind: string }) => kind).slice(0, 2)).toEqual(['unapproved', 'approved']);
    expect(await isTaken(send_id, new Date(now().getTime() + 86_400_000))).toBe(false);
    expect((await approved(app.admin, send_id)).status).toBe(200);
  });

  test('is not undone once the letter started; every other one of them is', async () => {
    const [one, two] = [await aLetter(app, campaign), await aLetter(app, campaign)];
    for (const { send_id } of [one, two]) await undoable(send_id);
    await app.sql`update sends set state = 'sending', sending_at = ${now()} where id = ${one.send_id}`;
    const { undone, refused } = (await undo(one.send_id, two.send_id)).body;
    expect(undone.map(({ id }: { id: string }) => id)).toEqual([two.send_id]);
    expect(refused).toEqual([
      {
        id: one.send_id,
        code: 'conflict',
        sentence: 'this letter cannot be returned to review: it is being sent right now',
      },
    ]);
    expect(await state(one.send_id)).toBe('sending');
  });
});
