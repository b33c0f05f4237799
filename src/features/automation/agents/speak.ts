// Speaks to providers’ models through one library: Anthropic’s messages, and whatever any OpenAI-compatible server
// speaks, hosted or local. The connection (checked, pinned, bounded), waiting, retrying and counting are ours.
import type { JSONSchema7, LanguageModel, ModelMessage, ToolSet } from 'ai';
import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND_MS } from '../../../kernel/clock.ts';
import type { Secret } from '../../../kernel/secret.ts';
import type { Reach } from '../../../net/ask.ts';
import { FetchFailed, guardedFetch } from '../../../net/fetch.ts';
import {
  type Asking,
  type Call,
  type Model,
  ModelTrouble,
  type MessagePart,
  type ModelSaid,
  type TroubleWhy,
} from './model.ts';
import { guessedTokens } from './tokens.ts';
import { troubleSentence } from './trouble.ts';

export type ModelAccount = {
  provider: string;
  title: string;
  /** Which of the two languages it speaks. */
  speaks: 'anthropic' | 'openai';
  base_url: string;
  key: Secret;
  reach: Reach;
  /** `Dunnock/1.2.3` */
  agent: string;
};

export const LIMITS = { firstMs: 60 * SECOND_MS, idleMs: 30 * SECOND_MS, limitBytes: 8 * 1024 * 1024 };

/** Asked again so often where it says that it is busy, and waited for at most this long in all. */
const RETRIES = 2;
const MOST_WAIT_MS = 15 * SECOND_MS;
const UNSAID_WAIT_MS = 2 * SECOND_MS;

export function openModel(account: ModelAccount, id: string): Model {
  const name = `${account.provider}/${id}`;
  return {
    name,
    async *step(asking) {
      let waitedMs = 0;
      for (let tried = 0; ; tried += 1) {
        let begun = false;
        try {
          for await (const part of stepOnce(account, id, asking)) {
            begun = true;
            yield part;
          }
          return;
        } catch (error) {
          const failed = failureOf(error, asking.signal, begun);
          const waitMs = failed.waitMs ?? UNSAID_WAIT_MS;
          const worth =
            isPassing(failed.why) && !begun && tried < RETRIES && waitedMs + waitMs <= MOST_WAIT_MS;
          if (!worth) throw troubleOf(account, id, failed);
          waitedMs += waitMs;
          await sleep(waitMs, undefined, { signal: asking.signal }).catch(() => undefined);
          if (asking.signal.aborted) throw troubleOf(account, id, { why: 'stopped', waitMs: null });
        }
      }
    },
  };
}

async function* stepOnce(account: ModelAccount, id: string, asking: Asking): AsyncIterable<MessagePart> {
  // Loaded at the first question: an instance without a model never needs it.
  const { jsonSchema, streamText } = await import('ai');
  const tools: ToolSet = Object.fromEntries(
    asking.tools.map(({ name, says, schema }) => [
      name,
      { description: says, inputSchema: jsonSchema<Record<string, unknown>>(schema as JSONSchema7) },
    ]),
  );
  const messages = asking.said.map(messageOf);
  const enough = new AbortController();
  const { stream } = streamText({
    model: await languageModel(account, id),
    instructions: asking.instructions,
    messages,
    tools,
    maxOutputTokens: asking.most_tokens,
    maxRetries: 0,
    abortSignal: AbortSignal.any([asking.signal, enough.signal]),
    // Every failure is read from the stream; the library's own way is to print it.
    onError: () => undefined,
  });
  let written = 0;
  let bytes = 0;
  let ended = false;
  // The other side counts its own tokens, and may count as it likes.
  const isTooMuch = (more: string): boolean => (bytes += Buffer.byteLength(more)) > asking.most_bytes;
  const tooMuch = (): MessagePart => {
    ended = true;
    enough.abort();
    return { kind: 'end', why: 'too_much', tokens: guessedTokens(asking, written) };
  };
  for await (const part of stream) {
    if (part.type === 'error') throw part.error;
    if (part.type === 'abort') throw new FetchFailed('cancelled');
    if (part.type === 'text-delta') {
      const room = asking.most_bytes - bytes;
      const over = isTooMuch(part.text);
      const text = over ? firstBytes(part.text, room) : part.text;
      written += text.length;
      if (text !== '') yield { kind: 'text', text };
      if (over) {
        yield tooMuch();
        return;
      }
    } else if (part.type === 'tool-input-delta') {
      if (isTooMuch(part.delta)) {
        yield tooMuch();
        return;
      }
    } else if (part.type === 'tool-call') {
      const call = callOf(part);
      written += JSON.stringify(call.input).length;
      yield { kind: 'call', call };
    } else if (part.type === 'finish-step') {
      ended = true;
      const said = part.usage.totalTokens ?? (part.usage.inputTokens ?? 0) + (part.usage.outputTokens ?? 0);
      yield {
        kind: 'end',
        why: whyOf(part.finishReason),
        tokens: said > 0 ? said : guessedTokens(asking, written),
      };
    }
  }
  if (!ended) throw new FetchFailed('reset');
}

