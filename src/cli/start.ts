// `dunnock start`, which is what a start without a command does: the instance, or one of its two halves, until it is stopped.
import { join } from 'node:path';
import { isWildcard, openInstance, type Role, type RunningInstance } from '../instance.ts';
import { CannotStart } from '../store/cannot-start.ts';
import type { Whereabouts } from '../store/connect.ts';
import { startOwnServer } from '../store/own-server/own-server.ts';
import { masterKey } from '../store/seal.ts';
import type { Telemetry } from '../telemetry/otlp.ts';
import { isRole, readSettings } from './environment.ts';
import { noArguments, type Command, type Tools } from './tools.ts';
import { readVersion } from './version.ts';

export const start: Command = {
  takes: '[--role web|worker|both]',
  says: 'Starts Dunnock. A web process serves people and agents; a worker runs the background jobs.',
  async run(tools, args, flags) {
    noArguments(args);
    const role = roleIn(flags.role ?? 'both');
    const { env, place, clock, log, lookup, say, endings } = tools;
    if (role !== 'both' && place.url === null)
      throw new CannotStart(
        '--role needs a database that several processes share: set DATABASE_URL, or start without --role.',
      );
    const { dns, events, hosts, mail_ca, ...settings } = readSettings(env);
    const telemetry = await tracing(tools);
    const instance = await openInstance({
      ...settings,
      ...(telemetry && { trace: telemetry.trace }),
      role,
      name: place.name,
      version: readVersion(place.root),
      master_key: await masterKey(place.master_key, place.master_key_file),
      database: await whereabouts(tools),
      migrations: place.migrations,
      api_document: join(place.root, 'openapi.json'),
      screens: join(place.root, 'dist', 'ui'),
      outside: { lookup, dns, events, hosts, mail_ca },
      passes: 'by_themselves',
      clock,
      log,
    });
    endings.push(() => instance.close());
    say(
      role === 'worker' ? `A Dunnock worker is at ${instance.address}` : `Dunnock is at ${instance.address}`,
    );
    if (settings.base_url === null && isWildcard(settings.host))
      say(
        `It listens on ${settings.host}, which isn’t an address that browsers can open: set SERVICE_BASE_URL to the address that people and agents use.`,
      );
    if (instance.kept_back)
      say(
        'Letters are held, because this instance was restored from a backup: check what is due, then run `dunnock release-letters` and start again.',
      );
    for (const line of role === 'worker' ? [] : nextStep(instance)) say(line);
    return null;
  },
};

/** Loaded where a collector is named, and nowhere else. */
async function tracing({ env, place, endings }: Tools): Promise<Telemetry | null> {
  const endpoint = env['OTEL_EXPORTER_OTLP_ENDPOINT'];
  if (endpoint === undefined || endpoint === '') return null;
  if (!URL.canParse(endpoint) || !/^https?:/.test(endpoint))
    throw new CannotStart('OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https address.');
  const { openTelemetry } = await import('../telemetry/otlp.ts');
  const telemetry = openTelemetry({
    endpoint,
    headers: env['OTEL_EXPORTER_OTLP_HEADERS'] ?? '',
    instance: place.name,
    version: readVersion(place.root),
  });
  endings.push(() => telemetry.close());
  return telemetry;
}

function roleIn(text: string): Role {
  if (!isRole(text)) throw new CannotStart('--role must be web, worker or both.');
  return text;
}

async function whereabouts({ place, log, say, endings, end }: Tools): Promise<Whereabouts> {
  if (place.url !== null) return { url: place.url };
  const server = await startOwnServer({ dataDir: place.data_dir, log: (line) => log.info(line) });
  endings.push(() => server.stop());
  void server.lost.then(async (sentence) => {
    say(sentence);
    await end(1);
  });
  return { host: server.socketDir, port: server.port, user: server.user, database: server.database };
}

function nextStep({ address, setup }: RunningInstance): string[] {
  if (!setup.waiting)
    return [`Connect an agent: Settings > Access & Security > API (the endpoint is ${address}/mcp)`];
  if (setup.key !== null)
    return [
      `Set it up:     ${address}/setup?key=${encodeURIComponent(setup.key)}`,
      'The link is printed only once. It creates the first administrator.',
    ];
  return [
    `Set it up:     ${address}/setup, with the provisioning key printed at the first start or set in SERVICE_PROVISIONING_KEY.`,
    'If you lost it, set SERVICE_PROVISIONING_KEY to your own key and start again.',
  ];
}
