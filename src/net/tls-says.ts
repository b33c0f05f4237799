// Sentences about a mail server’s encryption that isn’t offered or can’t be trusted, for SMTP and IMAP.
import type { TlsFault } from './tls-fault.ts';

const DAY = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

/** Follows "expired"; empty where the day isn't known. */
export const expiredOn = (at: Date | null): string => (at ? ` on ${DAY.format(at)}` : '');

export const TLS_SAYS: Record<TlsFault, (on: string) => string> = {
  certificate_expired: (on) =>
    `The mail server’s certificate expired${on}: ask your mail provider to renew it.`,
  certificate_name: () =>
    'The mail server’s certificate is for another name: use the server name that it is for.',
  certificate_untrusted: () =>
    'The mail server’s certificate is from an authority that isn’t trusted: ask for one from a public authority, or ask the operator to name your own in SERVICE_MAIL_CA_FILE.',
  tls_missing: () =>
    'The mail server offers no encryption that can be used: 465 and 993 use TLS, 587 and 143 use STARTTLS. Check the port.',
};
