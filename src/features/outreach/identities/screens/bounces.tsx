// Where bounces of an identity's letters go, and whether they arrive: the envelope sender, and the probe with what it showed.
import { NativeSelect } from '@mantine/core';
import { CircleCheck, CircleHelp, CircleX, MailCheck } from 'lucide-react';
import { useAct } from '../../../../ui/client/hooks.ts';
import { ActButton } from '../../../../ui/kit/act-button.tsx';
import { confirm } from '../../../../ui/kit/confirm.ts';
import { ServerWords } from '../../../../ui/kit/server-words.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import type { Identity } from '../contract.ts';
import { ENVELOPE_SENDERS } from '../../../../mail/transport.rules.ts';
import { BOUNCES, ENVELOPE } from './words.ts';
import classes from './identities.module.css';

/** The sentence on the button that is closed; the product asks again. */
const closedTo = ({ transport, inbound }: Identity): string | null =>
  transport.kind === 'sandbox'
    ? 'Letters in the sandbox don’t bounce.'
    : inbound.kind === 'none'
      ? 'This identity has no mailbox. Set up incoming mail first.'
      : null;

export function Bounces({ identity }: { identity: Identity }) {
  const update = useAct('identity_update', { says: 'Envelope sender saved' });
  const probe = useAct('identity_probe', { says: 'Probe sent' });
  if (identity.transport.kind === 'vendor')
    return <p className={classes.quiet}>Bounces arrive through the vendor’s webhook.</p>;
  const { bounces, envelope_sender, domain, address } = identity;
  const to = envelope_sender === 'own' ? address : `bounce+…@${domain}`;
  const ask = async (): Promise<void> => {
    const yes = await confirm({
      title: 'Send a probe?',
      says: `This sends one email to ${to}. If it arrives in this identity’s mailbox, bounces will arrive there too.`,
      act: 'Send probe',
    });
    if (yes) probe.mutate({ identity: identity.id });
  };
  return (
    <div className={classes.stack}>
      <NativeSelect
        label="Envelope sender"
        description={ENVELOPE[envelope_sender].says(domain)}
        value={envelope_sender}
        disabled={update.isPending}
        onChange={(event) => {
          const chosen = ENVELOPE_SENDERS.find((each) => each === event.currentTarget.value);
          if (chosen)
            update.mutate({ identity: identity.id, revision: identity.revision, envelope_sender: chosen });
        }}
        data={ENVELOPE_SENDERS.map((value) => ({ value, label: ENVELOPE[value].title }))}
      />
      <div className={classes.acts}>
        <ActButton
          variant="default"
          closed={closedTo(identity)}
          leftSection={<MailCheck size={14} />}
          loading={probe.isPending}
          onClick={() => void ask()}
        >
          Send probe
        </ActButton>
        <span className={classes.quiet} role="status">
          <strong>{BOUNCES[bounces.arrive].title}</strong>{' '}
          {bounces.probed_at && (
            <>
              Last probe: <Time at={bounces.probed_at} />
            </>
          )}
        </span>
      </div>
      <ol className={classes.rungs}>
        <li data-outcome={BOUNCES[bounces.arrive].outcome}>
          <Mark arrive={bounces.arrive} />
          <span>{BOUNCES[bounces.arrive].says}</span>
        </li>
      </ol>
      {bounces.server_said && <ServerWords said={bounces.server_said} />}
    </div>
  );
}

function Mark({ arrive }: { arrive: Identity['bounces']['arrive'] }) {
  const Icon = arrive === 'yes' ? CircleCheck : arrive === 'no' ? CircleX : CircleHelp;
  return <Icon size={15} aria-hidden />;
}
