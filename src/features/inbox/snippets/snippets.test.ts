// Saved replies through their entry points.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type PersonClient, type TestApp } from '../../../../test/support/app.ts';

let app: TestApp;
let ben: PersonClient;
beforeAll(async () => {
  app = await openTestApp();
  ben = await app.person({ name: 'Ben' });
});
afterAll(() => app?.close());

const names = async (client: Pick<PersonClient, 'rest'>, query = '') =>
  (await client.rest('GET', `/api/snippets${query}`)).body.items.map((each: { name: string }) => each.name);

describe('saved replies', () => {
  test('are everyone’s or one user’s own, listed by name', async () => {
    const prices = await ben.rest('POST', '/api/snippets', { name: 'Prices', text: 'It costs 5.' });
    expect(prices.status).toBe(201);
    const own = (await ben.rest('POST', '/api/snippets', { name: 'Mine', text: 'Bye', own: true })).body
      .snippet;
    expect(await names(ben)).toEqual(['Mine', 'Prices']);
    expect(await names(app.admin)).toEqual(['Prices']);
    const first = (await ben.rest('GET', '/api/snippets?limit=1')).body;
    expect(await names(ben, `?limit=1&cursor=${first.next_cursor}`)).toEqual(['Prices']);
    const path = `/api/snippets/${own.id}`;
    expect((await app.admin.rest('PATCH', path, { revision: 1, text: 'x' })).status).toBe(404);
    expect((await app.admin.rest('DELETE', path)).status).toBe(404);
    expect((await ben.rest('DELETE', path)).status).toBe(200);
    expect(await names(ben)).toEqual(['Prices']);
  });

  test('change only at the revision that was read', async () => {
    const { snippet } = (await ben.rest('POST', '/api/snippets', { name: 'Hours', text: 'Nine to five' }))
      .body;
    const path = `/api/snippets/${snippet.id}`;
    const changed = await app.admin.rest('PATCH', path, { revision: 1, text: 'Ten to six' });
    expect(changed.body.snippet).toMatchObject({
      name: 'Hours',
      text: 'Ten to six',
      revision: 2,
      own: false,
    });
    const stale = await ben.rest('PATCH', path, { revision: 1, name: 'Times' });
    expect(stale.status).toBe(409);
    expect(stale.body.error.message).toContain('the current revision is 2');
  });

  test('a token of no one has none of its own', async () => {
    const robot = await app.token({ mode: 'service', policies: ['inbox-agent'] });
    expect((await robot.rest('POST', '/api/snippets', { name: 'A', text: 'B', own: true })).status).toBe(409);
    expect((await robot.rest('POST', '/api/snippets', { name: 'A', text: 'B' })).status).toBe(201);
  });
});
