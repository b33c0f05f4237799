// Says when the screen may be behind: no network, or the product not answering. A short break says nothing.
import { CloudOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useConnection } from '../client/live.ts';
import classes from './connection-banner.module.css';

const PATIENCE_MS = 4_000;

export function ConnectionBanner() {
  const state = useConnection();
  const broken = state === 'lost' || state === 'offline';
  const [shown, setShown] = useState(false);
  useEffect(() => {
    if (!broken) return;
    const timer = setTimeout(() => setShown(true), PATIENCE_MS);
    return () => {
      clearTimeout(timer);
      setShown(false);
    };
  }, [broken]);
  return (
    <div role="status">
      {shown && (
        <p className={classes.banner}>
          <CloudOff size={15} aria-hidden />
          {state === 'offline'
            ? 'You’re offline. This page may be out of date, and you can’t make changes until you reconnect.'
            : 'Dunnock isn’t responding. This page may be out of date. Retrying…'}
        </p>
      )}
    </div>
  );
}
