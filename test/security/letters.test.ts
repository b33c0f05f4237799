// Approvals of a letter that says something else by now than what was read, by every road to an approval.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestHouse, type RestClient, type TestHouse, type TokenClient } from '../support/house.ts';
import { aCampaign, aDesk, aLetter, O, readSend, type TestCampaign } from '../support/letters.ts';

let house: TestHouse;
let wire: TokenClient;
let campaign: TestCampaign;
beforeAll(async () => {
  house = await openTestHouse();
  wire = await house.token({ scopes: { wire: true } });
  campaign = await aCampaign(house, await aDesk(house));
});
afterAll(async () => house?.close());

describe('a letter that says something else than what was read', () => {
  /** Read, and edited after: its person, its subject, its text. */
  async function stale(edit: object): Promise<{ id: string; fingerprint: string; now: string }> {
    const { send_id } = await aLetter(house, campaign);
    const { fingerprint, revision } = (await readSend(house.admin, send_id)).send;
    const edited = await house.admin.rest('PATCH', `${O}/sends/${send_id}`, { revision, ...edit });
    expect(edited.status, JSON.stringify(edited.body)).toBe(200);
    expect(edited.body.send.fingerprint).not.toBe(fingerprint);
    return { id: send_id, fingerprint, now: edited.body.send.fingerprint };
  }
  const one = ({ id, fingerprint }: { id: string; fingerprint: string }) =>
    ['POST', `${O}/sends/${id}/approve`, { fingerprint }] as const;
  const many = ({ id, fingerprint }: { id: string; fingerprint: string }) =>
    ['POST', `${O}/sends/approve`, { sends: [{ id, fingerprint }] }] as const;
  const direct = async (by: RestClient, [method, path, body]: ReturnType<typeof one | typeof many>) => {
    const answer = await by.rest(method, path, body);
    return { done: answer.status < 300, says: JSON.stringify(answer.body) };
  };
  const asked = async (tool: string, [method, path, body]: ReturnType<typeof one | typeof many>) => {
    const answer = await wire.tool(tool, { method, path, body });
    return { done: !answer.isError, says: answer.text };
  };
  const ROADS: Record<
    string,
    (letter: { id: string; fingerprint: string }) => Promise<{ done: boolean; says: string }>
  > = {
    'a screen, one': (letter) => direct(house.admin, one(letter)),
    'a screen, many': (letter) => direct(house.admin, many(letter)),
    'a token, one': (letter) => direct(wire, one(letter)),
    'a token, many': (letter) => direct(wire, many(letter)),
    'api_request, one': (letter) => asked('api_request', one(letter)),
    'api_request, many': (letter) => asked('api_request', many(letter)),
    'admin_request, one': (letter) => asked('admin_request', one(letter)),
    'admin_request, many': (letter) => asked('admin_request', many(letter)),
  };

  test.each(Object.entries(ROADS))('is approved by nobody, by %s', async (_, road) => {
    for (const edit of [{ subject: 'Another subject' }, { text: 'Another text.\n' }]) {
      const letter = await stale(edit);
      const refused = await road(letter);
      expect(refused.done, refused.says).toBe(false);
      expect(refused.says).toMatch(/says something else than when you read it|none was approved, because/);
      const { send } = await readSend(house.admin, letter.id);
      expect([send.state, send.approved_at ?? null]).toEqual(['review', null]);
    }
  });

  test.each(Object.entries(ROADS))('is approved once it was read as it is, by %s', async (_, road) => {
    const letter = await stale({ subject: 'Another subject' });
    const taken = await road({ id: letter.id, fingerprint: letter.now });
    // An agent's turn may be one that people alone decide; whoever may, does.
    if (taken.done) expect((await readSend(house.admin, letter.id)).send.state).not.toBe('review');
    else expect(taken.says).not.toContain('fingerprint');
  });
});
