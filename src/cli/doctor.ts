// `dunnock doctor`: what an instance is on, asked one thing after the other. Each line says ok, warn or fail, and where
// something is to be done, what; the exit status is 1 where anything failed.
import { statfs, stat } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { shownWay } from '../features/access/instance-mail/way.store.ts';
import { MINUTE_MS, SECOND_MS } from '../kernel/clock.ts';
import { opensOutside } from '../net/reach.ts';
import { connectPinned } from '../mail/probe/connect.ts';
import { openConnection, type Connection } from '../store/backup/session.ts';
import { CannotStart } from '../store/cannot-start.ts';
import { databaseFacts, lastActAt, passRuns } from '../store/health.ts';
import { masterKeyFits } from '../store/instance-key.ts';
import { schemaIsCurrent } from '../store/migrate.ts';
import { runningOwnServer } from '../store/own-server/own-server.ts';
import { knownMasterKey } from '../store/seal.ts';
import { readSettings, type Settings } from './environment.ts';
import { visitors } from './visitors.ts';
import { noArguments, ownServer, type Command, type Tools } from './tools.ts';

export type Finding = { state: 'ok' | 'warn' | 'fail'; about: string; says: string };

const MOST_APART_MS = 5 * SECOND_MS;
const FAR_APART_MS = 2 * MINUTE_MS;
const LITTLE_BYTES = 2 * 1024 ** 3;
const TOO_LITTLE_BYTES = 256 * 1024 ** 2;
const OLDEST_MAJOR = 15;
const LATE_TIMES = 3;

export const doctor: Command = {
  takes: '',
  says: 'Checks settings, keys, disk, database, clock, proxies, host names and mail, and says how to fix what is wrong.',
  async run(tools, args) {
    noArguments(args);
    const findings = await examine(tools);
    for (const { state, about, says } of findings) tools.say(`${state.padEnd(4)} ${about.padEnd(9)} ${says}`);
    const failed = findings.filter(({ state }) => state === 'fail').length;
    const warned = findings.filter(({ state }) => state === 'warn').length;
    tools.say(
      failed > 0
        ? `${failed} to fix${warned > 0 ? `, ${warned} to check` : ''}.`
        : warned > 0
          ? `No failures, ${warned} to check.`
          : 'No problems found.',
    );
    return failed > 0 ? 1 : 0;
  },
};

export async function examine(tools: Tools): Promise<Finding[]> {
  const findings: Finding[] = [];
  const note = (...more: Finding[]): void => void findings.push(...more);
  const settings = readable(tools, note);
  note(...(await disk(tools)));
  const connection = await database(tools, note);
  note(await keys(tools, connection));
  if (connection) {
    note(await clock(tools, connection));
    note(await passes(tools, connection));
    note(await visitors(connection, tools.clock.now()));
  }
  note(await names(tools, settings));
  note(await mail(tools, connection));
  return findings;
}

function readable({ env }: Tools, note: (finding: Finding) => void): Settings | null {
  try {
    const settings = readSettings(env);
    note({ state: 'ok', about: 'settings', says: 'All settings are valid.' });
    return settings;
  } catch (error) {
    if (!(error instanceof CannotStart)) throw error;
    note({ state: 'fail', about: 'settings', says: error.message });
    return null;
  }
}

async function disk({ place }: Tools): Promise<Finding[]> {
  if (place.url !== null && !existsSync(place.data_dir)) return [];
  const folder = existsSync(place.data_dir) ? place.data_dir : place.root;
  const { bavail, bsize, ffree, files } = await statfs(folder);
  const free = bavail * bsize;
  const room = `${Math.floor(free / 1024 ** 2)} MB free for ${place.data_dir}`;
  if (free < TOO_LITTLE_BYTES || (files > 0 && ffree < 100))
    return [{ state: 'fail', about: 'disk', says: `${room}: free some now, or the database stops writing.` }];
  if (free < LITTLE_BYTES) return [{ state: 'warn', about: 'disk', says: `${room}: free some soon.` }];
  return [{ state: 'ok', about: 'disk', says: `${room}.` }];
}

