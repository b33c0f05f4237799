// The card of a mail vendor: whether it reports what becomes of letters, when it last did, and having it registered, its secret
// made again or taken away. Its secret is shown to no one.
import { Button } from '@mantine/core';
import { TriangleAlert } from 'lucide-react';
import type { Answer } from '../../../../ui/client/call.ts';
import { useAct, useRead } from '../../../../ui/client/hooks.ts';
import { ActButton } from '../../../../ui/kit/act-button.tsx';
import { confirm } from '../../../../ui/kit/confirm.ts';
import { Facts } from '../../../../ui/kit/detail-drawer.tsx';
import { Pill } from '../../../../ui/kit/pills.tsx';
import { Principal } from '../../../../ui/kit/principal.tsx';
import { Bones, Trouble } from '../../../../ui/kit/states.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import classes from '../../../../ui/kit/settings-card.module.css';

type Vendor = Answer<'vendor_read'>['vendors'][number];

export function VendorCards() {
  const { data, error, refetch } = useRead('vendor_read', {});
  if (error) return <Trouble error={error} again={() => void refetch()} />;
  if (!data) return <Bones lines={4} />;
  return data.vendors.map((vendor) => <VendorCard key={vendor.provider} vendor={vendor} />);
}

function VendorCard({ vendor }: { vendor: Vendor }) {
  const { provider, title, key_set, webhook } = vendor;
  const heading = `vendor-${provider}`;
  return (
    <section className={classes.card} aria-labelledby={heading}>
      <div className={classes.cardHead}>
        <div>
          <h2 id={heading}>
            {title} webhook {webhook ? <Pill tone="good">Registered</Pill> : <Pill>Not registered</Pill>}
          </h2>
          <p>
            {title} reports deliveries, bounces and complaints in signed webhook events. Addresses that bounce
            or complain are suppressed automatically.
          </p>
        </div>
        <VendorActs vendor={vendor} />
      </div>
      {!key_set && webhook && (
        <p className={classes.failing} role="status">
          <TriangleAlert size={15} aria-hidden />
          <span>
            No {title} API key is saved, so Dunnock can’t reach {title}. Save a key below.
          </span>
        </p>
      )}
      {webhook && (
        <Facts
          of={[
            ['Endpoint URL', <code key="u">{webhook.url}</code>],
            ['Events', webhook.events.join(', ')],
            ['Last event', <Time key="l" at={webhook.last_event_at} none="None" />],
            [
              'Registered',
              <span key="r">
                <Principal of={webhook.registered_by} behalf={webhook.registered_by.on_behalf_of ?? null} />{' '}
                <Time at={webhook.registered_at} />
              </span>,
            ],
            ['Secret regenerated', <Time key="o" at={webhook.rotated_at} />],
          ]}
        />
      )}
    </section>
  );
}

function VendorActs({ vendor: { provider, title, key_set, webhook } }: { vendor: Vendor }) {
  const args = { provider };
  const closed = key_set ? null : `Save a ${title} API key first.`;
  const register = useAct('vendor_webhook_register', { says: `${title} webhook registered` });
  const rotate = useAct('vendor_webhook_rotate', { says: 'Signing secret regenerated' });
  const remove = useAct('vendor_webhook_remove', { says: ({ sentence }) => sentence });
  const askRegister = async (): Promise<void> => {
    const yes = await confirm({
      title: `Register the ${title} webhook?`,
      says: `${title} learns this instance’s address and reports every delivery, bounce and complaint to it.`,
      act: 'Register',
    });
    if (yes) register.mutate(args);
  };
  const askRotate = async (): Promise<void> => {
    const yes = await confirm({
      title: 'Regenerate the secret?',
      says: `${title} signs webhook events with the new secret from now on. The old secret is accepted for a short time.`,
      act: 'Regenerate secret',
    });
    if (yes) rotate.mutate(args);
  };
  const askRemove = async (): Promise<void> => {
    const yes = await confirm({
      title: `Unregister the ${title} webhook?`,
      says: 'Bounces and complaints will go unnoticed. People who complained keep getting letters, and the warden can’t pause the domain in time.',
      act: 'Unregister',
      tone: 'bad',
    });
    if (yes) remove.mutate(args);
  };
  if (!webhook)
    return (
      <ActButton closed={closed} loading={register.isPending} onClick={() => void askRegister()}>
        Register
      </ActButton>
    );
  return (
    <div className={classes.formEnd}>
      <ActButton
        variant="default"
        closed={closed}
        loading={rotate.isPending}
        onClick={() => void askRotate()}
      >
        Regenerate secret
      </ActButton>
      <Button variant="subtle" color="gray" loading={remove.isPending} onClick={() => void askRemove()}>
        Unregister
      </Button>
    </div>
  );
}
