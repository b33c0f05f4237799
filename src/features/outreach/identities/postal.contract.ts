// Postal addresses in letters, as the law requires for mail to strangers. A campaign chooses one.
import { z } from 'zod';
import { named } from '../../../kernel/names.ts';
import { CREATED, OK, operation } from '../../../kernel/operation.ts';
import { done, id, listOf, page, text, time } from '../../../kernel/shapes.ts';

export const postalAddress = z.object({ id, name: z.string(), lines: z.string(), created_at: time });
export type PostalAddress = z.infer<typeof postalAddress>;
named('PostalAddress', postalAddress);

const PATH = '/api/admin/outreach/postal-addresses';
const RESOURCE = 'outreach:postal-address';

export const postalAddressList = operation({
  name: 'postal_address_list',
  says: 'Lists the postal addresses that campaigns can put under their letters, newest first.',
  method: 'GET',
  path: PATH,
  takes: z.strictObject(page),
  gives: listOf(postalAddress),
  example: {},
  effect: 'read',
  needs: { action: 'outreach.campaign.read', on: () => [RESOURCE] },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});

export const postalAddressCreate = operation({
  name: 'postal_address_create',
  says: 'Adds a postal address: who is behind the letters, and where they can be written to on paper.',
  method: 'POST',
  path: PATH,
  takes: z.strictObject({ name: text(120), lines: text(500) }),
  gives: z.object({ postal_address: postalAddress }),
  example: { name: 'Office', lines: 'Example Ltd\n1 Sample Street\n12345 Sampletown' },
  effect: 'write',
  needs: { action: 'outreach.campaign.write', on: () => [RESOURCE] },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: CREATED,
});

export const postalAddressDelete = operation({
  name: 'postal_address_delete',
  says: 'Deletes a postal address that no campaign names.',
  method: 'DELETE',
  path: `${PATH}/:postal_address`,
  takes: z.strictObject({ postal_address: id }),
  gives: done,
  example: { postal_address: '0198c0de-0000-7000-8000-000000000063' },
  effect: 'destroy',
  needs: {
    action: 'outreach.campaign.write',
    on: ({ postal_address }) => [`${RESOURCE}/${postal_address}`],
  },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});
