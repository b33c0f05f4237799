// Speaking to models over their real wire formats: pieces, tools, broken arguments, being told to wait, and being cut off.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MODEL, MODEL_KEY, modelStub, type ModelStub } from '../../../../test/support/model.ts';
import { Secret } from '../../../kernel/secret.ts';
import { readAllowedHosts } from '../../../net/switches.ts';
import { type Asking, ModelTrouble, type MessagePart } from './model.ts';
import { type ModelAccount, openModel } from './speak.ts';

let stub: ModelStub;

beforeAll(async () => {
  stub = await modelStub();
});
afterAll(() => stub[Symbol.asyncDispose]());

const account = (speaks: 'anthropic' | 'openai', more: Partial<ModelAccount> = {}): ModelAccount => ({
  provider: speaks,
  title: 'The Model House',
  speaks,
  base_url: stub.url,
  key: new Secret(MODEL_KEY),
  reach: { lookup: async () => [], opening: { allowedHosts: readAllowedHosts('127.0.0.1') } },
  agent: 'Dunnock/0',
  ...more,
});

const asking = (more: Partial<Asking> = {}): Asking => ({
  instructions: 'You are at a desk.',
  said: [{ role: 'user', text: 'How many cards wait?' }],
  tools: [
    {
      name: 'work_search',
      says: 'Finds cards.',
      schema: { type: 'object', properties: { status: { type: 'string' } }, additionalProperties: false },
    },
  ],
  most_bytes: 200_000,
  most_tokens: 500,
  signal: AbortSignal.timeout(20_000),
  ...more,
});

async function step(of: ModelAccount, question = asking(), id = MODEL): Promise<MessagePart[]> {
  const parts: MessagePart[] = [];
  for await (const part of openModel(of, id).step(question)) parts.push(part);
  return parts;
}

const troubleOf = async (of: ModelAccount, question = asking(), id = MODEL): Promise<ModelTrouble> => {
  const error = await step(of, question, id).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ModelTrouble);
  return error as ModelTrouble;
};

const said = (parts: MessagePart[]): string =>
  parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');

describe.each(['openai', 'anthropic'] as const)('%s', (speaks) => {
  test('text comes in pieces, and at its end how many tokens it took', async () => {
    stub.next.push({ text: 'Three cards wait.' });
    const parts = await step(account(speaks));
    expect(said(parts)).toBe('Three cards wait.');
    expect(parts.filter(({ kind }) => kind === 'text').length).toBeGreaterThan(1);
    expect(parts.at(-1)).toEqual({ kind: 'end', why: 'said', tokens: 120 });
  });

  test('a call carries its arguments, and its answer goes back under its id', async () => {
    stub.next.push(
      { text: 'I look.', calls: [{ name: 'work_search', input: { status: 'todo' } }] },
      { text: 'Two.' },
    );
    const parts = await step(account(speaks));
    const call = parts.find((part) => part.kind === 'call')?.call;
    expect(call).toMatchObject({ name: 'work_search', input: { status: 'todo' }, broken: false });
    expect(parts.at(-1)).toMatchObject({ kind: 'end', why: 'calls' });
    if (!call) return;
    const again = asking({
      said: [
        { role: 'user', text: 'How many?' },
        { role: 'assistant', text: 'I look.', calls: [call] },
        { role: 'tools', answers: [{ id: call.id, name: call.name, text: 'two cards' }] },
      ],
    });
    expect(said(await step(account(speaks), again))).toBe('Two.');
    expect(JSON.stringify(stub.asked.at(-1)?.body.messages)).toContain(call.id);
    expect(JSON.stringify(stub.asked.at(-1)?.body.messages)).toContain('two cards');
  });

  test('arguments that are no JSON come as a broken call, and so does a tool that there is not', async () => {
    stub.next.push({ calls: [{ name: 'work_search', input: null, raw: '{"status": "to' }] });
    const parts = await step(account(speaks));
    expect(parts.find((part) => part.kind === 'call')?.call).toMatchObject({ input: {}, broken: true });
    stub.next.push({ calls: [{ name: 'launch', input: {} }] });
    const other = await step(account(speaks));
    expect(other.find((part) => part.kind === 'call')?.call).toMatchObject({ name: 'launch', broken: true });
  });

  test('told to wait, it waits as long as it was told and asks again, but not for ever', async () => {
    stub.next.push({ status: 429, retry_after: '0' }, { text: 'Now.' });
    expect(said(await step(account(speaks)))).toBe('Now.');
    const before = stub.asked.length;
    stub.next.push({ status: 429, retry_after: '3600' });
    const trouble = await troubleOf(account(speaks));
    expect([trouble.why, trouble.retry_after]).toEqual(['busy', 3600]);
    expect(trouble.sentence).toBe(
      'The Model House is handling too many requests right now: try again in 3600 seconds',
    );
    expect(stub.asked.length).toBe(before + 1);
    stub.next.push(...[1, 2, 3].map(() => ({ status: 529, retry_after: '0' })), { text: 'Too late.' });
    expect((await troubleOf(account(speaks))).why).toBe('busy');
    expect(stub.next.splice(0)).toHaveLength(1);
  });

  test('an abort ends it at once, and the other side is hung up on', async () => {
    const left = stub.left();
    stub.next.push({ hangs: 'One moment' });
    const abort = new AbortController();
    const parts: MessagePart[] = [];
    const ended = (async () => {
      for await (const part of openModel(account(speaks), MODEL).step(asking({ signal: abort.signal }))) {
        parts.push(part);
        if (said(parts) === 'One moment') abort.abort();
      }
    })().catch((reason: unknown) => reason);
    expect(((await ended) as ModelTrouble).why).toBe('stopped');
    await expect.poll(() => stub.left()).toBe(left + 1);
  });

  test('an answer that breaks off is no answer', async () => {
    stub.next.push({ breaks: 'Three ca' });
    expect((await troubleOf(account(speaks))).why).toBe('broke_off');
  });

  test('a wrong key, a model that there is not, and a private address are told apart', async () => {
    const wrong = await troubleOf(account(speaks, { key: new Secret('sk-wrongwrongwrong') }));
    expect(wrong.why).toBe('key');
    expect(wrong.sentence).toContain('an administrator can save a new one');
    expect((await troubleOf(account(speaks), asking(), 'gone-1')).why).toBe('model');
    const closed = { lookup: async () => [], opening: { allowedHosts: readAllowedHosts('') } };
    const arrived = stub.asked.length;
    expect((await troubleOf(account(speaks, { reach: closed }))).why).toBe('address');
    expect(stub.asked.length).toBe(arrived);
  });
});

test('a server that does not count is counted by us', async () => {
  stub.usage = null;
  stub.next.push({ text: 'Three cards wait.' });
  const parts = await step(account('openai'));
  expect(parts.at(-1)).toEqual({ kind: 'end', why: 'said', tokens: expect.any(Number) as number });
  expect((parts.at(-1) as { tokens: number }).tokens).toBeGreaterThan(20);
  stub.usage = { in: 100, out: 20 };
});
