// `dunnock backup`, `restore` and `move`: an instance in one file, out of it, and from the product's own server to yours.
import { constants, createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { PassThrough, type Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { loadBackup } from '../store/backup/load.ts';
import { BROKEN, type Head } from '../store/backup/manifest.ts';
import { isInUse, openConnection, type Connection, type Session } from '../store/backup/session.ts';
import { writeBackup, type Written } from '../store/backup/write.ts';
import { CannotStart } from '../store/cannot-start.ts';
import { masterKeyFits } from '../store/instance-key.ts';
import { markRestored, releaseLetters } from '../store/restored.ts';
import { knownMasterKey } from '../store/seal.ts';
import { runningOwnServer } from '../store/own-server/own-server.ts';
import type { Place } from './environment.ts';
import {
  demandAnswer,
  noArguments,
  onlyArgument,
  openDatabase,
  ownServer,
  type Command,
  type Tools,
} from './tools.ts';
import { readVersion } from './version.ts';

/** Bigger pieces, so that a long row is put together from few. */
const PIECE_BYTES = 1024 * 1024;

const IN_USE =
  'Dunnock is running on that database: stop it first, so that nothing is written while rows are moved.';

export const backup: Command = {
  takes: '<file>',
  says: 'Backs up the whole instance to one file. Dunnock can keep running.',
  async run(tools, args) {
    const file = onlyArgument(args, 'file to write to');
    if (existsSync(file)) throw new CannotStart(`${file} already exists: choose another file, or remove it.`);
    const connection = await openDatabase(tools, 'beside_the_product');
    await demandAnswer(connection);
    const written = await toFile(file, (out) => writeBackup(connection, out, of(tools)));
    tools.say(`${file} has ${summary(written)}.`);
    tools.say(keyIsNeeded(tools.place));
    return 0;
  },
};

export const restore: Command = {
  takes: '<file>',
  says: 'Fills an empty database from a backup, checks every count and hash, and holds letters until you release them.',
  async run(tools, args) {
    const file = onlyArgument(args, 'file to restore from');
    if (!existsSync(file)) throw new CannotStart(`${file} doesn’t exist: give the file that backup wrote.`);
    const connection = await openDatabase(tools, 'alone');
    await demandAnswer(connection);
    if (await isInUse(connection)) throw new CannotStart(IN_USE);
    const written = await load(tools, connection, fromFile(file), async (session, { head }) =>
      markRestored(session, new Date(head.taken_at), tools.clock.now()),
    );
    tools.say(`Restored ${summary(written)}; every count and hash matches the backup.`);
    tools.say(
      'Letters are held, because the original instance may have sent some since the backup: check what is due, then run `dunnock release-letters` and start again.',
    );
    return 0;
  },
};

export const move: Command = {
  takes: '',
  says: 'Moves the instance from its own database server to the PostgreSQL at DATABASE_URL. The data folder stays unchanged.',
  async run(tools, args) {
    noArguments(args);
    const { place } = tools;
    if (place.url === null)
      throw new CannotStart('Set DATABASE_URL to the empty PostgreSQL database to move to.');
    if (!existsSync(place.data_dir))
      throw new CannotStart(
        `The data folder ${place.data_dir} doesn’t exist: set SERVICE_DATA_DIR to the folder to move.`,
      );
    if (runningOwnServer(place.data_dir)) throw new CannotStart(IN_USE);
    const target = await openDatabase(tools, 'alone');
    await demandAnswer(target);
    const source = openConnection(await ownServer(tools));
    tools.endings.push(() => source.end({ timeout: 5 }));
    const written = await copyAcross(tools, source, target);
    tools.say(`Moved ${summary(written)}; every count and hash matches.`);
    tools.say(`Start with DATABASE_URL set from now on. ${keyIsNeeded(place)}`);
    return 0;
  },
};

export const release: Command = {
  takes: '',
  says: 'Releases the letters that are held after a restore.',
  async run(tools, args) {
    noArguments(args);
    const connection = await openDatabase(tools, 'beside_the_product');
    await demandAnswer(connection);
    const released = await releaseLetters(connection, tools.clock.now());
    tools.say(
      released
        ? 'Letters are released: restart Dunnock to send them.'
        : 'No letters were held, so nothing changed.',
    );
    return 0;
  },
};

/** Every row from one database to another, as a backup that is restored while it is written. */
export async function copyAcross(tools: Tools, source: Connection, target: Connection): Promise<Written> {
  const pipe = new PassThrough({ highWaterMark: PIECE_BYTES });
  // Both ends hear of it where they read and write.
  pipe.on('error', () => undefined);
  const writing = writeBackup(source, pipe, of(tools)).then(
    () => void pipe.end(),
    (error: unknown) => void pipe.destroy(error as Error),
  );
  try {
    return await load(tools, target, pipe);
  } finally {
    pipe.destroy(new CannotStart('The reading side stopped.'));
    await writing;
  }
}

function load(
  tools: Tools,
  connection: Connection,
  source: AsyncIterable<Buffer>,
  mark: (session: Session, written: Written) => Promise<void> = async () => undefined,
): Promise<Written> {
  const { place, log } = tools;
  return loadBackup(connection, source, {
    migrations: place.migrations,
    log: (line) => log.info(line),
    admit: (head) => demandSameInstance(head, place),
    async before_commit(session, written) {
      const master = await knownMasterKey(place.master_key, place.master_key_file);
      const fits = master === null ? false : await masterKeyFits(session, master, place.name);
      if (fits === false)
        throw new CannotStart(
          `The backup’s secrets are encrypted with the master key of the original instance: put its master.key at ${place.master_key_file}, or set SERVICE_MASTER_KEY, then restore again.`,
        );
      await mark(session, written);
    },
  });
}

/** Interface specification §5: a token is good on the instance that minted it alone. */
function demandSameInstance(head: Head, { name }: Place): void {
  if (head.instance !== name)
    throw new CannotStart(
      `This is a backup of instance "${head.instance}", and its tokens and secrets work only under that name: set SERVICE_INSTANCE=${head.instance} to restore it.`,
    );
}

const of = ({ place }: Tools): Pick<Head, 'instance' | 'version'> => ({
  instance: place.name,
  version: readVersion(place.root),
});

function summary({ head, manifest }: Written): string {
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
  return `${rows} rows of ${manifest.tables.length} tables of instance "${head.instance}", taken at ${head.taken_at}`;
}

const keyIsNeeded = ({ master_key, master_key_file }: Place): string =>
  master_key === undefined
    ? `Its secrets are encrypted: keep ${master_key_file} in a separate place, because they can’t be read without it.`
    : 'Its secrets are encrypted: keep SERVICE_MASTER_KEY in a separate place, because they can’t be read without it.';

/** Whole and synced under its name, or not there at all. */
async function toFile<T>(file: string, write: (out: Writable) => Promise<T>): Promise<T> {
  const unfinished = `${file}.unfinished`;
  await mkdir(dirname(file), { recursive: true });
  try {
    const { O_WRONLY, O_CREAT, O_TRUNC } = constants;
    const handle = await open(unfinished, O_WRONLY | O_CREAT | O_TRUNC, 0o600);
    const disk = createWriteStream(unfinished, { fd: handle, flush: true });
    const zip = createGzip();
    zip.pipe(disk);
    disk.on('error', (error) => zip.destroy(error));
    zip.on('error', () => undefined);
    const done = finished(disk);
    done.catch(() => undefined);
    const written = await write(zip);
    zip.end();
    await done;
    await rename(unfinished, file);
    return written;
  } catch (error) {
    await rm(unfinished, { force: true });
    const { code } = error as { code?: unknown };
    if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG')
      throw new CannotStart(`No disk space left for ${file}: free some, or choose a file on another disk.`);
    if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM')
      throw new CannotStart(`${file} can’t be written: choose a place where this user can write.`);
    throw error;
  }
}

function fromFile(file: string): AsyncIterable<Buffer> {
  const unzip = createGunzip({ chunkSize: PIECE_BYTES });
  const disk = createReadStream(file, { highWaterMark: PIECE_BYTES });
  disk.on('error', (error) => unzip.destroy(error));
  disk.pipe(unzip);
  return inWords(unzip);
}

async function* inWords(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* source;
  } catch (error) {
    throw new CannotStart(BROKEN, { cause: error });
  }
}
