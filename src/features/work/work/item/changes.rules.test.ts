// Owns the tables of what counts as a change and of search words.
import { describe, expect, test } from 'vitest';
import { changesOf, reviewedAgain } from './changes.rules.ts';
import { searchQuery, itemVector } from '../../../../kernel/words.ts';

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
