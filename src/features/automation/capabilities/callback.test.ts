// The address that another party's sign-in sends a browser back to: what it hands on to the screen, and to whom it says no.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../../test/support/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app?.close());

const landed = async (query: string): Promise<string | null> =>
  (await fetch(`${app.url}/oauth/callback?${query}`, { redirect: 'manual' })).headers.get('location');

test('a state and a code are handed on, and nothing else', async () => {
  expect(await landed('state=a&code=b&iss=https%3A%2F%2Fi.example&next=https%3A%2F%2Fevil.example')).toBe(
    '/settings/capabilities?state=a&code=b&iss=https%3A%2F%2Fi.example',
  );
});

test.each(['error=access_denied&error_description=<b>', 'code=b', 'state=a', 'state=a&state=b&code=c', ''])(
  'a sign-in that was refused there, or came back without what redeems it, comes back as refused: %s',
  async (query) => {
    expect(await landed(query)).toBe('/settings/capabilities?refused=1');
  },
);
