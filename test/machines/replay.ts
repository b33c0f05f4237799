// Does each act of a state machine to a row in each of its states, as the product does it, and compares the row with what the table
// makes of it; and where it leads with what is said here.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Principal } from '../../src/kernel/caller.ts';
import type { Transaction } from '../../src/kernel/database.ts';
import { after, allows, type Edge, type Given, type Machine } from '../../src/kernel/machine.ts';
import type { TestApp } from '../support/app.ts';
import { ADMIN } from '../support/plans.ts';

type Row = Record<string, unknown> & { id: string };
type Doing = { tx: Transaction; row: Row; now: Date };
/** What the act is given, and how the product does it. */
export type Act = { given: Given; does(doing: Doing): Promise<unknown> };

const rowOf = async ({ sql }: TestApp, table: string, id: string): Promise<Row> => {
  const [row] = await sql<Row[]>`select * from ${sql(table)} where id = ${id}`;
  if (!row) throw new Error(`no row of ${table} has that id`);
  return { ...row };
};

/** Gives the state that it came to; null where nothing happened. */
async function replay(
  app: TestApp,
  { machine, beside }: Pick<Case, 'machine' | 'beside'>,
  name: string,
  act: Act,
  id: string,
): Promise<string | null> {
  const column = machine.state ?? 'state';
  const before = await rowOf(app, machine.table, id);
  const now = new Date(app.clock.now().getTime() + 1000);
  const edge = machine.acts[name] as Edge<string>;
  const may = allows(edge, { ...before, state: before[column] }, act.given, now);
  // What is asked of a row that cannot do it is left, or thrown out where it was to be asked before.
  const done = app.instance.app.database.transact((tx) => act.does({ tx, row: before, now }));
  if (may) await done;
  else await done.catch(() => undefined);
  const is = await rowOf(app, machine.table, id);
  const made = may ? after(machine, name, before, act.given, now) : before;
  expect(is).toEqual(may && beside ? { ...made, ...beside(before, made) } : made);
  return may ? String(is[column]) : null;
}

export type Case = {
  machine: Machine<string, string>;
  /** A row in each state, made again for each act. */
  rows: Record<string, () => Promise<string>>;
  acts: Record<string, Act>;
  /** Where each act leads, by the row that it is done to. */
  leads: Record<string, Record<string, string>>;
  /** What the database writes beside an act, from the row before it and the row that the table makes of it. */
  beside?: ((before: Row, made: Record<string, unknown>) => Record<string, unknown>) | undefined;
};

export function replays(app: () => TestApp, { machine, rows, acts, leads, beside }: Case): void {
  test('has an act here for each of its table', () => {
    expect(Object.keys(acts).sort()).toEqual(Object.keys(machine.acts).sort());
  });
  test.each(Object.entries(acts))('%s', async (name, act) => {
    const went: Record<string, string> = {};
    for (const [state, row] of Object.entries(rows)) {
      const to = await replay(app(), { machine, beside }, name, act, await row());
      if (to !== null) went[state] = to;
    }
    expect(went).toEqual(leads[name]);
  });
}

export const { principal: ADA } = ADMIN;
export const AT = new Date('2026-03-02T09:00:00.000Z');

export const by = (name: string, who: Principal = ADA) => ({
  [`${name}_kind`]: who.kind,
  [`${name}_id`]: who.id,
  [`${name}_name`]: who.name,
  [`${name}_on_behalf_of`]: null,
});

/** Gives the id. */
export async function insert({ sql }: TestApp, table: string, row: Record<string, unknown>): Promise<string> {
  const id = randomUUID();
  await sql`insert into ${sql(table)} ${sql({ id, ...row } as unknown as Record<string, never>)}`;
  return id;
}