async function database(tools: Tools, note: (finding: Finding) => void): Promise<Connection | null> {
  const { place, endings } = tools;
  const fail = (says: string): null => {
    note({ state: 'fail', about: 'database', says });
    return null;
  };
  const running = place.url === null ? runningOwnServer(place.data_dir) : null;
  if (place.url === null && !running && !existsSync(place.data_dir)) {
    note({
      state: 'warn',
      about: 'database',
      says: `The data folder ${place.data_dir} doesn’t exist yet: the first start creates it.`,
    });
    return null;
  }
  try {
    const where =
      place.url !== null
        ? { url: place.url }
        : running
          ? { host: running.socketDir, port: running.port, user: running.user, database: running.database }
          : await ownServer(tools);
    const connection = openConnection(where);
    endings.push(() => connection.end({ timeout: 2 }));
    const { major, connections } = await databaseFacts(connection);
    if (major < OLDEST_MAJOR)
      return fail(`This is PostgreSQL ${major}: version ${OLDEST_MAJOR} or later is required.`);
    const schema = await schemaIsCurrent(connection, place.migrations);
    const left = connections.most - connections.used;
    if (!schema.ok)
      note({ state: 'warn', about: 'database', says: `PostgreSQL ${major} answers. ${schema.reason}` });
    else if (left < 20)
      note({
        state: 'warn',
        about: 'database',
        says: `PostgreSQL ${major} answers, and has ${left} connections left, while one process takes up to 19. ${
          place.url === null
            ? 'Run fewer processes, or move to your own PostgreSQL (DATABASE_URL).'
            : 'Raise max_connections on it, or run fewer processes.'
        }`,
      });
    else
      note({
        state: 'ok',
        about: 'database',
        says: `PostgreSQL ${major} responds, and its schema is up to date.`,
      });
    return schema.ok ? connection : null;
  } catch (error) {
    return fail(
      error instanceof CannotStart
        ? error.message
        : 'It doesn’t respond: check that it is running, and that the address, user and password in DATABASE_URL are right.',
    );
  }
}

async function keys({ place }: Tools, connection: Connection | null): Promise<Finding> {
  const about = 'keys';
  try {
    const master = await knownMasterKey(place.master_key, place.master_key_file);
    const fits = master && connection ? await masterKeyFits(connection, master, place.name) : null;
    if (fits === false)
      return {
        state: 'fail',
        about,
        says: 'This isn’t the master key of this database: set SERVICE_MASTER_KEY to the right key, or restore its master.key, and check SERVICE_INSTANCE.',
      };
    if (master === null)
      return connection && (await hasKey(connection))
        ? {
            state: 'fail',
            about,
            says: `There is no master key at ${place.master_key_file}: put it back, or set SERVICE_MASTER_KEY.`,
          }
        : { state: 'ok', about, says: 'There is no master key yet: the first start creates one.' };
    if (place.master_key === undefined && ((await stat(place.master_key_file)).mode & 0o077) !== 0)
      return {
        state: 'fail',
        about,
        says: `${place.master_key_file} can be read by others: run chmod 600 on it.`,
      };
    return {
      state: 'ok',
      about,
      says: 'The master key decrypts the secrets in the database. Keep a copy of it elsewhere.',
    };
  } catch (error) {
    if (error instanceof CannotStart) return { state: 'fail', about, says: error.message };
    throw error;
  }
}

const hasKey = async (connection: Connection): Promise<boolean> =>
  (await masterKeyFits(connection, Buffer.alloc(32), '')) !== null;

async function clock({ clock: own }: Tools, connection: Connection): Promise<Finding> {
  const about = 'clock';
  const asked = own.now().getTime();
  const { now } = await databaseFacts(connection);
  const apart = Math.abs(now.getTime() - (asked + own.now().getTime()) / 2);
  const last = await lastActAt(connection);
  const seconds = `${Math.round(apart / SECOND_MS)} seconds`;
  const set = 'synchronize both machines with a time server (timedatectl set-ntp true)';
  if (apart > FAR_APART_MS)
    return { state: 'fail', about, says: `This machine and the database are ${seconds} apart: ${set}.` };
  if (last && last.getTime() > own.now().getTime() + MINUTE_MS)
    return {
      state: 'fail',
      about,
      says: `The last activity was at ${last.toISOString()}, which is in the future: this clock was set back; ${set}.`,
    };
  if (apart > MOST_APART_MS)
    return { state: 'warn', about, says: `This machine and the database are ${seconds} apart: ${set}.` };
  return { state: 'ok', about, says: 'This machine and the database agree on the time.' };
}

