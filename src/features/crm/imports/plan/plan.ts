// The plan of an import, gathered row by row: totals, the first rows of each kind, and a letter for every row, by which the
// write is held to what was shown.
import { wholeRows } from '../../../../kernel/page.ts';
import type { OUTCOMES, Plan, PlannedColumn, PlannedRow } from '../contract.ts';
import { whyLeft } from '../write/apply.ts';
import type { ImportDraft } from '../file/draft.ts';
import type { RowLetter, Verdict } from './judge.ts';
import type { Column } from '../file/mapping.rules.ts';
import type { Preview } from './preview.store.ts';
import type { Head } from '../file/reading.ts';

type Outcome = (typeof OUTCOMES)[number];

export const outcomeOf = (letter: RowLetter): Outcome =>
  letter === 'c' ? 'create' : letter === 'u' ? 'update' : letter === 'r' ? 'reject' : 'skip';

const EXAMPLES = 50;
/** UTF-16 units for each list of the answer, so that all of it stays below 48,000. */
const CHARS_A_LIST = 5_500;
const CHARS_OF_COLUMNS = 12_000;

export type Gathered = Pick<Preview, 'outcomes' | 'targets'> & { plan: Omit<Plan, 'preview'>; rows: number };

export function openPlan() {
  const totals: Plan['totals'] = { create: 0, update: 0, skip: 0, reject: 0, suppressed: 0, left_out: 0 };
  const examples: Record<Outcome, PlannedRow[]> = { create: [], update: [], skip: [], reject: [] };
  const suppressed: Plan['suppressed'] = [];
  const left_out: Plan['left_out'] = [];
  const letters: string[] = [];
  const targets: Preview['targets'] = {};

  const add = (draft: ImportDraft, { letter, person, mark }: Verdict): void => {
    const outcome = outcomeOf(letter);
    letters.push(mark ? letter.toUpperCase() : letter);
    totals[outcome] += 1;
    if (person) targets[draft.row] = [person.id, person.revision];
    const why =
      outcome === 'create' || outcome === 'update'
        ? null
        : whyLeft({ ...draft, letter, suppressed: mark !== null });
    const shown: PlannedRow = {
      row: draft.row,
      name: draft.name,
      address: draft.addresses[0]?.value ?? null,
      column: why?.column_name ?? null,
      reason: why?.reason ?? null,
      person_id: person?.id ?? null,
    };
    if (examples[outcome].length < EXAMPLES) examples[outcome].push(shown);
    if (mark && outcome !== 'reject') {
      totals.suppressed += 1;
      if (suppressed.length < EXAMPLES) suppressed.push({ ...shown, suppression: mark });
    }
    if (why !== null) return;
    totals.left_out += draft.notes.length;
    for (const note of draft.notes.slice(0, EXAMPLES - left_out.length))
      left_out.push({ row: draft.row, ...note });
  };

  return {
    add,
    end({ format, columns, samples }: Head): Gathered {
      return {
        outcomes: letters.join(''),
        targets,
        rows: letters.length,
        plan: {
          dry_run: true,
          format: format.kind === 'csv' ? { ...format } : { kind: 'xlsx', encoding: null, delimiter: null },
          columns: withSamples(fitting(columns, CHARS_OF_COLUMNS), samples),
          columns_in_all: columns.length,
          totals,
          examples: {
            create: fitting(examples.create),
            update: fitting(examples.update),
            skip: fitting(examples.skip),
            reject: fitting(examples.reject),
          },
          suppressed: fitting(suppressed),
          left_out: fitting(left_out),
        },
      };
    },
  };
}

const fitting = <T>(rows: T[], chars = CHARS_A_LIST): T[] => rows.slice(0, wholeRows(rows, chars));

/** Columns come first; their samples have the room that is left, from the first column on. */
function withSamples(columns: Column[], samples: string[][]): PlannedColumn[] {
  let room = CHARS_OF_COLUMNS - JSON.stringify(columns).length;
  return columns.map((column) => {
    const own = samples[column.index] ?? [];
    room -= JSON.stringify({ samples: own }).length;
    return { ...column, samples: room >= 0 ? own : [] };
  });
}
