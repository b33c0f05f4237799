// What is looked at before letters leave: every check, what lifts the ones that fail and who can, and the way to start once
// none that is required fails.
import { many } from '../../../../ui/kit/numbers.ts';
import { Button, Modal } from '@mantine/core';
import { CircleAlert, CircleCheck, Minus, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import type { ApiError } from '../../../../ui/client/call.ts';
import { useAct, useRead } from '../../../../ui/client/hooks.ts';
import { ActButton } from '../../../../ui/kit/act-button.tsx';
import { Refused } from '../../../../ui/kit/form.tsx';
import { Bones, Trouble } from '../../../../ui/kit/states.tsx';
import { useTopmost } from '../../../../ui/kit/topmost.ts';
import type { Check } from '../checks.contract.ts';
import type { Campaign } from '../contract.ts';
import { FixLink } from './fix-link.tsx';
import { Leaves } from './leaves.tsx';
import type { TabName } from './tab.ts';
import { WHO } from './words.ts';
import classes from './preflight.module.css';

type Go = (tab: TabName) => void;
type PreflightProps = { opened: boolean; campaign: Campaign; close: () => void; go: Go };

export function Preflight({ opened, campaign, close, go }: PreflightProps) {
  const topmost = useTopmost(opened);
  const resumes = campaign.state !== 'draft';
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={`${resumes ? 'Resume' : 'Activate'} ${campaign.name}?`}
      size={600}
      closeOnEscape={topmost}
    >
      <Checks campaign={campaign} close={close} go={go} act={resumes ? 'Resume' : 'Activate'} />
    </Modal>
  );
}

type ChecksProps = Omit<PreflightProps, 'opened'> & { act: string };

function Checks({ campaign, close, go, act }: ChecksProps) {
  const [refused, setRefused] = useState<ApiError | null>(null);
  const [read, setRead] = useState<string | null>(null);
  const { data, error, refetch, isFetching, isFetchedAfterMount } = useRead(
    'campaign_preflight',
    { campaign: campaign.id },
    { stale_ms: 0 },
  );
  const start = useAct('campaign_activate', {
    quiet: true,
    says: 'Campaign active. Letters go out during sending hours.',
    onSuccess: close,
    onError: setRefused,
  });
  if (error && !data) return <Trouble error={error} again={() => void refetch()} />;
  // What an earlier look left behind is not what is here now.
  if (!data || !isFetchedAfterMount) return <Bones lines={7} height={20} />;
  // The first answer is what was opened; a later one is signed for only once it was asked for.
  const seen = read ?? data.seen;
  if (read === null) setRead(data.seen);
  const changed = seen !== data.seen;
  const again = async (): Promise<void> => {
    setRefused(null);
    const { data: now } = await refetch();
    if (now) setRead(now.seen);
  };
  const failing = data.checks.filter(({ ok, required }) => ok === false && required);
  const advice = data.checks.filter(({ ok, required }) => ok === false && !required);
  const holding = data.checks.filter(({ ok }) => ok);
  const unasked = data.checks.filter(({ ok }) => ok === null);
  return (
    <div className={classes.stack}>
      <p className={classes.says} role="status">
        {data.ok
          ? `All required checks pass. ${many(campaign.counts.people, 'person', 'people')} enrolled.`
          : `Fix ${many(failing.length, 'failing check')} before activating.`}
      </p>
      {failing.length > 0 && <List title="Required" checks={failing} tone="bad" go={go} />}
      {advice.length > 0 && <List title="Recommended" checks={advice} tone="warn" go={go} />}
      {unasked.length > 0 && <Unasked checks={unasked} />}
      <details className={classes.holding} open={data.ok && advice.length === 0}>
        <summary>{many(holding.length, 'check passes', 'checks pass')}</summary>
        <List title="Passing checks" checks={holding} tone="good" bare />
      </details>
      <Leaves letters={data.letters} senders={data.senders} />
      {changed && (
        <p className={classes.changed} role="alert">
          This campaign has changed. Reload it before you activate it.
        </p>
      )}
      <Refused error={refused} />
      <div className={classes.end}>
        <Button variant="default" loading={isFetching} onClick={() => void again()}>
          {changed || refused?.status === 409 ? 'Reload' : 'Check again'}
        </Button>
        <Button variant="default" onClick={close}>
          Not now
        </Button>
        <ActButton
          loading={start.isPending}
          closed={
            changed
              ? 'The campaign has changed. Reload first.'
              : data.ok
                ? null
                : 'Fix the failing checks, then check again.'
          }
          onClick={() => {
            setRefused(null);
            start.mutate({ campaign: campaign.id, seen });
          }}
        >
          {act}
        </ActButton>
      </div>
    </div>
  );
}

const ICONS = { bad: CircleAlert, warn: TriangleAlert, good: CircleCheck };
const HEARD = { bad: 'Fails', warn: 'Recommended', good: 'Passes' };

function List({
  title,
  checks,
  tone,
  bare,
  go,
}: {
  title: string;
  checks: Check[];
  tone: keyof typeof ICONS;
  bare?: boolean;
  /** Leads to where it is fixed. */
  go?: Go;
}) {
  const Icon = ICONS[tone];
  return (
    <section>
      <h3 className={bare ? 'unseen' : classes.title}>{title}</h3>
      <ul className={classes.list}>
        {checks.map(({ code, sentence, fix, who }) => (
          <li key={code} data-tone={tone}>
            <Icon size={17} role="img" aria-label={HEARD[tone]} />
            <div>
              <p>{sentence}</p>
              {fix && (
                <p className={classes.says}>
                  {fix} <span className={classes.who}>{WHO[who]}</span>
                </p>
              )}
            </div>
            {go && <FixLink code={code} sentence={sentence} go={go} />}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Ten checks often wait for one cause: it is said once. */
function Unasked({ checks }: { checks: Check[] }) {
  const causes = Map.groupBy(checks, ({ sentence }) => sentence);
  return (
    <section>
      <h3 className={classes.title}>Not checked yet</h3>
      <ul className={classes.list}>
        {[...causes].map(([sentence, waiting]) => (
          <li key={sentence}>
            <Minus size={17} aria-hidden />
            <p>
              {sentence} <span className={classes.who}>{many(waiting.length, 'check', 'checks')}</span>
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
