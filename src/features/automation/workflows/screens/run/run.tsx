// Page of one run: trigger, steps with their state, and actions.
import { useParams } from '@tanstack/react-router';
import { Ban, RotateCcw } from 'lucide-react';
import { useAct } from '../../../../../ui/client/hooks.ts';
import { ActButton } from '../../../../../ui/kit/act-button.tsx';
import { confirm } from '../../../../../ui/kit/confirm.ts';
import { Page } from '../../../../../ui/kit/page.tsx';
import { Pill } from '../../../../../ui/kit/pills.tsx';
import { Principal } from '../../../../../ui/kit/principal.tsx';
import { Bones, Trouble } from '../../../../../ui/kit/states.tsx';
import { Time } from '../../../../../ui/kit/time.tsx';
import { whyNotCancelled, whyNotRetried } from '../../run/machine.rules.ts';
import type { Run } from '../../runs.contract.ts';
import { Links } from './links.tsx';
import { RunStep } from './run-step.tsx';
import { useLiveRun } from './use-live-run.ts';
import { RUN, setOffBy, tookWord } from '../words.ts';
import classes from './run.module.css';

export function RunScreen() {
  const { run: id } = useParams({ from: '/desk/workflows/runs/$run' });
  const { data, error, refetch } = useLiveRun(id);
  if (!data)
    return (
      <Page crumbs={[{ title: 'Workflows', to: '/workflows' }, { title: 'Run' }]} width="reading">
        {error ? <Trouble error={error} again={() => void refetch()} /> : <Bones lines={8} height={22} />}
      </Page>
    );
  return <RunPage run={data.run} />;
}

const dataOf = ({ trigger }: Run): Record<string, unknown> => {
  const { data } = trigger;
  return typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : {};
};

function RunPage({ run }: { run: Run }) {
  const { id, state, workflow_id, workflow_name, steps, error, held, at_step } = run;
  const retry = useAct('run_retry', { says: 'Run resumed at the step where it stopped.' });
  const cancel = useAct('run_cancel', { says: 'Run canceled. Completed steps aren’t undone.' });
  const whyNot = whyNotCancelled(state);
  const stopped = state === 'failed' || state === 'stalled' || held !== null;
  const closed = whyNotRetried(run, false);
  const took = tookWord(run.started_at, run.finished_at);
  const data = dataOf(run);
  const comes = state === 'queued' && steps.at(-1)?.seq !== undefined && steps.at(-1)?.finished_at !== null;

  return (
    <Page
      crumbs={[
        { title: 'Workflows', to: '/workflows' },
        { title: workflow_name, to: `/workflows/${workflow_id}` },
        { title: 'Run' },
      ]}
      beside={<Pill tone={RUN[state].tone}>{RUN[state].title}</Pill>}
      width="reading"
      actions={
        <>
          {stopped && (
            <ActButton
              leftSection={<RotateCcw size={15} />}
              loading={retry.isPending}
              closed={closed}
              onClick={() => retry.mutate({ run: id })}
            >
              Retry
            </ActButton>
          )}
          {whyNot === null && (
            <ActButton
              variant="default"
              leftSection={<Ban size={15} />}
              loading={cancel.isPending}
              onClick={() =>
                void confirm({
                  title: 'Cancel this run?',
                  says: 'The current step finishes first. Completed steps aren’t undone.',
                  act: 'Cancel run',
                  tone: 'bad',
                }).then((yes) => yes && cancel.mutate({ run: id }))
              }
            >
              Cancel run
            </ActButton>
          )}
        </>
      }
    >
      <dl className={classes.facts}>
        <div>
          <dt>Trigger</dt>
          <dd>
            {setOffBy(run.trigger)}
            {run.started_by && (
              <>
                {' '}
                by <Principal of={run.started_by} behalf={run.started_by.on_behalf_of ?? null} />
              </>
            )}
          </dd>
        </div>
        <div>
          <dt>Acts as</dt>
          <dd>
            <Principal of={run.runs_as} behalf={run.runs_as.on_behalf_of ?? null} />
          </dd>
        </div>
        <div>
          <dt>Version</dt>
          <dd>{run.version}</dd>
        </div>
        <div>
          <dt>Started</dt>
          <dd>
            <Time at={run.created_at} />
            {took && `, took ${took}`}
          </dd>
        </div>
      </dl>
      {Object.keys(data).length > 0 && (
        <details className={classes.folded}>
          <summary>Trigger data</summary>
          <Links of={data} />
          <pre tabIndex={0} aria-label="Trigger data">
            {JSON.stringify(data, null, 2)}
          </pre>
        </details>
      )}
      {error && (
        <p
          className={classes.error}
          role="alert"
          data-held={held !== null || state === 'waiting' || undefined}
        >
          {error}
        </p>
      )}
      <ol className={classes.steps} aria-label="Steps of this run">
        {steps.map((step) => (
          <RunStep key={step.seq} run={run} step={step} here={step.id === at_step && step === steps.at(-1)} />
        ))}
        {(steps.length === 0 || comes) && whyNot === null && (
          <li className={classes.next}>
            <p>{steps.length === 0 ? 'Starting…' : 'Next step starting…'}</p>
          </li>
        )}
      </ol>
    </Page>
  );
}
