// The outgoing connections for letters, one for each identity, kept for a run of the pass so that many letters cost few handshakes.
import type { App } from '../../../../kernel/app.ts';
import { openSandbox } from '../../../../mail/transport/sandbox.ts';
import { openSmtp } from '../../../../mail/transport/smtp.ts';
import type { Transport } from '../../../../mail/transport/transport.ts';
import { smtpOptions, type SendingTransport } from '../../identities/ways/sending.store.ts';
import type { SendingIdentity } from './identity.store.ts';
import { slotOf } from './slot.rules.ts';

/** A vendor's transport; stated by whoever knows the vendor and its key. */
export type OpenVendor = (app: App, provider: string) => Transport;

export type OpenWays = {
  /** Answers have a connection of their own, beside those that other letters may hang on. */
  of(identity: SendingIdentity, transport: UsableTransport, isAnswer: boolean): Transport;
  close(): void;
};

export type UsableTransport = Exclude<SendingTransport, { kind: 'unusable' }>;

export function openWays(app: App, openVendor: OpenVendor | null): OpenWays {
  const open = new Map<string, { revision: string; transport: Transport }>();
  // No one waits for it: letters that are through have been answered.
  const leave = (transport: Transport): void => void transport.close().catch(() => undefined);
  return {
    of({ id, revision, domain }, way, isAnswer) {
      const at = `${revision}.${domain.revision}`;
      const backoff = slotOf(id, isAnswer ? 'answer' : 'sequence');
      const kept = open.get(backoff);
      if (kept?.revision === at) return kept.transport;
      if (kept) leave(kept.transport);
      const transport = openWay(app, domain.name, way, openVendor);
      open.set(backoff, { revision: at, transport });
      return transport;
    },
    close() {
      for (const { transport } of open.values()) leave(transport);
      open.clear();
    },
  };
}

function openWay(app: App, domain: string, way: UsableTransport, openVendor: OpenVendor | null): Transport {
  // Nothing leaves by it: what was sent is to be read in the product itself.
  if (way.kind === 'sandbox') return openSandbox(() => undefined);
  if (way.kind === 'vendor') return openVendor ? openVendor(app, way.provider) : noWay;
  return openSmtp(smtpOptions(app, domain, way));
}

const noWay: Transport = {
  send: () => Promise.resolve({ outcome: 'unreachable', why: 'address' }),
  close: () => Promise.resolve(),
};
