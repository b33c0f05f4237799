// Dialog before activation: whom the version acts as, what it may do, and what changes.
import { Button, Modal } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { ApiError } from '../../../../ui/client/call.ts';
import { useAct, useRead } from '../../../../ui/client/hooks.ts';
import { useMe } from '../../../../ui/client/session.ts';
import { Refused } from '../../../../ui/kit/form.tsx';
import { Pill } from '../../../../ui/kit/pills.tsx';
import { useTopmost } from '../../../../ui/kit/topmost.ts';
import type { Workflow } from '../contract.ts';
import { isListed } from '../secrets/secrets.rules.ts';
import { changesBetween } from './changes.rules.ts';
import { Changes } from './changes.tsx';
import { asDraft } from './editor/draft.rules.ts';
import { kindOf } from './editor/kinds.ts';
import { triggerWord } from './words.ts';
import classes from './workflow.module.css';

type ActivateProps = { opened: boolean; workflow: Workflow; close: () => void };

export function Activate({ opened, workflow, close }: ActivateProps) {
  const topmost = useTopmost(opened);
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={`Activate version ${workflow.version}`}
      size={560}
      closeOnEscape={topmost}
    >
      <Asking workflow={workflow} close={close} />
    </Modal>
  );
}

function Asking({ workflow, close }: Omit<ActivateProps, 'opened'>) {
  const { principal: me } = useMe();
  const [refused, setRefused] = useState<ApiError | null>(null);
  const { id, revision, active_version, steps, trigger } = workflow;
  const { data } = useRead(
    'workflow_versions',
    { workflow: id, limit: 1 },
    { enabled: active_version !== null },
  );
  const hosts = useRead('workflow_hosts', {}, { enabled: steps.some(({ kind }) => kind === 'http') });
  const running = data?.items.find(({ active }) => active);
  const changes = running
    ? changesBetween(asDraft(running), asDraft(workflow), (of) => triggerWord(of.trigger))
    : [];
  const activate = useAct('workflow_activate', {
    quiet: true,
    says: ({ workflow: now }) => `Version ${now.active_version ?? now.version} is active.`,
    onSuccess: close,
    onError: (error) => error.code !== 'given_up' && setRefused(error),
  });
  return (
    <div className={classes.asking}>
      <p>
        Trigger: <strong>{triggerWord(trigger)}</strong>. It acts as <strong>{me.name}</strong> with your
        permissions, checked again at every step and recorded in the activity.
      </p>
      <ol className={classes.may}>
        {steps.map((step, at) => (
          <li key={step.id}>
            <span>
              {at + 1}. {step.name}
            </span>
            <Needs kind={step.kind} input={step.input} listed={hosts.data?.hosts ?? null} />
          </li>
        ))}
      </ol>
      {running && (
        <section aria-label="Changes">
          <h3>
            {running.version === workflow.version
              ? `Version ${running.version} is already active, as ${running.runs_as.name}`
              : `Changed since version ${running.version}`}
          </h3>
          <Changes of={changes} none="No changes to the steps." />
        </section>
      )}
      <p className={classes.says}>
        Runs in progress keep their current version.{' '}
        {steps.some(({ kind }) => kind === 'enrol') &&
          ' If a segment, campaign, sender, agent or form this workflow uses changes later, its runs are held until someone activates the workflow again.'}
      </p>
      <Refused error={refused} />
      <div className={classes.ends}>
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
        <Button
          data-autofocus
          loading={activate.isPending}
          onClick={() => {
            setRefused(null);
            activate.mutate({ workflow: id, revision });
          }}
        >
          Activate as {me.name}
        </Button>
      </div>
    </div>
  );
}

type NeedsProps = { kind: string; input: Record<string, unknown>; listed: string[] | null };

function Needs({ kind, input, listed }: NeedsProps) {
  if (kind === 'enrol')
    return (
      <Needing pill="needs wire scope">
        This step enrols people in a campaign without asking, so they receive letters. Activating allows only
        this step.
      </Needing>
    );
  if (kind === 'lua')
    return (
      <Needing pill="needs scripts scope">
        The script runs as you and can’t send. Anyone who starts the workflow by hand also needs the scripts
        scope.
      </Needing>
    );
  if (kind === 'http') {
    const to = URL.canParse(String(input['url'])) ? new URL(String(input['url'])) : null;
    const host = to?.hostname ?? null;
    const missing = to !== null && listed !== null && !isListed(listed, to);
    return (
      <Needing pill={missing ? 'host not allowed' : 'contacts another system'}>
        {missing
          ? `${host} isn’t an allowed host. The step fails until an administrator adds it in Settings → Workflows.`
          : `This step sends data to ${host ?? 'another system'}.`}
      </Needing>
    );
  }
  const says = kindOf(kind)?.says;
  return says ? <p className={classes.says}>{says}</p> : null;
}

const Needing = ({ pill, children }: { pill: string; children: ReactNode }) => (
  <div>
    <Pill tone="warn">{pill}</Pill>
    <p className={classes.says}>{children}</p>
  </div>
);
