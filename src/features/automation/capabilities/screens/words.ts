// Words for tool servers: states, problems with their fix, and what a tool’s hints claim.
import type { Tone } from '../../../../ui/kit/pills.tsx';
import type { Capability, CapabilityTool, Hints } from '../contract.ts';
import type { Lasting } from '../trouble.rules.ts';

export type CapabilityStanding = { title: string; tone: Tone; says: string };

const TROUBLE: Record<Lasting, CapabilityStanding> = {
  unreachable: {
    title: 'Unreachable',
    tone: 'bad',
    says: 'Connection failed. Check the address, then refresh tools.',
  },
  slow: {
    title: 'Too slow',
    tone: 'bad',
    says: 'The server didn’t respond in time. Refresh tools in a minute.',
  },
  address: {
    title: 'Address refused',
    tone: 'bad',
    says: 'This instance can’t reach the address. Contact the server’s operator.',
  },
  own_address: {
    title: 'Address refused',
    tone: 'bad',
    says: 'This is the address of this instance. Agents already have its tools. Enter another address.',
  },
  redirect: {
    title: 'Redirected',
    tone: 'bad',
    says: 'Redirects aren’t followed. Enter the final address.',
  },
  broken: {
    title: 'Invalid response',
    tone: 'bad',
    says: 'This isn’t an MCP server. Check the address.',
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
      title: 'Turned off',
      tone: 'mute',
      says: 'Agents can’t use its tools.',
    };
  if (of.approved_at === null)
    return {
      title: 'Needs approval',
      tone: 'warn',
      says: 'An agent added this server. Agents can’t use it until a person approves its tools.',
    };
  if (of.trouble) return TROUBLE[of.trouble.why];
  if (of.connection === 'lost')
    return {
      title: 'Sign in again',
      tone: 'warn',
      says: `${title} rejected your sign-in or needs more permissions.`,
    };
  if (of.connection === 'none')
    return {
      title: 'Not connected',
      tone: 'mute',
      says: 'Sign in so agents acting for you can use it.',
    };
  if (changed > 0)
    return {
      title: changed === 1 ? '1 description changed' : `${changed} descriptions changed`,
      tone: 'warn',
      says: 'These tools are off until someone approves the new descriptions.',
    };
  if (of.refreshed_at === null)
    return {
      title: 'Tools not loaded',
      tone: 'mute',
      says: 'Load the tools to see what the server offers.',
    };
  if (on === 0)
    return {
      title: tools.length === 0 ? 'No tools' : 'Needs approval',
      tone: tools.length === 0 ? 'mute' : 'warn',
      says:
        tools.length === 0
          ? 'This server offers no tools that agents can use.'
          : 'Review the tools and approve the ones agents can call.',
    };
  return of.connection === 'connected'
    ? { title: 'Connected as you', tone: 'good', says: `Agents can call ${count(on)}.` }
    : { title: 'In use', tone: 'good', says: `Agents can call ${count(on)}. No sign-in needed.` };
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
  if (reads_only === true) claims.push({ says: 'read-only', tone: 'good' });
  if (reads_only === false) claims.push({ says: 'makes changes', tone: 'info' });
  if (destroys === true) claims.push({ says: 'may delete or overwrite', tone: 'bad' });
  if (destroys === false && reads_only !== true) claims.push({ says: 'doesn’t delete', tone: 'mute' });
  if (repeatable === true) claims.push({ says: 'safe to repeat', tone: 'mute' });
  if (reaches_out === true) claims.push({ says: 'connects to outside systems', tone: 'warn' });
  if (reaches_out === false) claims.push({ says: 'stays in its own system', tone: 'mute' });
  return claims.length > 0 ? claims : [{ says: 'effects unknown', tone: 'mute' }];
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
