// Runs of one workflow, newest first, filtered by state.
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { ListChecks } from 'lucide-react';
import { usePages } from '../../../../../ui/client/hooks.ts';
import { DataList, type Column } from '../../../../../ui/kit/data-list.tsx';
import { CsvButton, csvAddress, TabsAndTools } from '../../../../../ui/kit/list-tools.tsx';
import { Pill } from '../../../../../ui/kit/pills.tsx';
import { Empty } from '../../../../../ui/kit/states.tsx';
import { StateTabs } from '../../../../../ui/kit/tab-strip.tsx';
import { Time } from '../../../../../ui/kit/time.tsx';
import named from '../../../../../ui/kit/named.module.css';
import type { Workflow } from '../../contract.ts';
import type { RunState } from '../../run/machine.rules.ts';
import type { RunSummary } from '../../runs.contract.ts';
import { RUN, setOffBy, tookWord } from '../words.ts';
import classes from '../workflow.module.css';

const SHOWN: RunState[] = ['running', 'waiting', 'succeeded', 'failed', 'stalled', 'cancelled'];

const columnsOf = (workflow: Workflow): Column<RunSummary>[] => [
  {
    key: 'what',
    title: 'Run',
    cell: (run) => (
      <span className={named.named}>
        <Link to="/workflows/runs/$run" params={{ run: run.id }} tabIndex={-1}>
          {setOffBy(run.trigger)}
          {run.started_by && ` by ${run.started_by.name}`}
        </Link>
        <span className={named.goal}>{where(run, workflow)}</span>
      </span>
    ),
  },
  {
    key: 'state',
    title: 'State',
    width: '132px',
    cell: ({ state }) => <Pill tone={RUN[state].tone}>{RUN[state].title}</Pill>,
  },
  {
    key: 'version',
    title: 'Version',
    width: '84px',
    align: 'end',
    hide: 'medium',
    cell: ({ version }) => <span className={named.number}>{version}</span>,
  },
  {
    key: 'began',
    title: 'Started',
    width: '104px',
    hide: 'narrow',
    cell: ({ created_at }) => <Time at={created_at} />,
  },
  {
    key: 'took',
    title: 'Duration',
    width: '104px',
    hide: 'medium',
    cell: ({ started_at, finished_at }) => tookWord(started_at, finished_at) ?? '',
  },
];

function where({ error, at_step, state }: RunSummary, { steps }: Workflow): string {
  if (error) return error;
  if (at_step === null || state === 'succeeded') return 'Completed';
  return `At ${steps.find(({ id }) => id === at_step)?.name ?? at_step}`;
}

export function RunsTab({ workflow }: { workflow: Workflow }) {
  const search = useSearch({ from: '/desk/workflows/$workflow' });
  const navigate = useNavigate({ from: '/workflows/$workflow' });
  const state = SHOWN.find((one) => one === search.state);
  const filters = { workflow: workflow.id, ...(state ? { state } : {}) };
  const pages = usePages('run_list', filters);
  return (
    <div className={classes.list}>
      <DataList
        label="Runs"
        columns={columnsOf(workflow)}
        pages={pages}
        rowKey={({ id }) => id}
        open={({ id }) => void navigate({ to: '/workflows/runs/$run', params: { run: id } })}
        tone={({ state: stands, held }) =>
          stands === 'failed' || stands === 'stalled' ? 'bad' : held ? 'warn' : undefined
        }
        above={
          <TabsAndTools
            tabs={
              <StateTabs
                pills
                label="Run states"
                titles={RUN}
                states={SHOWN}
                chosen={state}
                choose={(next) =>
                  void navigate({ search: (before) => ({ ...before, state: next }), replace: true })
                }
              />
            }
            tools={<CsvButton file={csvAddress('run_list', filters)} />}
          />
        }
        empty={
          state ? (
            <Empty icon={ListChecks} title={`No runs in state “${RUN[state].title}”`}>
              Choose another state.
            </Empty>
          ) : (
            <Empty icon={ListChecks} title="No runs yet">
              {workflow.state === 'active'
                ? 'Runs appear here when the workflow is triggered or started by hand.'
                : 'Activate the workflow. Its runs appear here.'}
            </Empty>
          )
        }
      />
    </div>
  );
}
