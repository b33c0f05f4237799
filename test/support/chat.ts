// An app whose agents ask a model on loopback: keys saved, and turns asked for as people and tokens do.
import { expect } from 'vitest';
import type { ChatEvent } from '../../src/features/inbox/threads/chat.contract.ts';
import { openTestApp, type AppOptions, type PersonClient, type TestApp, type TokenClient } from './app.ts';
import { MODEL_KEY, modelStub, type ModelStub } from './model.ts';

export type ChatApp = AsyncDisposable & { app: TestApp; model: ModelStub };

export async function openChatApp(wishes: AppOptions = {}): Promise<ChatApp> {
  const model = await modelStub();
  const app = await openTestApp({ allowHosts: '127.0.0.1', ...wishes });
  await saveModelKey(app, model);
  return {
    app,
    model,
    async [Symbol.asyncDispose]() {
      await app.close();
      await model[Symbol.asyncDispose]();
    },
  };
}

export async function saveModelKey(
  app: TestApp,
  model: ModelStub,
  provider: 'anthropic' | 'openai_compatible' = 'openai_compatible',
): Promise<void> {
  const saved = await app.admin.rest('PUT', `/api/admin/providers/${provider}/keys`, {
    keys: { api_key: MODEL_KEY },
    base_url: model.url,
  });
  expect(saved.status, JSON.stringify(saved.body)).toBe(200);
}

export type Streamed = { status: number; changes: ChatEvent[]; body: any };

/** POST /api/chat, read to its end; `until` stops reading earlier, as a browser that is closed does. */
export async function stream(
  { url }: TestApp,
  who: PersonClient | TokenClient,
  body: object,
  until: (changes: ChatEvent) => boolean = () => false,
): Promise<Streamed> {
  const own: Record<string, string> =
    'cookie' in who ? { cookie: who.cookie, origin: url } : { authorization: `Bearer ${who.value}` };
  const gone = new AbortController();
  const answer = await fetch(`${url}/api/chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...own },
    body: JSON.stringify(body),
    signal: gone.signal,
  });
  if (!answer.headers.get('content-type')?.startsWith('text/event-stream'))
    return { status: answer.status, changes: [], body: await answer.json() };
  const changes: ChatEvent[] = [];
  let text = '';
  const decoder = new TextDecoder();
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    text += decoder.decode(read.value, { stream: true });
    const lines = text.split('\n\n');
    text = lines.pop() ?? '';
    for (const line of lines)
      if (line.startsWith('data: ')) {
        const one = JSON.parse(line.slice(6)) as ChatEvent;
        changes.push(one);
        if (until(one)) {
          gone.abort();
          return { status: answer.status, changes, body: null };
        }
      }
  }
  return { status: answer.status, changes, body: null };
}

/** GET /api/threads/:id/attach, into `seen`, until the signal. */
export async function attach(
  { url }: TestApp,
  { cookie }: PersonClient,
  thread_id: string,
  { seen, signal }: { seen: ChatEvent[]; signal: AbortSignal },
): Promise<void> {
  const answer = await fetch(`${url}/api/threads/${thread_id}/attach`, {
    headers: { cookie, origin: url },
    signal,
  });
  let text = '';
  try {
    for await (const piece of answer.body!.pipeThrough(new TextDecoderStream())) {
      text += piece;
      const lines = text.split('\n\n');
      text = lines.pop() ?? '';
      for (const line of lines) if (line.startsWith('data: ')) seen.push(JSON.parse(line.slice(6)));
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

export const endOf = ({ changes }: Streamed): Extract<ChatEvent, { type: 'end' }> => {
  const end = changes.at(-1);
  expect(end?.type, JSON.stringify(changes)).toBe('end');
  return end as Extract<ChatEvent, { type: 'end' }>;
};