/** As much of it as fits, to the last whole character. */
function firstBytes(text: string, bytes: number): string {
  const cut = Buffer.from(text).subarray(0, Math.max(bytes, 0)).toString();
  return cut.replace(/\uFFFD$/, '');
}

async function languageModel(account: ModelAccount, id: string): Promise<LanguageModel> {
  const fetch = guardedFetch(account.reach, LIMITS);
  const headers = { 'user-agent': account.agent };
  const apiKey = account.key.reveal();
  if (account.speaks === 'anthropic') {
    const { createAnthropic } = await import('@ai-sdk/anthropic');
    return createAnthropic({ baseURL: account.base_url, apiKey, headers, fetch })(id);
  }
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  const { base_url: baseURL, provider: name } = account;
  return createOpenAICompatible({ name, baseURL, apiKey, headers, fetch, includeUsage: true })(id);
}

function messageOf(said: ModelSaid): ModelMessage {
  if (said.role === 'user') return { role: 'user', content: said.text };
  if (said.role === 'tools')
    return {
      role: 'tool',
      content: said.answers.map(({ id, name, text }) => ({
        type: 'tool-result',
        toolCallId: id,
        toolName: name,
        output: { type: 'text', value: text },
      })),
    };
  return {
    role: 'assistant',
    content: [
      ...(said.text === '' ? [] : [{ type: 'text' as const, text: said.text }]),
      ...said.calls.map(({ id, name, input }) => ({
        type: 'tool-call' as const,
        toolCallId: id,
        toolName: name,
        input,
      })),
    ],
  };
}

type CallPart = { toolCallId: string; toolName: string; input: unknown; invalid?: boolean | undefined };

function callOf({ toolCallId, toolName, input, invalid }: CallPart): Call {
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input);
  const broken = invalid === true || !isObject;
  const given = broken ? {} : (input as Record<string, unknown>);
  return { id: toolCallId, name: toolName, input: given, broken };
}

function whyOf(reason: string): Extract<MessagePart, { kind: 'end' }>['why'] {
  if (reason === 'tool-calls') return 'calls';
  if (reason === 'length') return 'too_long';
  return reason === 'content-filter' ? 'withheld' : 'said';
}

type Failure = { why: TroubleWhy; waitMs: number | null };

function failureOf(error: unknown, signal: AbortSignal, begun: boolean): Failure {
  if (signal.aborted) return { why: 'stopped', waitMs: null };
  for (let each: unknown = error; each instanceof Error; each = each.cause) {
    if (each instanceof FetchFailed) {
      const why =
        each.why === 'not_allowed' || each.why === 'address'
          ? 'address'
          : begun
            ? 'broke_off'
            : 'unreachable';
      return { why, waitMs: null };
    }
    const { statusCode, responseHeaders } = each as {
      statusCode?: number;
      responseHeaders?: Record<string, string>;
    };
    // One that was good and could not be read on broke off.
    if (statusCode !== undefined && statusCode >= 400)
      return { why: byStatus(statusCode), waitMs: waitOf(responseHeaders?.['retry-after']) };
  }
  return { why: 'broke_off', waitMs: null };
}

function byStatus(status: number): TroubleWhy {
  if (status === 401 || status === 403) return 'key';
  if (status === 404) return 'model';
  if (BUSY.has(status)) return 'busy';
  return status >= 500 ? 'failing' : 'refused';
}

/** 529 is how one of them says that it is overloaded. */
const BUSY = new Set([429, 503, 529]);

/** It may be well again in a moment, and is asked again by us. */
const isPassing = (why: TroubleWhy): boolean => why === 'busy' || why === 'failing';

/** Seconds alone: who gives a date is waited for as one who says nothing. */
function waitOf(header: string | undefined): number | null {
  return header !== undefined && /^\d{1,6}(\.\d+)?$/.test(header) ? Number(header) * SECOND_MS : null;
}

function troubleOf({ title }: ModelAccount, id: string, { why, waitMs }: Failure): ModelTrouble {
  const retry_after = isPassing(why) && waitMs !== null ? Math.max(1, Math.ceil(waitMs / SECOND_MS)) : null;
  return new ModelTrouble(why, troubleSentence(why, title, id, retry_after), retry_after);
}
