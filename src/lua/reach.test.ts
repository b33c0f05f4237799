// A script reaches nothing that is not handed to it, and leaves nothing to the next.
import { expect, test } from 'vitest';
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

const run = (script: string): Promise<Ran> => runLua({ script, args: {}, call: echo, limits: LIMITS });

test('no files, no processes, no loading of code, no looking into functions', async () => {
  const names = [
    'os',
    'io',
    'debug',
    'package',
    'require',
    'load',
    'loadfile',
    'dofile',
    'loadstring',
    'collectgarbage',
    'warn',
    '__ask',
    '__say',
    '__script',
    '__args',
    'Promise',
    'Error',
    'null',
    'process',
    'globalThis',
  ];
  const ran = await run(
    `local there = {} for _, name in ipairs({ '${names.join("','")}' }) do if _G[name] ~= nil then there[#there + 1] = name end end return #there == 0 and "none" or there`,
  );
  expect(ran).toMatchObject({ result: 'none' });
  expect(await run('return { utf8.len("žluť"), utf8.rep == nil }')).toMatchObject({ result: [4, true] });
  expect(await run('return string.dump == nil and ("x").dump == nil')).toMatchObject({ result: true });
});

test('exactly these globals', async () => {
  const ran = await run(
    'local names = {} for name in pairs(_G) do names[#names + 1] = name end table.sort(names) return names',
  );
  expect(ran).toMatchObject({
    result: [
      '_G',
      '_VERSION',
      'args',
      'assert',
      'coroutine',
      'dunnock',
      'error',
      'getmetatable',
      'ipairs',
      'math',
      'next',
      'pairs',
      'pcall',
      'print',
      'rawequal',
      'rawget',
      'rawlen',
      'rawset',
      'select',
      'setmetatable',
      'string',
      'table',
      'tonumber',
      'tostring',
      'type',
      'utf8',
      'xpcall',
    ],
  });
});

test('compiled code is not run', async () => {
  expect(await run('\u001bLua\u0054\u0000')).toMatchObject({
    state: 'failed',
    sentence: expect.stringContaining('attempt to load a binary chunk'),
  });
});

test('nothing of JavaScript: functions and answers are plain, and what it hands over is data', async () => {
  const tries = [
    'print.constructor',
    'dunnock.call.constructor',
    'getmetatable(print).__index',
    'getmetatable(dunnock).__index',
  ];
  for (const attempt of tries) expect((await run(`return ${attempt}`)).state).toBe('failed');
  expect(
    await run(
      'local a = dunnock.call("x") return { a.constructor == nil, a.__proto__ == nil, getmetatable(a) == nil }',
    ),
  ).toMatchObject({ result: [true, true, true] });
  expect(
    await run('return dunnock.call("x", { ["__proto__"] = { admin = true }, constructor = "c", f = print })'),
  ).toMatchObject({ state: 'finished' });
  expect(({} as { admin?: boolean }).admin).toBeUndefined();
});

test('what a script leaves behind, the next does not find', async () => {
  await run('left = 1 string.left = 1 getmetatable("").__index = function() return "taken" end');
  expect(await run('return { left == nil, string.left == nil, ("x"):upper() }')).toMatchObject({
    result: [true, true, 'X'],
  });
});

test('what a script breaks breaks for itself alone', async () => {
  for (const script of [
    'tostring = nil pcall = nil table.concat = nil print(1)',
    'setmetatable(_G, { __index = error, __newindex = error }) print(x)',
  ])
    expect((await run(script)).output.length + (await run(script)).calls).toBeGreaterThanOrEqual(0);
  expect(await run('return 1')).toMatchObject({ result: 1 });
});
