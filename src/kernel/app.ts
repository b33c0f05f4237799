// The app: every operation and tool of the product in one value, checked once when it opens. The process doesn’t start if an
// operation is declared twice, a path key is missing from its arguments, or an act isn’t claimed.
import type { Logger } from 'pino';
import { type GatedAct, WIRE_ACTS } from './acts.ts';
import type { ByName } from './by-name.ts';
import type { Caller, Surface, Turn } from './caller.ts';
import type { Clock } from './clock.ts';
import type { Failures } from './failures.ts';
import type { AuditRow, Database, ChangeNotification } from './database.ts';
import type { Hook } from './hook.ts';
import type { Limits } from './limits.ts';
import { needsAction, pathKeys, type AnyOperation } from './operation.ts';
import type { AnyPass } from './pass.ts';
import type { Bound } from './context.ts';
import type { Secret } from './secret.ts';
import type { Trace } from './trace.ts';
import type { Resource, Tool } from './tool.ts';
import type { AnyWatch } from './watch.ts';

export type Feature = {
  name: string;
  operations: Bound[];
  tools?: Tool[];
  resources?: Resource[];
  /** How its records are found by what they are called, where an argument names one. */
  by_name?: ByName[];
  /** What it does without a request. */
  passes?: AnyPass[];
  /** What it keeps open for long. */
  watches?: AnyWatch[];
  /** Its entry points outside /api, for callers without a credential. */
  hooks?: Hook[];
};

/** A feature and the area in whose folder it exists: the tag of its operations in the API document. */
export type Placed = Feature & { area: string };

/** Facts of this instance that answers and handlers need; read from the environment by main alone. */
export type Instance = {
  /** SERVICE_INSTANCE, `[a-z0-9][a-z0-9-]{0,62}`. */
  name: string;
  base_url: string;
  version: string;
};

/** A sealer of secrets at rest (src/store/seal.ts); the context names table, row and column. */
export type Sealer = {
  seal(plain: string, context: string): string;
  open(sealed: string, context: string): string;
  /** A key for one purpose (`unsubscribe`, `verp`): always the same of one instance, and no way leads from it to another. */
  key(purpose: string): Secret;
};

/** What the operator says of letters, in the environment: no token can turn it back. */
export type Sending = {
  /** SERVICE_SENDING is not `off`. */
  enabled: boolean;
  /** SERVICE_DEVELOPMENT: letters go to the built-in sink alone. */
  development: boolean;
};

/** Live change notifications from the database, for open screens (src/store/change-feed.ts). */
export type ChangeFeed = { follow(signal: AbortSignal): AsyncIterable<ChangeNotification> };

/** Strangers' addresses: how names are resolved, and which private ones the operator opened for whom (src/net). */
export type Outside = {
  lookup(name: string): Promise<readonly string[]>;
  /** SERVICE_DNS_SERVERS: the name servers that mail asks of domains; without them those of the machine. */
  dns: { servers?: readonly string[] };
  /** SERVICE_EVENTS_ALLOW_PRIVATE: deliveries of events, and nothing else. */
  events: { allowPrivate: boolean };
  /** SERVICE_ALLOW_PRIVATE_HOSTS: everything but deliveries of events. */
  hosts: { allowedHosts: { names: ReadonlySet<string>; networks: { has(address: string): boolean } } };
  /** SERVICE_MAIL_CA_FILE: authorities that mail servers are trusted by, beside the usual ones; PEM. */
  mail_ca: readonly string[];
};

/** What agents read is noted beside their acts, in batches, and never waited for (src/features/access/audit/reads.ts). */
export type Reads = { note(read: AuditRow): void };

export type App = {
  features: Placed[];
  bound: ReadonlyMap<string, Bound>;
  operations: AnyOperation[];
  tools: ReadonlyMap<string, Tool>;
  resources: Resource[];
  byName: ByName[];
  passes: AnyPass[];
  watches: AnyWatch[];
  instance: Instance;
  clock: Clock;
  database: Database;
  reads: Reads;
  failures: Failures;
  sealer: Sealer;
  changeFeed: ChangeFeed;
  outside: Outside;
  sending: Sending;
  limits: Limits;
  trace: Trace;
  log: Logger;
};

export type Dependencies = Pick<
  App,
  | 'instance'
  | 'clock'
  | 'database'
  | 'reads'
  | 'failures'
  | 'sealer'
  | 'changeFeed'
  | 'outside'
  | 'sending'
  | 'limits'
  | 'trace'
  | 'log'
>;

/** Joins features and database. Throws a plain Error, naming every fault of the declarations at once. */
export function openApp(features: Placed[], dependencies: Dependencies): App {
  const bound = new Map<string, Bound>();
  const tools = new Map<string, Tool>();
  for (const feature of features) {
    for (const each of feature.operations) bound.set(each.operation.name, each);
    for (const tool of feature.tools ?? []) tools.set(tool.name, tool);
  }
  const operations = features.flatMap((f) => f.operations.map((b) => b.operation));
  const faults = [...faultsOf(operations), ...unclaimed(operations)];
  if (tools.size !== features.flatMap((f) => f.tools ?? []).length) faults.push('a tool is declared twice');
  if (faults.length > 0) throw new Error(`the declarations do not hold: ${faults.join('; ')}`);
  const resources = features.flatMap((f) => f.resources ?? []);
  const byName = features.flatMap((f) => f.by_name ?? []);
  const passes = features.flatMap((f) => f.passes ?? []);
  const watches = features.flatMap((f) => f.watches ?? []);
  return { features, bound, operations, tools, resources, byName, passes, watches, ...dependencies };
}

/**
 * Faults that can be seen at a glance. Whether an example is one that its operation takes is a test's to say: parsing all of them
 * took half a second of every start.
 */
function faultsOf(operations: AnyOperation[]): string[] {
  const faults: string[] = [];
  const names = new Set<string>();
  const routes = new Set<string>();
  for (const op of operations) {
    const route = `${op.method} ${op.path.replace(/:[a-z_]+/g, ':')}`;
    if (names.has(op.name)) faults.push(`${op.name} is declared twice`);
    if (routes.has(route)) faults.push(`${route} is declared twice`);
    names.add(op.name);
    routes.add(route);
    for (const key of pathKeys(op.path))
      if (!(key in op.takes.shape)) faults.push(`${op.name} takes no "${key}", which stands in its path`);
    if ((op.method === 'GET') !== (op.effect === 'read')) {
      if (op.method === 'GET') faults.push(`${op.name} is a GET and not a read`);
    }
    if (op.cost !== undefined && op.effect !== 'read') faults.push(`${op.name} writes, and is no long read`);
    const action = needsAction(op);
    if (action !== null && !/^[a-z]+(\.[a-z_]+){1,2}$/.test(action))
      faults.push(`${op.name} needs "${action}", which is no action`);
  }
  return faults;
}

/** Acts that no operation claims. */
export function unclaimed(operations: AnyOperation[]): string[] {
  const claimed = new Set<GatedAct>(operations.flatMap((op) => (op.wire === 'never' ? [] : [op.wire.act])));
  return WIRE_ACTS.filter((act) => !claimed.has(act)).map((act) => `no operation claims ${act}`);
}

/** Where a credential arrived: it decides whose turn it is. */
export type CallSource = { turn: Turn; surface: Surface };

/** Turns what a request carries into a Caller, or null where it is worth nothing. Looked up at every request, never cached. */
export type Identify = {
  bearer(value: string, source: CallSource): Promise<Caller | null>;
  /** `secret` is the session cookie's value. */
  session(secret: string, source: CallSource): Promise<Caller | null>;
};
