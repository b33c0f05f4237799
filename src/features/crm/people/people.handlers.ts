// Handlers of people: find, create, read, change, delete. change.ts works out what is saved.
import { maySetEveryReview } from '../../../kernel/gates.ts';
import { pageOf } from '../../../kernel/page.ts';
import { stop } from '../../../kernel/refusal.ts';
import { bind, type Bound, type WriteContext } from '../../../kernel/context.ts';
import { changeOf, takenAddress, UNSAID } from './change.ts';
import { type Person, personCreate, personDelete, personList, personRead, personUpdate } from './contract.ts';
import { personCount } from './person-acts.contract.ts';
import { type Fact, writeFacts } from './history.store.ts';
import type { CampaignsRead, PersonHolder } from './holders.ts';
import {
  firstOf,
  changesOf,
  EDITED_ADDRESS,
  editedValues,
  type Fields,
  personName,
  refusedAsStale,
  type WishedAddress,
} from './rules.ts';
import {
  addressesOf,
  deletePerson,
  fieldsOfPerson,
  insertPerson,
  type KeptAddress,
  savePerson,
  setAddresses,
} from './save.store.ts';
import { cursorKey, matchesOf } from './search.ts';
import { countPeople, listPeople, loadPerson, lockPerson, personAfter } from './store.ts';

const read = bind(personRead, async ({ db, caller, now }, args) => ({
  person: await loadPerson(db, caller, 'crm.person.read', args.person, now),
}));

const create = bind(personCreate, async (context, given) => {
  const { db, caller, now } = context;
  const author = { by: caller.principal, now };
  const { fields, company, wished } = await changeOf(context, UNSAID, [], given);
  const id = await insertPerson(db, fields, company, wished, author);
  if (!(await setAddresses(db, id, [], wished))) throw await takenAddress(context, id, wished);
  await writeFacts(db, id, [{ kind: 'created', details: {} }], author);
  return { person: await touched(context, id) };
});

/** The person as they are after this act, whose open screens look again. An act's right was asked when it began. */
export async function touched(context: WriteContext, id: string): Promise<Person> {
  context.about(personName(id));
  context.tell('people', id);
  return await personAfter(context.db, id, context.now);
}

function factsOf(
  before: Fields,
  after: Fields,
  had: readonly KeptAddress[],
  wished: readonly WishedAddress[],
): Fact[] {
  const fact = (kind: string, each: WishedAddress): Fact => ({ kind, details: { address: each.value } });
  const misses = (all: readonly WishedAddress[], one: WishedAddress): boolean =>
    !all.some((each) => each.normalised === one.normalised);
  const changes = changesOf(before, after);
  const shape = (all: readonly WishedAddress[]) =>
    all.map(({ value, kind, is_primary }) => ({ value, kind, primary: is_primary }));
  const added = wished.filter((each) => misses(had, each));
  const removed = had.filter((each) => misses(wished, each));
  if (added.length + removed.length === 0 && JSON.stringify(shape(had)) !== JSON.stringify(shape(wished)))
    changes.push({ field: 'addresses', from: shape(had), to: shape(wished) });
  return [
    ...(changes.length > 0 ? [{ kind: 'changed', details: { changes } }] : []),
    ...removed.map((each) => fact('address_removed', each)),
    ...added.map((each) => fact('address_added', each)),
  ];
}

/** Bound to the features that keep rows of a person. */
export function peopleHandlers(holders: readonly PersonHolder[], campaigns: CampaignsRead): Bound[] {
  const list = bind(personList, async (context, args) => {
    const { limit, cursor, sort, ...filters } = args;
    const found = await listPeople(
      context.db,
      context.caller,
      'crm.person.read',
      {
        matches: await matchesOf(context, filters, campaigns),
        sort,
        after: cursorKey(cursor, sort),
        count: limit + 1,
      },
      context.now,
    );
    const page = pageOf(found, limit, (it) => it.key);
    return { ...page, items: page.items.map((it) => it.person) };
  });

  const count = bind(personCount, async (context, filters) => {
    const { db, caller, now } = context;
    const matches = await matchesOf(context, filters, campaigns);
    return { people: await countPeople(db, caller, 'crm.person.read', matches, now) };
  });

  const update = bind(personUpdate, async (context, { person: id, revision, ...given }) => {
    const { db, caller, now } = context;
    const person = await lockPerson(db, caller, 'crm.person.write', id, now);
    context.about(personName(person.id));
    stop(refusedAsStale(person, revision));
    const had = await addressesOf(db, person.id);
    const before = fieldsOfPerson(person);
    const { fields, company, wished } = await changeOf(context, before, had, given);
    const facts = factsOf(before, fields, had, wished);
    if (facts.length === 0) return { person };
    if (given.addresses && !(await setAddresses(db, person.id, had, wished)))
      throw await takenAddress(context, person.id, wished);
    const readdressed = firstOf(wished) !== firstOf(had);
    const changed = [...editedValues(before, fields), ...(readdressed ? [EDITED_ADDRESS] : [])];
    const edits = { changed, carried: [], by_wire: maySetEveryReview(caller) };
    await savePerson(db, person, fields, company, wished, edits, now);
    if (readdressed) for (const holder of holders) await holder.addressed?.(db, caller, person.id, now);
    await writeFacts(db, person.id, facts, { by: caller.principal, now });
    return { person: await touched(context, person.id) };
  });

  const remove = bind(personDelete, async (context, args) => {
    const { db, caller, now } = context;
    const person = await lockPerson(db, caller, 'crm.person.delete', args.person, now);
    context.about(personName(person.id));
    for (const holder of holders) await holder.release(db, person.id, now);
    await deletePerson(db, person);
    context.tell('people', person.id);
    return { ok: true as const };
  });
  return [list, count, create, read, update, remove];
}
