// What letters ask people to do: erase someone who wants their data deleted, add a colleague whom someone named. Both are a
// person's acts, and nothing follows on its own.
import { DAY_MS, after } from '../../../kernel/clock.ts';
import { decide } from '../../../kernel/policy.ts';
import type { ReadContext } from '../../../kernel/context.ts';
import { hashesIn } from '../../../mail/address.ts';
import { short } from '../digests/section.ts';
import { namedIn } from '../../inbox/threads/record/named.rules.ts';
import { mayReadIn } from '../../../kernel/messages.ts';
import { addressesKnown, erasuresAsked, namedLately } from './asked.store.ts';
import { row, type Rows } from './section.ts';

const SHOWN = 20;
/** Later, whoever was named has moved on too. */
const NAMED_MS = 30 * DAY_MS;

const mayRead = ({ caller }: ReadContext, person_id: string): boolean =>
  decide(caller.rights, 'crm.person.read', [`crm:person/${person_id}`]).allowed;

export async function erasures(context: ReadContext): Promise<Rows> {
  const found = (await erasuresAsked(context.db, context.caller)).filter(({ person_id }) =>
    mayRead(context, person_id),
  );
  const rows = found.slice(0, SHOWN).map(({ person_id, person_name, at }) =>
    row({
      key: `erasure:${person_id}`,
      id: person_id,
      title: short(person_name || 'Unknown person'),
      says: 'Asked to have their personal data erased. They’re suppressed and get no more letters. Erase their data on their page.',
      since: at.toISOString(),
      place: `/people/${person_id}`,
    }),
  );
  return { rows, count: found.length };
}

export async function named(context: ReadContext): Promise<Rows> {
  // Whom it names are words of the letter.
  const lately = (await namedLately(context.db, context.caller, after(context.now, -NAMED_MS))).filter(
    (touch) => mayReadIn(context.caller.rights, { ...touch, id: touch.touch_id }),
  );
  const proposed = lately.flatMap((touch) => {
    const { name, address } = namedIn(touch.referred_to) ?? {};
    return address ? [{ ...touch, name: name || address, address }] : [];
  });
  const hashOf = (address: string): string => hashesIn([address])[0] ?? '';
  const known = await addressesKnown(
    context.db,
    proposed.map(({ address }) => hashOf(address)),
  );
  const changes = proposed.filter(({ address }) => !known.has(hashOf(address)));
  const rows = changes.slice(0, SHOWN).map(({ touch_id, thread_id, person_name, name, address, left, at }) =>
    row({
      key: `named:${touch_id}`,
      id: touch_id,
      title: short(name),
      says: `${short(person_name ?? 'Someone')} ${left ? 'no longer works there and suggested' : 'suggested'} ${short(address)}. Open the conversation to add them. No letter is sent.`,
      since: at.toISOString(),
      place: `/inbox?open=${thread_id}`,
    }),
  );
  return { rows, count: changes.length };
}
