// A script gets and gives plain data, is stopped at every limit, and leaves the process as it was.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Limits } from './limits.rules.ts';
import { runLua, type Ran, type Script } from './run.ts';

const LIMITS: Limits = {
  computing_ms: 5_000,
  total_ms: 20_000,
  memory_bytes: 16 * 2 ** 20,
  calls: 20,
  output_chars: 1_000,
};

const echo: Script['call'] = async (name, args) => ({ ok: true, answer: { name, args } });

const run = (script: string, more: Partial<Script> & { limited?: Partial<Limits> } = {}): Promise<Ran> =>
  runLua({ script, args: {}, call: echo, ...more, limits: { ...LIMITS, ...more.limited } });

const QUICK = { limited: { computing_ms: 300 } };

describe('what a script gets and gives', () => {
  test('its arguments, and what it returns and prints', async () => {
    expect(
      await run('print("hello", args.n) return { args.n + 1, "two", { three = true } }', { args: { n: 1 } }),
    ).toEqual({
      state: 'finished',
      result: [2, 'two', { three: true }],
      output: 'hello\t1\n',
      output_cut: false,
      calls: 0,
    });
  });

  test('calls, by name and as functions, with what is a list and what is a table told apart', async () => {
    const ran = await run(
      'return { dunnock.call("a", { x = { 1, 2 } }), dunnock.person_list({ limit = 3 }), dunnock.call("b") }',
    );
    expect(ran).toMatchObject({
      calls: 3,
      result: [
        { name: 'a', args: { x: [1, 2] } },
        { name: 'person_list', args: { limit: 3 } },
        { name: 'b', args: {} },
      ],
    });
  });

  test('a list that is filled from its end is a list', async () => {
    expect(await run('local t = {} t[3] = "c" t[2] = "b" t[1] = "a" return t')).toMatchObject({
      result: ['a', 'b', 'c'],
    });
  });

  test('text beyond ASCII goes both ways, and so does a field that is null', async () => {
    const call: Script['call'] = async (_, args) => ({
      ok: true,
      answer: { got: args, none: null, list: [1, null] },
    });
    const ran = await run(
      'local a = dunnock.x({ t = "žluťoučký 🐦" }) return { a.got.t, a.none == nil, #a.list }',
      { call },
    );
    expect(ran).toMatchObject({ result: ['žluťoučký 🐦', true, 1] });
  });

  test('a refusal raises its sentence, and try gives it as a value', async () => {
    const call: Script['call'] = async () => ({
      ok: false,
      sentence: 'no policy lets "x"',
      code: 'policy_denied',
    });
    expect(await run('dunnock.x({})', { call })).toMatchObject({
      state: 'failed',
      sentence: 'no policy lets "x"',
    });
    const tried = await run(
      'local a, why, code = dunnock.try("x") return { a == nil, why, code, pcall(dunnock.call, "x") }',
      { call },
    );
    expect(tried).toMatchObject({
      result: [true, 'no policy lets "x"', 'policy_denied', false, 'no policy lets "x"'],
    });
  });

  test('calls from a coroutine', async () => {
    expect(await run('return coroutine.wrap(function() return dunnock.call("x") end)()')).toMatchObject({
      result: { name: 'x' },
    });
  });

  test('a mistake is named with its line and nothing of this machine', async () => {
    for (const script of ['local x = nil\nreturn x.y', 'return (', 'error("no")', 'error({})', 'error()']) {
      const ran = await run(script);
      expect(ran.state).toBe('failed');
      expect(JSON.stringify(ran)).not.toMatch(/node_modules|file:|\/src\/|stack traceback|wasm/);
    }
    expect(await run('local x = nil\nreturn x.y')).toMatchObject({
      sentence: expect.stringMatching(/^script:2: /),
    });
  });
});

