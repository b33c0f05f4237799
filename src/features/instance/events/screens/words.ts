// Words and tones of deliveries: what state a row is in, and what its class of error means for whoever runs the receiver.
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
  address_refused: 'Address refused as private',
  unresolved: 'The name resolves to nothing',
  address: 'The address was not checked',
  refused: 'Connection refused',
  unreachable: 'Host unreachable',
  certificate: 'Certificate not valid for the host',
  tls: 'No TLS that both speak',
  reset: 'The connection broke off',
  timeout: 'No answer within 10 seconds',
  too_slow: 'The answer did not end in time',
  too_long: 'The answer is longer than 16 KiB',
  bad_answer: 'The answer is not HTTP',
  redirect: 'Redirects are not followed',
};

/** Null where the last attempt failed no one. */
export function errorInWords({ last_error, last_status }: Delivery): string | null {
  if (last_error === null) return null;
  if (last_error === 'status') return `Answered ${last_status}`;
  return ERRORS[last_error] ?? last_error;
}
