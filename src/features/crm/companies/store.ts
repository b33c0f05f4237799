// All SQL of companies: the loaders, which know the caller, and what writes the rows they load. A company's name is part of
// what its people are found by, and is written there when it changes.
import { type Caller } from '../../../kernel/caller.ts';
import { json, type Reader, type Transaction } from '../../../kernel/database.ts';
import { newId } from '../../../kernel/ids.ts';
import { denied } from '../../../kernel/denied.ts';
import { decide } from '../../../kernel/policy.ts';
import { type Refusal, notFound } from '../../../kernel/refusal.ts';
import { searchVector } from '../../../kernel/words.ts';
import { companyVector, EDITED_COMPANY, nameKey } from '../people/rules.ts';
import { readable } from '../people/store.ts';
import { allowedBy } from '../../access/policies/named.store.ts';
import type { Company, COMPANY_SORTS } from './contract.ts';
import { type CompanyFields, editedOfCompany } from './rules.ts';

const loaded = Symbol('loaded');

/** A company that the caller may have for the action it was loaded for. */
export type LoadedCompany = Company & { readonly [loaded]: true };

type Row = Omit<Company, 'created_at' | 'updated_at'> & {
  name_key: string;
  created_at: Date;
  updated_at: Date;
};

export const companyName = (id: string): string => `crm:company/${id}`;

const noCompany = (): Refusal => notFound('company', 'GET /api/admin/crm/companies searches companies');

const mayRead = (caller: Caller, id: string): boolean =>
  decide(caller.rights, 'crm.company.read', [companyName(id)]).allowed;

/** `people`: those whom the caller may read. */
const columns = (db: Reader, caller: Caller) => db`
  c.id, c.name, c.name_key, c.domain, c.timezone, c.country, c.size, c.custom, c.revision, c.created_at, c.updated_at,
  (select count(*)::int from people p where p.company_id = c.id and ${readable(db, caller, 'crm.person.read')}) as people`;

const toCompany = ({ name_key: _key, created_at, updated_at, ...row }: Row): Company => ({
  ...row,
  created_at: created_at.toISOString(),
  updated_at: updated_at.toISOString(),
});

export async function loadCompany(
  db: Reader,
  caller: Caller,
  action: string,
  id: string,
): Promise<LoadedCompany> {
  const [row] = await db<Row[]>`select ${columns(db, caller)} from companies c where c.id = ${id}`;
  if (!row) throw noCompany();
  if (!decide(caller.rights, action, [companyName(row.id)]).allowed)
    throw mayRead(caller, row.id) ? denied(caller, action, companyName(row.id)) : noCompany();
  return { ...toCompany(row), [loaded]: true };
}

/** A company as an act that was allowed has left it. */
export async function companyAfter(tx: Transaction, caller: Caller, id: string): Promise<Company> {
  const [row] = await tx<Row[]>`select ${columns(tx, caller)} from companies c where c.id = ${id}`;
  if (!row) throw new Error('a company that was just written is gone');
  return toCompany(row);
}

/** The columns that people change, of a loaded company. */
export const fieldsOfCompany = ({
  name,
  domain,
  timezone,
  country,
  size,
  custom,
}: Company): CompanyFields => ({
  name,
  domain,
  timezone,
  country,
  size,
  custom,
});

/** As loadCompany, and keeps everyone else from changing it until this act is over. */
export async function lockCompany(
  tx: Transaction,
  caller: Caller,
  action: string,
  id: string,
): Promise<LoadedCompany> {
  await tx`select 1 from companies where id = ${id} for update`;
  return await loadCompany(tx, caller, action, id);
}

export type CompanySearch = {
  /** A tsquery. */
  words?: string;
  /** As src/mail/address.ts writes it; null finds nothing. */
  domain?: string | null;
  sort: (typeof COMPANY_SORTS)[number];
  after: readonly [key: string, id: string] | null;
  count: number;
};

