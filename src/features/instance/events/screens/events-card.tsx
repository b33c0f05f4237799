// Events card: address, state, on or off, and the signing secret.
import { Button, Switch } from '@mantine/core';
import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { useAct } from '../../../../ui/client/hooks.ts';
import { confirm } from '../../../../ui/kit/confirm.ts';
import { Pill } from '../../../../ui/kit/pills.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import type { Webhook } from '../webhook.contract.ts';
import { AddressForm } from './address-form.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { Verify } from './verify.tsx';
import classes from './integrations.module.css';
import cards from '../../../../ui/kit/settings-card.module.css';

export function EventsCard({ webhook }: { webhook: Webhook }) {
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <section className={cards.card} aria-labelledby="events-title">
      <div className={cards.cardHead}>
        <div>
          <h2 id="events-title">
            Events <State webhook={webhook} />
          </h2>
          <p>
            Signed notifications about replies, held letters, paused domains, deals and parked reviews, sent
            to your own endpoint. Events don’t include email content or grant permissions.
          </p>
        </div>
        <Toggle webhook={webhook} onSecret={setSecret} />
      </div>
      {webhook.on && webhook.failing_since && (
        <p className={cards.failing} role="status">
          <TriangleAlert size={15} aria-hidden />
          <span>
            Failing since <Time at={webhook.failing_since} />. Each delivery is tried 4 times over 36 minutes.
            Resend failed deliveries below.
          </span>
        </p>
      )}
      {/* Another address is another form. */}
      <AddressForm key={webhook.url} webhook={webhook} onSecret={setSecret} />
      <SecretLine webhook={webhook} onSecret={setSecret} />
      <details className={classes.verify}>
        <summary>Verify deliveries in your receiver</summary>
        <p>
          Check the signature against the exact bytes before parsing, ignore delivery IDs you’ve seen, and
          respond with 2xx within 10 seconds.
        </p>
        <Verify />
      </details>
      <SecretDialog secret={secret} onClose={() => setSecret(null)} />
    </section>
  );
}

function State({ webhook }: { webhook: Webhook }) {
  if (webhook.url === null) return <Pill>No address</Pill>;
  if (!webhook.on) return <Pill>Off</Pill>;
  return webhook.failing_since ? <Pill tone="bad">Failing</Pill> : <Pill tone="good">On</Pill>;
}

type PartProps = { webhook: Webhook; onSecret: (secret: string) => void };

function Toggle({ webhook, onSecret }: PartProps) {
  const on = useAct('events_webhook_set', {
    says: 'Delivery turned on.',
    onSuccess: ({ secret }) => secret && onSecret(secret),
  });
  const off = useAct('events_webhook_off', {
    says: 'Delivery turned off. New events will be marked as skipped.',
  });
  if (webhook.url === null) return null;
  const { url } = webhook;
  return (
    <Switch
      label="Deliver events"
      labelPosition="left"
      checked={off.isPending ? false : on.isPending || webhook.on}
      disabled={on.isPending || off.isPending}
      onChange={(event) => (event.currentTarget.checked ? on.mutate({ url }) : off.mutate({}))}
    />
  );
}

function SecretLine({ webhook, onSecret }: PartProps) {
  const rotate = useAct('events_secret_rotate', { onSuccess: ({ secret }) => onSecret(secret) });
  const ask = async (): Promise<void> => {
    const yes = await confirm({
      title: 'Rotate the signing secret?',
      says: 'All later deliveries, including retries, use the new secret. Your receiver will reject them until you give it the new secret.',
      act: 'Rotate',
      tone: 'bad',
    });
    if (yes) rotate.mutate({});
  };
  return (
    <div className={cards.secret}>
      <div>
        <h3>Signing secret</h3>
        <p>
          {webhook.has_secret
            ? 'Stored encrypted. You can rotate it, but not view it.'
            : 'Created when you turn on delivery, and shown only once.'}
        </p>
      </div>
      {webhook.has_secret && (
        <Button variant="default" loading={rotate.isPending} onClick={() => void ask()}>
          Rotate
        </Button>
      )}
    </div>
  );
}