async function passes({ clock: own }: Tools, connection: Connection): Promise<Finding> {
  const about = 'passes';
  const runs = await passRuns(connection);
  const now = own.now().getTime();
  const late = runs.filter((run) => now - run.ran_at.getTime() > LATE_TIMES * run.every_ms + MINUTE_MS);
  const failing = runs.filter((run) => run.fault_at && (!run.well_at || run.well_at < run.fault_at));
  if (runs.length > 0 && late.length === runs.length)
    return {
      state: 'warn',
      about,
      says: 'No background jobs are running, so letters, events and mail wait. Start Dunnock, or a worker with --role worker.',
    };
  if (failing.length > 0)
    return {
      state: 'fail',
      about,
      says: `Failing: ${namesOf(failing)}. The log of the process that runs them has the reason, under "a pass failed".`,
    };
  if (late.length > 0)
    return { state: 'warn', about, says: `Late: ${namesOf(late)}. Check whether a worker hangs.` };
  return { state: 'ok', about, says: runs.length === 0 ? 'No job has run yet.' : 'All jobs are running.' };
}

const namesOf = (runs: readonly { name: string }[]): string => runs.map(({ name }) => name).join(', ');

const PUBLIC = 'set it to the public https address of this instance';

async function names({ lookup }: Tools, settings: Settings | null): Promise<Finding> {
  const about = 'names';
  const host = settings?.base_url ? new URL(settings.base_url).hostname.replace(/^\[|\]$/g, '') : null;
  const found = host === null ? [] : await lookup(host).catch(() => []);
  if (host !== null && found.length === 0)
    return {
      state: 'fail',
      about,
      says: `${host}, the host in SERVICE_BASE_URL, doesn’t resolve: create its A or AAAA record, or fix /etc/resolv.conf.`,
    };
  if (host === null)
    return {
      state: 'warn',
      about,
      says: `SERVICE_BASE_URL is not set, so only this machine can reach the instance, and its letters are held: ${PUBLIC}.`,
    };
  if (!opensOutside(settings?.base_url ?? ''))
    return {
      state: 'warn',
      about,
      says: `SERVICE_BASE_URL is ${settings?.base_url}: recipients can’t open links to it, so letters are held. Use its public https address, as in https://desk.example.com.`,
    };
  return { state: 'ok', about, says: `${host} resolves to ${found.join(', ')}.` };
}

async function mail({ env, lookup }: Tools, connection: Connection | null): Promise<Finding> {
  const about = 'mail';
  if (!connection) return { state: 'warn', about, says: 'Mail can’t be checked without the database.' };
  const way = await shownWay(connection);
  if (!way)
    return {
      state: 'warn',
      about,
      says: 'The instance can’t send mail, so invitations and password resets aren’t mailed: set it up in Settings > Instance > Mail.',
    };
  if (env['SERVICE_SENDING'] === 'off')
    return {
      state: 'warn',
      about,
      says: 'SERVICE_SENDING is off, so no letter is sent, even if it is approved.',
    };
  const addresses = await lookup(way.host).catch(() => []);
  if (addresses.length === 0)
    return {
      state: 'fail',
      about,
      says: `${way.host} doesn’t resolve: correct it in Settings > Instance > Mail.`,
    };
  const reached = await connectPinned({ host: way.host, addresses, port: way.port, timeoutMs: 5_000 });
  if (!reached.ok)
    return {
      state: 'fail',
      about,
      says: `${way.host} doesn’t respond on port ${way.port}: check Settings > Instance > Mail, and whether this network blocks outgoing mail.`,
    };
  reached.socket.destroy();
  return { state: 'ok', about, says: `${way.host} responds on port ${way.port}.` };
}
