// The question that proves a provider's key: one that changes nothing there.
import type { Account, Asked } from '../../mail/vendor/vendor.ts';
import { vendorNamed } from '../../mail/vendor/vendors.ts';
import type { Provider } from './registry.rules.ts';

type Probe = (account: Account) => Promise<Asked<null>>;

export const PROBES: Record<Provider, Probe> = {
  resend: async (account) =>
    (await vendorNamed('resend')?.probe(account)) ?? { ok: false, why: 'unreachable' },
};
