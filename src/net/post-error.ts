// The ways a post fails, as a closed list, and which of Node’s errors is which.

/** Why a post failed. Closed, short and free of anything the receiver said, so that rows may show it. */
export type PostError =
  | 'unresolved' // no address: the name resolves to nothing
  | 'address' // the host is an address that was not among the checked ones
  | 'refused' // no one listens
  | 'unreachable' // no route there
  | 'certificate' // TLS certificate not valid for the host
  | 'tls' // no TLS at all, or none that both speak
  | 'reset' // the connection broke off
  | 'timeout' // no answer within the deadline
  | 'too_slow' // an answer began and did not end within the deadline
  | 'too_long' // more than 16 KiB of answer
  | 'bad_answer' // not HTTP
  | 'redirect' // any 3xx; never followed
  | 'cancelled'; // the caller's signal

/** The code of an error of Node, or nothing. */
export const codeOf = (error: Error): string =>
  'code' in error && typeof error.code === 'string' ? error.code : '';

/** By code alone: the text of an error may quote the receiver's certificate. */
export function errorOf(error: Error): PostError {
  const code = codeOf(error);
  if (code === 'ECONNREFUSED') return 'refused';
  if (
    [
      'EHOSTUNREACH',
      'ENETUNREACH',
      'EADDRNOTAVAIL',
      'ENETDOWN',
      'EHOSTDOWN',
      'EACCES',
      'EPERM',
      'EINVAL',
    ].includes(code)
  )
    return 'unreachable';
  if (code === 'ETIMEDOUT') return 'timeout';
  if (code === 'ENOTFOUND') return 'unresolved';
  if (code.startsWith('HPE_')) return 'bad_answer';
  if (/^(EPROTO$|ERR_SSL_)/.test(code)) return 'tls';
  // OpenSSL's reasons against a certificate, and Node's against its names.
  if (/CERT|ISSUER|SIGNATURE|CRL|HOSTNAME|PURPOSE|INVALID_CA|PATH_LENGTH|CA_MD|EE_KEY|CA_KEY/.test(code))
    return 'certificate';
  return 'reset';
}
