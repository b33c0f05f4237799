// Outgoing and incoming mail connections as they are stored and shown: settings in the open, secrets separate and
// sealed.

/** The mail vendors that can carry letters (src/mail/vendor). */
export const VENDORS = ['resend'] as const;
export type Vendor = (typeof VENDORS)[number];

export const SECURITIES = ['tls', 'starttls', 'plain'] as const;
export type Security = (typeof SECURITIES)[number];

export type SmtpSettings = {
  kind: 'smtp';
  host: string;
  port: number;
  security: Security;
  /** Null: no one signs in. */
  user: string | null;
};

/** `dkim_selector`: under which the vendor publishes the key that it signs with. */
export type VendorSettings = { kind: 'vendor'; provider: Vendor; dkim_selector: string };

export type TransportSettings = SmtpSettings | VendorSettings | { kind: 'sandbox' };

export type ImapSettings = {
  kind: 'imap';
  host: string;
  port: number;
  security: 'tls' | 'starttls';
  user: string;
  mailbox: string;
};

export type InboundSettings = ImapSettings | { kind: 'vendor'; provider: Vendor } | { kind: 'none' };

/** The kind is in a column of its own, everything else beside it; what wrote them checked them. */
export const transportIn = (row: { transport_kind: string; transport: object }): TransportSettings =>
  ({ kind: row.transport_kind, ...row.transport }) as TransportSettings;

export const inboundIn = (row: { inbound_kind: string; inbound: object }): InboundSettings =>
  ({ kind: row.inbound_kind, ...row.inbound }) as InboundSettings;

/** Whether the way needs a password that is kept beside it. */
export const asksForSecret = (way: TransportSettings | InboundSettings): boolean =>
  way.kind === 'imap' || (way.kind === 'smtp' && way.user !== null);

/** Where bounces of its letters go: to a bounce address of each letter, or to the identity's own address. */
export const ENVELOPE_SENDERS = ['bounce', 'own'] as const;
export type EnvelopeSender = (typeof ENVELOPE_SENDERS)[number];

/** Settings are flat values, so two ways are one where every value is. */
export function isSameWay(
  one: TransportSettings | InboundSettings,
  other: TransportSettings | InboundSettings,
): boolean {
  const values = (way: object): string => JSON.stringify(Object.entries(way).toSorted());
  return values(one) === values(other);
}

/**
 * The name that we give in EHLO: whole, and leading back here where the instance has a name of its own, else the sending
 * domain's.
 */
export function ehloName(base_url: string, domain: string): string {
  const host = URL.parse(base_url)?.hostname ?? '';
  return /^[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z][a-z0-9-]*$/i.test(host) ? host : domain;
}
