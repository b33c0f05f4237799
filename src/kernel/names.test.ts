import { expect, test } from 'vitest';
import { z } from 'zod';
import { named, nameOf, registryWith } from './names.ts';
import { listOf } from './shapes.ts';

test('a name is one schema’s, and a schema has one name', () => {
  const fruit = named('TestFruit', z.object({ name: z.string() }));
  expect(named('TestFruit', fruit)).toBe(fruit);
  expect(() => named('TestFruit', z.string())).toThrow('two schemas are named TestFruit');
  expect(() => named('TestApple', fruit)).toThrow('a schema is named TestFruit and TestApple');
  expect(nameOf(fruit)).toBe('TestFruit');
  expect(nameOf(fruit.extend({ ripe: z.boolean() }))).toBeUndefined();
});

test('all lists of one thing are one schema, named by the thing', () => {
  const stone = named('TestStone', z.string());
  expect(listOf(stone)).toBe(listOf(stone));
  expect(nameOf(listOf(stone))).toBe('ListOfTestStone');
  expect(nameOf(listOf(z.string()))).toBeUndefined();
});

test('a registry has all names, and refers by them', () => {
  const nut = named('TestNut', z.object({ hard: z.boolean() }));
  const all = z.object({ nut, more: nut.optional() });
  const { schemas } = z.toJSONSchema(registryWith('all', all), { io: 'input' });
  expect(schemas['all']).toMatchObject({
    properties: { nut: { $ref: 'TestNut' }, more: { $ref: 'TestNut' } },
  });
});
