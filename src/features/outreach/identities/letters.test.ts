// What becomes of letters when their sender or its domain changes: made again and read again, or asked again at once.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type TestApp, type TokenClient } from '../../../../test/support/app.ts';
import {
  aCampaign,
  aDesk,
  aLetter,
  approved,
  type Desk,
  O,
  readSend,
} from '../../../../test/support/letters.ts';

let app: TestApp;
let token: TokenClient;
let wired: TokenClient;
beforeAll(async () => {
  app = await openTestApp();
  token = await app.token();
  wired = await app.token({ scopes: { wire: true } });
});
afterAll(async () => app.close());

async function anApproved(): Promise<{ desk: Desk; send_id: string }> {
  const desk = await aDesk(app);
  const { send_id } = await aLetter(app, await aCampaign(app, desk));
  const answer = await approved(app.admin, send_id);
  expect(answer.body.send, JSON.stringify(answer.body)).toMatchObject({ state: 'scheduled' });
  return { desk, send_id };
}

async function patch({ identity_id }: Desk, change: object, as = token): Promise<any> {
  const { revision } = (await app.admin.rest('GET', `${O}/identities/${identity_id}`)).body.identity;
  const answer = await as.rest('PATCH', `${O}/identities/${identity_id}`, { revision, ...change });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.identity;
}

describe('an edit by someone without wire puts no words on the wire that no one has read', () => {
  test.each([
    ['its signature', { signature_text: 'Buy now: evil.example' }],
    ['its name', { name: 'Somebody Else' }],
  ])('of %s sends an approved letter to review', async (_, change) => {
    const { desk, send_id } = await anApproved();
    const before = (await readSend(app.admin, send_id)).send;
    await patch(desk, change);
    const { send } = await readSend(app.admin, send_id);
    expect(send).toMatchObject({ state: 'review', approved_by: null });
    expect(send.fingerprint).not.toBe(before.fingerprint);
  });

  test('of a letter that no one had to read sends it to review, and by someone with wire it goes on', async () => {
    for (const [as, state] of [
      [wired, 'scheduled'],
      [token, 'review'],
    ] as const) {
      const desk = await aDesk(app);
      const { send_id } = await aLetter(app, await aCampaign(app, desk, { review_policy: 'changed' }));
      const before = (await readSend(app.admin, send_id)).send;
      expect(before.state).toBe('scheduled');
      await patch(desk, { signature_text: 'Ada, of the bridge desk' }, as);
      const { send } = await readSend(app.admin, send_id);
      expect(send.state).toBe(state);
      expect(send.fingerprint).not.toBe(before.fingerprint);
    }
  });

  test('and one of what no recipient sees leaves it approved', async () => {
    const { desk, send_id } = await anApproved();
    await patch(desk, { daily_cap: 11, hourly_cap: 3 });
    expect((await readSend(app.admin, send_id)).send).toMatchObject({ state: 'scheduled' });
  });
});

const waits = (send_id: string) =>
  app.sql`update sends set waiting_for = 'identity_cap', not_before = now() + interval '9 hours' where id = ${send_id}`;
const isAskedNow = async (send_id: string): Promise<boolean> => {
  const [row] = await app.sql`select waiting_for, not_before from sends where id = ${send_id}`;
  return row?.['waiting_for'] === null && row['not_before'] === null;
};

describe('letters that wait are asked again at once', () => {
  test('when a cap goes up, or an identity is set active', async () => {
    const { desk, send_id } = await anApproved();
    await waits(send_id);
    await patch(desk, { daily_cap: 60 });
    expect(await isAskedNow(send_id)).toBe(true);
    await token.rest('POST', `${O}/identities/${desk.identity_id}/deactivate`, {});
    await waits(send_id);
    const activated = await wired.rest('POST', `${O}/identities/${desk.identity_id}/activate`, {});
    expect(activated.status).toBe(200);
    expect(await isAskedNow(send_id)).toBe(true);
  });

  test("when the domain's cap goes up, or its pause is lifted; not when someone stops it", async () => {
    const { desk, send_id } = await anApproved();
    await waits(send_id);
    const raise = { revision: 1, daily_cap: 500 };
    expect((await token.rest('PATCH', `${O}/domains/${desk.domain_id}`, raise)).status).toBe(200);
    expect(await isAskedNow(send_id)).toBe(true);
    await waits(send_id);
    await token.rest('POST', `${O}/domains/${desk.domain_id}/pause`, {});
    expect(await isAskedNow(send_id)).toBe(false);
    expect((await wired.rest('POST', `${O}/domains/${desk.domain_id}/resume`, {})).status).toBe(200);
    expect(await isAskedNow(send_id)).toBe(true);
  });
});

test('changes of one identity, its domain and its letters at once end, each with an answer', async () => {
  const { desk, send_id } = await anApproved();
  const { send } = await readSend(app.admin, send_id);
  for (let round = 0; round < 5; round++) {
    const { revision } = (await app.admin.rest('GET', `${O}/identities/${desk.identity_id}`)).body.identity;
    const answers = await Promise.all([
      token.rest('PATCH', `${O}/identities/${desk.identity_id}`, {
        revision,
        signature_text: `Ada ${round}`,
      }),
      app.admin.rest('POST', `${O}/sends/${send_id}/approve`, { fingerprint: send.fingerprint }),
      token.rest('POST', `${O}/domains/${desk.domain_id}/pause`, {}),
      wired.rest('POST', `${O}/domains/${desk.domain_id}/resume`, {}),
      wired.rest('POST', `${O}/identities/${desk.identity_id}/activate`, {}),
      token.rest('POST', `${O}/identities/${desk.identity_id}/deactivate`, {}),
    ]);
    expect(answers.map(({ status }) => status).filter((status) => ![200, 409].includes(status))).toEqual([]);
  }
});
