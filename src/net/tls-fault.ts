// What is wrong with another server’s encryption, by Node’s error codes only: their text may quote the certificate.
import { codeOf, errorOf } from './post-error.ts';

export type TlsFault = 'certificate_expired' | 'certificate_name' | 'certificate_untrusted' | 'tls_missing';

/** Null: the connection failed otherwise, and may be the next time. */
export function tlsFaultOf(error: Error): TlsFault | null {
  const code = codeOf(error);
  if (code === 'CERT_HAS_EXPIRED') return 'certificate_expired';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID' || code === 'HOSTNAME_MISMATCH') return 'certificate_name';
  const kind = errorOf(error);
  if (kind === 'certificate') return 'certificate_untrusted';
  return kind === 'tls' ? 'tls_missing' : null;
}
