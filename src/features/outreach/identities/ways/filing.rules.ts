// Who files a copy of what an identity sends into its Sent folder: the provider, the product, or no one. Pure.
import type { InboundSettings, TransportSettings } from '../../../../mail/transport.rules.ts';

export const SENT_COPIES = ['auto', 'append', 'none'] as const;
export type SentCopies = (typeof SENT_COPIES)[number];

export const FILERS = ['provider', 'product', 'nobody'] as const;
export type Filer = (typeof FILERS)[number];

/** Submission servers that save what they send in Sent themselves: Gmail, Microsoft 365 and Outlook.com. */
const FILE_THEMSELVES: readonly string[] = [
  'smtp.gmail.com',
  'smtp.googlemail.com',
  'smtp.office365.com',
  'outlook.office365.com',
  'smtp-mail.outlook.com',
];

export function filerOf({
  sent_copies,
  transport,
  inbound,
}: {
  sent_copies: SentCopies;
  transport: TransportSettings;
  inbound: InboundSettings;
}): Filer {
  if (sent_copies === 'none' || inbound.kind !== 'imap' || transport.kind === 'sandbox') return 'nobody';
  if (sent_copies === 'append') return 'product';
  return transport.kind === 'smtp' && FILE_THEMSELVES.includes(transport.host.toLowerCase())
    ? 'provider'
    : 'product';
}
