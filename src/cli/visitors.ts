// Whether visitors can be told apart: a proxy that no one listed makes all of them one address, which then share one allowance of
// wrong passwords, and one guesser closes sign-in to everyone.
import { signInPlaces } from '../features/access/sessions/throttle.store.ts';
import { DAY_MS } from '../kernel/clock.ts';
import { classifyAddress } from '../net/address.ts';
import type { Connection } from '../store/backup/session.ts';
import type { Finding } from './doctor.ts';

const SINCE_MS = 30 * DAY_MS;
const about = 'visitors';

export async function visitors(connection: Connection, now: Date): Promise<Finding> {
  const { people, places } = await signInPlaces(connection, new Date(now.getTime() - SINCE_MS));
  const [place = ''] = places;
  const kind = classifyAddress(place.replace(/::\/64$/, '::'));
  if (people < 2 || places.length !== 1 || kind === 'public')
    return { state: 'ok', about, says: 'Visitors’ addresses aren’t hidden by a proxy.' };
  const all = `All ${people} people who signed in within 30 days came from ${place}`;
  return {
    state: 'warn',
    about,
    says:
      kind === 'loopback'
        ? `${all}: if a proxy runs on this machine, have it send X-Forwarded-For, or one person’s failed sign-ins block everyone.`
        : `${all}: if that is a proxy, list it in SERVICE_TRUSTED_PROXIES and restart, or one person’s failed sign-ins block everyone.`,
  };
}
