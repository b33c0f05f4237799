// Handlers of notes, the timeline, merging and erasing. Other features’ data about a person is handled by their holders.
import { z } from 'zod';
import { maySetEveryReview } from '../../../kernel/gates.ts';
import { keyIn, pageOf } from '../../../kernel/page.ts';
import { stop } from '../../../kernel/refusal.ts';
import { bind, type Bound } from '../../../kernel/context.ts';
import { addressHash } from '../../../mail/address.ts';
import { dropReplays } from '../../../store/replays.ts';
import { forgetValues } from '../suppressions/store.ts';
import { personErase, personMerge, personNote, personTimeline } from './person-acts.contract.ts';
import { addressesEverOf } from './ever.store.ts';
import { listFacts, writeFacts } from './history.store.ts';
import type { PersonHolder } from './holders.ts';
import { editedByMerge, mergedFields, refusedAsSame, refusedToMerge } from './merge.rules.ts';
import { dropMerged, idsOf, moveRows } from './merge.store.ts';
import { touched } from './people.handlers.ts';
import { firstOf, personName, refusedAsStale, refusedAsTooLarge } from './rules.ts';
import { addressesOf, deletePerson, fieldsOfPerson, marksOf, savePerson } from './save.store.ts';
import { loadPerson, lockPeople, lockPerson } from './store.ts';

const note = bind(personNote, async (context, args) => {
  const { db, caller, now } = context;
  const person = await lockPerson(db, caller, 'crm.person.write', args.person, now);
  const author = { by: caller.principal, now };
  const [written] = await writeFacts(db, person.id, [{ kind: 'note', text: args.text }], author);
  if (!written) throw new Error('a note was written and not returned');
  context.about(personName(person.id));
  context.tell('people', person.id);
  return { note: written };
});

/** Bound to the features that keep rows of a person. */
export function actHandlers(holders: readonly PersonHolder[]): Bound[] {
  const timeline = bind(personTimeline, async ({ db, caller, now }, args) => {
    const person = await loadPerson(db, caller, 'crm.person.read', args.person, now);
    const after = keyIn(args.cursor, () => z.tuple([z.iso.datetime(), z.guid()]));
    const count = args.limit + 1;
    const entries = await listFacts(db, person.id, after, count);
    for (const holder of holders)
      entries.push(...((await holder.timeline?.(db, caller, person.id, after, count)) ?? []));
    // Each list is in order; together they are sorted by the same key, and what is beyond the page is read with the next.
    entries.sort((a, b) => (a.at === b.at ? (a.id < b.id ? 1 : -1) : a.at < b.at ? 1 : -1));
    return pageOf(entries.slice(0, count), args.limit, (entry) => [entry.at, entry.id]);
  });

  const merge = bind(personMerge, async (context, args) => {
    const { db, caller, now } = context;
    stop(refusedAsSame(args.person, args.from));
    const both = [args.person, args.from];
    const [into, from] = await lockPeople(db, caller, 'crm.person.merge', both, now);
    if (!into || !from) throw new Error('two people were locked and not returned');
    stop(
      refusedAsStale(into, args.revision) ??
        refusedAsStale(from, args.from_revision, 'the person to merge in') ??
        refusedToMerge(into, from),
    );
    const { fields, filled } = mergedFields(fieldsOfPerson(into), fieldsOfPerson(from), args.take);
    stop(refusedAsTooLarge(fields));
    const edits = {
      changed: editedByMerge(into, from, fields),
      carried: await marksOf(db, from),
      by_wire: maySetEveryReview(caller),
    };
    const had = await addressesOf(db, into.id);
    await moveRows(db, from, into, now);
    for (const holder of holders) await holder.move(db, from.id, into.id, now, context.emit);
    await dropMerged(db, from);
    const company = fields.company_id === into.company_id ? into.company : from.company;
    const have = await addressesOf(db, into.id);
    await savePerson(db, into, fields, company?.name ?? null, have, edits, now);
    // An address that was before was chosen by whoever gave it, not by this merge.
    if (firstOf(have) !== firstOf(had))
      for (const holder of holders) await holder.addressed?.(db, caller, into.id, now);
    const details = { from: { id: from.id, name: from.name }, filled };
    await writeFacts(db, into.id, [{ kind: 'merged', details }], { by: caller.principal, now });
    context.tell('people', from.id);
    return { person: await touched(context, into.id) };
  });

  const erase = bind(personErase, async (context, args) => {
    const { db, caller, now } = context;
    const person = await lockPerson(db, caller, 'crm.person.erase', args.person, now);
    context.about(personName(person.id));
    stop(refusedAsStale(person, args.revision));
    await forgetValues(db, (await addressesEverOf(db, person.id)).map(addressHash));
    const ids = await idsOf(db, person);
    for (const holder of holders) ids.push(...(await holder.erase(db, person.id, now)));
    await dropReplays(db, ids);
    await deletePerson(db, person);
    context.tell('people', person.id);
    return { ok: true as const };
  });

  return [timeline, note, merge, erase];
}
