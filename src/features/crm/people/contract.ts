// People's public face: what a person is, and the operations that find, make, read, change and delete one. Merging, notes,
// the timeline, erasing and exporting are in acts.contract.ts.
import { z } from 'zod';
import { named } from '../../../kernel/names.ts';
import { CREATED, OK, operation } from '../../../kernel/operation.ts';
import { done, id, listOf, moment, page, principal, revision, text, time } from '../../../kernel/shapes.ts';
import { customValues } from '../fields/contract.ts';
import { standingMark } from '../suppressions/contract.ts';
import { STAGES } from './stages.rules.ts';

/** Why they may be written to (domain.md §1.9). */
export const BASES = ['legitimate_interest', 'consent', 'customer', 'none'] as const;
export const ADDRESS_KINDS = ['work', 'personal', 'other'] as const;
export const VERDICTS = ['DELIVERABLE', 'UNDELIVERABLE', 'RISKY', 'UNKNOWN'] as const;

export const ADDRESSES_MAX = 20;

const listedVerification = z.object({
  verdict: z.enum(VERDICTS),
  reason: z.string(),
  checked_at: time,
  /** A later asking that came to nothing; the verdict before it stays. */
  unknown: z.object({ at: time, reason: z.string() }).nullable(),
});

const listedAddress = z.object({
  value: z.string(),
  kind: z.enum(ADDRESS_KINDS),
  primary: z.boolean(),
  verification: listedVerification.nullable(),
});

const ofName = z.object({ id, name: z.string() });

/** As lists show one: without the account of each rung of a verification. */
export const listedPerson = z.object({
  id,
  name: z.string(),
  given: z.string().nullable(),
  family: z.string().nullable(),
  title: z.string().nullable(),
  company_id: id.nullable(),
  company: ofName.nullable(),
  /** The primary one first, then as they were given. */
  addresses: z.array(listedAddress),
  phone: z.string().nullable(),
  links: z.array(z.string()),
  timezone: z.string().nullable(),
  language: z.string().nullable(),
  country: z.string().nullable(),
  source: z.string().nullable(),
  basis: z.enum(BASES),
  basis_note: z.string().nullable(),
  tags: z.array(z.string()),
  custom: z.record(z.string(), z.unknown()),
  owner: ofName.nullable(),
  /** The strongest suppression that is on any address of theirs; null where nothing does. */
  suppressed: standingMark.nullable(),
  do_not_merge: z.boolean(),
  revision,
  created_by: principal,
  created_at: time,
  updated_at: time,
});
export type ListedPerson = z.infer<typeof listedPerson>;
named('ListedPerson', listedPerson);

export const person = listedPerson.extend({
  addresses: z.array(
    listedAddress.extend({
      /** `rungs`: the account of each check (domain.md §6.8). */
      verification: listedVerification.extend({ rungs: z.unknown() }).nullable(),
    }),
  ),
});
export type Person = z.infer<typeof person>;
named('Person', person);

export const country = z.string().regex(/^[A-Z]{2}$/, 'two capitals, such as DE');
const language = z
  .string()
  .regex(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,4}$/, 'a language tag, such as de or pt-BR');
export const timezone = z.string().max(64).refine(isZone, 'a time zone, such as Europe/Berlin');
named('Timezone', timezone);
export const tag = text(60);

function isZone(name: string): boolean {
  try {
    // An offset such as +02:00 is taken too, and is no zone: it knows no summer time.
    return /^[A-Z]/i.test(new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone);
  } catch {
    return false;
  }
}

export const addressGiven = z.strictObject({
  value: z.string().max(2_000),
  kind: z.enum(ADDRESS_KINDS).optional(),
  /** At most one; where none says so, the one that was primary stays so, or the first is. */
  primary: z.boolean().optional(),
});

/** What a person has beside a name and addresses; null empties a field. */
const fields = {
  given: text(120).nullable(),
  family: text(120).nullable(),
  title: text(200).nullable(),
  company_id: id.nullable(),
  addresses: z.array(addressGiven).max(ADDRESSES_MAX),
  phone: text(60).nullable(),
  links: z.array(z.url({ protocol: /^https?$/ }).max(500)).max(20),
  timezone: timezone.nullable(),
  language: language.nullable(),
  country: country.nullable(),
  source: text(120).nullable(),
  basis: z.enum(BASES),
  basis_note: text(1_000).nullable(),
  tags: z.array(tag).max(50),
  custom: customValues,
  /** A user's id, or `me`. */
  owner: z.union([z.literal('me'), id]).nullable(),
  do_not_merge: z.boolean(),
};

const ofOnePerson = {
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
} as const;

