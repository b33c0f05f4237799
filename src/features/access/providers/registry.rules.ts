// The providers whose keys the product keeps: name, address and keys. To add one, add an entry here and a probe (probes.ts).
export type ProviderKind = 'mail' | 'model';

export type ProviderEntry = {
  title: string;
  kind: ProviderKind;
  /** Where it is, if no one says otherwise. */
  base_url: string;
  /** The keys that it takes, all of them needed. The first is the one whose last four characters are shown. */
  keys: readonly [string, ...string[]];
};

export const PROVIDERS = {
  resend: { title: 'Resend', kind: 'mail', base_url: 'https://api.resend.com', keys: ['api_key'] },
  anthropic: {
    title: 'Anthropic',
    kind: 'model',
    base_url: 'https://api.anthropic.com/v1',
    keys: ['api_key'],
  },
  openai: { title: 'OpenAI', kind: 'model', base_url: 'https://api.openai.com/v1', keys: ['api_key'] },
  // Anyone else's server that speaks as OpenAI's does; where nothing is said, one on this machine.
  openai_compatible: {
    title: 'OpenAI-compatible server',
    kind: 'model',
    base_url: 'http://127.0.0.1:11434/v1',
    keys: ['api_key'],
  },
} as const satisfies Record<string, ProviderEntry>;

export type Provider = keyof typeof PROVIDERS;

export const PROVIDER_NAMES = Object.keys(PROVIDERS) as [Provider, ...Provider[]];

export const providerEntry = (provider: Provider): ProviderEntry => PROVIDERS[provider];

/** Every fault of keys that were given for a provider, by field; empty where none is. */
export function faultsOfKeys(
  provider: Provider,
  keys: Readonly<Record<string, string>>,
): Record<string, string> {
  const { keys: wanted } = providerEntry(provider);
  const faults: Record<string, string> = {};
  for (const name of wanted)
    if (!Object.hasOwn(keys, name)) faults[`keys.${name}`] = `keys.${name}: this provider requires it`;
  for (const name of Object.keys(keys))
    if (!wanted.includes(name))
      faults[`keys.${name}`] = `keys.${name}: this provider only accepts ${wanted.join(', ')}`;
  return faults;
}

/** A short key is shown by nothing: its end would be most of it. */
export const lastFourOf = (key: string): string => (key.length >= 16 ? key.slice(-4) : '••••');
