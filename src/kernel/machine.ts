// State machines as tables. A machine says of each act from which states it leads, to which, and what else of the row it sets.
// The table is the rule (`allows`, `after`) and makes the SQL (src/store/machine.ts): there is no second place to say it in.
//
//   hold: { from: ['scheduled', 'held'], to: 'held', set: { hold_reason: given('reason'), held_at: NOW, waiting_for: null } }
//
// What `set` and `to` read is the row as it was before the act, in memory as in SQL.

export type Literal = string | number | boolean | null | readonly string[];

export type Value =
  | Literal
  | { is: 'now' }
  /** What the act was given under this name. */
  | { is: 'given'; name: string }
  | { is: 'column'; name: string }
  /** The first that is not null. */
  | { is: 'first'; of: readonly Value[] }
  | { is: 'plus'; column: string; by: Value }
  /** An array, with this in it once. */
  | { is: 'added'; column: string; value: Value }
  | { is: 'choice'; test: Test; met: Value; otherwise: Value };

export type Test =
  | { among: readonly Literal[]; value: Value }
  | { same: readonly [Value, Value] }
  | { not: Test }
  | { all: readonly Test[] }
  | { any: readonly Test[] };

export type Edge<State extends string> = {
  from: readonly State[];
  /** What else of the row lets it happen. */
  only_if?: Test;
  to: State | Exclude<Value, Literal>;
  set: Readonly<Record<string, Value>>;
};

export type Machine<State extends string, Act extends string> = {
  table: string;
  /** The column of the state, where that is not `state`. */
  state?: string;
  acts: Readonly<Record<Act, Edge<State>>>;
  /** Set by every act. */
  always: Readonly<Record<string, Value>>;
};

export type Given = Readonly<Record<string, unknown>>;
/** A row, as far as its machine reads it. */
export type Stood = Readonly<Record<string, unknown>>;

export const NOW = { is: 'now' } as const;
export const given = (name: string) => ({ is: 'given', name }) as const;
export const column = (name: string) => ({ is: 'column', name }) as const;
export const first = (...of: Value[]) => ({ is: 'first', of }) as const;
export const plus = (name: string, by: Value = 1) => ({ is: 'plus', column: name, by }) as const;
export const added = (name: string, value: Value) => ({ is: 'added', column: name, value }) as const;
export const choice = (test: Test, met: Value, otherwise: Value) =>
  ({ is: 'choice', test, met, otherwise }) as const;
export const isNull = (value: Value): Test => ({ among: [null], value });

/** Whether a row may do this. */
export function allows<State extends string>(edge: Edge<State>, row: Stood, told: Given, now: Date): boolean {
  const stands = (edge.from as readonly unknown[]).includes(row['state']);
  return stands && (edge.only_if === undefined || holds(edge.only_if, row, told, now));
}

/** What the act makes of the row. Whether it may, `allows` says. */
export function after<State extends string, Act extends string>(
  machine: Machine<State, Act>,
  act: Act,
  row: Stood,
  told: Given,
  now: Date,
): Record<string, unknown> {
  const edge = machine.acts[act];
  const set = Object.entries({ ...edge.set, ...machine.always, [machine.state ?? 'state']: edge.to });
  return {
    ...row,
    ...Object.fromEntries(set.map(([name, value]) => [name, valueOf(value, row, told, now)])),
  };
}

function valueOf(value: Value, row: Stood, told: Given, now: Date): unknown {
  if (value === null || typeof value !== 'object' || !('is' in value)) return value;
  switch (value.is) {
    case 'now':
      return now;
    case 'given':
      return told[value.name] ?? null;
    case 'column':
      return row[value.name] ?? null;
    case 'first':
      for (const each of value.of) {
        const found = valueOf(each, row, told, now);
        if (found !== null) return found;
      }
      return null;
    case 'plus':
      return Number(row[value.column]) + Number(valueOf(value.by, row, told, now));
    case 'added': {
      const all = row[value.column] as readonly unknown[];
      const one = valueOf(value.value, row, told, now);
      return all.includes(one) ? all : [...all, one];
    }
    case 'choice':
      return valueOf(holds(value.test, row, told, now) ? value.met : value.otherwise, row, told, now);
  }
}

function holds(test: Test, row: Stood, told: Given, now: Date): boolean {
  if ('not' in test) return !holds(test.not, row, told, now);
  if ('all' in test) return test.all.every((each) => holds(each, row, told, now));
  if ('any' in test) return test.any.some((each) => holds(each, row, told, now));
  if ('same' in test) {
    const [one, other] = test.same.map((each) => valueOf(each, row, told, now));
    return one === other;
  }
  return (test.among as readonly unknown[]).includes(valueOf(test.value, row, told, now));
}
