// A house whose agents ask a model on loopback: keys saved, and turns asked for as people and tokens do.
import { expect } from 'vitest';
import type { ChatNews } from '../../src/features/inbox/threads/chat.contract.ts';
import {
  openTestHouse,
  type HouseWishes,
  type PersonClient,
  type TestHouse,
  type TokenClient,
} from './house.ts';
import { MODEL_KEY, modelStub, type ModelStub } from './model.ts';

export type ChatHouse = AsyncDisposable & { house: TestHouse; model: ModelStub };

export async function openChatHouse(wishes: HouseWishes = {}): Promise<ChatHouse> {
  const model = await modelStub();
  const house = await openTestHouse({ allowHosts: '127.0.0.1', ...wishes });
  await saveModelKey(house, model);
  return {
    house,
    model,
    async [Symbol.asyncDispose]() {
      await house.close();
      await model[Symbol.asyncDispose]();
    },
  };
}

export async function saveModelKey(
  house: TestHouse,
  model: ModelStub,
  provider: 'anthropic' | 'openai_compatible' = 'openai_compatible',
): Promise<void> {
  const saved = await house.admin.rest('PUT', `/api/admin/providers/${provider}/keys`, {
    keys: { api_key: MODEL_KEY },
    base_url: model.url,
  });
  expect(saved.status, JSON.stringify(saved.body)).toBe(200);
}

export type Streamed = { status: number; news: ChatNews[]; body: any };

/** POST /api/chat, read to its end; `until` stops reading earlier, as a browser that is closed does. */
export async function stream(
  { url }: TestHouse,
  who: PersonClient | TokenClient,
  body: object,
  until: (news: ChatNews) => boolean = () => false,
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
    return { status: answer.status, news: [], body: await answer.json() };
  const news: ChatNews[] = [];
  let text = '';
  const decoder = new TextDecoder();
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    text += decoder.decode(read.value, { stream: true });
    const lines = text.split('\n\n');
    text = lines.pop() ?? '';
    for (const line of lines)
      if (line.startsWith('data: ')) {
        const one = JSON.parse(line.slice(6)) as ChatNews;
        news.push(one);
        if (until(one)) {
          gone.abort();
          return { status: answer.status, news, body: null };
        }
      }
  }
  return { status: answer.status, news, body: null };
}

/** GET /api/threads/:id/attach, into `seen`, until the signal. */
export async function attach(
  { url }: TestHouse,
  { cookie }: PersonClient,
  thread_id: string,
  { seen, signal }: { seen: ChatNews[]; signal: AbortSignal },
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

export const endOf = ({ news }: Streamed): Extract<ChatNews, { type: 'end' }> => {
  const end = news.at(-1);
  expect(end?.type, JSON.stringify(news)).toBe('end');
  return end as Extract<ChatNews, { type: 'end' }>;
};
