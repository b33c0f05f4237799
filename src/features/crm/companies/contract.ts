// Companies: the people’s employers. A domain belongs to one company.
import { z } from 'zod';
import { csvOf } from '../../../kernel/csv.ts';
import { named } from '../../../kernel/names.ts';
import { CREATED, OK, operation } from '../../../kernel/operation.ts';
import { done, id, listOf, page, revision, text, time } from '../../../kernel/shapes.ts';
import { customValues } from '../fields/contract.ts';
import { country, timezone } from '../people/contract.ts';

export const company = z.object({
  id,
  name: z.string(),
  /** In lower-case ASCII, as it is in an address. */
  domain: z.string().nullable(),
  timezone: z.string().nullable(),
  country: z.string().nullable(),
  size: z.string().nullable(),
  custom: z.record(z.string(), z.unknown()),
  /** How many people work for it. */
  people: z.int(),
  revision,
  created_at: time,
  updated_at: time,
});
export type Company = z.infer<typeof company>;
named('Company', company);

const fields = {
  domain: z.string().max(2_000).nullable(),
  timezone: timezone.nullable(),
  country: country.nullable(),
  /** As people write it: 11–50, or mid-market. */
  size: text(60).nullable(),
  custom: customValues,
};

const free = { who: 'anyone', step_up: 'no', wire: 'never' } as const;
const exampleCompany = '0198c0de-0000-7000-8000-000000000051';

export const COMPANY_SORTS = ['name', 'updated'] as const;

export const companyList = operation({
  ...free,
  name: 'company_list',
  says: 'Lists companies by name, or newest change first. query matches words of the name or domain.',
  method: 'GET',
  path: '/api/admin/crm/companies',
  takes: z.strictObject({
    query: text(200).optional(),
    domain: z.string().max(2_000).optional(),
    sort: z.enum(COMPANY_SORTS).default('name'),
    ...page,
  }),
  gives: listOf(company),
  example: {},
  effect: 'read',
  needs: { action: 'crm.company.read', on: 'row' },
  answers: OK,
  cost: ({ query }) => query !== undefined,
});

export const companyExport = csvOf(companyList, 'company_export', 'companies');

export const companyCreate = operation({
  ...free,
  name: 'company_create',
  says: 'Creates a company. A domain belongs to one company; a taken one is refused, naming its company.',
  method: 'POST',
  path: '/api/admin/crm/companies',
  takes: z.strictObject({ name: text(200), ...z.object(fields).partial().shape }),
  gives: z.object({ company }),
  example: { name: 'Example Ltd', domain: 'example.com' },
  effect: 'write',
  needs: { action: 'crm.company.create', on: () => ['crm:company'] },
  answers: CREATED,
});

export const companyRead = operation({
  ...free,
  name: 'company_read',
  says: 'Reads one company.',
  method: 'GET',
  path: '/api/admin/crm/companies/:company',
  takes: z.strictObject({ company: id }),
  gives: z.object({ company }),
  example: { company: exampleCompany },
  effect: 'read',
  needs: { action: 'crm.company.read', on: 'row' },
  answers: OK,
});

export const companyUpdate = operation({
  ...free,
  name: 'company_update',
  says: 'Changes a company; needs the revision that was read. custom is merged; null clears a field.',
  method: 'PATCH',
  path: '/api/admin/crm/companies/:company',
  takes: z.strictObject({
    company: id,
    revision,
    name: text(200).optional(),
    ...z.object(fields).partial().shape,
  }),
  gives: z.object({ company }),
  example: { company: exampleCompany, revision: 1, size: '11–50' },
  effect: 'write',
  needs: { action: 'crm.company.write', on: 'row' },
  answers: OK,
});

export const companyDelete = operation({
  ...free,
  name: 'company_delete',
  says: 'Deletes a company. Its people stay, without a company.',
  method: 'DELETE',
  path: '/api/admin/crm/companies/:company',
  takes: z.strictObject({ company: id }),
  gives: done,
  example: { company: exampleCompany },
  effect: 'destroy',
  needs: { action: 'crm.company.delete', on: 'row' },
  answers: OK,
});
