// Activated versions of a workflow: the active one, who activated each, and its changes.
import { Button } from '@mantine/core';
import { GitCommitVertical } from 'lucide-react';
import { useAct, usePages } from '../../../../ui/client/hooks.ts';
import { confirm } from '../../../../ui/kit/confirm.ts';
import { Pill } from '../../../../ui/kit/pills.tsx';
import { Principal } from '../../../../ui/kit/principal.tsx';
import { Bones, Empty, Trouble } from '../../../../ui/kit/states.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import type { Workflow, WorkflowVersion } from '../contract.ts';
import { changesBetween } from './changes.rules.ts';
import { Changes } from './changes.tsx';
import { asDraft, type WorkflowDraft } from './editor/draft.rules.ts';
import { triggerWord } from './words.ts';
import classes from './workflow.module.css';

const differs = (before: WorkflowDraft, after: WorkflowDraft) =>
  changesBetween(before, after, ({ trigger }) => triggerWord(trigger));

export function VersionsTab({ workflow, dirty }: { workflow: Workflow; dirty: boolean }) {
  const pages = usePages('workflow_versions', { workflow: workflow.id, limit: 20 });
  const { rows } = pages;
  if (pages.error) return <Trouble error={pages.error} again={pages.again} />;
  if (pages.pending)
    return (
      <div className={classes.middle}>
        <Bones lines={6} height={20} />
      </div>
    );
  const [newest] = rows;
  if (!newest)
    return (
      <Empty icon={GitCommitVertical} title="No active version yet">
        Each activated version is saved here. Until you activate one, this workflow is a draft.
      </Empty>
    );
  const since = differs(asDraft(newest), asDraft(workflow));
  return (
    <section className={classes.middle} aria-label="Versions">
      <ol className={classes.versions}>
        {since.length > 0 && (
          <li>
            <p className={classes.states}>
              <strong>Version {workflow.version}</strong> <Pill>Saved, not active</Pill>{' '}
              <Time at={workflow.updated_at} />
            </p>
            <Changes of={since} none="" />
          </li>
        )}
        {rows.map((version, at) => (
          <OneVersion
            key={version.version}
            version={version}
            before={rows[at + 1]}
            isLast={at === rows.length - 1 && !pages.more}
            workflow={workflow}
            dirty={dirty}
          />
        ))}
      </ol>
      {pages.more && (
        <Button variant="subtle" color="gray" onClick={pages.more}>
          Load earlier versions
        </Button>
      )}
    </section>
  );
}

type OneProps = {
  version: WorkflowVersion;
  before: WorkflowVersion | undefined;
  isLast: boolean;
  workflow: Workflow;
  dirty: boolean;
};

function OneVersion({ version, before, isLast, workflow, dirty }: OneProps) {
  const back = useAct('workflow_update', {
    says: `Version ${version.version} restored under Steps. Activate it to run it.`,
  });
  const same = differs(asDraft(version), asDraft(workflow)).length === 0;
  const { name, trigger, steps } = version;
  const bring = async (): Promise<void> => {
    const says = 'This replaces the saved steps. The active version keeps running.';
    const title = `Restore version ${version.version}?`;
    if (await confirm({ title, says, act: 'Restore' }))
      back.mutate({ workflow: workflow.id, revision: workflow.revision, name, trigger, steps });
  };
  return (
    <li>
      <div className={classes.version}>
        <p className={classes.states}>
          <strong>Version {version.version}</strong>
          {version.active && <Pill tone="good">Active</Pill>}
          {version.wire_granted && <Pill tone="warn">Has the wire</Pill>}
          <span>
            activated by <Principal of={version.runs_as} behalf={version.runs_as.on_behalf_of ?? null} />
          </span>
          <Time at={version.activated_at} />
        </p>
        {!same && !dirty && (
          <Button size="compact-sm" variant="default" loading={back.isPending} onClick={() => void bring()}>
            Restore
          </Button>
        )}
      </div>
      {before ? (
        <Changes of={differs(asDraft(before), asDraft(version))} none="No changes to the steps." />
      ) : (
        isLast && <p className={classes.says}>First activated version.</p>
      )}
    </li>
  );
}
