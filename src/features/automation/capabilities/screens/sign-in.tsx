// The caller's own sign-in at a tool server: away with this tab, back in it, and out again.
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
  const disconnect = useAct('capability_disconnect', { says: `Your sign-in at ${of.title} is forgotten.` });
  if (of.auth === 'none')
    return (
      <Section
        title="Sign-in"
        says="It asks for none: whatever an agent sends there, it sends without saying for whom."
      />
    );
  const askDisconnect = async (): Promise<void> => {
    const yes = await confirm({
      title: `Forget your sign-in at ${of.title}?`,
      says: 'Agents that act as you have its tools no longer, from their next step on. To end what was allowed there altogether, end it in your account there too.',
      act: 'Disconnect',
      tone: 'bad',
    });
    if (yes) disconnect.mutate({ capability: of.id });
  };
  const signedIn = of.connection === 'connected';
  const others = of.signed_in - (signedIn ? 1 : 0);
  return (
    <Section
      title="Your sign-in there"
      says="Each person signs in for themselves: an agent that acts as you uses yours, and nobody else’s does."
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
            {of.connection === 'none' ? 'Connect' : 'Connect again'}
          </Button>
        </>
      }
    >
      <p className={classes.mine}>
        {signedIn ? (
          <>
            You signed in there <Time at={of.connected_at} />.
          </>
        ) : of.connection === 'lost' ? (
          'Your sign-in there has ended, or is too little for what a tool wants. Connect again.'
        ) : (
          'You are not signed in there. This tab goes to its sign-in, and comes back.'
        )}{' '}
        {others > 0 &&
          `${others} ${others === 1 ? 'other person is' : 'other people are'} signed in there too.`}
      </p>
      <Refused error={connect.error} />
    </Section>
  );
}