/** A page of companies, as if those that the caller's policies deny were not there. */
export async function listCompanies(
  db: Reader,
  caller: Caller,
  { words, domain, sort, after, count }: CompanySearch,
): Promise<{ company: Company; key: [string, string] }[]> {
  const byName = sort === 'name';
  const beyond = (key: string, id: string) =>
    byName
      ? db`and (c.name_key collate "C", c.id) > (${key}, ${id}::uuid)`
      : db`and (c.updated_at, c.id) < (${key}, ${id}::uuid)`;
  const may = allowedBy(db, caller.rights, 'crm.company.read', { 'crm:company/': db`c.id` });
  const rows = await db<Row[]>`
    select ${columns(db, caller)} from companies c where true
      ${may === null ? db`` : db`and ${may}`}
      ${words === undefined ? db`` : db`and c.search @@ ${words}::tsquery`}
      ${domain === undefined ? db`` : db`and c.domain = ${domain}`}
      ${after === null ? db`` : beyond(...after)}
    order by ${byName ? db`c.name_key collate "C", c.id` : db`c.updated_at desc, c.id desc`} limit ${count}`;
  return rows.map((row) => ({
    company: toCompany(row),
    key: [byName ? row.name_key : row.updated_at.toISOString(), row.id],
  }));
}

const rowOf = (tx: Transaction, fields: CompanyFields) => ({
  ...fields,
  custom: json(tx, fields.custom),
  name_key: nameKey(fields.name),
  search: searchVector(fields.name, fields.domain ?? ''),
});

/** Null where another company has that domain. */
export async function insertCompany(
  tx: Transaction,
  fields: CompanyFields,
  now: Date,
): Promise<string | null> {
  const row = { id: newId(), ...rowOf(tx, fields), created_at: now, updated_at: now };
  const made = await tx<{ id: string }[]>`
    insert into companies ${tx(row)} on conflict (domain) do nothing returning id`;
  return made[0]?.id ?? null;
}

/**
 * False where another company has that domain. `by_wire`: whoever changed it could set how any campaign's letters are reviewed.
 */
export async function saveCompany(
  tx: Transaction,
  company: LoadedCompany,
  fields: CompanyFields,
  { by_wire }: { by_wire: boolean },
  now: Date,
): Promise<boolean> {
  const row = { ...rowOf(tx, fields), revision: company.revision + 1, updated_at: now };
  const changed = editedOfCompany(company, fields);
  try {
    await tx.savepoint(
      (sp) => sp`
        update companies set ${sp(row)}, edited = array(
          select f from unnest(edited) f where f <> all(${changed}::text[])
          union select f from unnest(${by_wire ? [] : changed}::text[]) f)
        where id = ${company.id}`,
    );
  } catch (error) {
    if ((error as { code?: unknown }).code === '23505') return false;
    throw error;
  }
  if (fields.name !== company.name) await renameInPeople(tx, company, fields.name);
  return true;
}

async function renameInPeople(tx: Transaction, company: LoadedCompany, name: string | null): Promise<void> {
  await tx`
    update people set search = ts_filter(search, '{a,b,d}') || ${companyVector(name)}::tsvector
    where company_id = ${company.id}`;
}

/** Deletes a loaded company; its people stay, without one, and letters to them say another thing where they asked for it. */
export async function deleteCompany(
  tx: Transaction,
  company: LoadedCompany,
  { by_wire }: { by_wire: boolean },
): Promise<void> {
  await renameInPeople(tx, company, null);
  if (!by_wire)
    await tx`
      update people set edited = array_append(edited, ${EDITED_COMPANY})
      where company_id = ${company.id} and ${EDITED_COMPANY} <> all(edited)`;
  await tx`delete from companies where id = ${company.id}`;
}

export async function companyOfDomain(
  db: Reader,
  domain: string,
): Promise<{ id: string; name: string } | null> {
  const [row] = await db<{ id: string; name: string }[]>`
    select id, name from companies where domain = ${domain}`;
  return row ?? null;
}
