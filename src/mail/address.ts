// The hash by which a suppressed address or domain is known after the person is erased. The spelling that is hashed is
// that of address.rules.ts, which this file hands on, so that one import serves whoever matches on a server.
import { createHash } from 'node:crypto';

export { normaliseDomain, parseAddress } from './address.rules.ts';

/** 64 hexadecimal digits. `normalised` is Address.normalised, or a domain as normaliseDomain writes it. */
export const addressHash = (normalised: string): string =>
  createHash('sha256').update(normalised, 'utf8').digest('hex');
