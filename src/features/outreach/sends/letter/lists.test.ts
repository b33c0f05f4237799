// Lists of letters: found by what they are filtered by, from both ends, and nothing of what policies deny.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type TestApp, type TokenClient } from '../../../../../test/support/app.ts';
import {
  aCampaign,
  aDesk,
  aLetter,
  type Desk,
  O,
  type TestCampaign,
} from '../../../../../test/support/letters.ts';

let app: TestApp;
let desk: Desk;
let campaign: TestCampaign;
let plain: TokenClient;
beforeAll(async () => {
  app = await openTestApp();
  desk = await aDesk(app);
  campaign = await aCampaign(app, desk);
  plain = await app.token();
});
afterAll(async () => app.close());

describe('lists', () => {
  test('find by state, campaign, person and reason, from both ends, page by page', async () => {
    const one = await aCampaign(app, desk);
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.push((await aLetter(app, one)).send_id);
    const pages = async (query: string) => {
      const seen: string[] = [];
      let cursor = '';
      do {
        const answer = await plain.rest('GET', `${O}/sends?campaign=${one.id}&limit=2${query}${cursor}`);
        expect(answer.status, JSON.stringify(answer.body)).toBe(200);
        seen.push(...answer.body.items.map((each: { id: string }) => each.id));
        cursor = answer.body.next_cursor ? `&cursor=${answer.body.next_cursor}` : '';
      } while (cursor !== '');
      return seen;
    };
    expect(await pages('&state=review&order=oldest')).toEqual(ids);
    expect(await pages('')).toEqual(ids.toReversed());
    expect(await pages('&reason=suppressed')).toEqual([]);
    expect((await plain.rest('GET', `${O}/sends?cursor=AAAA`)).status).toBe(400);
  });

  test('show nothing of what policies deny, and a letter that may not be read is not there', async () => {
    const { send_id } = await aLetter(app, campaign);
    const other = await aCampaign(app, desk);
    const seen = await aLetter(app, other);
    const made = await app.admin.rest('POST', '/api/admin/policies', {
      name: 'one-campaign',
      version: 1,
      statements: [
        { effect: 'allow', actions: ['outreach.send.read'], resources: [`outreach:campaign/${other.id}`] },
      ],
    });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const narrow = await app.token({ mode: 'service', policies: ['one-campaign'], scopes: { wire: true } });
    const list = await narrow.rest('GET', `${O}/sends`);
    expect(list.body.items.map((each: { id: string }) => each.id)).toEqual([seen.send_id]);
    expect(list.body.items[0].person_name).toBeNull();
    expect((await narrow.rest('GET', `${O}/sends/${send_id}`)).status).toBe(404);
    expect((await narrow.rest('POST', `${O}/sends/${send_id}/cancel`, {})).status).toBe(403);
  });
});