export const examplePerson = '0198c0de-0000-7000-8000-000000000041';

/** What narrows a list of people, and an export. Several values of one filter are alternatives. */
export const peopleFilters = {
  /** These people. */
  id: z.array(id).max(200).optional(),
  /** Words of the name, title, company or an address. */
  query: text(200).optional(),
  /** A whole address. */
  address: z.string().max(2_000).optional(),
  tag: z.array(tag).max(20).optional(),
  company: z.array(id).max(50).optional(),
  /** Users' ids, `me`, or `none`. */
  owner: z
    .array(z.union([z.enum(['me', 'none']), id]))
    .max(50)
    .optional(),
  basis: z.array(z.enum(BASES)).max(4).optional(),
  country: z.array(country).max(50).optional(),
  source: z.array(text(120)).max(50).optional(),
  suppressed: z.boolean().optional(),
  has_address: z.boolean().optional(),
  /** Of the primary address; `none` where it was never verified. */
  verdict: z
    .array(z.enum([...VERDICTS, 'none']))
    .max(5)
    .optional(),
  /** How far they came in a campaign: in the one named, or in any that the caller may read. */
  stage: z.array(z.enum(STAGES)).max(STAGES.length).optional(),
  /** People who were enrolled into it. */
  campaign: id.optional(),
  created_after: moment.optional(),
  created_before: moment.optional(),
  updated_after: moment.optional(),
  updated_before: moment.optional(),
  segment: id.optional(),
};

export const SORTS = ['name', 'updated', 'created'] as const;

export const personList = operation({
  ...ofOnePerson,
  name: 'person_list',
  says: 'Lists people, by name or newest change or newest first, by words, tag, company, owner, basis, country, source, verification or suppression.',
  method: 'GET',
  path: '/api/admin/crm/people',
  takes: z.strictObject({ ...peopleFilters, sort: z.enum(SORTS).default('name'), ...page }),
  gives: listOf(listedPerson),
  brief: [
    'id',
    'name',
    'title',
    'company.name',
    'addresses.value',
    'tags',
    'owner.name',
    'suppressed.reason',
    'basis',
    'revision',
  ],
  example: {},
  effect: 'read',
  needs: { action: 'crm.person.read', on: 'row' },
  answers: OK,
  cost: ({ sort: _sort, limit: _limit, cursor: _cursor, ...filters }) =>
    Object.values(filters).some((each) => each !== undefined),
});

export const personCreate = operation({
  ...ofOnePerson,
  name: 'person_create',
  says: 'Creates a person with a name or an address. An address belongs to one person: a taken one is refused, naming who has it.',
  method: 'POST',
  path: '/api/admin/crm/people',
  takes: z.strictObject({ name: text(200).optional(), ...z.object(fields).partial().shape }),
  gives: z.object({ person }),
  example: { name: 'Ann Lee', addresses: [{ value: 'ann@example.com' }] },
  effect: 'write',
  needs: { action: 'crm.person.create', on: () => ['crm:person'] },
  answers: CREATED,
});

export const personRead = operation({
  ...ofOnePerson,
  name: 'person_read',
  says: 'Reads one person in full. The id of someone who was merged returns the person they were merged into.',
  method: 'GET',
  path: '/api/admin/crm/people/:person',
  takes: z.strictObject({ person: id }),
  gives: z.object({ person }),
  example: { person: examplePerson },
  effect: 'read',
  needs: { action: 'crm.person.read', on: 'row' },
  answers: OK,
});

export const personUpdate = operation({
  ...ofOnePerson,
  name: 'person_update',
  says: 'Changes a person; it needs the revision that was read. addresses, links and tags are replaced whole, custom is laid over, null empties a field.',
  method: 'PATCH',
  path: '/api/admin/crm/people/:person',
  takes: z.strictObject({
    person: id,
    revision,
    /** Null: the given and the family name make it up. */
    name: text(200).nullable().optional(),
    ...z.object(fields).partial().shape,
  }),
  gives: z.object({ person }),
  example: { person: examplePerson, revision: 1, title: 'Head of Sales' },
  effect: 'write',
  needs: { action: 'crm.person.write', on: 'row' },
  answers: OK,
});

export const personDelete = operation({
  ...ofOnePerson,
  name: 'person_delete',
  says: 'Deletes a person with their addresses and history. Suppressions of their addresses stay.',
  method: 'DELETE',
  path: '/api/admin/crm/people/:person',
  takes: z.strictObject({ person: id }),
  gives: done,
  example: { person: examplePerson },
  effect: 'destroy',
  needs: { action: 'crm.person.delete', on: 'row' },
  answers: OK,
});
