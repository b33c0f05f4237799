// Values that cross between a script and the app whole: texts of any bytes, keys of any name, and lists that are empty.
import { expect, test } from 'vitest';
import { runLua } from './run.ts';

const LIMITS = {
  computing_ms: 5_000,
  total_ms: 10_000,
  memory_bytes: 32 * 2 ** 20,
  calls: 20,
  output_chars: 1_000,
};

async function ran(script: string, answer: unknown = null) {
  const called: unknown[] = [];
  const done = await runLua({
    script,
    args: {},
    call: async (_, args) => {
      called.push(args);
      return { ok: true, answer };
    },
    limits: LIMITS,
  });
  return { ...done, called };
}

test('Lua low: a text with a NUL is handed over whole', async () => {
  const { called, ...done } = await ran(
    'dunnock.call("x", { text = "a\\0b" }) print("c\\0d") return "e\\0f"',
  );
  expect(called).toEqual([{ text: 'a\0b' }]);
  expect(done).toMatchObject({ state: 'finished', result: 'e\0f', output: 'c\uFFFDd\n' });
});

test('Lua low: bytes that are no UTF-8 are refused in a call, and replaced where they are only shown', async () => {
  const bad = '"a\\xff\\xed\\xa0\\x80b"';
  const { called, ...done } = await ran(
    `local _, sentence = dunnock.try("x", { text = ${bad} }) print(${bad}) return { sentence, ${bad}, ["k\\xff"] = 1 }`,
  );
  expect(called).toEqual([]);
  const shown = 'a\uFFFD\uFFFD\uFFFD\uFFFDb';
  expect(done).toMatchObject({
    state: 'finished',
    output: `${shown}\n`,
    result: { 1: expect.stringMatching(/isn’t UTF-8/), 2: shown, 'k\uFFFD': 1 },
  });
  expect((await ran(`error(${bad}, 0)`)) as { sentence?: string }).toMatchObject({ sentence: shown });
});

test('Lua low: a key __proto__ is a key as any other', async () => {
  const { result, called } = (await ran(
    'local t = { ["__proto__"] = { admin = true }, constructor = 1 } dunnock.call("x", t) return t',
  )) as unknown as { result: object; called: object[] };
  for (const value of [result, called[0]!]) {
    expect(Object.keys(value).sort()).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  }
});

test('Lua low: an empty list that was answered, or made by dunnock.list, stays a list', async () => {
  const answer = { items: [], more: [[], [1], {}], gone: [null, 2] };
  const done = await ran(
    'local a = dunnock.call("x") return { a = a, made = dunnock.list(), two = dunnock.list({ 1, 2 }), t = {}, count = #a.items, first = a.gone[1] }',
    answer,
  );
  expect(done).toMatchObject({
    state: 'finished',
    result: {
      a: { items: [], more: [[], [1], {}], gone: [2] },
      made: [],
      two: [1, 2],
      t: {},
      count: 0,
      first: 2,
    },
  });
  const back = await ran(
    'local a = dunnock.call("x") dunnock.call("y", { deep = { tags = a.items } }) return 1',
    answer,
  );
  expect(back.called[1]).toEqual({ deep: { tags: [] } });
});
