// How an example becomes Lua.
import { expect, test } from 'vitest';
import { asLua, luaCall } from './lua.rules.ts';

test('an example becomes a call that Lua reads', () => {
  expect(luaCall('person_list', { limit: 10 })).toBe(
    'local answer = dunnock.call("person_list", { limit = 10 })',
  );
  expect(asLua({ end: 1, 'a-b': [true, null, 'x "y"\n'] })).toBe(
    '{ ["end"] = 1, ["a-b"] = { true, nil, "x \\"y\\"\\n" } }',
  );
  expect(asLua({})).toBe('{}');
});
