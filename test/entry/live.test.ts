// The live stream of open screens: change notifications within a second, under the caller's own credential, ended when it is worth nothing.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type PersonClient, type TestApp } from '../support/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
  await app.admin.rest('POST', '/api/work/projects', { key: 'OUT', name: 'Outreach' });
});
afterAll(async () => app.close());

/** Opens the stream and gives what it says, a line at a time. */
async function follow(
  person: PersonClient,
  signal: AbortSignal,
): Promise<AsyncGenerator<{ topic: string; id: string }>> {
  const answer = await fetch(`${app.url}/api/events`, { headers: { cookie: person.cookie }, signal });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/event-stream');
  return messages(answer.body as ReadableStream<BufferSource>);
}

/** Read from at once: `fetch` cancels a body that no one reads as soon as its response is collected as garbage. */
const messages = (body: ReadableStream<BufferSource>): AsyncGenerator<{ topic: string; id: string }> =>
  parsed(body.pipeThrough(new TextDecoderStream()));

async function* parsed(pieces: ReadableStream<string>): AsyncGenerator<{ topic: string; id: string }> {
  let rest = '';
  for await (const piece of pieces) {
    rest += piece;
    const blocks = rest.split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) if (block.startsWith('data: ')) yield JSON.parse(block.slice(6));
  }
}

test('a change made by an agent is told to an open screen within a second', async () => {
  const token = await app.token();
  const stop = new AbortController();
  const changes = await follow(app.admin, stop.signal);
  const made = await token.tool('work_create', { project: 'OUT', title: 'A card', status: 'todo' });
  const started = performance.now();
  // Change notifications of the mint may still be on its way.
  let heard = await changes.next();
  while (!heard.done && heard.value.topic !== 'work') heard = await changes.next();
  expect(heard.value).toEqual({ topic: 'work', id: made.json.item.project_id });
  expect(performance.now() - started).toBeLessThan(1_000);
  stop.abort();
  await changes.return(undefined).catch(() => undefined);
});

test('a screen hears nothing of a project that is not on its board', async () => {
  const outsider = await app.person({ projects: [] });
  const stop = new AbortController();
  const changes = await follow(outsider, stop.signal);
  const heard = changes.next().then(
    ({ value }) => value,
    () => 'nothing',
  );
  await app.admin.rest('POST', '/api/work/items', { project: 'OUT', title: 'Another card' });
  setTimeout(() => stop.abort(), 500);
  expect(await heard).toBe('nothing');
});

test('a stop of the product ends open streams, and does not wait for them', async () => {
  const other = await openTestApp();
  const answer = await fetch(`${other.url}/api/events`, { headers: { cookie: other.admin.cookie } });
  const read = messages(answer.body as ReadableStream<BufferSource>).next();
  const started = performance.now();
  await other.close();
  expect(performance.now() - started).toBeLessThan(5_000);
  expect((await read.catch(() => ({ done: true }))).done).toBe(true);
});

test('D: one user has thirty-two live streams and no more, whatever they are opened with, and others have theirs', async () => {
  const kim = await app.person();
  const token = await app.token({ user_id: kim.id });
  const stop = new AbortController();
  const opened = await Promise.all(Array.from({ length: 32 }, () => follow(kim, stop.signal)));
  for (const headers of [{ cookie: kim.cookie }, { authorization: `Bearer ${token.value}` }] as Record<
    string,
    string
  >[]) {
    const refused = await fetch(`${app.url}/api/events`, { headers });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
    expect(((await refused.json()) as { error: { message: string } }).error.message).toMatch(
      /^you have 32 live streams open, the maximum: close some tabs/,
    );
  }
  await (await follow(app.admin, stop.signal)).return(undefined);
  stop.abort();
  await Promise.all(opened.map((changes) => changes.return(undefined).catch(() => undefined)));
  const again = new AbortController();
  await expect
    .poll(async () => {
      const answer = await fetch(`${app.url}/api/events`, {
        headers: { cookie: kim.cookie },
        signal: again.signal,
      });
      return answer.status;
    })
    .toBe(200);
  again.abort();
});
