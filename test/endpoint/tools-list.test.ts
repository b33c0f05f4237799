// What a model reads of us before its first call: the list of tools, its bytes, its hints, and what it costs.
import { Tiktoken } from 'js-tiktoken/lite';
import o200k from 'js-tiktoken/ranks/o200k_base';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../support/app.ts';
import { agentOf, type Agent, type ListedTool } from './speak.ts';

/** In o200k: every model pays for the list at every start. */
const TOKENS = 6_000;

const LIST = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';

let app: TestApp;
let agent: Agent;
let tools: ListedTool[];

beforeAll(async () => {
  app = await openTestApp();
  agent = agentOf(app.url, (await app.token()).value);
  tools = (await agent.call('tools/list')).result?.tools ?? [];
});

afterAll(() => app.close());

test('the list is the same bytes at every call and for every token', async () => {
  const other = agentOf(app.url, (await app.token({ mode: 'service' })).value);
  const { text } = await agent.post(LIST);
  expect((await agent.post(LIST)).text).toBe(text);
  expect((await other.post(LIST)).text).toBe(text);
  expect((await agent.post(LIST.replace('}', ',"params":{"cursor":"x"}}'))).text).toBe(text);
});

test('it is whole in one page, and every name is there once', async () => {
  expect((await agent.call('tools/list')).result).toEqual({ tools });
  expect(tools.map(({ name }) => name)).toEqual([...new Set(tools.map(({ name }) => name))]);
  expect(tools.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['api_request', 'admin_request', 'work_move']),
  );
});

test('a tool has a name, a description and a schema of its arguments, and no schema of its result', () => {
  for (const tool of tools) {
    expect(Object.keys(tool).sort()).toEqual(['annotations', 'description', 'inputSchema', 'name']);
    expect(tool.name).toMatch(/^[a-z][a-z0-9_]{0,63}$/);
    expect(tool.description.length).toBeGreaterThan(20);
    expect(tool.inputSchema.type).toBe('object');
  }
});

test('a title is in the annotations alone, beside all four hints and nothing else', () => {
  for (const { annotations } of tools)
    expect(annotations).toEqual({
      title: expect.stringMatching(/^[A-Z]/) as string,
      readOnlyHint: expect.any(Boolean) as boolean,
      destructiveHint: expect.any(Boolean) as boolean,
      idempotentHint: expect.any(Boolean) as boolean,
      openWorldHint: expect.any(Boolean) as boolean,
    });
});

test('the hints are true to the operations that a tool calls', () => {
  for (const { name, annotations } of tools) {
    // The two request tools reach every route, so they are the worst of all.
    const calls = app.instance.app.tools.get(name)?.calls ?? app.instance.app.operations;
    const reads = calls.every(({ effect }) => effect === 'read');
    expect([name, annotations['readOnlyHint']]).toEqual([name, reads]);
    // What is on the wire cannot be undone, any more than what is gone.
    const isForGood = calls.some(({ effect, wire }) => effect === 'destroy' || wire !== 'never');
    expect([name, annotations['destructiveHint']]).toEqual([name, isForGood]);
    if (annotations['readOnlyHint']) expect([name, annotations['idempotentHint']]).toEqual([name, true]);
  }
});

test('a result carries text alone', async () => {
  const { result } = await agent.call('tools/call', { name: 'work_search', arguments: {} });
  expect(Object.keys(result ?? {})).toEqual(['content']);
  expect(result?.content).toEqual([{ type: 'text', text: expect.any(String) as string }]);
});

test(`the list keeps within ${TOKENS} tokens`, async () => {
  const { text } = await agent.post(LIST);
  const tokens = new Tiktoken(o200k).encode(
    JSON.stringify((JSON.parse(text) as { result: unknown }).result),
  ).length;
  expect(tokens, `${tools.length} tools: shorten what they say`).toBeLessThan(TOKENS);
});
