// Begins a turn. The answer is a stream whose first message names the turn; the rest is followed as after a reload.
import { ApiError } from '../../../../ui/client/call.ts';
import type { LiveTurn } from '../turn/live.rules.ts';
import type { ChatEvent } from '../../../inbox/threads/chat.contract.ts';

export type AskedChat = { message: string; thread_id?: string; agent?: string };

const BROKE_OFF = 'Connection lost. If your message isn’t shown here, send it again.';

/** Throws an ApiError with the product's sentence. */
export async function beginTurn(asked: AskedChat): Promise<LiveTurn> {
  const gone = new AbortController();
  const answer = await fetch('/api/chat', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(asked),
    credentials: 'same-origin',
    cache: 'no-store',
    signal: gone.signal,
  }).catch(() => {
    throw new ApiError(0, 'unreachable', 'Connection failed. Check your connection and try again.');
  });
  if (!answer.ok || !answer.body) {
    const { error } = (await answer.json().catch(() => ({}))) as {
      error?: { code?: string; message?: string; details?: { retry_after?: number } };
    };
    throw new ApiError(answer.status, error?.code ?? 'fault', error?.message ?? BROKE_OFF, error?.details);
  }
  try {
    const first = await firstOf(answer.body);
    if (first?.type !== 'turn') throw new ApiError(0, 'unreachable', BROKE_OFF);
    const { thread_id, turn_id: id, agent, model, message } = first;
    return {
      id,
      thread_id,
      agent,
      model,
      message,
      text: '',
      used: [],
      state: 'running',
      sentence: null,
      again: false,
    };
  } finally {
    gone.abort();
  }
}

async function firstOf(body: ReadableStream<Uint8Array>): Promise<ChatEvent | null> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
    if (done) return null;
    text += decoder.decode(value, { stream: true });
    const data = /(?:^|\n)data: (.*)\n\n/.exec(text);
    if (data?.[1] !== undefined) return JSON.parse(data[1]) as ChatEvent;
  }
}
