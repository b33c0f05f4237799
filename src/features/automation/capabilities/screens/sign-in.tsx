// The caller’s own sign-in at a tool server: connect, reconnect, disconnect.
import { Button } from '@mantine/core';
import { ExternalLink } from 'lucide-react';
import { useState } from 'react';
import { useAct } from '../../../../ui/client/hooks.ts';
import { confirm } from '../../../../ui/kit/confirm.ts';
import { Refused } from '../../../../ui/kit/form.tsx';
import { Section } from '../../../../ui/kit/page.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import type { Capability } from '../contract.ts';
import classes from './capabilities.module.css';

export function SignInSection({ of }: { of: Capability }) {
  const [leaving, setLeaving] = useState(false);
  const connect = useAct('capability_connect', {
    quiet: true,
    onSuccess: ({ url }) => {
      // Their page, and never a script of theirs in ours.
      if (!/^https?:\/\//i.test(url)) return;
      setLeaving(true);
      location.assign(url);
    },
  });
  const disconnect = useAct('capability_disconnect', { says: `Signed out of ${of.title}.` });
  if (of.auth === 'none')
    return (
      <Section
        title="Sign-in"
        says="This server doesn’t require sign-in, so it doesn’t know who an agent acts for."
      />
    );
  const askDisconnect = async (): Promise<void> => {
    const yes = await confirm({
      title: `Sign out of ${of.title}?`,
      says: 'Agents acting for you lose access at their next step. To revoke access completely, also remove this instance in your account with that service.',
      act: 'Disconnect',
      tone: 'bad',
    });
    if (yes) disconnect.mutate({ capability: of.id });
  };
  const signedIn = of.connection === 'connected';
  const others = of.signed_in - (signedIn ? 1 : 0);
  return (
    <Section
      title="Your sign-in"
      says="Each person signs in with their own account. Agents acting for you use only yours."
      actions={
        <>
          {of.connection !== 'none' && (
            <Button variant="default" loading={disconnect.isPending} onClick={() => void askDisconnect()}>
              Disconnect
            </Button>
          )}
          <Button
            variant={signedIn ? 'default' : 'filled'}
            rightSection={<ExternalLink size={14} aria-hidden />}
            loading={connect.isPending || leaving}
            onClick={() => connect.mutate({ capability: of.id })}
          >
            {of.connection === 'none' ? 'Connect' : 'Reconnect'}
          </Button>
        </>
      }
    >
      <p className={classes.mine}>
        {signedIn ? (
          <>
            Signed in <Time at={of.connected_at} />.
          </>
        ) : of.connection === 'lost' ? (
          'Your sign-in expired or lacks permissions. Reconnect.'
        ) : (
          'You aren’t signed in. Connect opens the server’s sign-in page.'
        )}{' '}
        {others > 0 && `${others} ${others === 1 ? 'other person is' : 'other people are'} signed in.`}
      </p>
      <Refused error={connect.error} />
    </Section>
  );
}
