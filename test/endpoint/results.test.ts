// Sizes and text at the endpoint, with operations made for it: how large bodies are refused, how large answers are cut, what
// is taken out of strangers' text, and what becomes of a stream that no list of streams knows.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { OK, operation } from '../../src/kernel/operation.ts';
import { bind } from '../../src/kernel/context.ts';
import { READS, tool } from '../../src/kernel/tool.ts';
import { BEARER, appOf, mountApp, type Mounted } from './mounted.ts';
import { agentOf, type Agent } from './speak.ts';

const free = { needs: { open: 'a fixture' }, who: 'anyone', step_up: 'no', wire: 'never' } as const;
const CAP = 48_000;
const LIMIT_BYTES = 1_048_576;

/** Text whose JSON `{"text":"…"}` is `chars` units long. */
const filled = (chars: number, end = ''): string =>
  'a'.repeat(chars - '{"text":""}'.length - end.length) + end;

/** What the route of a name answers with. */
const TEXTS: Record<string, string> = {
  exact: filled(CAP),
  over: filled(CAP + 1),
  // The pair's first half is the 48,000th unit of the answer's JSON.
  pair: `${'a'.repeat(CAP - 1 - '{"text":"'.length)}😀${'b'.repeat(100)}`,
  // The same for an escape: its backslash is the last unit that is kept.
  escape: `${'a'.repeat(CAP - 1 - '{"text":"'.length)}"${'b'.repeat(100)}`,
  huge: 'é"😀\\'.repeat(500_000),
  hidden:
    'a\u200bb\u00adc\u061cd\u200ee\u200ff\u202ag\u202eh\u2060i\u2066j\u2069k\ufeffl\u{e0041}m\u{e0100}n\u180eo\ufff9p\u3164q',
  kept: 'می\u200cخواهم 👩\u200d💻 ❤\ufe0f ✈\ufe0e e\u0301 \u00a0 日本 \ud83d\ude00 <b>&amp;</b>',
};

const textGet = operation({
  name: 'text_get',
  says: 'Gives a text.',
  method: 'GET',
  path: '/api/text/:name',
  takes: z.strictObject({ name: z.string() }),
  gives: z.object({ text: z.string() }),
  example: { name: 'exact' },
  effect: 'read',
  answers: OK,
  ...free,
});

const textPut = operation({
  name: 'text_put',
  says: 'Takes a text.',
  method: 'PUT',
  path: '/api/text',
  takes: z.strictObject({ text: z.string() }),
  gives: z.object({ bytes: z.int() }),
  example: { text: '' },
  effect: 'write',
  answers: OK,
  ...free,
});

const feed = operation({
  name: 'feed_follow',
  says: 'A stream that the path gate does not know.',
  method: 'GET',
  path: '/api/feed/live',
  takes: z.strictObject({}),
  gives: z.unknown(),
  example: {},
  effect: 'read',
  answers: { stream: 'sse', instead: '/api/feed/live is a live stream: read GET /api/feed' },
  ...free,
});

const broken = operation({
  name: 'text_break',
  says: 'Breaks.',
  method: 'POST',
  path: '/api/text',
  takes: z.strictObject({}),
  gives: z.object({}),
  example: {},
  effect: 'write',
  answers: OK,
  ...free,
});

let received: string[] = [];
let streams = 0;

const bound = [
  bind(textGet, async (_, { name }) => ({ text: TEXTS[name] ?? name })),
  bind(textPut, async (_, { text }) => {
    received.push(text);
    return { bytes: Buffer.byteLength(text) };
  }),
  bind(feed, async () => {
    streams += 1;
    return (async function* () {
      yield 'secret';
    })();
  }),
  bind(broken, async () => {
    throw new Error('password=hunter2');
  }),
];

const read = tool({
  name: 'text_get',
  title: 'Read a text',
  says: 'Gives a text.',
  hints: READS,
  takes: z.strictObject({ name: z.string() }),
  example: { name: 'exact' },
  calls: [textGet],
  pick: (args) => ({ operation: textGet, arguments: args }),
});

let mounted: Mounted;
let agent: Agent;

beforeAll(async () => {
  const text = {
    uri: 'service://text/{name}',
    name: 'Text',
    says: 'A text.',
    operation: 'text_get',
    arguments: {},
  };
  mounted = await mountApp(appOf(bound, [read]), [text]);
  agent = agentOf(mounted.url, BEARER);
});

afterAll(() => mounted.close());

beforeEach(() => {
  received = [];
});

const sources: [string, (name: string) => Promise<string>][] = [
  [
    'a request tool',
    async (name) => (await agent.tool('api_request', { method: 'GET', path: `/api/text/${name}` })).text,
  ],
  ['a named tool', async (name) => (await agent.tool('text_get', { name })).text],
  [
    'a resource',
    async (name) =>
      (await agent.call('resources/read', { uri: `service://text/${name}` })).result?.contents?.[0]?.text ??
      '',
  ],
];

