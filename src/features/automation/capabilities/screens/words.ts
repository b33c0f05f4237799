// Another party's server and its tools in words: where it exists, what stops it, and what a tool says that it does.
import type { Tone } from '../../../../ui/kit/pills.tsx';
import type { Capability, CapabilityTool, Hints } from '../contract.ts';
import type { Lasting } from '../trouble.rules.ts';

export type CapabilityStanding = { title: string; tone: Tone; says: string };

const TROUBLE: Record<Lasting, CapabilityStanding> = {
  unreachable: {
    title: 'Unreachable',
    tone: 'bad',
    says: 'Nobody answered at its address. Check the address, then ask for its tools again.',
  },
  slow: {
    title: 'Too slow',
    tone: 'bad',
    says: 'It did not answer in time. Ask for its tools again in a minute.',
  },
  address: {
    title: 'Address refused',
    tone: 'bad',
    says: 'Its name leads to an address that nothing may be asked at from here. Ask whoever runs it.',
  },
  own_address: {
    title: 'Address refused',
    tone: 'bad',
    says: 'It leads back to this instance, whose tools agents already have. Give it another address.',
  },
  redirect: {
    title: 'Redirected',
    tone: 'bad',
    says: 'It answers with a redirect, which is never followed. Enter the address that it leads to.',
  },
  broken: {
    title: 'Not understood',
    tone: 'bad',
    says: 'It answered, and not as a tool server does. Check its address.',
  },
};

const count = (tools: number): string => `${tools} ${tools === 1 ? 'tool' : 'tools'}`;

/** What asks for a person first. */
export function standingOf(of: Capability): CapabilityStanding {
  const { title, tools } = of;
  const changed = tools.filter(({ state }) => state === 'changed').length;
  const on = tools.filter(({ state }) => state === 'on').length;
  if (!of.on)
    return {
      title: 'Switched off',
      tone: 'mute',
      says: 'Nothing is asked of it, and agents have none of its tools.',
    };
  if (of.approved_at === null)
    return {
      title: 'Waits for a person',
      tone: 'warn',
      says: 'An agent gave this address. No agent asks it anything before a person agreed to its tools.',
    };
  if (of.trouble) return TROUBLE[of.trouble.why];
  if (of.connection === 'lost')
    return {
      title: 'Sign in again',
      tone: 'warn',
      says: `${title} no longer takes your sign-in, or wants more allowed.`,
    };
  if (of.connection === 'none')
    return {
      title: 'Not connected',
      tone: 'mute',
      says: 'Agents that act as you cannot use it before you sign in there.',
    };
  if (changed > 0)
    return {
      title: changed === 1 ? 'A description changed' : `${changed} descriptions changed`,
      tone: 'warn',
      says: 'Switched off until somebody has read what changed and agreed again.',
    };
  if (of.refreshed_at === null)
    return {
      title: 'Tools not asked for',
      tone: 'mute',
      says: 'Nobody has asked it yet which tools it has.',
    };
  if (on === 0)
    return {
      title: tools.length === 0 ? 'No tools' : 'Needs consent',
      tone: tools.length === 0 ? 'mute' : 'warn',
      says:
        tools.length === 0
          ? 'It has no tool that could be offered to an agent.'
          : 'Read what its tools say they do, and agree to those that agents may call.',
    };
  return of.connection === 'connected'
    ? { title: 'Connected as you', tone: 'good', says: `${count(on)} that agents may call.` }
    : { title: 'In use', tone: 'good', says: `${count(on)} that agents may call. It asks for no sign-in.` };
}

export const TOOL: Record<CapabilityTool['state'], { title: string; tone: Tone }> = {
  new: { title: 'New', tone: 'info' },
  on: { title: 'On', tone: 'good' },
  off: { title: 'Off', tone: 'mute' },
  changed: { title: 'Changed', tone: 'warn' },
};

/** Its server's claims, each said as one: no one here has checked them. */
export function claimsOf({
  reads_only,
  destroys,
  repeatable,
  reaches_out,
}: Hints): { says: string; tone: Tone }[] {
  const claims: { says: string; tone: Tone }[] = [];
  if (reads_only === true) claims.push({ says: 'says it only reads', tone: 'good' });
  if (reads_only === false) claims.push({ says: 'says it changes things', tone: 'info' });
  if (destroys === true) claims.push({ says: 'says it may delete or overwrite', tone: 'bad' });
  if (destroys === false && reads_only !== true)
    claims.push({ says: 'says it deletes nothing', tone: 'mute' });
  if (repeatable === true) claims.push({ says: 'says doing it twice does no more', tone: 'mute' });
  if (reaches_out === true) claims.push({ says: 'says it reaches the outside', tone: 'warn' });
  if (reaches_out === false) claims.push({ says: 'says it stays in its own system', tone: 'mute' });
  return claims.length > 0 ? claims : [{ says: 'does not say what it changes', tone: 'mute' }];
}

export const claimsText = (hints: Hints): string =>
  claimsOf(hints)
    .map(({ says }) => says)
    .join(', ');

export type Argument = { name: string; kind: string; required: boolean; says: string };

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** What it wants to be given, as far as its schema says so in the plain way. */
export function argumentsOf(schema: unknown): Argument[] {
  const { properties, required } = (schema ?? {}) as { properties?: unknown; required?: unknown };
  if (typeof properties !== 'object' || properties === null) return [];
  const must = Array.isArray(required) ? required : [];
  return Object.entries(properties as Record<string, unknown>).map(([name, value]) => {
    const { type, description } = (value ?? {}) as { type?: unknown; description?: unknown };
    return {
      name,
      kind: Array.isArray(type) ? type.map(text).join(' or ') : text(type),
      required: must.includes(name),
      says: text(description),
    };
  });
}

export const schemaText = (schema: unknown): string => JSON.stringify(schema ?? null, null, 2);
