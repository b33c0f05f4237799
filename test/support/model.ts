// A model server on loopback that speaks both wire formats as their documentation says: OpenAI's chat completions and
// Anthropic's messages, streamed. It answers what a test planned, in order, and keeps what it was asked.
import type { ServerResponse } from 'node:http';
import { receiver, type Arrived } from './receiver.ts';

/** How an answer ends, where not on its own. */
type Ends = 'length' | 'content_filter';

/** What the next question is answered with. */
export type Planned =
  | { text: string; pieces?: number; ends?: Ends }
  | { text?: string; calls: { name: string; input: unknown; raw?: string }[]; ends?: Ends }
  | { status: number; retry_after?: string }
  /** Says this much and then nothing, until the reader goes. */
  | { hangs: string }
  /** Says this much and breaks off. */
  | { breaks: string };

export type Asked = {
  format: 'openai' | 'anthropic';
  /** What was asked, as it was sent. */
  body: any;
  headers: Arrived['headers'];
};

export type ModelStub = AsyncDisposable & {
  /** Base address of both formats. */
  url: string;
  asked: Asked[];
  /** Taken from the front; where nothing is planned it says "Nothing was planned." */
  next: Planned[];
  /** Keys that it knows. */
  keys: Set<string>;
  /** What is waited for before an answer ends. */
  hold: (() => Promise<unknown>) | null;
  /** Tokens it says that each answer took: in and out. */
  usage: { in: number; out: number } | null;
  /** Readers that went before the answer was whole. */
  left: () => number;
};

export const MODEL_KEY = 'sk-0123456789abcdefghij';
export const MODEL = 'test-large';

export async function modelStub(): Promise<ModelStub> {
  const asked: Asked[] = [];
  const next: Planned[] = [];
  const keys = new Set([MODEL_KEY]);
  let left = 0;
  let count = 0;
  const stub: Pick<ModelStub, 'hold' | 'usage'> = { hold: null, usage: { in: 100, out: 20 } };

  const route = (response: ServerResponse, { method, path, headers, body }: Arrived): void => {
    const key = String(headers['x-api-key'] ?? headers.authorization ?? '').replace(/^Bearer /, '');
    if (!keys.has(key))
      return say(response, 401, { error: { type: 'authentication_error', message: 'bad key' } });
    if (method === 'GET' && path.startsWith('/v1/models'))
      return say(response, 200, {
        object: 'list',
        data: [{ id: MODEL }, { id: 'test-small' }, { id: 'text-embedding-1' }],
      });
    const format = path === '/v1/messages' ? 'anthropic' : path === '/v1/chat/completions' ? 'openai' : null;
    if (!format || method !== 'POST') return say(response, 404, { error: { message: 'no such route' } });
    const question = JSON.parse(body.toString()) as { model: string };
    asked.push({ format, body: question, headers });
    if (question.model.startsWith('gone'))
      return say(response, 404, { error: { type: 'not_found_error', message: 'no such model' } });
    const planned = next.shift() ?? { text: 'Nothing was planned.' };
    if ('status' in planned) {
      if (planned.retry_after !== undefined) response.setHeader('retry-after', planned.retry_after);
      return say(response, planned.status, { error: { type: 'rate_limit_error', message: 'slow down' } });
    }
    response.on('close', () => void (left += response.writableFinished ? 0 : 1));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    count += 1;
    const events =
      format === 'openai' ? openAi(planned, count, stub.usage) : anthropic(planned, count, stub.usage);
    for (const event of events) response.write(event);
    if ('hangs' in planned) return;
    if ('breaks' in planned) return void setTimeout(() => response.destroy(), 50);
    if (stub.hold) void stub.hold().then(() => response.end());
    else response.end();
  };

  const server = await receiver((response) => {
    const request = server.arrived.at(-1);
    if (request) route(response, request);
  });
  return Object.assign(stub, {
    url: `http://127.0.0.1:${server.port}/v1`,
    asked,
    next,
    keys,
    left: () => left,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  });
}

