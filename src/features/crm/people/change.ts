// Turns a call’s wishes for a person into what is saved. Every value is checked, and every error is named at once. Creating and
// changing a person both use this.
import type { z } from 'zod';
import { conflict, type Refusal, stop } from '../../../kernel/refusal.ts';
import type { WriteContext } from '../../../kernel/context.ts';
import { asRefusal, mergedCustom, refusedCustom } from '../fields/rules.ts';
import { holdFields } from '../fields/store.ts';
import { isActiveUser } from '../../access/users/store.ts';
import type { personCreate, personUpdate } from './contract.ts';
import { phoneOf } from './phone.ts';
import {
  type Fields,
  nameAfter,
  refusedAsNobody,
  refusedAsTooLarge,
  type WishedAddress,
  wishedAddresses,
} from './rules.ts';
import { holdCompany, holderOf, type KeptAddress } from './save.store.ts';
import { mayRead } from './store.ts';

export type GivenPerson = Omit<
  z.output<(typeof personUpdate)['takes']> | z.output<(typeof personCreate)['takes']>,
  'person' | 'revision'
>;

export type PersonChange = { fields: Fields; company: string | null; wished: WishedAddress[] };

/** Someone of whom nothing is known. */
export const UNSAID: Fields = {
  name: '',
  given: null,
  family: null,
  title: null,
  company_id: null,
  phone: null,
  links: [],
  timezone: null,
  language: null,
  country: null,
  source: null,
  basis: 'none',
  basis_note: null,
  tags: [],
  custom: {},
  owner: null,
  do_not_merge: false,
};

/** `before` and `had` are what exists; of someone new, `UNSAID` and nothing. */
export async function changeOf(
  context: WriteContext,
  before: Fields,
  had: readonly KeptAddress[],
  given: GivenPerson,
): Promise<PersonChange> {
  const { db } = context;
  const { addresses, custom = {}, owner: ownerRef, name: _name, ...plain } = given;
  stop(refusedCustom(await holdFields(db, 'person'), custom, 'a person'));
  const { wished, faults } = addresses ? wishedAddresses(addresses, had) : { wished: [...had], faults: {} };
  const fields: Fields = {
    ...before,
    ...said(plain),
    name: nameAfter(before, given),
    custom: mergedCustom(before.custom, custom),
    owner: ownerRef === undefined ? before.owner : ownerRef === 'me' ? context.caller.user_id : ownerRef,
  };
  fields.tags = [...new Set(fields.tags)];
  fields.links = [...new Set(fields.links)];
  if (fields.phone !== null) fields.phone = phoneOf(fields.phone, fields.country);
  const company = fields.company_id === null ? null : await holdCompany(db, fields.company_id);
  if (fields.company_id !== null && company === null)
    faults['company_id'] = 'company_id: no company has that id: GET /api/admin/crm/companies lists companies';
  if (ownerRef === 'me' && fields.owner === null)
    faults['owner'] = 'owner: this token has no user, so "me" matches no one: give a user’s id';
  else if (ownerRef && fields.owner !== null && !(await isActiveUser(db, fields.owner)))
    faults['owner'] = 'owner: no active user has that id';
  stop(asRefusal(faults) ?? refusedAsNobody(fields.name, wished) ?? refusedAsTooLarge(fields));
  return { fields, company, wished };
}

function said<T extends object>(given: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

/**
 * An address belongs to one person. Who has it is said to whoever may read them; the name is in the details alone,
 * because a refusal's sentence stays in the audit log, where no one could ever be erased from.
 */
export async function takenAddress(
  context: WriteContext,
  person: string,
  wished: readonly WishedAddress[],
): Promise<Refusal> {
  const holder = await holderOf(
    context.db,
    wished.map((each) => each.normalised),
    person,
  );
  const at = wished.findIndex((each) => each.normalised === holder?.normalised);
  const which = at === -1 ? 'one of the addresses' : `addresses.${wished[at]?.position}`;
  if (!holder || !mayRead(context.caller, holder.id))
    return conflict(`${which} already belongs to another person`);
  return conflict(`${which} already belongs to person ${holder.id}: change that record, or merge the two`, {
    person: { id: holder.id, name: holder.name },
    ...(at !== -1 && { fields: { [`${which}.value`]: `${which}.value: it belongs to another person` } }),
  });
}
