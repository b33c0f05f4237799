// Handlers of companies: find, create, read, change, delete.
import { z } from 'zod';
import { maySetEveryReview } from '../../../kernel/gates.ts';
import { keyIn, pageOf } from '../../../kernel/page.ts';
import { type Refusal, changedSince, conflict, invalid, stop } from '../../../kernel/refusal.ts';
import { bind, type WriteContext } from '../../../kernel/context.ts';
import { searchQuery } from '../../../kernel/words.ts';
import { normaliseDomain } from '../../../mail/address.ts';
import { ADDRESS_SAYS } from '../../../mail/address.rules.ts';
import { mergedCustom, refusedCustom } from '../fields/rules.ts';
import { holdFields } from '../fields/store.ts';
import {
  companyCreate,
  companyDelete,
  companyList,
  companyRead,
  companyUpdate,
  type Company,
} from './contract.ts';
import {
  companyAfter,
  companyName,
  companyOfDomain,
  deleteCompany,
  fieldsOfCompany,
  insertCompany,
  listCompanies,
  loadCompany,
  lockCompany,
  saveCompany,
} from './store.ts';
import type { CompanyFields } from './rules.ts';

export const list = bind(companyList, async ({ db, caller }, args) => {
  const { query, domain, sort, limit, cursor } = args;
  const words = query === undefined ? undefined : searchQuery(query);
  if (words === null) return { items: [], next_cursor: null };
  const key = sort === 'name' ? z.string() : z.iso.datetime();
  const found = await listCompanies(db, caller, {
    ...(words !== undefined && { words }),
    ...(domain !== undefined && { domain: domainOf(domain) }),
    sort,
    after: keyIn(cursor, () => z.tuple([key, z.guid()])),
    count: limit + 1,
  });
  const page = pageOf(found, limit, (it) => it.key);
  return { ...page, items: page.items.map((it) => it.company) };
});

function domainOf(text: string): string | null {
  const parsed = normaliseDomain(text);
  return parsed.ok ? parsed.domain : null;
}

export const read = bind(companyRead, async ({ db, caller }, args) => ({
  company: await loadCompany(db, caller, 'crm.company.read', args.company),
}));

const UNSAID = { domain: null, timezone: null, country: null, size: null, custom: {} };

type Given = { [K in keyof CompanyFields]?: CompanyFields[K] | undefined };

async function fieldsAfter(
  context: WriteContext,
  before: CompanyFields,
  given: Given,
): Promise<CompanyFields> {
  const { custom = {}, domain, ...plain } = given;
  stop(refusedCustom(await holdFields(context.db, 'company'), custom, 'a company'));
  const after: CompanyFields = { ...before };
  for (const [key, value] of Object.entries(plain))
    if (value !== undefined) Object.assign(after, { [key]: value });
  if (domain !== undefined) after.domain = domain === null ? null : knownDomain(domain);
  after.custom = mergedCustom(before.custom, custom);
  const chars = JSON.stringify(after.custom).length;
  if (chars > LONGEST_CHARS) throw faulty('custom', `takes ${chars} characters of ${LONGEST_CHARS}`);
  return after;
}

const LONGEST_CHARS = 30_000;

function knownDomain(text: string): string {
  const parsed = normaliseDomain(text);
  if (!parsed.ok) throw faulty('domain', ADDRESS_SAYS[parsed.why].toLowerCase().replace(/\.$/, ''));
  return parsed.domain;
}

function faulty(field: string, says: string): Refusal {
  const sentence = `${field}: ${says}`;
  return invalid(sentence, { [field]: sentence });
}

async function taken(context: WriteContext, domain: string | null): Promise<Refusal> {
  const holder = domain === null ? null : await companyOfDomain(context.db, domain);
  return conflict(
    holder
      ? `that domain already belongs to company ${holder.id}: change that company, or use another domain`
      : 'that domain already belongs to another company',
    holder ? { company: holder } : undefined,
  );
}

async function touched(context: WriteContext, id: string): Promise<{ company: Company }> {
  context.about(companyName(id));
  context.tell('companies', id);
  return { company: await companyAfter(context.db, context.caller, id) };
}

export const create = bind(companyCreate, async (context, given) => {
  const fields = await fieldsAfter(context, { ...UNSAID, name: given.name }, given);
  const id = await insertCompany(context.db, fields, context.now);
  if (id === null) throw await taken(context, fields.domain);
  return await touched(context, id);
});

export const update = bind(companyUpdate, async (context, { company: id, revision, ...given }) => {
  const { db, caller, now } = context;
  const company = await lockCompany(db, caller, 'crm.company.write', id);
  context.about(companyName(company.id));
  if (company.revision !== revision) throw changedSince('this company', company.revision);
  const fields = await fieldsAfter(context, fieldsOfCompany(company), given);
  const by_wire = maySetEveryReview(caller);
  if (!(await saveCompany(db, company, fields, { by_wire }, now))) throw await taken(context, fields.domain);
  return await touched(context, company.id);
});

export const remove = bind(companyDelete, async (context, args) => {
  const company = await lockCompany(context.db, context.caller, 'crm.company.delete', args.company);
  context.about(companyName(company.id));
  await deleteCompany(context.db, company, { by_wire: maySetEveryReview(context.caller) });
  context.tell('companies', company.id);
  return { ok: true as const };
});
