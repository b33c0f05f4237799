// The registrable domain of a name, by the public suffix list: names below one share their reputation with receivers.
import { getDomain } from 'tldts';

/** Null for a public suffix itself, such as co.uk, which is no one's to send from. */
export const organisationOf = (name: string): string | null => getDomain(name, { allowPrivateDomains: true });
