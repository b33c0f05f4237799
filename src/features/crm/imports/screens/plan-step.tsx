// The third step: what the file would do, row by row, what is wrong with it first. Only what is here can be written.
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useRead } from '../../../../ui/client/hooks.ts';
import { ActButton } from '../../../../ui/kit/act-button.tsx';
import { confirm } from '../../../../ui/kit/confirm.ts';
import { Refused } from '../../../../ui/kit/form.tsx';
import { SuppressedMark } from '../../suppressions/screens/shared.ts';
import type { Plan } from '../contract.ts';
import { Metrics } from './metrics.tsx';
import { PlannedRows } from './planned-rows.tsx';
import { StepEnd, StepHead } from './steps.tsx';
import { makePlan, type Wizard, writePlan } from './wizard.ts';
import { Working } from './working.tsx';
import { count, goalTitle, people, rows } from './words.ts';
import classes from './imports.module.css';

type PlanStepProps = {
  wizard: Wizard;
  plan: Plan;
  focus: boolean;
  back: () => void;
  written: (batch: string) => void;
};

export function PlanStep({ wizard, plan, focus, back, written }: PlanStepProps) {
  const { file, doing, refused } = wizard;
  const { totals, examples, suppressed, left_out } = plan;
  const changing = totals.create + totals.update;
  const write = async (): Promise<void> => {
    const yes = await confirm({
      title: `Import ${people(changing)}?`,
      says: whatIsWritten(plan),
      act: `Import ${people(changing)}`,
    });
    const batch = yes ? await writePlan() : null;
    if (batch !== null) written(batch);
  };
  return (
    <>
      <div className={classes.plan} inert={doing !== null}>
        <StepHead title={`Plan for ${file?.name ?? 'this file'}`} focus={focus}>
          Nothing is saved yet. {rows(plan.preview.rows)} were read. The plan is valid for 24 hours. If you
          change the file or the options, create a new plan.
        </StepHead>
        <Metrics
          label="Planned result"
          of={[
            { title: 'Created', n: totals.create, tone: 'good' },
            { title: 'Updated', n: totals.update, tone: 'info' },
            { title: 'Skipped', n: totals.skip },
            { title: 'Rejected', n: totals.reject, tone: 'bad' },
            { title: 'Suppressed', n: totals.suppressed, tone: 'warn' },
            { title: 'Values left out', n: totals.left_out, tone: 'warn' },
          ]}
        />
        <PlannedRows
          title="Rejected"
          says="These rows can’t be imported. Fix them in the file, or import the rest without them."
          tone="bad"
          total={totals.reject}
          rows={examples.reject}
        />
        <PlannedRows
          title="Values left out"
          says="The row is imported without these values."
          tone="warn"
          total={totals.left_out}
          rows={left_out}
        />
        <PlannedRows
          title="Already suppressed"
          says="These people receive no letters, even if their row is imported. Imports never lift suppressions."
          tone="warn"
          total={totals.suppressed}
          rows={suppressed.map(({ suppression, ...row }) => ({
            ...row,
            mark: <SuppressedMark mark={suppression} />,
          }))}
        />
        <PlannedRows
          title="Skipped"
          says="These rows change nothing."
          tone="mute"
          total={totals.skip}
          rows={examples.skip}
        />
        <PlannedRows
          title="Updated"
          says="Existing people who are updated from the file."
          tone="info"
          total={totals.update}
          rows={examples.update}
        />
        <PlannedRows
          title="Created"
          says="New people."
          tone="good"
          total={totals.create}
          rows={examples.create}
        />
        <ColumnsTaken plan={plan} change={back} />
      </div>
      <StepEnd>
        {file && doing ? (
          <Working file={file} doing={doing} />
        ) : (
          <>
            <Refused error={refused} />
            <Button variant="default" onClick={back}>
              Change columns
            </Button>
            {refused?.status === 409 ? (
              <Button onClick={() => void makePlan()}>Create a new plan</Button>
            ) : (
              <ActButton
                closed={changing === 0 ? 'No row in this file would create or update a person.' : null}
                onClick={() => void write()}
              >
                Import {people(changing)}
              </ActButton>
            )}
          </>
        )}
      </StepEnd>
    </>
  );
}

function whatIsWritten({ totals }: Plan): ReactNode {
  const does = [
    totals.create > 0 && `${people(totals.create)} ${totals.create === 1 ? 'is' : 'are'} created`,
    totals.update > 0 && `${people(totals.update)} ${totals.update === 1 ? 'is' : 'are'} updated`,
  ].filter(Boolean);
  const not = [
    totals.skip > 0 && `${rows(totals.skip)} ${totals.skip === 1 ? 'is' : 'are'} skipped`,
    totals.reject > 0 && `${rows(totals.reject)} ${totals.reject === 1 ? 'is' : 'are'} rejected`,
  ].filter(Boolean);
  return (
    <>
      {[...does, ...not].join(', ')}.{' '}
      {totals.suppressed > 0 &&
        `${count(totals.suppressed)} of these people ${totals.suppressed === 1 ? 'is' : 'are'} suppressed and ${totals.suppressed === 1 ? 'stays' : 'stay'} suppressed. `}
      No one is enrolled and no letters are sent. You can roll back the import until someone in it has
      received a letter.
    </>
  );
}

function ColumnsTaken({ plan: { columns, columns_in_all }, change }: { plan: Plan; change: () => void }) {
  const custom = useRead('field_list', { noun: 'person' }, { stale_ms: 120_000 }).data?.items[0]?.fields;
  const taken = columns.filter(({ field }) => field !== null);
  const out = columns.filter(({ field }) => field === null);
  const called = ({ name, index }: Plan['columns'][number]): string => name || `Column ${index + 1}`;
  return (
    <section className={classes.group}>
      <h3>Columns</h3>
      <p>
        {taken.length} of {count(columns_in_all)} are imported:{' '}
        {taken.map((each) => `${called(each)} as ${goalTitle(each.field ?? '', custom ?? [])}`).join(', ')}.
        {out.length > 0 && ` Left out: ${out.map(called).join(', ')}.`}{' '}
        <button type="button" className={classes.link} onClick={change}>
          Change columns
        </button>
      </p>
    </section>
  );
}
