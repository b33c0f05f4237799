// One step of a run: state, what it waits for, and its input and output once opened.
import { Link } from '@tanstack/react-router';
import { Ban, CircleCheck, CircleX, Clock, LoaderCircle, OctagonAlert, type LucideIcon } from 'lucide-react';
import { useState } from 'react';
import { useRead } from '../../../../../ui/client/hooks.ts';
import { Pill } from '../../../../../ui/kit/pills.tsx';
import { Bones, Trouble } from '../../../../../ui/kit/states.tsx';
import { Time } from '../../../../../ui/kit/time.tsx';
import type { StepState } from '../../run/machine.rules.ts';
import type { Run, RunStep as Step } from '../../runs.contract.ts';
import { kindOf } from '../editor/kinds.ts';
import { Links } from './links.tsx';
import { STEP, tookWord } from '../words.ts';
import classes from './run.module.css';

const MARK: Record<StepState, LucideIcon> = {
  running: LoaderCircle,
  waiting: Clock,
  succeeded: CircleCheck,
  failed: CircleX,
  stalled: OctagonAlert,
  cancelled: Ban,
};

type StepProps = { run: Run; step: Step; /** The run is at it. */ here: boolean };

export function RunStep({ run, step, here }: StepProps) {
  const [open, setOpen] = useState(false);
  const Icon = MARK[step.state];
  const kind = kindOf(step.kind);
  const took = tookWord(step.started_at, step.finished_at);
  return (
    <li data-state={step.state} data-here={here || undefined}>
      <span className={classes.mark} style={{ color: `var(--${STEP[step.state].tone})` }}>
        <Icon size={18} aria-hidden data-turns={step.state === 'running' || undefined} />
      </span>
      <div>
        <p className={classes.line}>
          <strong>
            {step.seq}. {step.name || step.id}
          </strong>
          <Pill tone={STEP[step.state].tone}>{STEP[step.state].title}</Pill>
          {step.attempt > 1 && <span>attempt {step.attempt}</span>}
        </p>
        <p className={classes.quiet}>
          {kind?.title ?? step.kind} · <Time at={step.started_at} />
          {took && `, took ${took}`}
        </p>
        {step.error && step.error !== run.error && <p className={classes.said}>{step.error}</p>}
        {here && step.state === 'waiting' && run.held === null && <Waits run={run} step={step} />}
        <details className={classes.folded} onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>Input and output</summary>
          {open && <Detail run={run} step={step} />}
        </details>
      </div>
    </li>
  );
}

/** What it waits for: someone's decision, or time. */
function Waits({ run, step }: Pick<StepProps, 'run' | 'step'>) {
  const asks = step.kind === 'ask_person';
  const { data } = useRead('run_step_get', { run: run.id, seq: String(step.seq) }, { enabled: asks });
  const subject = data?.step.asks ?? undefined;
  const approval = useRead(
    'approval_list',
    { subject: subject ?? '', state: 'pending' },
    { enabled: subject !== undefined },
  ).data?.items[0];
  if (asks)
    return (
      <p className={classes.said}>
        {approval ? (
          <>
            Waiting for a decision:{' '}
            <Link to="/approvals" search={{ open: approval.id }}>
              {' '}
              {approval.subject.title}{' '}
            </Link>
          </>
        ) : (
          'Waiting for a decision in Approvals.'
        )}
      </p>
    );
  if (step.kind === 'agent') return <p className={classes.said}>The agent is working.</p>;
  return run.due_at ? (
    <p className={classes.said}>
      Continues <Time at={run.due_at} />.
    </p>
  ) : null;
}

function Detail({ run, step }: Pick<StepProps, 'run' | 'step'>) {
  const { data, error, refetch } = useRead('run_step_get', { run: run.id, seq: String(step.seq) });
  if (error) return <Trouble error={error} again={() => void refetch()} />;
  if (!data) return <Bones lines={3} />;
  const { input, output, withheld } = data.step;
  return (
    <div className={classes.detail}>
      <Links of={output} />
      <h2>Input</h2>
      <pre tabIndex={0} aria-label={`Input of ${step.name}`}>
        {JSON.stringify(input, null, 2)}
      </pre>
      <h2>Output</h2>
      {withheld !== null ? (
        <p className={classes.quiet}>{withheld}</p>
      ) : output === null ? (
        <p className={classes.quiet}>No output yet.</p>
      ) : (
        <pre tabIndex={0} aria-label={`Output of ${step.name}`}>
          {typeof output === 'string' ? output : JSON.stringify(output, null, 2)}
        </pre>
      )}
    </div>
  );
}