describe('stopped at its limits', () => {
  const ENDLESS: Record<string, string> = {
    'an endless loop': 'while true do end',
    'one that catches everything': 'while true do pcall(function() while true do pcall(error) end end) end',
    'coroutines without end':
      'local f f = function() while true do coroutine.wrap(f)() end end while true do pcall(f) end',
    'a pattern that does not end': 'return string.find(("a"):rep(10000), ".-.-.-.-b$")',
    'a sort that never agrees':
      'local t = {} for i = 1, 1e5 do t[i] = i end while true do pcall(table.sort, t, function() return true end) end',
    'a finaliser that does not end':
      'setmetatable({}, { __gc = function() while true do end end }) local t = {} while true do t = { t and 1 } end',
    'a value that unfolds without end': 'local t = {} for i = 1, 60 do t = { t, t } end return t',
  };

  test.each(Object.entries(ENDLESS))('%s', async (_, script) => {
    const ran = await run(script, QUICK);
    expect(ran).toMatchObject({ state: 'stopped' });
    expect('sentence' in ran && ran.sentence).toMatch(
      /^the script (computed for 0\.3 seconds|needed more than 16 MB of memory) and was stopped/,
    );
  });

  test('a script whose calls take for ever', async () => {
    let aborted = false;
    const call: Script['call'] = (_, __, signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          aborted = true;
          resolve({ ok: true, answer: {} });
        });
      });
    const ran = await run('dunnock.call("slow")', { call, limited: { total_ms: 3_000 } });
    expect(ran).toMatchObject({
      state: 'stopped',
      sentence: expect.stringContaining('ran for 3 seconds'),
      calls: 1,
    });
    expect(aborted).toBe(true);
  });

  test('what it waits for is not counted as its own time', async () => {
    const call: Script['call'] = async () => {
      await new Promise((done) => setTimeout(done, 600));
      return { ok: true, answer: {} };
    };
    expect(
      await run('dunnock.call("slow") return 1', { call, limited: { computing_ms: 550 } }),
    ).toMatchObject({ result: 1 });
  });

  const BOMBS: Record<string, string> = {
    'a table without end': 'local t = {} for i = 1, 1e9 do t[i] = ("x"):rep(1000) .. i end',
    'one long text': 'return ("x"):rep(1e9)',
    'a text that doubles': 'local s = "x" while true do s = s .. s end',
    'a recursion that keeps everything': 'local function f() return 1 + f() end return f()',
  };

  test.each(Object.entries(BOMBS))('%s', async (_, script) => {
    expect(await run(script)).toMatchObject({
      state: 'stopped',
      sentence:
        'the script needed more than 16 MB of memory and was stopped: what its finished calls changed stays changed',
    });
  });

  test.each([
    'local t = setmetatable({}, { __index = function(t, k) return t[k + 1] end }) return t[1]',
    'local function g() return ("x"):gsub(".", g) end return g()',
    `return ${'{'.repeat(50_000)}`,
    'local t = {} for i = 1, 100000 do t = { t } end return t',
    'local t = {} for i = 1, 100000 do t = { t } end dunnock.call("x", t)',
    'local t = {} t.t = t return t',
    'local t = {} t.t = t dunnock.call("x", { t })',
  ])('recursion ends with a sentence: %.60s', async (script) => {
    const ran = await run(script);
    expect(ran).toMatchObject({ state: 'failed' });
    expect('sentence' in ran && ran.sentence.length).toBeGreaterThan(10);
    expect(JSON.stringify(ran)).not.toMatch(/node_modules|file:/);
  });

  test('ten thousand calls', async () => {
    let called = 0;
    const call: Script['call'] = async () => {
      called += 1;
      return { ok: true, answer: {} };
    };
    const ran = await run('for i = 1, 10000 do pcall(dunnock.call, "x") end', { call });
    expect(ran).toMatchObject({
      state: 'stopped',
      sentence: expect.stringContaining('more than 20 calls'),
      calls: 20,
    });
    expect(called).toBe(20);
  });

  test('arguments of a call are as long as the body of a request tool at most', async () => {
    const called: string[] = [];
    const call: Script['call'] = async (name) => {
      called.push(name);
      return { ok: true, answer: {} };
    };
    const given = (chars: number): string => `{ text = ("x"):rep(${chars}) }`;
    const ran = await run(
      `dunnock.call('fits', ${given(1_000_000)}) return { dunnock.try('large', ${given(1_100_000)}) }`,
      { call },
    );
    expect(ran).toMatchObject({ state: 'finished', result: { 3: 'too_large' }, calls: 1 });
    expect(called).toEqual(['fits']);
  });

  test('what it prints is cut, and it runs on', async () => {
    const ran = await run('for i = 1, 10000 do print(("x"):rep(99)) end return "done"');
    expect(ran).toMatchObject({ result: 'done', output_cut: true });
    expect(ran.output).toHaveLength(1_000);
  });

  test('the request that brought it is gone', async () => {
    const gone = new AbortController();
    const running = run('while true do end', { signal: gone.signal });
    setTimeout(() => gone.abort(), 200);
    expect(await running).toMatchObject({ state: 'stopped', sentence: expect.stringContaining('is gone') });
    expect(await run('return 1', { signal: gone.signal })).toMatchObject({ state: 'stopped' });
  });
});

let exits = 0;
const counted = (): void => {
  exits += 1;
};
beforeAll(() => {
  process.on('uncaughtException', counted);
  process.on('unhandledRejection', counted);
});
afterAll(() => {
  process.off('uncaughtException', counted);
  process.off('unhandledRejection', counted);
  expect(exits).toBe(0);
});
