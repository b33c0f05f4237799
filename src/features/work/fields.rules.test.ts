// Owns the tables of custom fields, of what counts as a change, of search words and of the board's fair cut.
import { describe, expect, test } from 'vitest';
import type { CustomField } from './contract.ts';
import { fairlyCut } from './fair.ts';
import { changesOf, mergedCustom, refusedCustom, refusedDefinitions, reviewedAgain } from './fields.rules.ts';
import { searchQuery, itemVector } from '../../kernel/words.ts';

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
    expect(refusedCustom(FIELDS, all)).toBeNull();
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
    expect(refusedCustom(FIELDS, { [key]: value })).toMatchObject({
      status: 400,
      details: { fields: { [`custom.${key}`]: `custom.${key} takes ${takes}` } },
    });
  });

  test('a key that the project does not have is named', () => {
    expect(refusedCustom(FIELDS, { regoin: 'north' })?.sentence).toBe(
      'custom.regoin is no field of this project',
    );
  });

  test('values are laid over those before, and null takes one away', () => {
    expect(mergedCustom({ region: 'north', size: 3 }, { size: null, hot: true })).toEqual({
      region: 'north',
      hot: true,
    });
  });

  test('a definition that could hold nothing, or stands twice, is refused', () => {
    expect(refusedDefinitions(FIELDS)).toBeNull();
    expect(refusedDefinitions([{ key: 'a', title: 'A', kind: 'select' }])?.sentence).toContain(
      'needs options',
    );
    expect(refusedDefinitions([FIELDS[2] as CustomField, FIELDS[2] as CustomField])?.sentence).toContain(
      'stands twice',
    );
  });
});

describe('changes', () => {
  const before = {
    title: 'A',
    description: '',
    status: 'todo',
    priority: 'none',
    labels: ['x'],
    assignee: null,
    due_on: null,
    parent_id: null,
    blocked_by: [],
    links: [],
    custom: { a: 1, b: 2 },
    needs_review: false,
  } as const;
  const item = { ...before, labels: ['x'], blocked_by: [], links: [], custom: { a: 1, b: 2 } };

  test('what is written as it was is no change, whatever the order of its keys', () => {
    expect(changesOf(item, { title: 'A', custom: { b: 2, a: 1 }, labels: ['x'] })).toEqual([]);
  });

  test('a change names the field, what it was and what it became', () => {
    expect(changesOf(item, { title: 'B', priority: 'high' })).toEqual([
      { field: 'title', from: 'A', to: 'B' },
      { field: 'priority', from: 'none', to: 'high' },
    ]);
  });

  test('title, description and custom fields are reviewed again, nothing else is', () => {
    expect(reviewedAgain(changesOf(item, { title: 'B' }))).toBe(true);
    expect(reviewedAgain(changesOf(item, { custom: {} }))).toBe(true);
    expect(
      reviewedAgain(
        changesOf(item, { priority: 'high', labels: [], due_on: '2026-03-02', needs_review: true }),
      ),
    ).toBe(false);
  });
});

describe('words', () => {
  test('titles and questions are split and lowered in one way', () => {
    expect(itemVector('Über-Liste: 10 (Kunden)', 'OUT-12')).toBe("'über' 'liste' '10' 'kunden' 'out-12'");
    expect(searchQuery('ÜBER list')).toBe("'über':* & 'list':*");
  });

  test('a key finds its item and is still looked for as words', () => {
    expect(searchQuery('OUT-12')).toBe("('out-12' | 'out':* & '12':*)");
    expect(searchQuery('q3-2025 plan')).toBe("('q3-2025' | 'q3':* & '2025':*) & 'plan':*");
  });

  test('nothing that means something to the query language gets through', () => {
    expect(searchQuery("a' | b & !c:* <-> (\\")).toBe("'a':* & 'b':* & 'c':*");
    expect(searchQuery('!!! — …')).toBeNull();
  });
});

describe('the fair cut of a board', () => {
  const column = (count: number, chars: number) => ({
    count,
    cards: Array.from({ length: Math.min(count, 200) }, () => 'x'.repeat(chars)),
  });

  test('a board that fits is left whole', () => {
    const cut = fairlyCut([column(3, 10), column(0, 10)]);
    expect(cut.map(({ cards, more }) => [cards.length, more])).toEqual([
      [3, 0],
      [0, 0],
    ]);
  });

  test('a full column hides nothing of the others, cards stay whole, and what is left out is counted', () => {
    const cut = fairlyCut([column(10_000, 300), column(5, 300), column(40, 300)]);
    expect(JSON.stringify(cut).length).toBeLessThan(46_000);
    expect(cut[1]?.cards).toHaveLength(5);
    expect(cut[2]?.cards).toHaveLength(40);
    expect(cut[0]?.cards.length).toBeGreaterThan(60);
    expect(cut[0]?.more).toBe(10_000 - (cut[0]?.cards.length ?? 0));
  });
});
