// Says when the screen may be behind: no network, the product not answering, or no one signed in. A short break says nothing.
import { Button } from '@mantine/core';
import { CloudOff, LogIn } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useConnection } from '../client/live.ts';
import { signedInAgain, useSignedOut } from '../client/session-over.ts';
import { useUnsent } from '../kit/draft.ts';
import classes from './connection-banner.module.css';

const PATIENCE_MS = 4_000;

export function ConnectionBanner() {
  const state = useConnection();
  const unsent = useUnsent();
  const signedOut = useSignedOut();
  const broken = state === 'lost' || state === 'offline' || unsent;
  const [shown, setShown] = useState(false);
  useEffect(() => {
    if (!broken) return;
    const timer = setTimeout(() => setShown(true), PATIENCE_MS);
    return () => {
      clearTimeout(timer);
      setShown(false);
    };
  }, [broken]);
  if (signedOut)
    return (
      <div role="status">
        <p className={classes.banner}>
          <LogIn size={15} aria-hidden />
          You’re signed out. You can’t make changes until you sign in again.
          <Button size="compact-sm" variant="default" onClick={() => void signedInAgain('act')}>
            Sign in
          </Button>
        </p>
      </div>
    );
  return (
    <div role="status">
      {shown && (
        <p className={classes.banner}>
          <CloudOff size={15} aria-hidden />
          {state === 'offline'
            ? 'You’re offline. This page may be out of date, and you can’t make changes until you reconnect.'
            : `Dunnock isn’t responding. ${unsent ? 'Your last edit is saved once it’s back.' : 'This page may be out of date.'} Retrying…`}
        </p>
      )}
    </div>
  );
}
