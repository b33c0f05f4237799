// Handlers of providers’ keys. An address is checked when it is saved and whenever it is called; a key is sent only to the
// address it was saved with.
import { withoutEnd } from '../../../kernel/edges.ts';
import type { Account, RefusedWhy } from '../../../mail/vendor/vendor.ts';
import { lacksWire } from '../../../kernel/gates.ts';
import { Refusal, notThere, conflict, invalid } from '../../../kernel/refusal.ts';
import { bind, bindAsking, type ReadContext, type WriteContext } from '../../../kernel/context.ts';
import { admitUrl } from '../../../net/resolve.ts';
import { providerKeysDelete, providerKeysSave, providerList, providerTest } from './contract.ts';
import { PROBES } from './probes.ts';
import { faultsOfKeys, type Provider, providerEntry } from './registry.rules.ts';
import { accountWith, deleteKeys, type Keys, providerAccount, saveKeys, shownProviders } from './store.ts';

const PROVIDERS = 'providers';

export const list = bind(providerList, async ({ db }) => ({
  items: await shownProviders(db),
  next_cursor: null,
}));

export const save = bindAsking(
  providerKeysSave,
  (context, { provider, keys, base_url }) => checked(context, provider, keys, base_url),
  async (context, { provider, keys }, base_url) => {
    const { db, app, caller, now } = context;
    await saveKeys(db, app.sealer, { provider, keys, base_url }, caller.principal, now);
    return shown(context, provider);
  },
  { instead: async (_, { base_url }) => base_url ?? null, says: 'A rehearsal doesn’t look up the address.' },
);

export const remove = bind(providerKeysDelete, async (context, { provider }) => {
  if (!(await deleteKeys(context.db, provider)))
    throw notThere(`no ${providerEntry(provider).title} keys are saved: there is nothing to delete`);
  return shown(context, provider);
});

export const tryOut = bindAsking(
  providerTest,
  async (context, { provider, keys, base_url }) => {
    const account = await accountToTry(context, provider, keys, base_url);
    return PROBES[provider](account);
  },
  async (context, { provider }, asked) => {
    context.about(`admin:provider/${provider}`);
    const { title } = providerEntry(provider);
    if (asked.ok) return { outcome: 'passing' as const, sentence: `${title} accepts these keys.` };
    return { outcome: OUTCOMES[asked.why], sentence: SAYS[asked.why](title) };
  },
  { cannot: 'This asks another server, which a rehearsal doesn’t do.' },
);

const OUTCOMES: Record<RefusedWhy, 'failing' | 'unknown'> = {
  key: 'failing',
  gone: 'failing',
  refused: 'failing',
  busy: 'unknown',
  unreachable: 'unknown',
};

const SAYS: Record<RefusedWhy, (title: string) => string> = {
  key: (title) =>
    `${title} doesn’t accept these keys, or they were revoked: create new ones there and save them.`,
  gone: (title) => `The server at that address isn’t ${title}: check the address.`,
  refused: (title) => `The server at that address doesn’t respond like ${title}: check the address.`,
  busy: (title) => `${title} is handling too many requests right now: try again in a minute.`,
  unreachable: (title) =>
    `${title} could not be reached, so the keys couldn’t be checked: try again, or check the address.`,
};

const ADDRESS_BY_WIRE =
  'only a signed-in person, or a token with the wire scope, can test an address other than the saved one, because the key is sent there';

/** A saved key is tried at its own address; another address is tried with keys that are given with it. */
async function accountToTry(
  context: ReadContext,
  provider: Provider,
  keys: Keys | undefined,
  base_url: string | undefined,
): Promise<Account> {
  const { app, db, caller } = context;
  // Whatever is given as a key is carried to wherever the address leads: a way out of the app, as an address of events is.
  if (base_url !== undefined && lacksWire(caller)) throw new Refusal(403, 'wire_required', ADDRESS_BY_WIRE);
  if (keys) {
    const own = await checked(context, provider, keys, base_url);
    return accountWith(app, provider, { keys, base_url: own ?? providerEntry(provider).base_url });
  }
  if (base_url !== undefined) {
    const says =
      'keys: saved keys are sent only to the address they were saved for: include the keys for this address';
    throw invalid(says, { keys: says });
  }
  const account = await providerAccount(db, app, provider);
  if (account) return account;
  throw conflict(
    `no ${providerEntry(provider).title} keys are saved: save keys first, or send the keys to test`,
  );
}

/** Every fault at once; the address in its checked spelling, null where it is the provider's own. */
async function checked(
  { app }: ReadContext,
  provider: Provider,
  keys: Keys,
  base_url: string | undefined,
): Promise<string | null> {
  const faults = faultsOfKeys(provider, keys);
  const { lookup, hosts } = app.outside;
  const admitted = base_url === undefined ? null : await admitUrl(base_url, hosts, { lookup });
  if (admitted && !admitted.ok) faults['base_url'] = admitted.sentence;
  const url = admitted?.ok ? new URL(admitted.url) : null;
  if (url && (url.search !== '' || url.hash !== ''))
    faults['base_url'] = 'base_url: give only the address, without ? and #';
  if (url?.protocol === 'http:' && admitted?.ok && !isOpened(app, admitted.host, admitted.addresses))
    faults['base_url'] =
      'base_url: keys are sent over https only, so no one on the network path can read them';
  const [says] = Object.values(faults);
  if (says !== undefined) throw invalid(Object.values(faults).join('; ').slice(0, 299), faults);
  return url && withoutEnd(url.href, '/') !== providerEntry(provider).base_url
    ? withoutEnd(url.href, '/')
    : null;
}

/** Plain HTTP is for what the operator opened by hand: a provider in the same app. */
const isOpened = ({ outside }: ReadContext['app'], host: string, addresses: readonly string[]): boolean => {
  const { names, networks } = outside.hosts.allowedHosts;
  return names.has(host) || (addresses.length > 0 && addresses.every((each) => networks.has(each)));
};

async function shown(context: WriteContext, provider: Provider) {
  context.tell(PROVIDERS, provider);
  const one = (await shownProviders(context.db)).find((each) => each.provider === provider);
  if (!one) throw new Error('a provider of the registry is not shown');
  return { provider: one };
}
