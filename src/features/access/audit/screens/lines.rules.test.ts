// How what is listed becomes a timeline.
import { expect, test } from 'vitest';
import type { ActivityRow } from '../contract.ts';
import { linesOf } from './lines.rules.ts';

let n = 0;
const row = (minute: number, given: Partial<ActivityRow> = {}): ActivityRow => ({
  id: String((n += 1)),
  at: `2026-03-02T10:${String(minute).padStart(2, '0')}:00.000Z`,
  until: `2026-03-02T10:${String(minute).padStart(2, '0')}:00.000Z`,
  kind: 'act',
  count: 1,
  principal: { kind: 'agent', id: 'a', name: 'scout' },
  on_behalf_of: null,
  token: null,
  surface: 'mcp',
  turn: 'agent',
  act: 'item_move',
  resource: null,
  record: null,
  outcome: 'done',
  code: null,
  sentence: null,
  request_id: 'r',
  ...given,
});
const read = (minute: number, count = 1, given: Partial<ActivityRow> = {}) =>
  row(minute, { kind: 'read', count, ...given });
const told = (rows: ActivityRow[]) =>
  linesOf(rows).map(({ reads, begins, entries }) => [begins, reads, entries.length]);

test('a run of reads of one turn is one line with their number', () => {
  expect(told([row(9), read(8, 12), read(8), read(7), row(6), read(5)])).toEqual([
    [true, 0, 1],
    [false, 14, 3],
    [false, 0, 1],
    [false, 1, 1],
  ]);
});

test('another caller, another token and a long pause each begin a turn', () => {
  const ben = { principal: { kind: 'person' as const, id: 'b', name: 'Ben' }, turn: 'direct' as const };
  expect(told([row(30), row(29, ben), row(28), row(20), row(19, { token: { id: 't', name: 't' } })])).toEqual(
    Array.from({ length: 5 }, () => [true, 0, 1]),
  );
});

test('reads of two callers do not fold into each other', () => {
  expect(told([read(9), read(9, 2, { token: { id: 't', name: 't' } })])).toEqual([
    [true, 1, 1],
    [true, 2, 1],
  ]);
});
