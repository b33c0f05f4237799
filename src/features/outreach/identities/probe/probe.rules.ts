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
  'Bounces of its letters don’t arrive: route the bounce address to its mailbox, or use its own address as envelope sender. Then probe again.';

type Probed = {
  address: string;
  transport: TransportSettings;
  inbound: InboundSettings;
};

export function refusedToProbe({ address, transport, inbound }: Probed): Refusal | null {
  if (transport.kind === 'sandbox')
    return conflict(`${address} sends to the sandbox: no mail leaves it, so nothing bounces`);
  if (transport.kind === 'vendor')
    return conflict(`${address} sends through a vendor: bounces arrive through its webhook, not by mail`);
  return inbound.kind === 'none'
    ? conflict(`${address} has no incoming mail connection: save one first, then probe`)
    : null;
}

export const notSending = (): Refusal =>
  conflict('probes send mail, and sending is turned off on this instance: ask the operator');
export const probeNotSent = (): Refusal =>
  conflict(
    'the mail server didn’t accept the probe: test the identity to see what is wrong, then probe again',
  );
