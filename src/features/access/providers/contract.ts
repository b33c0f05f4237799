// Providers’ keys: which are set, saving (wire act 14), deleting (wire act 13) and testing. A key is written and never read
// back. It belongs to one address and is sent to no other.
import { z } from 'zod';
import { named } from '../../../kernel/names.ts';
import { OK, operation } from '../../../kernel/operation.ts';
import { listOf, principal, time } from '../../../kernel/shapes.ts';
import { PROVIDER_NAMES } from './registry.rules.ts';

export const provider = z.object({
  provider: z.enum(PROVIDER_NAMES),
  title: z.string(),
  kind: z.enum(['mail', 'model']),
  /** Which keys it takes. */
  keys: z.array(z.string()),
  /** Whether they are saved; of the first only its last four characters are shown. */
  set: z.boolean(),
  last_four: z.string().nullable(),
  /** Where it is called. */
  base_url: z.string(),
  default_base_url: z.string(),
  saved_by: principal.nullable(),
  saved_at: time.nullable(),
});
export type ShownProvider = z.infer<typeof provider>;
named('Provider', provider);

const which = z.enum(PROVIDER_NAMES);
const key = z.string().regex(/^[\x21-\x7e]{8,500}$/, 'a key of 8 to 500 characters without spaces');
const keys = z.record(z.string().max(60), key);
const address = z.string().trim().min(1).max(500);

const byName = ({ provider: name }: { provider: string }) => [`admin:provider/${name}`];

export const providerList = operation({
  name: 'provider_list',
  says: 'Lists providers and which of them have keys. Only the last four characters of a key are returned.',
  method: 'GET',
  path: '/api/admin/providers',
  takes: z.strictObject({}),
  gives: listOf(provider),
  example: {},
  effect: 'read',
  needs: { action: 'admin.provider.read', on: () => ['admin:provider'] },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});

export const providerKeysSave = operation({
  name: 'provider_keys_save',
  says: 'Saves a provider’s keys, with the address they belong to. They are stored encrypted and never shown again.',
  method: 'PUT',
  path: '/api/admin/providers/:provider/keys',
  takes: z.strictObject({ provider: which, keys, base_url: address.optional() }),
  gives: z.object({ provider }),
  example: { provider: 'resend', keys: { api_key: 're_0123456789abcdef' } },
  effect: 'write',
  needs: { action: 'admin.provider.save_keys', on: byName },
  who: 'anyone',
  step_up: 'needed',
  wire: { act: 'provider.key.save' },
  answers: OK,
});

export const providerKeysDelete = operation({
  name: 'provider_keys_delete',
  says: 'Deletes a provider’s keys. Nothing is sent through the provider until new keys are saved.',
  method: 'DELETE',
  path: '/api/admin/providers/:provider/keys',
  takes: z.strictObject({ provider: which }),
  gives: z.object({ provider }),
  example: { provider: 'resend' },
  effect: 'destroy',
  needs: { action: 'admin.provider.delete_keys', on: byName },
  who: 'anyone',
  step_up: 'no',
  wire: { act: 'provider.key.delete' },
  answers: OK,
});

export const PROBED = ['passing', 'failing', 'unknown'] as const;

export const providerTest = operation({
  name: 'provider_test',
  says: 'Tests a provider’s keys and saves nothing: the saved keys at their own address, or the given keys at the given address.',
  method: 'POST',
  path: '/api/admin/providers/:provider/test',
  takes: z.strictObject({ provider: which, keys: keys.optional(), base_url: address.optional() }),
  gives: z.object({
    outcome: z.enum(PROBED),
    sentence: z.string(),
  }),
  example: { provider: 'resend' },
  effect: 'write',
  needs: { action: 'admin.provider.test', on: byName },
  who: 'anyone',
  step_up: 'no',
  // An address of the caller's own choice hears what they chose as a key: only who may save it there tries it there.
  wire: { act: 'provider.key.save', when: ({ base_url }) => base_url !== undefined },
  answers: OK,
});
