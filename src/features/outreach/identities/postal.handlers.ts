// Handlers of postal addresses. One that a campaign names stays: letters that left with it can still be asked about.
import { z } from 'zod';
import { keyIn, pageOf } from '../../../kernel/page.ts';
import { conflict, notFound } from '../../../kernel/refusal.ts';
import { bind, type Bound } from '../../../kernel/context.ts';
import { id, time } from '../../../kernel/shapes.ts';
import { postalAddressCreate, postalAddressDelete, postalAddressList } from './postal.contract.ts';
import { deletePostalAddress, insertPostalAddress, postalAddresses } from './postal.store.ts';

const TOPIC = 'postal_addresses';

const list = bind(postalAddressList, async ({ db }, { limit, cursor }) => {
  const after = keyIn(cursor, () => z.tuple([time, id]));
  return pageOf(await postalAddresses(db, after, limit + 1), limit, (row) => [row.created_at, row.id]);
});

const create = bind(postalAddressCreate, async (context, address) => {
  const postal_address = await insertPostalAddress(context.db, address, context.now);
  context.about(`outreach:postal-address/${postal_address.id}`);
  context.tell(TOPIC, postal_address.id);
  return { postal_address };
});

const remove = bind(postalAddressDelete, async (context, { postal_address }) => {
  const { found, used } = await deletePostalAddress(context.db, postal_address);
  if (!found)
    throw notFound('postal address', 'GET /api/admin/outreach/postal-addresses lists postal addresses');
  if (used > 0)
    throw conflict(
      `${used} ${used === 1 ? 'campaign uses' : 'campaigns use'} this postal address: choose another address there, then delete this one`,
    );
  context.tell(TOPIC, postal_address);
  return { ok: true } as const;
});

export const postalHandlers: Bound[] = [list, create, remove];
