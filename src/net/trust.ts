// Authorities trusted for TLS connections to mail servers: the usual ones, and the operator’s own in
// SERVICE_MAIL_CA_FILE.
import { X509Certificate } from 'node:crypto';
import { getCACertificates } from 'node:tls';

const BEGIN = '-----BEGIN CERTIFICATE-----';
const END = '-----END CERTIFICATE-----';

/** What is between the two lines, with them; nothing in between holds a dash. */
const certificatesIn = (text: string): string[] =>
  text
    .split(BEGIN)
    .slice(1)
    .flatMap((rest) => {
      const end = rest.indexOf('-');
      return end > 0 && rest.startsWith(END, end) ? [`${BEGIN}${rest.slice(0, end)}${END}`] : [];
    });

/** The certificates of a PEM file. Throws a plain Error that says what is wrong with it. */
export function readAuthorities(text: string): string[] {
  const found = certificatesIn(text);
  if (found.length === 0) throw new Error('the file holds no certificate in PEM format');
  return found.map((pem) => {
    try {
      return new X509Certificate(pem).toString();
    } catch {
      throw new Error('the file holds a certificate that can’t be read');
    }
  });
}

/** For the options of a TLS connection: nothing where the operator named no authority, so that Node's own list stays. */
export const trusting = (own: readonly string[]): { ca?: string[] } =>
  own.length === 0 ? {} : { ca: [...getCACertificates('default'), ...own] };
