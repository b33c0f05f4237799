// Setting an identity active or inactive, and deleting it.
import { Button } from '@mantine/core';
import { Pause, Play, Trash2 } from 'lucide-react';
import { useAct } from '../../../../ui/client/hooks.ts';
import { ActButton } from '../../../../ui/kit/act-button.tsx';
import { confirm } from '../../../../ui/kit/confirm.ts';
import type { Identity } from '../contract.ts';
import classes from './identities.module.css';

/** The sentence on the button that is closed; the product asks again. */
function closedTo({ transport, domain, domain_state }: Identity): string | null {
  if (domain_state === 'retired') return `${domain} is permanently retired.`;
  if (transport.kind !== 'sandbox' && domain_state !== 'active')
    return domain_state === 'paused'
      ? `${domain} is paused. Resume the domain first.`
      : `${domain} hasn’t passed its checks. Publish its DNS records, then check them.`;
  return transport.kind === 'smtp' && transport.user !== null && !transport.has_secret
    ? 'The mail server password is missing. Enter it under Outgoing mail.'
    : null;
}

export function IdentityActs({ identity }: { identity: Identity }) {
  const args = { identity: identity.id };
  const activate = useAct('identity_activate', { says: `${identity.address} activated` });
  const stop = useAct('identity_deactivate', {
    says: `${identity.address} deactivated. Its letters will be held.`,
  });
  const remove = useAct('identity_delete', { says: `${identity.address} deleted` });
  if (identity.gone_at) return null;
  const askActive = async (): Promise<void> => {
    const yes = await confirm({
      title: `Activate ${identity.address}?`,
      says:
        identity.transport.kind === 'sandbox'
          ? 'Letters from this identity go through every gate and stay in the sandbox. Nothing is delivered.'
          : `Campaigns that use this identity will send letters to real recipients as ${identity.name} <${identity.address}>${identity.transport.kind === 'smtp' ? ` through ${identity.transport.host}` : ''}.`,
      act: 'Activate',
    });
    if (yes) activate.mutate({ ...args, seen: identity.seen });
  };
  const askResume = async (): Promise<void> => {
    const yes = await confirm({
      title: `Resume sending as ${identity.address}?`,
      says: 'Held letters are sent. If the mail server still refuses them, they’re held again.',
      act: 'Resume sending',
    });
    if (yes) activate.mutate({ ...args, seen: identity.seen });
  };
  const askRemove = async (): Promise<void> => {
    const yes = await confirm({
      title: `Delete ${identity.address}?`,
      says: 'Its credentials are deleted. Scheduled letters are held; no other identity takes over. This can’t be undone.',
      act: 'Delete identity',
      tone: 'bad',
    });
    if (yes) remove.mutate(args);
  };
  return (
    <div className={classes.acts}>
      {identity.active && identity.trouble && (
        <ActButton
          closed={closedTo(identity)}
          leftSection={<Play size={14} />}
          loading={activate.isPending}
          onClick={() => void askResume()}
        >
          Resume sending
        </ActButton>
      )}
      {identity.active ? (
        <Button
          variant="default"
          leftSection={<Pause size={14} />}
          loading={stop.isPending}
          onClick={() => stop.mutate(args)}
        >
          Deactivate
        </Button>
      ) : (
        <ActButton
          closed={closedTo(identity)}
          leftSection={<Play size={14} />}
          loading={activate.isPending}
          onClick={() => void askActive()}
        >
          Activate
        </ActButton>
      )}
      <Button
        variant="subtle"
        color="gray"
        leftSection={<Trash2 size={14} />}
        loading={remove.isPending}
        onClick={() => void askRemove()}
      >
        Delete
      </Button>
    </div>
  );
}
