// Before a version is activated: as whom it will act, what it will be allowed to do, and what changes by that.
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
        It starts: <strong>{triggerWord(trigger)}</strong>. From then on it acts as <strong>{me.name}</strong>
        : it may do what you may do, looked up anew at every step, and the record says so.
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
        <section aria-label="What changes">
          <h3>
            {running.version === workflow.version
              ? `Version ${running.version} runs already, as ${running.runs_as.name}`
              : `Changed since version ${running.version}`}
          </h3>
          <Changes of={changes} none="Its steps are the same." />
        </section>
      )}
      <p className={classes.says}>
        Runs that have begun go on as they began.
        {steps.some(({ kind }) => kind === 'enrol') &&
          ' If a segment, campaign, sender, agent or form it names changes later, its runs are held until someone activates it again.'}
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
      <Needing pill="needs the wire">
        It puts people into a campaign without asking again, and letters follow. By activating you give it the
        wire for this step, and for no other.
      </Needing>
    );
  if (kind === 'lua')
    return (
      <Needing pill="needs scripts">
        Its script runs as you, without the wire. Whoever starts it by hand needs the scope too.
      </Needing>
    );
  if (kind === 'http') {
    const to = URL.canParse(String(input['url'])) ? new URL(String(input['url'])) : null;
    const host = to?.hostname ?? null;
    const missing = to !== null && listed !== null && !isListed(listed, to);
    return (
      <Needing pill={missing ? 'host is not listed' : 'reaches out'}>
        {missing
          ? `${host} is on no list: the step fails until an administrator lists it in Settings → Workflows.`
          : `It tells ${host ?? 'another system'} what stands in the step.`}
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
