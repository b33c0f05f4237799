// The SQL of a state machine (src/kernel/machine.ts): what an act sets, and which rows may perform it. Only the one
// store of each machine that writes its state calls this; it selects the rows and writes `update … set ${sets(…)}
// where … and ${is(…)}`.
import type { PendingQuery, Row } from 'postgres';
import { json, type Reader } from '../kernel/database.ts';
import type { Edge, Given, Machine, Test, Value } from '../kernel/machine.ts';

type Piece = PendingQuery<Row[]>;

/** For `update … set`, over the table's own columns. What was given may be a piece of SQL itself. */
export function sets<State extends string, Act extends string>(
  db: Reader,
  machine: Machine<State, Act>,
  act: Act,
  told: Given,
  now: Date,
): Piece {
  const edge = machine.acts[act];
  const all = Object.entries({ ...edge.set, ...machine.always, [machine.state ?? 'state']: edge.to });
  return all
    .map(([name, value]) => db`${db(name)} = ${written(db, folded(value, told, now), name)}`)
    .reduce((before, each) => db`${before}, ${each}`);
}

/** For `where`: the rows that may do it. */
export function stands<State extends string>(
  db: Reader,
  edge: Edge<State>,
  told: Given,
  now: Date,
  state = 'state',
): Piece {
  // As they are written in the table, so that a plan knows of partial indexes.
  const states = db`${db(state)} in (${db.unsafe(edge.from.map((each) => `'${each}'`).join(', '))})`;
  return edge.only_if === undefined
    ? states
    : db`${states} and ${asked(db, foldedTest(edge.only_if, told, now))}`;
}

/** A value of which only what the row says is left open. `is: 'sql'`: what was given was SQL. */
type Folded =
  | { is: 'known'; value: unknown }
  | { is: 'column'; name: string }
  | { is: 'first'; of: readonly Folded[] }
  | { is: 'plus'; column: string; by: Folded }
  | { is: 'added'; column: string; value: Folded }
  | { is: 'choice'; test: FoldedTest; met: Folded; otherwise: Folded };
type FoldedTest =
  | boolean
  | { among: readonly unknown[]; value: Folded }
  | { same: readonly [Folded, Folded] }
  | { not: FoldedTest }
  | { all: readonly FoldedTest[] }
  | { any: readonly FoldedTest[] };

const known = (value: unknown): Folded => ({ is: 'known', value });

function folded(value: Value, told: Given, now: Date): Folded {
  if (value === null || typeof value !== 'object' || !('is' in value)) return known(value);
  const fold = (each: Value): Folded => folded(each, told, now);
  switch (value.is) {
    case 'now':
      return known(now);
    case 'given':
      return known(told[value.name] ?? null);
    case 'column':
      return value;
    case 'first': {
      const of = value.of.map(fold).filter((each) => !(each.is === 'known' && each.value === null));
      const [one] = of;
      return one === undefined ? known(null) : one.is === 'known' ? one : { is: 'first', of };
    }
    case 'plus':
      return { ...value, by: fold(value.by) };
    case 'added':
      return { ...value, value: fold(value.value) };
    case 'choice': {
      const test = foldedTest(value.test, told, now);
      if (typeof test === 'boolean') return fold(test ? value.met : value.otherwise);
      return { is: 'choice', test, met: fold(value.met), otherwise: fold(value.otherwise) };
    }
  }
}

function foldedTest(test: Test, told: Given, now: Date): FoldedTest {
  const fold = (each: Test): FoldedTest => foldedTest(each, told, now);
  if ('not' in test) {
    const not = fold(test.not);
    return typeof not === 'boolean' ? !not : { not };
  }
  if ('all' in test) {
    const all = test.all.map(fold).filter((each) => each !== true);
    return all.includes(false) ? false : all.length === 0 ? true : { all };
  }
  if ('any' in test) {
    const open = test.any.map(fold).filter((each) => each !== false);
    return open.includes(true) ? true : open.length === 0 ? false : { any: open };
  }
  if ('same' in test) {
    const one = folded(test.same[0], told, now);
    const other = folded(test.same[1], told, now);
    return one.is === 'known' && other.is === 'known' ? one.value === other.value : { same: [one, other] };
  }
  const value = folded(test.value, told, now);
  return value.is === 'known'
    ? (test.among as readonly unknown[]).includes(value.value)
    : { among: test.among, value };
}

/** `target`: the column that it is for, whose type a choice has where no branch says one. */
function written(db: Reader, value: Folded, target?: string): Piece {
  switch (value.is) {
    case 'known':
      return db`${parameter(db, value.value) as never}`;
    case 'column':
      return db`${db(value.name)}`;
    case 'first':
      return db`coalesce(${value.of.map((each) => written(db, each)).reduce((all, each) => db`${all}, ${each}`)})`;
    case 'plus':
      return db`${db(value.column)} + ${written(db, value.by)}`;
    case 'added': {
      const [all, one] = [db`${db(value.column)}`, written(db, value.value)];
      return db`case when ${one} = any(${all}) then ${all} else array_append(${all}, ${one}) end`;
    }
    case 'choice': {
      const [met, otherwise] = [value.met, value.otherwise].map((each) => written(db, each, target));
      const typed = target === undefined ? db`` : db`when false then ${db(target)}`;
      return db`case when ${asked(db, value.test)} then ${met!} ${typed} else ${otherwise!} end`;
    }
  }
}

/** Objects are documents; moments, lists and pieces of SQL represent themselves. */
function parameter(db: Reader, value: unknown): unknown {
  const isDocument =
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
  return isDocument ? json(db, value) : value;
}

function asked(db: Reader, test: FoldedTest): Piece {
  if (typeof test === 'boolean') return test ? db`true` : db`false`;
  if ('not' in test) return db`not ${asked(db, test.not)}`;
  if ('all' in test) return joined(db, test.all, db`and`);
  if ('any' in test) return joined(db, test.any, db`or`);
  if ('same' in test)
    return db`(${written(db, test.same[0])} is not distinct from ${written(db, test.same[1])})`;
  const value = written(db, test.value);
  const some = test.among.filter((each) => each !== null);
  const among = db`(${value} is not null and ${value} = any(${some as string[]}))`;
  if (some.length === test.among.length) return among;
  return some.length === 0 ? db`(${value} is null)` : db`(${value} is null or ${among})`;
}

const joined = (db: Reader, tests: readonly FoldedTest[], by: Piece): Piece =>
  db`(${tests.map((each) => asked(db, each)).reduce((all, each) => db`${all} ${by} ${each}`)})`;
