// The live stream under policies: no one hears the id of a row that is hidden from them.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type PersonClient, type TestApp } from '../support/app.ts';

let app: TestApp;
let hidden: string;
let shown: string;
beforeAll(async () => {
  app = await openTestApp();
  const made = async (name: string): Promise<string> =>
    (await app.admin.rest('POST', '/api/admin/crm/people', { name })).body.person.id;
  [hidden, shown] = [await made('Hidden Person'), await made('Shown Person')];
});
afterAll(async () => app?.close());

let count = 0;
async function under(statements: object[]): Promise<PersonClient> {
  const name = `policy-${(count += 1)}`;
  const made = await app.admin.rest('POST', '/api/admin/policies', { name, version: 1, statements });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return app.person({ policies: [name] });
}

/** What the stream says while `act` is done, up to a change of the settings of whoever listens. */
async function hears(
  person: PersonClient,
  act: () => Promise<unknown>,
): Promise<{ topic: string; id: string }[]> {
  const stop = new AbortController();
  const answer = await fetch(`${app.url}/api/events`, {
    headers: { cookie: person.cookie },
    signal: stop.signal,
  });
  expect(answer.status).toBe(200);
  const heard: { topic: string; id: string }[] = [];
  const reading = (async () => {
    const decoder = new TextDecoder();
    let rest = '';
    for await (const piece of answer.body as unknown as AsyncIterable<Uint8Array>) {
      rest += decoder.decode(piece, { stream: true });
      const blocks = rest.split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks)
        if (block.startsWith('data: '))
          heard.push(JSON.parse(block.slice(6)) as { topic: string; id: string });
      if (heard.some(({ topic }) => topic === 'me')) return;
    }
  })().catch(() => undefined);
  await act();
  await person.rest('PATCH', '/api/me', { name: `Renamed ${(count += 1)}` });
  const late = setTimeout(() => stop.abort(), 10_000);
  await reading;
  clearTimeout(late);
  stop.abort();
  expect(
    heard.map(({ topic }) => topic),
    'the stream was cut before its end',
  ).toContain('me');
  return heard;
}

const change = async (): Promise<void> => {
  for (const [i, id] of [hidden, shown].entries()) {
    const { revision } = (await app.admin.rest('GET', `/api/admin/crm/people/${id}`)).body.person;
    const changed = await app.admin.rest('PATCH', `/api/admin/crm/people/${id}`, {
      revision,
      title: `Engineer ${i} ${(count += 1)}`,
    });
    expect(changed.status, JSON.stringify(changed.body)).toBe(200);
  }
};

test('whoever is denied one person hears that people changed, and of no id', async () => {
  const person = await under([
    { effect: 'allow', actions: ['crm.*'], resources: ['*'] },
    { effect: 'deny', actions: ['crm.*'], resources: [`crm:person/${hidden}`] },
  ]);
  expect((await person.rest('GET', `/api/admin/crm/people/${shown}`)).status).toBe(200);
  expect((await person.rest('GET', `/api/admin/crm/people/${hidden}`)).status).toBeGreaterThanOrEqual(403);
  const heard = await hears(person, change);
  expect(heard.filter(({ topic }) => topic === 'people').length).toBeGreaterThan(0);
  expect(JSON.stringify(heard)).not.toContain(hidden);
});

test('whoever is allowed one person alone hears of no other id', async () => {
  const service = await under([
    { effect: 'deny', actions: ['crm.person.read'], resources: [`crm:person/${hidden}`] },
    { effect: 'allow', actions: ['crm.person.read'], resources: [`crm:person/${shown}`] },
  ]);
  expect(JSON.stringify(await hears(service, change))).not.toContain(hidden);
});

test('whoever may read no person hears of none, and whoever may read all hears of each', async () => {
  const none = await under([{ effect: 'deny', actions: ['crm.*'], resources: ['*'] }]);
  expect((await hears(none, change)).filter(({ topic }) => topic === 'people')).toEqual([]);
  const all = await hears(await under([{ effect: 'allow', actions: ['crm.*'], resources: ['*'] }]), change);
  for (const id of [hidden, shown]) expect(all).toContainEqual({ topic: 'people', id });
});
