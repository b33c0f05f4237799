// The composition root: reads the environment, starts what the instance stands on, prints where it is, and ends in order.
// The only file of the product that touches `process`.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { systemClock } from './kernel/clock.ts';
import { isWildcard, openInstance, type InstanceOptions, type RunningInstance } from './instance.ts';
import type { Whereabouts } from './store/connect.ts';
import { CannotStart } from './store/cannot-start.ts';
import { startOwnServer } from './store/own-server/own-server.ts';
import { masterKey } from './store/seal.ts';
import { systemLookup } from './net/resolve.ts';
import { readAllowedHosts, readEventsSwitch, type AllowedHosts } from './net/switches.ts';

const ROOT = join(import.meta.dirname, '..');
const { env } = process;

const log = pino({ level: env['LOG_LEVEL'] ?? 'warn' }, pino.destination({ dest: 2, sync: true }));
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const endings: (() => Promise<void>)[] = [];
let ending = false;

async function end(status: number): Promise<void> {
  if (ending) return;
  ending = true;
  for (const close of endings.reverse())
    await close().catch((err: unknown) => log.error({ err }, 'an ending failed'));
  process.exit(status);
}

function refuseToStart(sentence: string): never {
  throw new CannotStart(sentence);
}

function instanceName(): string {
  const name = env['SERVICE_INSTANCE'] ?? 'main';
  return /^[a-z0-9][a-z0-9-]{0,62}$/.test(name)
    ? name
    : refuseToStart('SERVICE_INSTANCE must be lower case letters, digits and hyphens, at most 63.');
}

function portNumber(): number {
  const port = Number(env['PORT'] ?? 4400);
  return Number.isInteger(port) && port >= 0 && port < 65_536
    ? port
    : refuseToStart('PORT must be a whole number from 0 to 65535.');
}

function addressText(name: string): string | null {
  const text = env[name];
  if (text === undefined || text === '') return null;
  return URL.canParse(text) && /^https?:/.test(text)
    ? text.replace(/\/+$/, '')
    : refuseToStart(`${name} must be an http or https address.`);
}

/** Further origins whose pages may call. */
function origins(): string[] {
  const texts = (env['SERVICE_ORIGINS'] ?? '').split(',').map((each) => each.trim());
  return texts
    .filter(Boolean)
    .map((text) =>
      URL.canParse(text) && /^https?:/.test(text)
        ? new URL(text).origin
        : refuseToStart(
            'SERVICE_ORIGINS must be http or https addresses between commas, such as https://desk.example.com.',
          ),
    );
}

/** A key that can be guessed, or that a form trims, would be refused or found only where somebody tries it. */
function provisioningKey(): string | null {
  const key = env['SERVICE_PROVISIONING_KEY'];
  if (key === undefined || key === '') return null;
  return key.length >= 16 && key.length <= 200 && key === key.trim()
    ? key
    : refuseToStart('SERVICE_PROVISIONING_KEY must be 16 to 200 characters, with no space around them.');
}

function allowedHosts(): AllowedHosts {
  try {
    return readAllowedHosts(env['SERVICE_ALLOW_PRIVATE_HOSTS'] ?? '');
  } catch (error) {
    return refuseToStart(`SERVICE_ALLOW_PRIVATE_HOSTS: ${(error as Error).message}.`);
  }
}

/** A switch that is misspelled would let letters out that somebody meant to keep. */
function sending(): { enabled: boolean; development: boolean } {
  const { SERVICE_SENDING: letters = 'on', SERVICE_DEVELOPMENT: development = '0' } = env;
  if (!['on', 'off', ''].includes(letters)) refuseToStart('SERVICE_SENDING must be on or off.');
  if (!['1', '0', ''].includes(development)) refuseToStart('SERVICE_DEVELOPMENT must be 1 or 0.');
  return { enabled: letters !== 'off', development: development === '1' };
}

async function whereabouts(dataDir: string): Promise<Whereabouts> {
  if (env['DATABASE_URL']) return { url: env['DATABASE_URL'] };
  const server = await startOwnServer({ dataDir, log: (line) => log.info(line) });
  endings.push(() => server.stop());
  void server.lost.then(async (sentence) => {
    if (ending) return;
    say(sentence);
    await end(1);
  });
  return { host: server.socketDir, port: server.port, user: server.user, database: server.database };
}

async function start(): Promise<void> {
  const dataDir = env['SERVICE_DATA_DIR'] ?? join(ROOT, 'data');
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  const options: InstanceOptions = {
    name: instanceName(),
    version,
    base_url: addressText('SERVICE_BASE_URL'),
    host: env['HOST'] ?? '127.0.0.1',
    port: portNumber(),
    origins: origins(),
    master_key: await masterKey(env['SERVICE_MASTER_KEY'], join(dataDir, 'master.key')),
    provisioning_key: provisioningKey(),
    database: await whereabouts(dataDir),
    migrations: join(ROOT, 'migrations'),
    screens: join(ROOT, 'dist', 'ui'),
    outside: {
      lookup: systemLookup,
      dns: {},
      events: readEventsSwitch(env['SERVICE_EVENTS_ALLOW_PRIVATE']),
      hosts: { allowedHosts: allowedHosts() },
    },
    sending: sending(),
    passes: 'by_themselves',
    clock: systemClock,
    log,
  };
  const instance = await openInstance(options);
  endings.push(() => instance.close());
  say(`Dunnock is at ${instance.address}`);
  if (options.base_url === null && isWildcard(options.host))
    say(
      `It listens on ${options.host}, which is nobody's address: set SERVICE_BASE_URL to the one that people and agents use.`,
    );
  for (const line of nextStep(instance)) say(line);
}

function nextStep({ address, setup }: RunningInstance): string[] {
  if (!setup.waiting)
    return [`Connect an agent: Settings > Access & Security > API (the endpoint is ${address}/mcp)`];
  if (setup.key !== null)
    return [
      `Set it up:     ${address}/setup?key=${encodeURIComponent(setup.key)}`,
      'The link is printed once and makes the first administrator.',
    ];
  return [
    `Set it up:     ${address}/setup, with the set-up key that was printed at the first start or set in SERVICE_PROVISIONING_KEY.`,
    'If it is lost, set SERVICE_PROVISIONING_KEY to a key of your own and start again.',
  ];
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end(0));
process.on('unhandledRejection', (err) => log.error({ err }, 'a promise nobody waited for failed'));

try {
  await start();
} catch (error) {
  say(error instanceof CannotStart ? error.message : `Dunnock cannot start: ${(error as Error).message}`);
  if (!(error instanceof CannotStart)) log.error({ err: error }, 'start');
  await end(1);
}
