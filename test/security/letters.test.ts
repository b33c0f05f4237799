// Approvals of a letter that says something else by now than what was read, by every route to an approval.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type RestClient, type TestApp, type TokenClient } from '../support/app.ts';
import { aCampaign, aDesk, aLetter, O, readSend, type TestCampaign } from '../support/letters.ts';

let app: TestApp;
let wire: TokenClient;
let campaign: TestCampaign;
beforeAll(async () => {
  app = await openTestApp();
  wire = await app.token({ scopes: { wire: true } });
  campaign = await aCampaign(app, await aDesk(app));
});
afterAll(async () => app?.close());

describe('a letter that says something else than what was read', () => {
  /** Read, and edited after: its person, its subject, its text. */
  async function stale(edit: object): Promise<{ id: string; fingerprint: string; now: string }> {
    const { send_id } = await aLetter(app, campaign);
    const { fingerprint, revision } = (await readSend(app.admin, send_id)).send;
    const edited = await app.admin.rest('PATCH', `${O}/sends/${send_id}`, { revision, ...edit });
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
  const SOURCES: Record<
    string,
    (letter: { id: string; fingerprint: string }) => Promise<{ done: boolean; says: string }>
  > = {
    'a screen, one': (letter) => direct(app.admin, one(letter)),
    'a screen, many': (letter) => direct(app.admin, many(letter)),
    'a token, one': (letter) => direct(wire, one(letter)),
    'a token, many': (letter) => direct(wire, many(letter)),
    'api_request, one': (letter) => asked('api_request', one(letter)),
    'api_request, many': (letter) => asked('api_request', many(letter)),
    'admin_request, one': (letter) => asked('admin_request', one(letter)),
    'admin_request, many': (letter) => asked('admin_request', many(letter)),
  };

  test.each(Object.entries(SOURCES))('is approved by no one, by %s', async (_, source) => {
    for (const edit of [{ subject: 'Another subject' }, { text: 'Another text.\n' }]) {
      const letter = await stale(edit);
      const refused = await source(letter);
      expect(refused.done, refused.says).toBe(false);
      expect(refused.says).toMatch(/changed since you read it|no letter was approved/);
      const { send } = await readSend(app.admin, letter.id);
      expect([send.state, send.approved_at ?? null]).toEqual(['review', null]);
    }
  });

  test.each(Object.entries(SOURCES))('is approved once it was read as it is, by %s', async (_, source) => {
    const letter = await stale({ subject: 'Another subject' });
    const taken = await source({ id: letter.id, fingerprint: letter.now });
    // An agent's turn may be one that people alone decide; whoever may, does.
    if (taken.done) expect((await readSend(app.admin, letter.id)).send.state).not.toBe('review');
    else expect(taken.says).not.toContain('fingerprint');
  });
});
