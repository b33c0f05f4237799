// Words and colors of deliveries: states and error classes.
import type { Tone } from '../../../../ui/kit/pills.tsx';
import type { Delivery } from '../deliveries.contract.ts';

export const STATE: Record<Delivery['state'], { title: string; tone: Tone }> = {
  pending: { title: 'Pending', tone: 'info' },
  delivered: { title: 'Delivered', tone: 'good' },
  failed: { title: 'Failed', tone: 'bad' },
  skipped: { title: 'Skipped', tone: 'mute' },
};

const ERRORS: Record<string, string> = {
  'no signing secret': 'No signing secret',
  address_refused: 'Private address refused',
  unresolved: 'Host name not found',
  address: 'Address couldn’t be checked',
  refused: 'Connection refused',
  unreachable: 'Host unreachable',
  certificate: 'Invalid certificate for this host',
  tls: 'TLS negotiation failed',
  reset: 'Connection closed early',
  timeout: 'No response within 10 seconds',
  too_slow: 'Response timed out',
  too_long: 'Response over 16 KiB',
  bad_answer: 'Response isn’t HTTP',
  redirect: 'Redirect not followed',
};

/** Null where the last attempt failed no one. */
export function errorInWords({ last_error, last_status }: Delivery): string | null {
  if (last_error === null) return null;
  if (last_error === 'status') return `Status ${last_status}`;
  return ERRORS[last_error] ?? last_error;
}
