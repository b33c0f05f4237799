// One instance, put together by hand: database, database, app, entry points. main starts it from the environment, and a test starts
// it on a database of its own with a clock that it moves.
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import type { FastifyInstance } from 'fastify';
import { openHttp } from './entry/http.ts';
import { features } from './features.ts';
import { openReads } from './features/access/audit/reads.ts';
import { newestSeal } from './features/access/audit/seals.store.ts';
import { takeAddress } from './features/outreach/sends/draft/address.store.ts';
import { openIdentify } from './features/access/tokens/identify.ts';
import { prepareProvisioning } from './features/access/sessions/provisioning.ts';
import { openJobs, type Jobs } from './jobs/runner.ts';
import { SECOND_MS, type Clock } from './kernel/clock.ts';
import { openFailures } from './kernel/failures.ts';
import { DEFAULT_LIMITS, unknownLimits, type LimitTable } from './kernel/limits.ts';
import { NO_TRACE, type Trace } from './kernel/trace.ts';
import { logSerializers } from './kernel/log.ts';
import { openApp, type App, type Outside, type Sending } from './kernel/app.ts';
import { readProxies } from './net/switches.ts';
import { connect, type Pools, type Whereabouts } from './store/connect.ts';
import { openDatabase } from './store/database.ts';
import { databaseFacts, passRuns, queues } from './store/health.ts';
import { migrate, openSchemaCheck } from './store/migrate.ts';
import { lettersKeptBack, type Restored } from './store/restored.ts';
import { openChangeFeed } from './store/change-feed.ts';
import { openInstanceSealer } from './store/instance-key.ts';
import { openLimits } from './store/limits.ts';
import { CannotStart } from './store/cannot-start.ts';

export type InstanceOptions = {
  /** SERVICE_INSTANCE */
  name: string;
  version: string;
  /** SERVICE_BASE_URL; null: the address that is listened on. */
  base_url: string | null;
  host: string;
  /** 0: any free port. */
  port: number;
  origins: string[];
  /** SERVICE_TRUSTED_PROXIES: who is believed on whom they speak for; loopback alone, where nothing is said. */
  is_proxy?: (address: string) => boolean;
  database: Whereabouts;
  migrations: string;
  /** 32 bytes. */
  master_key: Buffer;
  /** SERVICE_PROVISIONING_KEY */
  provisioning_key: string | null;
  /** File of the API document (openapi.json). */
  api_document: string;
  screens: string | null;
  outside: Outside;
  sending: Sending;
  /** SERVICE_RATE_LIMITS; the limits that hold where nothing is said. */
  limits?: LimitTable;
  /** Where spans go; nowhere, where nothing is said. */
  trace?: Trace;
  /** What this process does of it; everything, where nothing is said. */
  role?: Role;
  /** Whether passes wake by themselves, or run when `jobs.run` says so. */
  passes: 'by_themselves' | 'when_told';
  clock: Clock;
  log: Logger;
};

/** `web` serves the entry points and runs no passes; `worker` runs the passes, and answers /healthz and /metrics alone. */
export type Role = 'web' | 'worker' | 'both';

/** How long requests may take to end when the process does: the longest that a tool may take is cut then. */
const DRAIN_MS = 20 * SECOND_MS;
const LOOK_EVERY_MS = 100;

export type RunningInstance = {
  address: string;
  /** Whether the instance still waits for its first administrator, and the key to print where this boot drew it. */
  setup: { waiting: boolean; key: string | null };
  /** Letters stay until someone lets them go, because the database came from a backup. */
  kept_back: Restored | null;
  app: App;
  jobs: Jobs;
  pools: Pools;
  close(): Promise<void>;
};

export async function openInstance(options: InstanceOptions): Promise<RunningInstance> {
  const { clock, role = 'both', limits = DEFAULT_LIMITS, trace = NO_TRACE } = options;
  const log = options.log.child({}, { serializers: logSerializers });
  const pools = connect(options.database, (line) => log.debug(line));
  try {
    await migrate(pools.writer, options.migrations, (line) => log.info(line));
    const database = openDatabase(
      pools,
      options.name,
      (err) => log.warn({ err }, 'news could not be told'),
      trace,
    );
    const reads = openReads(database, (facts, says) => log.warn(facts, says));
    const failures = openFailures(database, clock, log);
    const changeFeed = await openChangeFeed(pools);
    const setup = await prepareProvisioning(database, clock, options.provisioning_key);
    const kept_back = await lettersKeptBack(pools.writer);
    const base_url = options.base_url ?? `http://${hostInUrl(reachable(options.host))}:${options.port}`;
    if (role !== 'web') await database.transact((tx) => takeAddress(tx, base_url, clock.now()));
    const app = openApp(features, {
      instance: { name: options.name, base_url, version: options.version },
      clock,
      database,
      reads,
      failures,
      sealer: await openInstanceSealer(pools.writer, options.master_key, options.name),
      changeFeed,
      outside: options.outside,
      sending: { ...options.sending, enabled: options.sending.enabled && kept_back === null },
      limits: openLimits(pools.writer, clock, limits),
      trace,
      log,
    });
    const misspelled = unknownLimits(limits, new Set(app.bound.keys()));
    if (misspelled.length > 0)
      throw new CannotStart(
        `SERVICE_RATE_LIMITS names ${misspelled.map((name) => `"${name}"`).join(', ')}, which nothing is called: docs/guide/operations.md lists the names.`,
      );
    const server = await openHttp({
      serves: role === 'worker' ? 'health_only' : 'all',
      app,
      identify: openIdentify({ reader: pools.lookups, transact: database.transact }, clock),
      host: options.host,
      origins: options.origins,
      is_proxy: options.is_proxy ?? readProxies(''),
      api_document: options.api_document,
      screens: options.screens,
      health: openSchemaCheck(pools.reader, options.migrations),
      figures: () => figures(pools.reader, clock.now()),
    });
    await server.listen({ host: options.host, port: options.port });
    const jobs = openJobs(app, role === 'web' ? 'when_told' : options.passes);
    return {
      address: options.base_url ?? addressOf(server),
      setup,
      kept_back,
      app,
      jobs,
      pools,
      async close() {
        const late = setTimeout(() => server.server.closeAllConnections(), DRAIN_MS);
        // A connection whose last request was answered after the end began is kept alive by no one but itself.
        const idle = setInterval(() => server.server.closeIdleConnections(), LOOK_EVERY_MS);
        await Promise.all([server.close(), jobs.close()]);
        clearTimeout(late);
        clearInterval(idle);
        await reads.close();
        await failures.close();
        await pools.close();
      },
    };
  } catch (error) {
    await pools.close();
    throw error;
  }
}

async function figures(reader: Pools['reader'], now: Date) {
  const [passes, waiting, seal, database] = await Promise.all([
    passRuns(reader),
    queues(reader, now),
    newestSeal(reader),
    databaseFacts(reader),
  ]);
  return { passes, queues: waiting, seal, database };
}

/** Is every address of the machine listened on? No one can call that by its name. */
export const isWildcard = (host: string): boolean => host === '0.0.0.0' || host === '::';

/** What a link says while no one has said how the instance is called from elsewhere. */
const reachable = (host: string): string => (isWildcard(host) ? '127.0.0.1' : host);

const hostInUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host);

function addressOf(server: FastifyInstance): string {
  const { address, port } = server.server.address() as AddressInfo;
  return `http://${hostInUrl(reachable(address))}:${port}`;
}
