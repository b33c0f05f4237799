// Each state column has one file that writes it (docs/decisions/0048-one-table-of-a-letters-states.md and
// 0049-a-table-for-each-state.md): a second writer would be a second rule. Read off the statements of the sources; what a statement sets from an object is refused too, where its type does not
// keep the state out.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CAMPAIGN } from '../../src/features/outreach/campaigns/running/campaign-states.rules.ts';
import { LETTERS } from '../../src/features/outreach/sends/letter/transitions.rules.ts';
import { PROSPECT } from '../../src/features/outreach/prospects/spine/spine.rules.ts';
import { APPROVAL } from '../../src/features/work/approvals/approval-states.rules.ts';
import { THREAD } from '../../src/features/inbox/threads/thread-states.rules.ts';
import { RUN, STEP } from '../../src/features/automation/workflows/run/run-states.rules.ts';

const ROOT = join(import.meta.dirname, '../..');
const stores = globSync('src/**/*.ts', { cwd: ROOT })
  .filter((file) => !file.includes('.test.') && !file.includes('/screens/'))
  .map((file) => ({ file, text: readFileSync(join(ROOT, file), 'utf8') }));

type Column = {
  table: string;
  column: string;
  writer: string;
  /** What makes rows in their first state. */
  births: string[];
  /** Statements that set an object of columns, whose type keeps the state out. */
  objects: string[];
};

const F = 'src/features';
const RUNS = `${F}/automation/workflows/run`;
const LETTER = `${F}/outreach/sends/letter`;
const COLUMNS: Column[] = [
  {
    table: LETTERS.table,
    column: 'state',
    writer: `${LETTER}/transitions.store.ts`,
    births: [`${LETTER}/transitions.store.ts`],
    objects: [`${LETTER}/erase.store.ts`],
  },
  {
    table: CAMPAIGN.table,
    column: 'state',
    writer: `${F}/outreach/campaigns/running/campaign-states.store.ts`,
    births: [`${F}/outreach/campaigns/save.store.ts`],
    objects: [`${F}/outreach/campaigns/save.store.ts`],
  },
  {
    table: APPROVAL.table,
    column: 'state',
    writer: `${F}/work/approvals/approval-states.store.ts`,
    births: [`${F}/work/approvals/approval-states.store.ts`],
    objects: [],
  },
  {
    table: THREAD.table,
    column: 'state',
    writer: `${F}/inbox/threads/thread-states.store.ts`,
    births: [`${F}/inbox/threads/record/open.store.ts`],
    objects: [`${F}/inbox/threads/save.store.ts`],
  },
  {
    table: RUN.table,
    column: 'state',
    writer: `${RUNS}/run-states.store.ts`,
    births: [`${RUNS}/runs.store.ts`],
    objects: [],
  },
  {
    table: STEP.table,
    column: 'state',
    writer: `${RUNS}/run-states.store.ts`,
    births: [`${RUNS}/run-states.store.ts`],
    objects: [],
  },
  ...['stage', 'ended'].map((column) => ({
    table: PROSPECT.table,
    column,
    writer: `${F}/outreach/prospects/spine/prospect-states.store.ts`,
    births: [`${F}/outreach/prospects/enrol/enrol.store.ts`],
    objects: [],
  })),
];

/** What each `update` of the table sets, to the end of its statement. */
const setsOf = (text: string, table: string): string[] =>
  [
    ...text.matchAll(
      new RegExp(`update\\s+(?:only\\s+)?${table}\\b[\\s\\w]{0,20}?\\sset\\b(?=([\\s\\S]{0,2000}))`, 'gi'),
    ),
  ].map(([, after = '']) => after.split('`;')[0] ?? '');
const sameFiles = (found: string[], allowed: string[]): void =>
  expect([...new Set(found)].sort()).toEqual([...new Set(allowed)].sort());

/** Columns as the table of the machine sets them, and before them what a caller adds that the table knows nothing of. */
const MADE = /^\s*(?:\$\{said\})?\$\{(?:sets\(|set\})/;

describe.each(COLUMNS)('$table, $column', ({ table, column, writer, births, objects }) => {
  const filesWith = (holds: (sets: string) => boolean): string[] =>
    stores.filter(({ text }) => setsOf(text, table).some(holds)).map(({ file }) => file);

  test('is set by one file', () => {
    expect(filesWith((sets) => new RegExp(`(?:^|,)\\s*${column}\\s*=`).test(sets))).toEqual([]);
    expect(filesWith((sets) => MADE.test(sets))).toEqual([writer]);
  });

  test('is in no object of columns that another statement sets', () => {
    sameFiles(
      filesWith((sets) => /^\s*\$\{/.test(sets) && !MADE.test(sets)),
      objects,
    );
    const among = new RegExp(`\\b${column}:(?!\\s*(?:\\w*State|string|boolean)\\b)`);
    for (const { file, text } of stores)
      if (objects.includes(file) && !births.includes(file)) expect(text, file).not.toMatch(among);
  });

  test('has its first value where rows are made', () => {
    const makes = new RegExp(`insert\\s+into\\s+${table}\\b`, 'i');
    sameFiles(
      stores.filter(({ text }) => makes.test(text)).map(({ file }) => file),
      births,
    );
  });
});

test('the SQL of each machine is made in its writer alone', () => {
  const makers = stores
    .filter(
      ({ file, text }) => file !== 'src/store/machine.ts' && /from '[^']*\/store\/machine\.ts'/.test(text),
    )
    .map(({ file }) => file);
  sameFiles(
    makers,
    COLUMNS.map(({ writer }) => writer),
  );
});
