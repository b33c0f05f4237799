// What a capability may be and what is said where it does not work. Pure.
import { createHash } from 'node:crypto';
import { conflict, invalid, Refusal } from '../../kernel/refusal.ts';
import type { Hints } from './contract.ts';
import type { TroubleWhy } from './trouble.rules.ts';

/** Tools of others stand beside ours in one list: no tool of ours holds two underscores in a row. */
export const calledAs = (capability: string, tool: string): string =>
  `${capability}__${tool.replace(/[^A-Za-z0-9_-]/g, '_')}`;

/** What model servers take as a name. */
const NAME_MAX_CHARS = 64;
const SAYS_MAX_CHARS = 10_000;
const SCHEMA_MAX_CHARS = 50_000;

type Described = { name: string; says: string; schema: unknown; hints: Hints };

/** One that is too long to be looked at, or to be named, is not offered at all. */
export const fits = (capability: string, { name, says, schema }: Omit<Described, 'hints'>): boolean =>
  name.length > 0 &&
  calledAs(capability, name).length <= NAME_MAX_CHARS &&
  says.length <= SAYS_MAX_CHARS &&
  JSON.stringify(schema ?? null).length <= SCHEMA_MAX_CHARS;

/** Of what a person is shown, in one order of keys. */
export function hashOf({ name, says, schema, hints }: Described): string {
  return createHash('sha256')
    .update(ordered([name, says, schema, hints]))
    .digest('hex');
}

function ordered(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  if (Array.isArray(value)) return `[${value.map(ordered).join(',')}]`;
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${ordered((value as Record<string, unknown>)[key])}`).join(',')}}`;
}

/** Text of strangers that a table takes: no NUL and no half of a character. */
export const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD');

/** As it is kept, shown and compared. */
export const kept = ({ name, says, schema, hints }: Described): Described => ({
  name: storable(name),
  says: storable(says),
  hints,
  schema: JSON.parse(JSON.stringify(schema ?? null), (_, each: unknown) =>
    typeof each === 'string' ? storable(each) : each,
  ) as unknown,
});

/** This machine itself, in every spelling that a parsed address has; the unspecified ones lead there too. */
const LOOPBACK =
  /^(localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1?\]|\[::ffff:(7f[0-9a-f]{2}:[0-9a-f]{1,4}|0:0)\])$/;

/** Is this our own door? A call that came back in through it would have lost who is asking. */
export function isOwn(base_url: string, asked: URL): boolean {
  const own = new URL(base_url);
  const port = (url: URL): string => url.port || (url.protocol === 'https:' ? '443' : '80');
  if (port(own) !== port(asked)) return false;
  // A name may end with the dot of the root: it is the same name.
  const [ours, theirs] = [own, asked].map(({ hostname }) => hostname.replace(/\.$/, '')) as [string, string];
  return ours === theirs || (LOOPBACK.test(ours) && LOOPBACK.test(theirs));
}

export const OWN_ADDRESS =
  'that is the address of this instance: agents already have its tools, and a call that comes back in would be nobody\u2019s';

const SAYS: Record<TroubleWhy, (title: string) => string> = {
  sign_in: (title) => `${title} wants you to sign in there: connect it in Settings → Capabilities`,
  scope: (title) =>
    `${title} wants more than was allowed when you signed in there: connect it again in Settings → Capabilities`,
  open: (title) => `${title} asks for no sign-in, so there is nothing to connect`,
  untrusted: (title) =>
    `the sign-in of ${title} does not prove whose it is, and nothing was sent there: ask whoever runs it`,
  denied: (title) => `${title} did not accept the sign-in: connect it again in Settings → Capabilities`,
  unreachable: (title) => `${title} could not be reached: try again in a minute, or check its address`,
  own_address: () => OWN_ADDRESS,
  address: (title) =>
    `${title} leads to an address that nothing may be asked at from here: ask whoever runs it`,
  slow: (title) => `${title} did not answer in time: try again in a minute`,
  too_long: (title) => `${title} answered more than is read from another party: ask for less`,
  no_tool: (title) => `${title} has no tool of that name any more: refresh it in Settings → Capabilities`,
  broken: (title) => `${title} does not speak as a tool server does: check its address`,
};

export function troubleRefusal(why: TroubleWhy, title: string): Refusal {
  const says = SAYS[why](title);
  if (why === 'own_address' || why === 'address') return invalid(says);
  if (why === 'unreachable' || why === 'slow') return new Refusal(503, 'unavailable', says);
  return conflict(says);
}
