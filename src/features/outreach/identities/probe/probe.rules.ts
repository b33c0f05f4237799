// Whether bounces of an identity's letters arrive, as a probe shows it: a mail of ours to the address that bounces go to, which
// is waited for in the identity's mailbox.
import { MINUTE_MS } from '../../../../kernel/clock.ts';
import { conflict, type Refusal } from '../../../../kernel/refusal.ts';
import type { ShownBounces } from '../probe.contract.ts';
import type { InboundSettings, TransportSettings } from '../../../../mail/transport.rules.ts';

/** A mail to oneself takes seconds, greylisted a few minutes. */
const WAITS_MS = 15 * MINUTE_MS;

export const ARRIVES = ['yes', 'no', 'not_yet', 'unknown'] as const;

export type ProbeColumns = {
  probe_id: string | null;
  probe_sent_at: Date | null;
  probe_arrived_at: Date | null;
  probe_refused: string | null;
};

export const NO_PROBE: ProbeColumns = {
  probe_id: null,
  probe_sent_at: null,
  probe_arrived_at: null,
  probe_refused: null,
};

export function bouncesShown(row: ProbeColumns, now: Date): ShownBounces {
  const { probe_sent_at: sent, probe_arrived_at: arrived, probe_refused: refused } = row;
  const isWaiting = sent !== null && now.getTime() - sent.getTime() < WAITS_MS;
  const arrive =
    sent === null ? 'unknown' : arrived ? 'yes' : refused === null && isWaiting ? 'not_yet' : 'no';
  return {
    arrive,
    probed_at: sent?.toISOString() ?? null,
    arrived_at: arrived?.toISOString() ?? null,
    server_said: refused || null,
  };
}

export const BOUNCES_LOST =
  'Bounces don’t reach this identity’s mailbox. Deliver mail for the bounce address to the mailbox, or use the identity’s own address as envelope sender. Then send another probe.';

type Probed = {
  address: string;
  transport: TransportSettings;
  inbound: InboundSettings;
};

export function refusedToProbe({ address, transport, inbound }: Probed): Refusal | null {
  if (transport.kind === 'sandbox')
    return conflict(`${address} uses the sandbox, where letters don’t bounce: there is nothing to probe`);
  if (transport.kind === 'vendor')
    return conflict(
      `${address} sends through a vendor, and bounces arrive through its webhook: there is nothing to probe`,
    );
  return inbound.kind === 'none'
    ? conflict(`${address} has no incoming mail connection: save one, then send a probe`)
    : null;
}

export const notSending = (): Refusal =>
  conflict('a probe is an email, and sending is turned off on this instance: ask the operator to turn it on');
export const probeNotSent = (): Refusal =>
  conflict(
    'the mail server didn’t accept the probe: test the identity to find the cause, then send another probe',
  );
