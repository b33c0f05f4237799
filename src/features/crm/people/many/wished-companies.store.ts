// Companies by the thousand, as imports and bulk actions name them: found by domain or name, made where they are not there, and held
// while people get them.
import { json, type Reader, type Transaction } from '../../../../kernel/database.ts';
import { newId } from '../../../../kernel/ids.ts';
import { searchVector } from '../../../../kernel/words.ts';

/** `name_key`: `nameKey` of the name, made once for the many times that it is asked for. */
export type CompanyWish = { name: string; name_key: string; domain: string | null };
export const companyKey = ({ name_key, domain }: CompanyWish): string => domain ?? name_key;

type FoundCompany = { id: string; name: string };

/** Companies by their domain, or else by their name; those that are not there are not in the answer. */
export async function companiesCalled(
  db: Reader,
  wishes: readonly CompanyWish[],
): Promise<Map<string, FoundCompany>> {
  const found = new Map<string, FoundCompany>();
  if (wishes.length === 0) return found;
  const domains = [...new Set(wishes.flatMap(({ domain }) => domain ?? []))];
  const keys = [...new Set(wishes.map(({ name_key }) => name_key))];
  const rows = await db<(FoundCompany & { domain: string | null; name_key: string })[]>`
    select id, name, domain, name_key from companies where domain = any(${domains}::text[])
    union select id, name, domain, name_key from companies where name_key collate "C" = any(${keys}::text[])`;
  const byDomain = new Map<string, FoundCompany>();
  const byName = new Map<string, (typeof rows)[number]>();
  // Of several with one name the oldest; one without a domain goes before, since it may be any of them.
  for (const row of rows.toSorted((x, y) => (x.id < y.id ? -1 : 1))) {
    if (row.domain !== null) byDomain.set(row.domain, row);
    const named = byName.get(row.name_key);
    if (!named || (named.domain !== null && row.domain === null)) byName.set(row.name_key, row);
  }
  for (const wish of wishes) {
    const named = byName.get(wish.name_key);
    const same =
      (wish.domain !== null && byDomain.get(wish.domain)) ||
      (named && (wish.domain === null || named.domain === null) ? named : null);
    if (same) found.set(companyKey(wish), { id: same.id, name: same.name });
  }
  return found;
}

/** Names of companies by their ids; they stay until this act is over. */
export async function holdCompanyNames(
  tx: Transaction,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await tx<FoundCompany[]>`
    select id, name from companies where id = any(${[...ids]}::uuid[]) order by id for key share`;
  return new Map(rows.map(({ id, name }) => [id, name]));
}

export async function namesOfCompanies(db: Reader, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db<FoundCompany[]>`select id, name from companies where id = any(${[...ids]}::uuid[])`;
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** As companiesCalled, and makes those that are not there: `made` has their ids. */
export async function companiesFor(
  tx: Transaction,
  wishes: readonly CompanyWish[],
  now: Date,
): Promise<{ companies: Map<string, FoundCompany>; made: string[] }> {
  let companies = await companiesCalled(tx, wishes);
  if (wishes.every((wish) => companies.has(companyKey(wish)))) return { companies, made: [] };
  // A name is no unique key: of two who bring the same one, the second looks again when the first has ended.
  await tx`select pg_advisory_xact_lock(hashtextextended('companies.brought', 0))`;
  companies = await companiesCalled(tx, wishes);
  const missing = new Map<string, CompanyWish>();
  for (const wish of wishes) if (!companies.has(companyKey(wish))) missing.set(companyKey(wish), wish);
  const rows = [...missing].map(([key, { name, name_key, domain }]) => ({
    key,
    id: newId(),
    name,
    name_key,
    domain,
    search: searchVector(name, domain ?? ''),
  }));
  const inserted = await tx<{ id: string }[]>`
    insert into companies (id, name, name_key, domain, search, created_at, updated_at)
    select r.id, r.name, r.name_key, r.domain, r.search::tsvector, ${now}, ${now}
    from jsonb_to_recordset(${json(tx, rows)}) as r (id uuid, name text, name_key text, domain text, search text)
    on conflict do nothing returning id`;
  const made = inserted.map(({ id }) => id);
  // One that someone else made by hand in this very moment is looked for; mostly no one did.
  if (made.length < rows.length) return { companies: await companiesCalled(tx, wishes), made };
  for (const { key, id, name } of rows) companies.set(key, { id, name });
  return { companies, made };
}
