// Arguments with which any act can be tried on a desk that has one of everything.
import { features } from '../../src/features.ts';
import { type AnyOperation, pathKeys } from '../../src/kernel/operation.ts';
import type { TestApp } from './app.ts';
import type { RecordsDesk } from './desks.ts';

const operations = features.flatMap((each) => each.operations.map(({ operation }) => operation));

export type Args = Record<string, unknown>;

/** Values that the desk can't name by an argument alone. */
const GIVEN: Record<string, Args> = {
  campaign_no_human_review: { confirmed: true },
  user_invite: { email: 'new@quay.example', admin: false },
  domain_create: { name: 'mail.new-quay.example' },
  events_webhook_set: { url: 'https://hooks.quay.example/', on: true },
  identity_create: { address: 'new@quay.example' },
  item_create: { title: 'Another' },
  postal_address_create: { name: 'Another office' },
  segment_create: { name: 'Another segment' },
  suppression_add: { kind: 'address', value: 'out@quay.example' },
};

/** Its example, about the records of this desk: with their revisions and fingerprints as they are now. */
export async function argumentsOf(app: TestApp, desk: RecordsDesk, operation: AnyOperation): Promise<Args> {
  const known = Object.fromEntries(
    Object.entries(desk.named).filter(([key]) => key in operation.takes.shape),
  );
  const args: Args = { ...operation.example, ...known, ...GIVEN[operation.name] };
  const [key] = pathKeys(operation.path);
  const noun = key?.replace(/_id$/, '') ?? '';
  const reading = operations.find(({ name }) => [`${noun}_get`, `${noun}_read`].includes(name));
  if (!reading || key === undefined) return args;
  const path = reading.path.replace(/:([a-z_]+)/g, () => String(args[key]));
  const { body } = await app.admin.rest('GET', path);
  const record = (body[noun] ?? {}) as Args;
  for (const field of ['revision', 'fingerprint'])
    if (field in operation.takes.shape && record[field] !== undefined) args[field] = record[field];
  return args;
}
