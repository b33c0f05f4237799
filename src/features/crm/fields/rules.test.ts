// Owns the tables of what custom fields take and of what definitions can be.
import { describe, expect, test } from 'vitest';
import type { CustomField } from './contract.ts';
import {
  fieldsTogether,
  goneAndTurned,
  mergedCustom,
  refusedAsTooMuch,
  refusedCustom,
  refusedDefinitions,
  refusedToReplace,
} from './rules.ts';

const FIELDS: CustomField[] = [
  { key: 'region', title: 'Region', kind: 'select', options: ['north', 'south'] },
  { key: 'sources', title: 'Sources', kind: 'multiselect', options: ['fair', 'web'] },
  { key: 'size', title: 'Size', kind: 'number' },
  { key: 'seen', title: 'Seen', kind: 'date' },
  { key: 'hot', title: 'Hot', kind: 'bool' },
  { key: 'site', title: 'Site', kind: 'url' },
  { key: 'remark', title: 'Remark', kind: 'text' },
];

describe('custom values', () => {
  test('every kind takes its own', () => {
    const all = {
      region: 'north',
      sources: ['fair', 'web'],
      size: 3,
      seen: '2026-03-02',
      hot: true,
      site: 'https://example.com/a',
      remark: '',
    };
    expect(refusedCustom(FIELDS, all, 'a person')).toBeNull();
  });

  test.each([
    ['region', 'east', 'one of its options'],
    ['sources', ['fair', 'fair'], 'a list of its options, each once'],
    ['sources', 'fair', 'a list of its options, each once'],
    ['size', '3', 'a number'],
    ['seen', '2.3.2026', 'a date as 2026-03-02'],
    ['hot', 'true', 'true or false'],
    ['site', 'javascript:alert(1)', 'an http:// or https:// address'],
    ['remark', 1, 'a text of at most 2000 characters'],
  ])('%s does not take %o', (key, value, takes) => {
    expect(refusedCustom(FIELDS, { [key]: value }, 'a person')).toMatchObject({
      status: 400,
      details: { fields: { [`custom.${key}`]: `custom.${key} takes ${takes}` } },
    });
  });

  test('a key that there is no field of is named', () => {
    expect(refusedCustom(FIELDS, { regoin: 'north' }, 'a person')?.sentence).toBe(
      'custom.regoin isn’t a field of a person',
    );
  });

  test('values are laid over those before, and null takes one away', () => {
    expect(mergedCustom({ region: 'north', size: 3 }, { size: null, hot: true })).toEqual({
      region: 'north',
      hot: true,
    });
  });

  test('a definition that could hold nothing, or exists twice, is refused', () => {
    expect(refusedDefinitions(FIELDS, 'fields')).toBeNull();
    expect(refusedDefinitions([{ key: 'a', title: 'A', kind: 'select' }], 'fields')?.sentence).toContain(
      'needs options',
    );
    expect(
      refusedDefinitions([FIELDS[2] as CustomField, FIELDS[2] as CustomField], 'fields')?.sentence,
    ).toContain('is used twice');
  });
});

describe('replacing definitions', () => {
  const [region, sources, size] = FIELDS as [CustomField, CustomField, CustomField];

  test('what is gone and what turned to another kind is told apart from what only has another title', () => {
    const to = [
      { ...region, title: 'Part' },
      { ...size, kind: 'text' as const },
    ];
    expect(goneAndTurned([region, sources, size], to)).toEqual({ gone: [sources], turned: [size] });
  });

  test('a field that records hold goes only with their values, and never turns', () => {
    const held = [{ key: 'region', count: 2 }];
    const gone = { gone: [region], turned: [] };
    expect(refusedToReplace(gone, held, false)?.sentence).toContain('region (2 records)');
    expect(refusedToReplace(gone, held, true)).toBeNull();
    expect(refusedToReplace(gone, [{ key: 'region', count: 0 }], false)).toBeNull();
    const turned = { gone: [], turned: [region] };
    expect(refusedToReplace(turned, held, true)?.sentence).toContain('the new kind can’t hold');
    expect(refusedToReplace(turned, [{ key: 'region', count: 0 }], false)).toBeNull();
  });

  test('the sentence stays under 300 characters whatever the keys', () => {
    const long = Array.from({ length: 100 }, (_, i): CustomField => ({
      key: `${'k'.repeat(38)}${String(i).padStart(2, '0')}`.slice(0, 40),
      title: 'K',
      kind: 'text',
    }));
    const held = long.map(({ key }) => ({ key, count: 1_000_000 }));
    expect(refusedToReplace({ gone: [], turned: long }, held, false)?.sentence.length).toBeLessThan(300);
    expect(refusedToReplace({ gone: long, turned: [] }, held, false)?.sentence.length).toBeLessThan(300);
  });

  test('definitions of one noun fit into one answer', () => {
    const wide = Array.from({ length: 40 }, (_, i): CustomField => ({
      key: `k${i}`,
      title: 'K',
      kind: 'select',
      options: Array.from({ length: 50 }, (_, at) => `${at}${'x'.repeat(50)}`),
    }));
    expect(refusedAsTooMuch(FIELDS)).toBeNull();
    expect(refusedAsTooMuch(wide)?.status).toBe(400);
  });

  test("of two fields with one key the record's own holds", () => {
    expect(fieldsTogether([region], [{ ...region, title: 'Other' }, size])).toEqual([region, size]);
  });
});
