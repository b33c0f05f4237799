// Valid capabilities, and the sentences for those that don’t work. Pure.
import { createHash } from 'node:crypto';
import { conflict, invalid, Refusal } from '../../../kernel/refusal.ts';
import type { Hints } from './contract.ts';
import type { TroubleWhy } from './trouble.rules.ts';

/** What represents a name that models cannot take, and what looks like it: two names of a server never become one. */
const STAND_IN = /-[0-9a-f]{8}$/;

/**
 * Tools of others are beside ours in one list: no tool of ours holds two underscores in a row. A name with other signs than
 * models take is followed by a sum of the whole, so that it is the same whatever else the server has.
 */
export function calledAs(capability: string, tool: string): string {
  const plain = tool.replace(/[^A-Za-z0-9_-]/g, '_');
  if (plain === tool && !STAND_IN.test(tool)) return `${capability}__${tool}`;
  const sum = createHash('sha256').update(tool).digest('hex').slice(0, 8);
  return `${capability}__${plain}-${sum}`;
}

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

/** Is this our own entry point? A call that came back in through it would have lost who is asking. */
export function isOwn(base_url: string, asked: URL): boolean {
  const own = new URL(base_url);
  const port = (url: URL): string => url.port || (url.protocol === 'https:' ? '443' : '80');
  if (port(own) !== port(asked)) return false;
  // A name may end with the dot of the root: it is the same name.
  const [ours, theirs] = [own, asked].map(({ hostname }) => hostname.replace(/\.$/, '')) as [string, string];
  return ours === theirs || (LOOPBACK.test(ours) && LOOPBACK.test(theirs));
}

export const OWN_ADDRESS =
  'that is the address of this instance: agents already have its tools, and a call from here would have no caller';

const SIGN_IN = (title: string): string =>
  `${title} requires you to sign in: connect it in Settings → Capabilities`;

const SAYS: Record<TroubleWhy, (title: string) => string> = {
  sign_in: (title) => SIGN_IN(title),
  ended: (title) => SIGN_IN(title),
  renewal: (title) =>
    `${title} could not renew your sign-in just now: it is saved and tried again automatically, so call again in a minute`,
  scope: (title) =>
    `${title} needs more access than you granted when you signed in: connect it again in Settings → Capabilities`,
  open: (title) => `${title} doesn’t require a sign-in, so there is nothing to connect`,
  untrusted: (title) =>
    `the sign-in server of ${title} couldn’t be verified, so nothing was sent: ask its operator`,
  denied: (title) => `${title} did not accept the sign-in: connect it again in Settings → Capabilities`,
  unreachable: (title) => `${title} could not be reached: try again in a minute, or check its address`,
  unregistered: (title) =>
    `the sign-in server of ${title} doesn’t let Dunnock register itself: register it there by hand, and give its client_id in Settings → Capabilities`,
  garbled: (title) =>
    `the sign-in server of ${title} returned a response that can’t be read: try again in a minute, or ask its operator`,
  redirect: (title) =>
    `${title} returned a redirect, which is never followed: give the address it points to in Settings → Capabilities`,
  own_address: () => OWN_ADDRESS,
  address: (title) => `${title} resolves to an address that this instance must not contact: ask its operator`,
  slow: (title) => `${title} did not respond in time: try again in a minute`,
  too_long: (title) => `${title} returned more than this instance reads: ask for less`,
  no_tool: (title) => `${title} no longer has a tool with that name: refresh it in Settings → Capabilities`,
  broken: (title) => `${title} doesn’t respond like a tool server: check its address`,
};

/** `wait_s`: how long nothing comes of trying again. */
export function troubleRefusal(why: TroubleWhy, title: string, wait_s: number | null): Refusal {
  const says = SAYS[why](title);
  if (why === 'own_address' || why === 'address') return invalid(says);
  if (why === 'unreachable' || why === 'slow' || why === 'renewal')
    return new Refusal(503, 'unavailable', says, wait_s === null ? undefined : { retry_after: wait_s });
  return conflict(says);
}
