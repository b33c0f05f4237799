// Tests a provider’s key with a request that changes nothing.
import type { Account, Asked } from '../../../mail/vendor/vendor.ts';
import { vendorNamed } from '../../../mail/vendor/vendors.ts';
import { listModels } from './model-list.ts';
import type { Provider } from './registry.rules.ts';

type Probe = (account: Account) => Promise<Asked<null>>;

export const PROBES: Record<Provider, Probe> = {
  resend: async (account) =>
    (await vendorNamed('resend')?.probe(account)) ?? { ok: false, why: 'unreachable' },
  anthropic: async (account) => withoutValue(await listModels(account, 'anthropic')),
  openai: async (account) => withoutValue(await listModels(account, 'openai')),
  openai_compatible: async (account) => withoutValue(await listModels(account, 'openai')),
};

const withoutValue = (asked: Asked<string>): Asked<null> => (asked.ok ? { ok: true, value: null } : asked);
