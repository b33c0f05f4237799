// The second step: what each column becomes. Proposed by the product, changed here; what is in a column is shown beside it.
import { Button, NativeSelect } from '@mantine/core';
import { useRead } from '../../../../ui/client/hooks.ts';
import { Refused } from '../../../../ui/kit/form.tsx';
import type { CustomField } from '../../fields/contract.ts';
import type { Plan, PlannedColumn } from '../contract.ts';
import { Options } from './options.tsx';
import { StepEnd, StepHead } from './steps.tsx';
import { isPlanOf, makePlan, say, type ImportSaid, type Wizard } from './wizard.ts';
import { Working } from './working.tsx';
import { choicesWith, count, rows, sentence, takesSeveral } from './words.ts';
import classes from './imports.module.css';

type ColumnsStepProps = {
  wizard: Wizard;
  plan: Plan;
  focus: boolean;
  back: () => void;
  next: () => void;
};

const NONE: CustomField[] = [];

export function ColumnsStep({ wizard, plan, focus, back, next }: ColumnsStepProps) {
  const { said, file, doing, refused } = wizard;
  const custom = useRead('field_list', { noun: 'person' }, { stale_ms: 120_000 }).data?.items[0]?.fields;
  const choices = choicesWith(custom ?? NONE);
  const unseen = plan.columns_in_all - plan.columns.length;
  const read = async (): Promise<void> => {
    if (isPlanOf(wizard) || (await makePlan())) next();
  };
  return (
    <>
      <div className={classes.two} inert={doing !== null}>
        <section>
          <StepHead title="Match the columns" focus={focus}>
            <bdi>{file?.name}</bdi>: {rows(plan.preview.rows)}, {formatSays(plan)}. Fields are suggested from
            column names and values.
          </StepHead>
          <ul className={classes.columns}>
            {plan.columns.map((column) => (
              <ColumnLine
                key={column.index}
                column={column}
                goal={goalOf(column, said)}
                changed={column.index in said.goals}
                choices={choices}
                become={(goal) => say({ goals: become(plan, said, column, goal) })}
              />
            ))}
          </ul>
          {unseen > 0 && (
            <p className={classes.note}>
              The file has {count(unseen)} more columns than can be listed. They’re matched to fields by name,
              and left out if no field matches.
            </p>
          )}
        </section>
        <Options said={said} errors={refused?.fields ?? {}} />
      </div>
      <StepEnd>
        {file && doing ? (
          <Working file={file} doing={doing} />
        ) : (
          <>
            <Refused error={refused} />
            <Button variant="default" onClick={back}>
              Back
            </Button>
            <Button onClick={() => void read()}>{isPlanOf(wizard) ? 'See the plan' : 'Create plan'}</Button>
          </>
        )}
      </StepEnd>
    </>
  );
}

const goalOf = ({ index, field }: PlannedColumn, { goals }: ImportSaid): string | null =>
  index in goals ? (goals[index] ?? null) : field;

/** Of fields that one column feeds, the column that had it before gives it up, in sight. */
function become(
  plan: Plan,
  said: ImportSaid,
  column: PlannedColumn,
  goal: string | null,
): ImportSaid['goals'] {
  const goals = { ...said.goals, [column.index]: goal };
  if (goal === null || takesSeveral(goal)) return goals;
  for (const other of plan.columns)
    if (other.index !== column.index && goalOf(other, said) === goal) goals[other.index] = null;
  return goals;
}

type ColumnLineProps = {
  column: PlannedColumn;
  goal: string | null;
  changed: boolean;
  choices: ReturnType<typeof choicesWith>;
  become: (goal: string | null) => void;
};

function ColumnLine({ column, goal, changed, choices, become: choose }: ColumnLineProps) {
  const name = column.name || `Column ${column.index + 1}`;
  const why = goal !== null ? null : changed ? 'Left out.' : column.why && sentence(column.why);
  return (
    <li data-out={goal === null || undefined}>
      <div className={classes.from}>
        <strong>
          <bdi>{name}</bdi>
        </strong>
        <span>
          <bdi>{column.samples.join(' · ') || 'Empty in the first rows'}</bdi>
        </span>
      </div>
      <div className={classes.into}>
        <NativeSelect
          aria-label={`${name} goes to`}
          value={goal ?? ''}
          onChange={(event) => choose(event.currentTarget.value || null)}
          data={[{ value: '', label: 'Leave out' }, ...choices]}
        />
        {why && <p>{why}</p>}
      </div>
    </li>
  );
}

const DELIMITER: Record<string, string> = {
  ',': 'commas',
  ';': 'semicolons',
  '\t': 'tabs',
  '|': 'bars',
};

function formatSays({ format: { kind, encoding, delimiter } }: Plan): string {
  if (kind === 'xlsx') return 'an Excel workbook';
  const parted = delimiter === null ? '' : ` separated by ${DELIMITER[delimiter] ?? `“${delimiter}”`}`;
  return `CSV${parted}, ${encoding?.replace('utf-', 'UTF-').replace('windows', 'Windows') ?? 'text'}`;
}
