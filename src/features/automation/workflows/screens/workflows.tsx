// List of workflows with trigger, state and last run.
import { Button } from '@mantine/core';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Plus, Workflow as Mark } from 'lucide-react';
import { usePages } from '../../../../ui/client/hooks.ts';
import { useMe } from '../../../../ui/client/session.ts';
import { DataList, type Column } from '../../../../ui/kit/data-list.tsx';
import { useKeys } from '../../../../ui/kit/keys.ts';
import { Page } from '../../../../ui/kit/page.tsx';
import { Pill } from '../../../../ui/kit/pills.tsx';
import { Empty } from '../../../../ui/kit/states.tsx';
import { StateTabs } from '../../../../ui/kit/tab-strip.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import { mayAdminister } from '../../../../ui/shell/places.ts';
import named from '../../../../ui/kit/named.module.css';
import type { ListedWorkflow } from '../contract.ts';
import { STARTS } from './editor/starts.ts';
import { RUN, STATE, triggerWord } from './words.ts';
import classes from './workflow.module.css';

const COLUMNS: Column<ListedWorkflow>[] = [
  {
    key: 'name',
    title: 'Name',
    cell: (workflow) => (
      <span className={named.named}>
        <Link to="/workflows/$workflow" params={{ workflow: workflow.id }} search={{}} tabIndex={-1}>
          {workflow.name}
        </Link>
        <span className={named.goal}>{triggerWord(workflow.trigger)}</span>
      </span>
    ),
  },
  {
    key: 'state',
    title: 'State',
    width: '150px',
    cell: ({ state, version, active_version }) => (
      <span className={classes.states}>
        <Pill tone={STATE[state].tone}>{STATE[state].title}</Pill>
        {active_version !== null && active_version !== version && (
          <Pill tone="warn" title={`Version ${active_version} is active; newer changes aren’t.`}>
            edited
          </Pill>
        )}
      </span>
    ),
  },
  {
    key: 'last',
    title: 'Last run',
    width: '190px',
    hide: 'narrow',
    cell: ({ last_run }) =>
      last_run ? (
        <span className={classes.states}>
          <Pill tone={RUN[last_run.state].tone}>{RUN[last_run.state].title}</Pill>
          <Time at={last_run.created_at} />
        </span>
      ) : (
        <Time at={null} none="Never run" />
      ),
  },
  {
    key: 'lately',
    title: 'Runs in 24 h',
    width: '110px',
    align: 'end',
    hide: 'medium',
    cell: ({ runs_last_day }) => (
      <span className={named.number}>{runs_last_day >= 1_000 ? '1,000+' : runs_last_day}</span>
    ),
  },
  {
    key: 'next',
    title: 'Next',
    width: '124px',
    align: 'end',
    hide: 'medium',
    cell: ({ next_at }) => <Time at={next_at} none="" />,
  },
  {
    key: 'changed',
    title: 'Changed',
    width: '124px',
    align: 'end',
    hide: 'medium',
    cell: ({ updated_at }) => <Time at={updated_at} />,
  },
];

export function WorkflowsScreen() {
  const search = useSearch({ from: '/desk/workflows' });
  const navigate = useNavigate({ from: '/workflows' });
  const state = Object.keys(STATE).find((one) => one === search.state) as ListedWorkflow['state'] | undefined;
  const pages = usePages('workflow_list', state ? { state } : {});
  const make = (kind?: string): void => void navigate({ to: '/workflows/new', search: kind ? { kind } : {} });
  const may = mayAdminister(useMe());
  useKeys([{ keys: 'n', does: 'New workflow', group: 'Workflows', run: () => make() }], may);

  return (
    <Page
      crumbs={[{ title: 'Workflows' }]}
      actions={
        may && (
          <Button leftSection={<Plus size={15} />} onClick={() => make()}>
            New
          </Button>
        )
      }
    >
      <DataList
        label="Workflows"
        columns={COLUMNS}
        pages={pages}
        rowKey={({ id }) => id}
        open={({ id }) => void navigate({ to: '/workflows/$workflow', params: { workflow: id }, search: {} })}
        tone={({ last_run }) =>
          last_run?.state === 'failed' || last_run?.state === 'stalled' ? 'bad' : undefined
        }
        above={
          <StateTabs
            titles={STATE}
            chosen={state}
            choose={(next) => void navigate({ search: next ? { state: next } : {}, replace: true })}
          />
        }
        empty={
          state ? (
            <Empty icon={Mark} title={`No workflows in state “${STATE[state].title}”`}>
              Choose another state.
            </Empty>
          ) : (
            <>
              <Empty icon={Mark} title="No workflows yet">
                A workflow runs steps when something happens: a reply arrives, someone is imported, or on a
                schedule. It acts with the permissions of the person who activates it.
              </Empty>
              {may && (
                <ul className={classes.starts} aria-label="Templates">
                  {STARTS.map(({ key, title, says }) => (
                    <li key={key}>
                      <button type="button" onClick={() => make(key)}>
                        <strong>{title}</strong>
                        <span>{says}</span>
                      </button>
                    </li>
                  ))}
                  <li>
                    <button type="button" onClick={() => make()}>
                      <strong>Blank workflow</strong>
                      <span>Start with one step.</span>
                    </button>
                  </li>
                </ul>
              )}
            </>
          )
        }
      />
    </Page>
  );
}
