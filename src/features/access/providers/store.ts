// All SQL of providers' keys, and the one reader that opens them.
import { withoutEnd } from '../../../kernel/edges.ts';
import type { Principal } from '../../../kernel/caller.ts';
import type { Reader, Transaction } from '../../../kernel/database.ts';
import type { App, Sealer } from '../../../kernel/app.ts';
import { principalColumns, principalIn, type PrincipalColumns } from '../../../kernel/principal-row.ts';
import { Secret } from '../../../kernel/secret.ts';
import type { Account } from '../../../mail/vendor/vendor.ts';
import type { ShownProvider } from './contract.ts';
import { lastFourOf, type Provider, PROVIDER_NAMES, providerEntry } from './registry.rules.ts';

type Row = PrincipalColumns<'saved_by'> & {
  provider: string;
  keys: string;
  last_four: string;
  /** Null: the provider's own. */
  base_url: string | null;
  saved_at: Date;
};

export type Keys = Readonly<Record<string, string>>;

const context = (provider: string): string => `provider_keys.keys ${provider}`;

export async function shownProviders(db: Reader): Promise<ShownProvider[]> {
  const rows = await db<Row[]>`select * from provider_keys`;
  return PROVIDER_NAMES.map((name) => {
    const { title, kind, keys, base_url } = providerEntry(name);
    const row = rows.find(({ provider }) => provider === name);
    return {
      provider: name,
      title,
      kind,
      keys: [...keys],
      set: row !== undefined,
      last_four: row?.last_four ?? null,
      base_url: row?.base_url ?? base_url,
      default_base_url: base_url,
      saved_by: row ? principalIn(row, 'saved_by') : null,
      saved_at: row?.saved_at.toISOString() ?? null,
    };
  });
}

/** `base_url`: as it was checked; null for the provider's own. Keys and address are one row and change together. */
export async function saveKeys(
  tx: Transaction,
  sealer: Sealer,
  { provider, keys, base_url }: { provider: Provider; keys: Keys; base_url: string | null },
  by: Principal,
  now: Date,
): Promise<void> {
  const [first] = providerEntry(provider).keys;
  const row = {
    provider,
    keys: sealer.seal(JSON.stringify(keys), context(provider)),
    last_four: lastFourOf(keys[first] ?? ''),
    base_url,
    ...principalColumns(tx, 'saved_by', by),
    saved_at: now,
  };
  await tx`
    insert into provider_keys ${tx(row)} on conflict (provider) do update set keys = excluded.keys,
      last_four = excluded.last_four, base_url = excluded.base_url, saved_by_kind = excluded.saved_by_kind,
      saved_by_id = excluded.saved_by_id, saved_by_name = excluded.saved_by_name,
      saved_by_on_behalf_of = excluded.saved_by_on_behalf_of, saved_at = excluded.saved_at`;
}

export async function deleteKeys(tx: Transaction, provider: Provider): Promise<boolean> {
  const gone = await tx`delete from provider_keys where provider = ${provider} returning 1`;
  return gone.length > 0;
}

/** The keys, opened, with the only address that they may be sent to. Null: none, or sealed by another instance's key. */
export async function openKeys(
  db: Reader,
  sealer: Sealer,
  provider: Provider,
): Promise<{ keys: Keys; base_url: string } | null> {
  const [row] = await db<Row[]>`select * from provider_keys where provider = ${provider}`;
  if (!row) return null;
  try {
    const keys = JSON.parse(sealer.open(row.keys, context(provider))) as Keys;
    return { keys, base_url: row.base_url ?? providerEntry(provider).base_url };
  } catch {
    return null;
  }
}

/** How a provider is called with these keys. */
export function accountWith(
  { outside, instance }: Pick<App, 'outside' | 'instance'>,
  provider: Provider,
  { keys, base_url }: { keys: Keys; base_url: string },
): Account {
  const [first] = providerEntry(provider).keys;
  return {
    base_url: withoutEnd(base_url, '/'),
    key: new Secret(keys[first] ?? ''),
    reach: { lookup: outside.lookup, opening: outside.hosts },
    agent: `Dunnock/${instance.version}`,
  };
}

/** Null where no keys are saved, or where they do not open. */
export async function providerAccount(db: Reader, app: App, provider: Provider): Promise<Account | null> {
  const open = await openKeys(db, app.sealer, provider);
  return open && accountWith(app, provider, open);
}

/** Of these providers, those whose keys are saved. */
export async function savedKeys(db: Reader, providers: readonly Provider[]): Promise<Provider[]> {
  const rows = await db<{ provider: Provider }[]>`
    select provider from provider_keys where provider = any(${[...providers]}::text[])`;
  return rows.map(({ provider }) => provider);
}