function say(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

type Spoken = Exclude<Planned, { status: number }>;

const textOf = (planned: Spoken): string =>
  'hangs' in planned ? planned.hangs : 'breaks' in planned ? planned.breaks : (planned.text ?? '');
const callsOf = (planned: Spoken) => ('calls' in planned ? planned.calls : []);
const endsOf = (planned: Spoken): Ends | null => ('ends' in planned ? (planned.ends ?? null) : null);
const ANTHROPIC_ENDS = {
  length: 'max_tokens',
  content_filter: 'refusal',
  calls: 'tool_use',
  stop: 'end_turn',
} as const;
const isWhole = (planned: Spoken): boolean => !('hangs' in planned) && !('breaks' in planned);

function pieces(text: string, count: number): string[] {
  const size = Math.max(1, Math.ceil(text.length / count));
  return text.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? [];
}

function openAi(planned: Spoken, count: number, usage: ModelStub['usage']): string[] {
  const chunk = (delta: unknown, finish_reason: string | null = null) =>
    `data: ${JSON.stringify({
      id: `chatcmpl-${count}`,
      object: 'chat.completion.chunk',
      created: 1,
      model: MODEL,
      choices: [{ index: 0, delta, finish_reason }],
    })}\n\n`;
  const calls = callsOf(planned);
  return [
    chunk({ role: 'assistant', content: '' }),
    ...pieces(textOf(planned), 3).map((content) => chunk({ content })),
    ...calls.flatMap(({ name, input, raw }, index) => {
      const [first = '', ...rest] = pieces(raw ?? JSON.stringify(input), 2);
      const opening = {
        index,
        id: `call_${count}_${index}`,
        type: 'function',
        function: { name, arguments: first },
      };
      return [
        chunk({ tool_calls: [opening] }),
        ...rest.map((more) => chunk({ tool_calls: [{ index, function: { arguments: more } }] })),
      ];
    }),
    ...(isWhole(planned)
      ? [
          chunk({}, endsOf(planned) ?? (calls.length > 0 ? 'tool_calls' : 'stop')),
          ...(usage
            ? [
                `data: ${JSON.stringify({
                  id: `chatcmpl-${count}`,
                  object: 'chat.completion.chunk',
                  created: 1,
                  model: MODEL,
                  choices: [],
                  usage: {
                    prompt_tokens: usage.in,
                    completion_tokens: usage.out,
                    total_tokens: usage.in + usage.out,
                  },
                })}\n\n`,
              ]
            : []),
          'data: [DONE]\n\n',
        ]
      : []),
  ];
}

function anthropic(planned: Spoken, count: number, usage: ModelStub['usage']): string[] {
  const event = (type: string, more: object) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`;
  const block = (index: number, content_block: object, deltas: object[]) => [
    event('content_block_start', { index, content_block }),
    ...deltas.map((delta) => event('content_block_delta', { index, delta })),
  ];
  const calls = callsOf(planned);
  const text = textOf(planned);
  const whole = isWhole(planned);
  const stop = (index: number) => (whole ? [event('content_block_stop', { index })] : []);
  const offset = text === '' ? 0 : 1;
  return [
    event('message_start', {
      message: {
        id: `msg_${count}`,
        type: 'message',
        role: 'assistant',
        model: MODEL,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: usage?.in ?? 0, output_tokens: 1 },
      },
    }),
    event('ping', {}),
    ...(text === ''
      ? []
      : [
          ...block(
            0,
            { type: 'text', text: '' },
            pieces(text, 3).map((each) => ({ type: 'text_delta', text: each })),
          ),
          ...stop(0),
        ]),
    ...calls.flatMap(({ name, input, raw }, at) => [
      ...block(
        at + offset,
        { type: 'tool_use', id: `toolu_${count}_${at}`, name, input: {} },
        pieces(raw ?? JSON.stringify(input), 2).map((partial_json) => ({
          type: 'input_json_delta',
          partial_json,
        })),
      ),
      ...stop(at + offset),
    ]),
    ...(whole
      ? [
          event('message_delta', {
            delta: {
              stop_reason: ANTHROPIC_ENDS[endsOf(planned) ?? (calls.length > 0 ? 'calls' : 'stop')],
              stop_sequence: null,
            },
            usage: { output_tokens: usage?.out ?? 0 },
          }),
          event('message_stop', {}),
        ]
      : []),
  ];
}
