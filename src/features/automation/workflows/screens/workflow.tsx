// Page of one workflow: steps, runs, versions and actions.
import { ActionIcon, Menu } from '@mantine/core';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Ellipsis, FlaskConical, Play, Power } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { useAct, useRead } from '../../../../ui/client/hooks.ts';
import { useMe } from '../../../../ui/client/session.ts';
import { ActButton } from '../../../../ui/kit/act-button.tsx';
import { confirm } from '../../../../ui/kit/confirm.ts';
import { later } from '../../../../ui/kit/later.tsx';
import { Page, Part } from '../../../../ui/kit/page.tsx';
import { Pill } from '../../../../ui/kit/pills.tsx';
import { Bones, Trouble } from '../../../../ui/kit/states.tsx';
import { TabStrip } from '../../../../ui/kit/tab-strip.tsx';
import { mayAdminister } from '../../../../ui/shell/places.ts';
import type { Workflow } from '../contract.ts';
import { EMPTY } from './editor/starts.ts';
import { Editor } from './editor/editor.tsx';
import { useEditing } from './editor/use-editing.ts';
import { plainly, STATE, TEST } from './words.ts';
import classes from './workflow.module.css';

const Runs = lazy(() => import('./run/runs-tab.tsx').then((m) => ({ default: m.RunsTab })));
const Versions = lazy(() => import('./versions.tsx').then((m) => ({ default: m.VersionsTab })));
const Activate = later(
  () => import('./activate.tsx').then((m) => m.Activate),
  ({ opened }) => opened,
);
const StartRun = later(
  () => import('./run/start-run.tsx').then((m) => m.StartRun),
  ({ opened }) => opened,
);

const TestRun = later(
  () => import('./run/test-run.tsx').then((m) => m.TestRun),
  ({ opened }) => opened,
);

export function WorkflowScreen() {
  const { workflow: id } = useParams({ from: '/desk/workflows/$workflow' });
  const { data, error, refetch } = useRead('workflow_get', { workflow: id });
  if (!data)
    return (
      <Page crumbs={[{ title: 'Workflows', to: '/workflows' }, { title: 'Workflow' }]} width="reading">
        {error ? <Trouble error={error} again={() => void refetch()} /> : <Bones lines={8} height={22} />}
      </Page>
    );
  return <WorkflowPage key={id} workflow={data.workflow} />;
}

const TABS = [
  { key: 'steps', title: 'Steps' },
  { key: 'runs', title: 'Runs' },
  { key: 'versions', title: 'Versions' },
] as const;

const SAVE_FIRST = 'Save or discard your changes first.';

function WorkflowPage({ workflow }: { workflow: Workflow }) {
  const search = useSearch({ from: '/desk/workflows/$workflow' });
  const navigate = useNavigate({ from: '/workflows/$workflow' });
  const { id, name, state, version, active_version } = workflow;
  const editing = useEditing(workflow, EMPTY, () => undefined);
  const tab = TABS.find(({ key }) => key === search.view)?.key ?? 'steps';
  const show = (change: { view?: string | undefined; act?: string | undefined }): void =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true });
  const off = useAct('workflow_deactivate', { says: 'Workflow turned off. Triggers no longer start it.' });
  const remove = useAct('workflow_delete', {
    says: 'Workflow deleted.',
    onSuccess: () => void navigate({ to: '/workflows', search: {}, ignoreBlocker: true }),
  });
  const may = mayAdminister(useMe());
  const current = state === 'active' && active_version === version;

  return (
    <Page
      crumbs={[{ title: 'Workflows', to: '/workflows' }, { title: name }]}
      beside={
        <>
          <Pill tone={STATE[state].tone}>{STATE[state].title}</Pill>
          {state === 'active' && !current && (
            <Pill
              tone="warn"
              title={`Version ${active_version} is active; version ${version} isn’t activated.`}
            >
              edited
            </Pill>
          )}
        </>
      }
      actions={
        may && (
          <>
            {state === 'active' && (
              <ActButton
                variant={current ? 'filled' : 'default'}
                leftSection={<Play size={15} />}
                onClick={() => show({ act: 'run' })}
              >
                Run
              </ActButton>
            )}
            <ActButton
              variant="default"
              leftSection={<FlaskConical size={15} />}
              closed={editing.dirty ? SAVE_FIRST : null}
              onClick={() => show({ act: 'test' })}
            >
              {TEST.act}
            </ActButton>
            {!current && (
              <ActButton
                leftSection={<Power size={15} />}
                closed={editing.dirty ? SAVE_FIRST : null}
                onClick={() => show({ act: 'activate' })}
              >
                Activate
              </ActButton>
            )}
            <Menu position="bottom-end">
              <Menu.Target>
                <ActionIcon size="lg" aria-label="More">
                  <Ellipsis size={17} />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                {current && (
                  <Menu.Item onClick={() => show({ act: 'activate' })}>Reactivate as you…</Menu.Item>
                )}
                {state === 'active' && (
                  <Menu.Item onClick={() => off.mutate({ workflow: id })}>Turn off</Menu.Item>
                )}
                <Menu.Item
                  color="red"
                  disabled={state === 'active'}
                  onClick={() =>
                    void confirm({
                      title: `Delete ${name}?`,
                      says: 'Its steps, versions and run history are deleted. What its runs did stays. This can’t be undone.',
                      act: 'Delete',
                      tone: 'bad',
                    }).then((yes) => yes && remove.mutate({ workflow: id }))
                  }
                >
                  {state === 'active' ? 'Turn it off before you delete it' : 'Delete…'}
                </Menu.Item>
              </Menu.Dropdown>
            </Menu>
          </>
        )
      }
    >
      {workflow.plain_credentials.length > 0 && (
        <p className={classes.paused} role="alert">
          {plainly(workflow.plain_credentials)}
        </p>
      )}
      {workflow.paused && (
        <p className={classes.paused} role="alert">
          Paused automatically: {workflow.paused.sentence}.
        </p>
      )}
      <div className={classes.tabbed}>
        <TabStrip
          label="Workflow"
          tabs={TABS}
          chosen={tab}
          choose={(next) => show({ view: next === 'steps' ? undefined : next })}
        />
        <Suspense
          fallback={
            <div className={classes.middle}>
              <Bones lines={6} height={20} />
            </div>
          }
        >
          <Part>
            {tab === 'steps' && <Editor editing={editing} />}
            {tab === 'runs' && <Runs workflow={workflow} />}
            {tab === 'versions' && <Versions workflow={workflow} dirty={editing.dirty} />}
          </Part>
        </Suspense>
      </div>
      <Activate
        opened={search.act === 'activate'}
        workflow={workflow}
        close={() => show({ act: undefined })}
      />
      <TestRun opened={search.act === 'test'} workflow={workflow} close={() => show({ act: undefined })} />
      <StartRun opened={search.act === 'run'} workflow={workflow} close={() => show({ act: undefined })} />
    </Page>
  );
}