const MARKERS: Record<string, (total: number) => string> = {
  'a request tool': () => '…truncated (over 48000 chars)',
  'a named tool': (total) => `…truncated (${total} chars total)`,
  'a resource': (total) => `…truncated (${total} chars total)`,
};

describe.each(sources)('the text of %s', (source, readBy) => {
  const marked = (name: string): string =>
    MARKERS[source]?.(JSON.stringify({ text: TEXTS[name] }).length) ?? '';

  test('is whole up to 48,000 characters', async () => {
    const text = await readBy('exact');
    expect(text.length).toBe(CAP);
    expect(JSON.parse(text)).toEqual({ text: TEXTS['exact'] });
  });

  test('is cut where the cap falls, with the marker of this route', async () => {
    const whole = JSON.stringify({ text: TEXTS['over'] });
    expect(await readBy('over')).toBe(whole.slice(0, CAP) + marked('over'));
  });

  test('E8: is cut before a surrogate pair that lies across the cap', async () => {
    const text = await readBy('pair');
    expect(text.isWellFormed()).toBe(true);
    expect(text).toBe(JSON.stringify({ text: TEXTS['pair'] }).slice(0, CAP - 1) + marked('pair'));
  });

  test('E8: may be cut inside an escape, and the answer is valid JSON-RPC still', async () => {
    expect(await readBy('escape')).toBe(
      JSON.stringify({ text: TEXTS['escape'] }).slice(0, CAP) + marked('escape'),
    );
  });

  test('is under 50,000 characters with its marker, however much there was', async () => {
    const text = await readBy('huge');
    expect(text.length).toBeLessThan(50_000);
    expect(text.endsWith(marked('huge'))).toBe(true);
  });

  test('has no invisible and no bidirectional control characters', async () => {
    expect(await readBy('hidden')).toBe('{"text":"abcdefghijklmnopq"}');
  });

  test('keeps what scripts and emoji need', async () => {
    expect(JSON.parse(await readBy('kept'))).toEqual({ text: TEXTS['kept'] });
  });
});

describe('E7: a JSON body of a request tool, in bytes', () => {
  const put = (text: string) =>
    agent.tool('api_request', { method: 'PUT', path: '/api/text', body: { text } });
  const room = LIMIT_BYTES - '{"text":""}'.length;
  const tooLarge = (kib: number) => ({
    isError: true,
    text: `that body is ${kib} KiB and the limit is 1024 KiB. Nothing was sent.`,
  });

  test.each([
    ['one byte each', 'a'.repeat(room)],
    ['two bytes each, but for the first', 'a' + 'é'.repeat((room - 1) / 2)],
    ['four bytes each, but for the first', 'a' + '😀'.repeat((room - 1) / 4)],
  ])('of exactly 1,048,576 is sent: %s', async (_, text) => {
    expect(Buffer.byteLength(JSON.stringify({ text }))).toBe(LIMIT_BYTES);
    expect(await put(text)).toEqual({ isError: false, text: `{"bytes":${room}}` });
    expect(received).toEqual([text]);
  });

  test.each([
    ['one byte more', 'a'.repeat(room + 1), 1_025],
    ['two bytes across the edge', 'é'.repeat((room + 1) / 2), 1_025],
    ['escapes count as they are written', '"'.repeat(room / 2 + 1), 1_025],
    ['1,300 KiB', 'a'.repeat(1_300 * 1_024 - '{"text":""}'.length), 1_300],
    ['1,300 KiB and a byte', 'a'.repeat(1_300 * 1_024 + 1 - '{"text":""}'.length), 1_301],
  ])('of more is refused, rounded up, and nothing is sent: %s', async (_, text, kib) => {
    expect(await put(text)).toEqual(tooLarge(kib));
    expect(received).toEqual([]);
  });

  test('white space around it does not count', async () => {
    const args = `{"method":"PUT","path":"/api/text","body":${' '.repeat(400_000)}{"text" :  "${'a'.repeat(room)}"}}`;
    expect(await agent.tool('api_request', args)).toEqual({ isError: false, text: `{"bytes":${room}}` });
  });
});

describe('E5: a stream that no list of streams knows', () => {
  test('is dropped: the sentence says what to read instead, and the stream is never begun', async () => {
    const { isError, text } = await agent.tool('api_request', { method: 'GET', path: '/api/feed/live' });
    expect([isError, text, streams]).toEqual([
      true,
      '/api/feed/live is a live stream: read GET /api/feed',
      0,
    ]);
  });
});

test('a fault of ours shows none of its text, and is no JSON-RPC error', async () => {
  const { isError, text } = await agent.tool('api_request', { method: 'POST', path: '/api/text', body: {} });
  expect([isError, text]).toEqual([
    true,
    'HTTP 500: something broke on our side; nothing was changed, and the operator can find it in the log',
  ]);
});
