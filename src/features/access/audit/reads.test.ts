// The buffer of agents' reads, without a database: what is alike is counted, a failed write loses nothing until the buffer is
// full, and then the oldest go and are counted.
import { expect, test } from 'vitest';
import { nobody, type Caller } from '../../../kernel/caller.ts';
import type { AuditRow, Database } from '../../../kernel/database.ts';
import { openReads } from './reads.ts';

const agent: Caller = {
  ...nobody('mcp'),
  turn: 'agent',
  principal: { kind: 'agent', id: 'a', name: 'scout' },
};
const read = (resource: string, caller: Caller = agent): AuditRow => ({
  at: new Date('2026-03-02T10:00:00Z'),
  caller,
  act: 'item_get',
  resource,
  outcome: 'done',
  code: null,
  sentence: null,
  request_id: 'r',
});

type Row = { resource: string; count: number };

/** A database that is away until it is let in. */
function open() {
  const written: Row[][] = [];
  const warned: Record<string, unknown>[] = [];
  let away = false;
  const db = (first: unknown, ..._: unknown[]): unknown => {
    if (Array.isArray(first) && !('raw' in first)) return first;
    written.push(_[0] as Row[]);
    return Promise.resolve([]);
  };
  const database = {
    inOneStatement: (work: (tx: never) => Promise<unknown>) =>
      away ? Promise.reject(new Error('away')) : work(db as never),
    tell: () => undefined,
  } as unknown as Database;
  const reads = openReads(database, (facts) => void warned.push(facts));
  return { reads, written, warned, go: (to: boolean) => void (away = to) };
}

test('alike reads of one batch are one row with their number', async () => {
  const { reads, written } = open();
  for (const one of ['x', 'y', 'x', 'x']) reads.note(read(one));
  expect(await reads.flush()).toBe(true);
  expect(written.flat().map(({ resource, count }) => [resource, count])).toEqual([
    ['x', 3],
    ['y', 1],
  ]);
});

test('what could not be written is written later, in its order, and nothing twice', async () => {
  const { reads, written, go } = open();
  go(true);
  reads.note(read('x'));
  expect(await reads.flush()).toBe(false);
  reads.note(read('y'));
  reads.note(read('x'));
  go(false);
  expect(await reads.flush()).toBe(true);
  expect(written.flat().map(({ resource, count }) => [resource, count])).toEqual([
    ['x', 2],
    ['y', 1],
  ]);
});

test('while the database is away the oldest are dropped, and how many is said once it is back', async () => {
  const { reads, written, warned, go } = open();
  go(true);
  for (let n = 0; n < 5_010; n += 1) reads.note(read(`r${n}`));
  expect(await reads.flush()).toBe(false);
  go(false);
  expect(await reads.flush()).toBe(true);
  expect(written.flat()).toHaveLength(5_000);
  expect(written.flat()[0]?.resource).toBe('r10');
  expect(warned.at(-1)).toEqual({ dropped: 10 });
});

test('what is there is written when the process ends, and no one’s reads never are', async () => {
  const { reads, written } = open();
  reads.note(read('x'));
  reads.note(read('y', nobody('rest')));
  await reads.close();
  reads.note(read('z'));
  await reads.flush();
  expect(written.flat().map(({ resource }) => resource)).toEqual(['x']);
});
