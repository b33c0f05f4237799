// Tags and fields of many people in a few statements: each goes through the loader's right, the rules and the history of the
// single act, and what it changed is kept for an undo.
import { type Caller } from '../../../kernel/caller.ts';
import type { Transaction } from '../../../kernel/database.ts';
import { maySetEveryReview } from '../../../kernel/gates.ts';
import { denied } from '../../../kernel/denied.ts';
import { decide } from '../../../kernel/policy.ts';
import { conflict, type Refusal, stop } from '../../../kernel/refusal.ts';
import { isActiveUser } from '../../access/users/store.ts';
import { asRefusal, mergedCustom, refusedCustom } from '../fields/rules.ts';
import { holdFields } from '../fields/store.ts';
import { type Changes, takeBack } from '../imports/plan/merge.ts';
import { savePeople, type StandingPerson, standingPeople } from '../people/many/bulk.store.ts';
import { holdCompanyNames } from '../people/many/wished-companies.store.ts';
import { writeFactsOfMany } from '../people/history.store.ts';
import { changesOf, type Fields, personName, refusedAsTooLarge } from '../people/rules.ts';
import { noPerson } from '../people/store.ts';
import { type Came, type FieldAct, refusedAs, unchanged } from './acts.ts';
import type { BulkArgs, SetFields } from './contract.ts';

const TAGS_MAX = 50;
const TOO_MANY_TAGS = `a person can have at most ${TAGS_MAX} tags`;

/** What one of them becomes, or why not. */
type Become = (person: StandingPerson) => StandingPerson | Refusal;

export const addTags =
  (tags: readonly string[]): FieldAct =>
  (tx, caller, people, now) =>
    change(tx, caller, people, now, (person) => {
      const all = [...new Set([...person.tags, ...tags])];
      return all.length > TAGS_MAX ? conflict(TOO_MANY_TAGS) : { ...person, tags: all };
    });

export const removeTags =
  (tags: readonly string[]): FieldAct =>
  (tx, caller, people, now) =>
    change(tx, caller, people, now, (person) => ({
      ...person,
      tags: person.tags.filter((tag) => !tags.includes(tag)),
    }));

export const setFields =
  (given: SetFields): FieldAct =>
  async (tx, caller, people, now) => {
    const { custom = {}, owner, ...plain } = given;
    stop(await refusedValues(tx, caller, given));
    const company_id = plain.company_id ?? null;
    const companies = await holdCompanyNames(tx, company_id === null ? [] : [company_id]);
    return change(tx, caller, people, now, (person) => ({
      ...person,
      ...(Object.fromEntries(
        Object.entries(plain).filter(([, value]) => value !== undefined),
      ) as Partial<StandingPerson>),
      ...(plain.company_id !== undefined && {
        company: company_id === null ? null : (companies.get(company_id) ?? null),
      }),
      ...(owner !== undefined && { owner: owner === 'me' ? caller.user_id : owner }),
      custom: mergedCustom(person.custom, custom),
    }));
  };

/** Why these values can’t be set for anyone, or null. */
export async function refusedValues(
  tx: Transaction,
  caller: Caller,
  { custom = {}, owner, company_id }: NonNullable<BulkArgs['fields']>,
): Promise<Refusal | null> {
  const faults: Record<string, string> = {};
  if (owner === 'me' && caller.user_id === null)
    faults['fields.owner'] = 'fields.owner: this token has no user, so "me" matches no one: give a user’s id';
  else if (owner && owner !== 'me' && !(await isActiveUser(tx, owner)))
    faults['fields.owner'] = 'fields.owner: no active user has that id';
  if (company_id && (await holdCompanyNames(tx, [company_id])).size === 0)
    faults['fields.company_id'] =
      'fields.company_id: no company has that id: GET /api/admin/crm/companies lists companies';
  return asRefusal(faults) ?? refusedCustom(await holdFields(tx, 'person'), custom, 'a person');
}

