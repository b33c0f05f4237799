// The API document is one that clients can be made of: what many operations share is in it once, under a name; each
// operation has the area of its folder as its tag; and it is small enough to be read whole.
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { openApiText } from '../../src/entry/openapi/document.ts';
import { features } from '../../src/features.ts';
import type { AnyOperation } from '../../src/kernel/operation.ts';

const ROOT = join(import.meta.dirname, '../..');
const instance = { name: 'main', base_url: 'http://127.0.0.1:4400', version: '1' };
const text = openApiText({ features, instance });

type Described = {
  operationId: string;
  tags: string[];
  responses: Record<string, { $ref?: string; description?: string }>;
};
type Document = {
  tags: { name: string }[];
  paths: Record<string, Record<string, Described>>;
  components: Record<string, Record<string, unknown>>;
};
const document = JSON.parse(text) as Document;
const described = Object.values(document.paths).flatMap((methods) => Object.values(methods));

test('the document is under a megabyte, and under 150 KB as it travels', () => {
  expect(Buffer.byteLength(text)).toBeLessThan(1_000_000);
  expect(gzipSync(text).length).toBeLessThan(150_000);
});

test('what the product is about has a name', () => {
  const names = Object.keys(document.components['schemas'] ?? {});
  expect(names.length).toBeGreaterThanOrEqual(100);
  for (const name of ['Id', 'Time', 'Principal', 'WorkItem', 'Campaign', 'Send', 'ListOfSend', 'Error'])
    expect(names).toContain(name);
});

test('every reference leads to a component, and every component is referred to', () => {
  const found = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, to = '']) => to);
  const parts = ['schemas', 'responses', 'parameters'].flatMap((kind) =>
    Object.keys(document.components[kind] ?? {}).map((name) => `#/components/${kind}/${name}`),
  );
  expect([...new Set(found)].sort()).toEqual(parts.sort());
  expect(text).not.toMatch(/"\$(id|defs|schema)"/);
});

test('names differ by more than their case: clients make a file or a type of each', () => {
  const names = Object.keys(document.components['schemas'] ?? {});
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(/^[A-Z][A-Za-z0-9]*$/);
});

test('what an operation answers instead is said once for all of them', () => {
  for (const { operationId, responses } of described) {
    const [own, ...refusals] = Object.entries(responses);
    expect(own?.[0], operationId).toMatch(/^20[01]$/);
    for (const [status, response] of refusals)
      expect(response.$ref, `${operationId} ${status}`).toMatch(/^#\/components\/responses\/\w+$/);
    expect(Object.keys(responses), operationId).toEqual(
      expect.arrayContaining(['400', '401', '403', '429', 'default']),
    );
  }
});

test('the tag of an operation is the area of the folder in which it is stated', async () => {
  const areas = new Map<string, string>();
  for (const file of globSync('src/features/*/*/**/*contract.ts', { cwd: ROOT }))
    for (const value of Object.values((await import(join(ROOT, file))) as Record<string, AnyOperation>))
      if (typeof value === 'object' && 'takes' in value) areas.set(value.name, file.split('/')[2] ?? '');
  expect(described.length).toBeGreaterThan(300);
  for (const { operationId, tags } of described) expect(tags, operationId).toEqual([areas.get(operationId)]);
  expect(document.tags.map(({ name }) => name)).toEqual([
    'access',
    'crm',
    'work',
    'outreach',
    'inbox',
    'automation',
    'instance',
  ]);
});
