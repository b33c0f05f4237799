// What a command is given: the environment as main read it, where it may print, and a database that is opened for it and
// closed after it.
import type { Logger } from 'pino';
import type { Lookup } from '../net/resolve.ts';
import type { Clock } from '../kernel/clock.ts';
import { openConnection, type Connection } from '../store/backup/session.ts';
import { CannotStart, noAnswer } from '../store/cannot-start.ts';
import type { Whereabouts } from '../store/connect.ts';
import { runningOwnServer, startOwnServer } from '../store/own-server/own-server.ts';
import type { Environment, Place } from './environment.ts';

export type Tools = {
  env: Environment;
  place: Place;
  clock: Clock;
  log: Logger;
  lookup: Lookup;
  /** To whoever typed the command. */
  say(line: string): void;
  /** Run in reverse order when the process ends, however the command went. */
  endings: (() => Promise<void>)[];
  /** Ends the process, after its endings. */
  end(status: number): Promise<void>;
};

export type Flags = { role?: string };

export type Command = {
  /** What is typed after the name. */
  takes: string;
  says: string;
  /** Gives the exit status, or null where the process goes on. */
  run(tools: Tools, args: readonly string[], flags: Flags): Promise<number | null>;
};

/** A command that is typed wrong ends with how it is typed. */
export class Mistyped extends CannotStart {}

/** How a command may treat a data folder on which the product runs. */
type Beside = 'beside_the_product' | 'alone';

/** A database, until the command ends. */
export async function openDatabase(tools: Tools, beside: Beside): Promise<Connection> {
  const connection = openConnection(await whereIsIt(tools, beside));
  tools.endings.push(() => connection.end({ timeout: 5 }));
  return connection;
}

/** Throws one sentence where the database is not there. */
export async function demandAnswer(connection: Connection): Promise<void> {
  await connection`select 1`.catch((error: unknown) => {
    throw noAnswer(error);
  });
}

async function whereIsIt({ place, log, endings }: Tools, beside: Beside): Promise<Whereabouts> {
  if (place.url !== null) return { url: place.url };
  const running = beside === 'beside_the_product' ? runningOwnServer(place.data_dir) : null;
  if (running) {
    const { socketDir, port, user, database } = running;
    return { host: socketDir, port, user, database };
  }
  return ownServer({ place, log, endings });
}

/** The product's own server on the data folder, stopped when the command ends. */
export async function ownServer({
  place,
  log,
  endings,
}: Pick<Tools, 'place' | 'log' | 'endings'>): Promise<Whereabouts> {
  const server = await startOwnServer({ dataDir: place.data_dir, log: (line) => log.info(line) });
  endings.push(() => server.stop());
  return { host: server.socketDir, port: server.port, user: server.user, database: server.database };
}

export function onlyArgument(args: readonly string[], what: string): string {
  const [only, ...more] = args;
  if (only === undefined || more.length > 0) throw new Mistyped(`Give one ${what}.`);
  return only;
}

export function noArguments(args: readonly string[]): void {
  if (args.length > 0) throw new Mistyped(`"${args[0]}" isn’t expected here.`);
}
