// The ways out for letters, one for each identity, kept for a run of the pass so that many letters cost few handshakes.
import type { House } from '../../../../kernel/house.ts';
import { openSandbox } from '../../../../mail/transport/sandbox.ts';
import { openSmtp } from '../../../../mail/transport/smtp.ts';
import type { Transport } from '../../../../mail/transport/transport.ts';
import { smtpOptions, type SendingTransport } from '../../identities/ways/sending.store.ts';
import type { SendingIdentity } from './identity.store.ts';
import { laneOf } from './lane.rules.ts';

/** A vendor's way out; stated by whoever knows the vendor and its key. */
export type OpenVendor = (house: House, provider: string) => Transport;

export type OpenWays = {
  /** Answers have a connection of their own, beside those that other letters may hang on. */
  of(identity: SendingIdentity, transport: UsableTransport, isAnswer: boolean): Transport;
  close(): void;
};

export type UsableTransport = Exclude<SendingTransport, { kind: 'unusable' }>;

export function openWays(house: House, openVendor: OpenVendor | null): OpenWays {
  const open = new Map<string, { revision: string; transport: Transport }>();
  // Nobody waits for it: letters that are through have been answered.
  const leave = (transport: Transport): void => void transport.close().catch(() => undefined);
  return {
    of({ id, revision, domain }, way, isAnswer) {
      const at = `${revision}.${domain.revision}`;
      const lane = laneOf(id, isAnswer ? 'answer' : 'sequence');
      const kept = open.get(lane);
      if (kept?.revision === at) return kept.transport;
      if (kept) leave(kept.transport);
      const transport = openWay(house, domain.name, way, openVendor);
      open.set(lane, { revision: at, transport });
      return transport;
    },
    close() {
      for (const { transport } of open.values()) leave(transport);
      open.clear();
    },
  };
}

function openWay(
  house: House,
  domain: string,
  way: UsableTransport,
  openVendor: OpenVendor | null,
): Transport {
  // Nothing leaves by it: what was sent is to be read in the product itself.
  if (way.kind === 'sandbox') return openSandbox(() => undefined);
  if (way.kind === 'vendor') return openVendor ? openVendor(house, way.provider) : noWay;
  return openSmtp(smtpOptions(house, domain, way));
}

const noWay: Transport = {
  send: () => Promise.resolve({ outcome: 'unreachable', why: 'address' }),
  close: () => Promise.resolve(),
};
