// What a rule of the quarantine names, and what a mail has for one, in one spelling. Pure.
import { normaliseDomain, parseAddress } from '../../../../mail/address.rules.ts';
import { listIdIn } from '../../../../mail/inbound/list-id.rules.ts';
import { isPublicProvider } from '../../../crm/suppressions/providers.rules.ts';

export const RULE_KINDS = ['address', 'domain', 'list'] as const;
export type RuleKind = (typeof RULE_KINDS)[number];

/** Why it cannot be a rule, in a sentence; else its one spelling. */
export function ruleValue(kind: RuleKind, said: string): { value: string } | { fault: string } {
  if (kind === 'address') {
    const parsed = parseAddress(said);
    return parsed.ok
      ? { value: parsed.address.normalised }
      : { fault: 'value is not an email address: give one such as weekly@example.com' };
  }
  if (kind === 'list') {
    const value = listIdIn(said);
    return value === null
      ? { fault: 'value is not a List-Id: give one such as weekly.example.com' }
      : { value };
  }
  const parsed = normaliseDomain(said.replace(/^@/, ''));
  if (!parsed.ok) return { fault: 'value is not a domain: give one such as example.com' };
  return isPublicProvider(parsed.domain)
    ? {
        fault:
          'value is a public mail provider, where anyone has a mailbox: give the address or the List-Id instead',
      }
    : { value: parsed.domain };
}

/** A domain and those that it lies under: `a.lists.example`, `lists.example`. */
export function domainsAbove(domain: string): string[] {
  const labels = domain.split('.').slice(-10);
  return labels.slice(0, -1).map((_, at) => labels.slice(at).join('.'));
}
