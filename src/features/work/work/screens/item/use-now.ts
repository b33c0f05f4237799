// The time of day for what runs out while one looks at it, renewed twice a minute.
import { useEffect, useState } from 'react';

export function useNow(): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 30_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** `12 min left`, rounded up, so that it never says none while some is left. */
export const minutesLeft = (until: string, now: Date): number =>
  Math.max(1, Math.ceil((new Date(until).getTime() - now.getTime()) / 60_000));
