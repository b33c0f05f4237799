// What a digest proposes next: acts of the product with their arguments. Who can do one is read off its own gates, and what
// its caller would be refused is not proposed.
import type { Caller } from '../../../kernel/caller.ts';
import type { ReadContext } from '../../../kernel/context.ts';
import { refusedBeforeReading } from '../../../kernel/gates.ts';
import type { AnyOperation } from '../../../kernel/operation.ts';
import { couldAllow, decide } from '../../../kernel/policy.ts';
import type { Next } from './frame.contract.ts';

export type Proposal = {
  what: string;
  does: AnyOperation;
  /** The tool by which it is done; `with` are then the tool’s arguments. */
  tool?: string;
  with: Record<string, unknown>;
  /** The names by which a policy knows what it is done to, where `with` doesn’t say them. */
  on?: readonly string[];
  open_at?: string;
  sign_at?: string;
};

export type Proposals = readonly (Proposal | false | null | undefined)[];

export function nextOf(
  { app, caller, now }: Pick<ReadContext, 'app' | 'caller' | 'now'>,
  all: Proposals,
): Next[] {
  const said = new Set<string>();
  return all.flatMap((one) => {
    if (!one || deniedTo(caller, one)) return [];
    const who = whoDoes(one);
    // What only a person or the wire scope can do is said to everyone: they hand it on. An agent is told what it can do.
    if (who === 'agent' && refusedBeforeReading(one.does, caller, now)) return [];
    const text = written(one, one.tool === undefined ? undefined : app.tools.get(one.tool)?.takes.shape);
    if (said.has(text)) return [];
    said.add(text);
    const { what, open_at, sign_at } = one;
    return [
      {
        what,
        with: text,
        who,
        ...(open_at !== undefined && { open_at }),
        ...(sign_at !== undefined && who !== 'agent' && { sign_at }),
      },
    ];
  });
}

/** By policy: the same person is refused it on every screen. A token of no one hands on what it may not do itself. */
function deniedTo(caller: Caller, one: Proposal): boolean {
  const { needs } = one.does;
  if (!('action' in needs)) return false;
  if (caller.principal.kind === 'service' && whoDoes(one) !== 'agent') return false;
  if (!couldAllow(caller.rights, needs.action)) return true;
  const names =
    one.on ?? (typeof needs.on === 'function' && one.tool === undefined ? needs.on(one.with) : null);
  return names !== null && names.length > 0 && !decide(caller.rights, needs.action, [...names]).allowed;
}

function whoDoes({ does: { wire, who }, with: args }: Proposal): Next['who'] {
  if (wire !== 'never' && (wire.when === undefined || wire.when(args))) return 'wire';
  return who === 'anyone' || 'scripts_scope' in who ? 'agent' : 'person';
}

/** The tool or the route with its arguments; `…` is what only whoever acts can say. */
function written(one: Proposal, toolTakes: Record<string, unknown> | undefined): string {
  const { does, tool, with: args } = one;
  const takes = toolTakes ?? does.takes.shape;
  const required = Object.entries(
    takes as Record<string, { safeParse(given: unknown): { success: boolean } }>,
  )
    .filter(([name, shape]) => !(name in args) && !shape.safeParse(undefined).success)
    .map(([name]) => name);
  const left = new Map(Object.entries(args).filter(([, value]) => value !== undefined));
  const path = does.path.replace(/:([a-z_]+)/g, (_, name: string) => {
    const value = left.get(name);
    if (tool === undefined) left.delete(name);
    return String(value);
  });
  const parts = [
    ...[...left].map(([name, value]) => `"${name}": ${JSON.stringify(value)}`),
    ...required.map((name) => `"${name}": …`),
  ];
  const told = `{${parts.join(', ')}}`;
  if (tool !== undefined) return `${tool} ${told}`;
  return parts.length === 0 ? `${does.method} ${path}` : `${does.method} ${path} ${told}`;
}
