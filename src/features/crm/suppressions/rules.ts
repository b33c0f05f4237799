// What may be suppressed and what may be lifted, pure: screens use it for the sentence on a disabled button.
import { type AddressWhy, ADDRESS_SAYS, normaliseDomain, parseAddress } from '../../../mail/address.rules.ts';
import { conflict, Refusal } from '../../../kernel/refusal.ts';
import type { Reason, Suppression, Wish } from './contract.ts';
import { isPublicProvider } from './providers.rules.ts';

/** No one but a person who looks at the case may write again to someone who complained, or whose lawyer did. */
const PEOPLE_LIFT: readonly Reason[] = ['complaint', 'legal'];

export const LIFTED_ON_SCREEN: Record<'complaint' | 'legal', string> = {
  complaint: 'no token can lift a complaint: a signed-in person can, under Settings → Suppressions',
  legal: 'no token can lift a legal demand: a signed-in person can, under Settings → Suppressions',
};

/** Lifting: a standing row, once; a complaint and a legal demand by a person in a session alone. */
export function ruleLift(row: Suppression, bySession: boolean): Refusal | null {
  if (!bySession && PEOPLE_LIFT.includes(row.reason))
    return new Refusal(403, 'session_only', LIFTED_ON_SCREEN[row.reason as 'complaint' | 'legal']);
  if (row.state === 'lifted')
    return conflict(`this suppression was already lifted by ${row.lifted_by?.name} on ${day(row.lifted_at)}`);
  if (row.state === 'ended') return conflict(`this suppression expired on ${day(row.expires_at)}`);
  return null;
}

const day = (at: string | null): string => at?.slice(0, 10) ?? '';

export type Target = { kind: Suppression['kind']; value: string };

/** What a wish names, in the spelling of matching. Faults go to `fault` with the field's name. */
export function targetOf(
  { address, domain }: Pick<Wish, 'address' | 'domain'>,
  fault: (field: 'address' | 'domain', says: string) => void,
): Target | null {
  if (address !== undefined && domain !== undefined) {
    fault('address', 'give address or domain, not both');
    return null;
  }
  if (address !== undefined) {
    const parsed = parseAddress(address);
    if (parsed.ok) return { kind: 'address', value: parsed.address.normalised };
    fault('address', inSentence(parsed.why));
    return null;
  }
  if (domain === undefined) {
    fault('address', 'give address, or domain to suppress all of its addresses');
    return null;
  }
  // People write "@acme.example" for all of a domain.
  const parsed = normaliseDomain(domain.trim().replace(/^@/, ''));
  if (parsed.ok) return { kind: 'domain', value: parsed.domain };
  fault('domain', parsed.why === 'empty' ? 'give a domain, such as example.com' : inSentence(parsed.why));
  return null;
}

/** One word would stop letters to everyone with a mailbox there. */
export function faultOfPublic({ kind, value }: Target): string | null {
  if (kind !== 'domain' || !isPublicProvider(value)) return null;
  return 'this domain belongs to a public mail provider, so everyone with a mailbox there is suppressed: check with dry_run true who is affected, then give confirm true, or give addresses';
}

const inSentence = (why: AddressWhy): string => {
  const says = ADDRESS_SAYS[why].replace(/\.$/, '');
  return `${says.charAt(0).toLowerCase()}${says.slice(1)}`;
};

/** An end is for what was set by hand, and lies ahead. */
export function faultOfEnd(reason: Reason, expires_at: Date, now: Date): string | null {
  if (reason !== 'manual') return 'only a manual suppression can expire: leave expires_at out';
  return expires_at > now ? null : 'expires_at must be in the future: one in the past would suppress nothing';
}
