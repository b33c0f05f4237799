// The hash that identifies a suppressed address or domain after the person is erased. It is computed from the
// spelling in address.rules.ts, which this file re-exports, so that server code needs one import.
import { createHash } from 'node:crypto';
import { parseAddress } from './address.rules.ts';

export { normaliseDomain, parseAddress } from './address.rules.ts';

/** 64 hexadecimal digits. `normalised` is Address.normalised, or a domain as normaliseDomain writes it. */
export const addressHash = (normalised: string): string =>
  createHash('sha256').update(normalised, 'utf8').digest('hex');

/** Of each of these texts that is an address, in their order. */
export const hashesIn = (texts: readonly string[]): string[] =>
  texts.flatMap((text) => {
    const parsed = parseAddress(text);
    return parsed.ok ? [addressHash(parsed.address.normalised)] : [];
  });
