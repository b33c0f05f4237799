// Asks DNS what represents a domain: our own key, and a vendor's where one of its identities sends through a vendor.
import type { App } from '../../../kernel/app.ts';
import { checkDomain, type DomainChecks } from '../../../mail/authentication/check.ts';
import { type DnsResolver, openResolver } from '../../../mail/dns.ts';
import type { DomainRow } from './domain-row.ts';

export type CheckedDomain = Pick<DomainRow, 'name' | 'dkim_selector' | 'dkim_public' | 'sending_hosts'>;

export const resolverOf = ({ outside }: Pick<App, 'outside'>): DnsResolver => openResolver(outside.dns);

/**
 * Never rejects for what DNS says. A submission server is not the machine whose connection receivers see, so only the hosts
 * that someone named for it are asked of SPF and PTR.
 */
export const askDns = (
  resolver: DnsResolver,
  domain: CheckedDomain,
  ways: DomainWays,
  now: Date,
): Promise<DomainChecks> =>
  checkDomain({
    domain: domain.name,
    selectors: [
      ...(ways.ours ? [{ selector: domain.dkim_selector, public_key: domain.dkim_public }] : []),
      ...ways.vendors.map((selector) => ({ selector, public_key: null })),
    ],
    sending_hosts: domain.sending_hosts,
    resolver,
    now,
  });

/** Whose signatures its letters carry: ours, unless all of its identities leave through vendors, who sign with their own. */
export type DomainWays = { ours: boolean; vendors: string[] };

export const OURS: DomainWays = { ours: true, vendors: [] };