/** `of`: what a job changed of each. What changed since stays. */
export const undo =
  (of: ReadonlyMap<string, Changes>): FieldAct =>
  async (tx, caller, people, now) => {
    const before = [...of.values()].flatMap((changes) => (changes['company_id']?.[0] as string | null) ?? []);
    const companies = await holdCompanyNames(tx, before);
    const kept = new Map<string, string[]>();
    const came = await change(tx, caller, people, now, (person) => {
      const back = takeBack(person, of.get(person.id) ?? {}, companies);
      if (back.kept.length > 0) kept.set(person.id, back.kept);
      return back.person;
    });
    return new Map(
      [...came].map(([id, each]): [string, Came] => {
        const fields = kept.get(id);
        if (!fields || each.outcome === 'refused') return [id, each];
        return [id, { ...each, why: `changed since and kept: ${fields.join(', ')}` }];
      }),
    );
  };

async function change(
  tx: Transaction,
  caller: Caller,
  ids: readonly string[],
  now: Date,
  become: Become,
): Promise<ReadonlyMap<string, Came>> {
  const standing = await standingPeople(tx, ids, 'locked');
  const came = new Map<string, Came>();
  const saves: StandingPerson[] = [];
  const facts: { person_id: string; details: Record<string, unknown> }[] = [];
  for (const id of ids) {
    const person = standing.get(id);
    const refused = refusedFor(caller, id, person);
    if (!person || refused) {
      came.set(id, refusedAs((refused ?? noPerson()).sentence));
      continue;
    }
    const after = become(person);
    const no = after instanceof Error ? after : refusedAsTooLarge(after);
    if (after instanceof Error || no) {
      came.set(id, refusedAs(no?.sentence ?? ''));
      continue;
    }
    const changes = changesOf(fieldsOf(person), fieldsOf(after));
    if (changes.length === 0) {
      came.set(id, unchanged(null));
      continue;
    }
    saves.push(after);
    facts.push({ person_id: id, details: { changes } });
    came.set(id, { outcome: 'done', why: null, changes: toUndo(person, after) });
  }
  await savePeople(tx, saves, maySetEveryReview(caller), now);
  await writeFactsOfMany(tx, 'changed', facts, { by: caller.principal, now });
  return came;
}

const ACTION = 'crm.person.write';

/** As the loader of one refuses: whoever may not read someone is not told that they are there. */
function refusedFor(caller: Caller, id: string, person: StandingPerson | undefined): Refusal | null {
  if (!person || !decide(caller.rights, 'crm.person.read', [personName(id)]).allowed) return noPerson();
  return decide(caller.rights, ACTION, [personName(id)]).allowed ? null : denied(caller, ACTION);
}

/** No bulk action sets whether someone may be merged. */
const fieldsOf = (person: StandingPerson): Fields => ({ ...person, do_not_merge: false });

const PLAIN = [
  'title',
  'company_id',
  'country',
  'timezone',
  'source',
  'basis',
  'basis_note',
  'owner',
] as const;

function toUndo(before: StandingPerson, after: StandingPerson): Changes {
  const changes: Changes = {};
  const without = (all: readonly string[], some: readonly string[]): string[] | null => {
    const left = all.filter((each) => !some.includes(each));
    return left.length > 0 ? left : null;
  };
  const [removed, added] = [without(before.tags, after.tags), without(after.tags, before.tags)];
  if (removed || added) changes['tags'] = [removed, added];
  for (const field of PLAIN)
    if (before[field] !== after[field]) changes[field] = [before[field], after[field]];
  for (const key of new Set([...Object.keys(before.custom), ...Object.keys(after.custom)])) {
    const values: [unknown, unknown] = [before.custom[key] ?? null, after.custom[key] ?? null];
    if (JSON.stringify(values[0]) !== JSON.stringify(values[1])) changes[`custom.${key}`] = values;
  }
  return changes;
}
