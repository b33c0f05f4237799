// Owns the running server. Between us and it is a small shell, the guard: it is the server's parent and
// holds the reading end of a pipe whose writing end only we have. When the pipe ends, because we closed it or
// because we died in whatever way, the guard stops the server. So there is one way to stop, and a killed
// product leaves no server behind.
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CannotStart } from '../cannot-start.ts';
import type { Account } from './account.ts';
import { NO_BINARY, type Binaries } from './binaries.ts';

// INT is PostgreSQL's fast shutdown. Where that takes more than ten seconds QUIT follows (no last checkpoint;
// the next start replays the log: nothing acknowledged is lost), and KILL five seconds later.
const GUARD = `
exec 3<&0
"$@" </dev/null 3<&- &
server=$!
(
  read -r line <&3
  for signal in INT QUIT KILL; do
    kill -$signal $server || exit
    tries=0
    while [ $tries -lt 50 ]; do
      kill -0 $server || exit
      sleep 0.1
      tries=$((tries + 1))
      [ $signal = INT ] && sleep 0.1
    done
  done
) 2>/dev/null &
watcher=$!
exec 3<&-
wait $server
status=$?
kill $watcher 2>/dev/null
exit $status
`;

/** Worst case of the ladder above, with room. */
const STOP_LIMIT_MS = 25_000;
/** Long, because replaying the log after a power cut may take a while. */
const START_LIMIT_MS = 120_000;
const LOG_KEPT_BYTES = 5_000_000;

export type GuardedServer = {
  /** Ends every session, writes everything, returns when the server is gone. Safe to call twice. */
  stop(): Promise<void>;
  /** Resolves with a sentence if the server ends without having been asked to; otherwise never. */
  lost: Promise<string>;
};

type Start = {
  cluster: string;
  logPath: string;
  account: Account;
  binaries: Binaries;
  settings: Record<string, string | number>;
};

function launch({ cluster, logPath, account, binaries, settings }: Start): ChildProcess {
  if ((statSync(logPath, { throwIfNoEntry: false })?.size ?? 0) > LOG_KEPT_BYTES)
    renameSync(logPath, `${logPath}.old`);
  const logFile = openSync(logPath, 'a', 0o600);
  try {
    const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const command = [join(binaries.folder, 'bin', 'postgres'), '-D', cluster, ...options];
    return spawn('/bin/sh', ['-c', GUARD, 'dunnock-postgres-guard', ...command], {
      ...account.drop,
      cwd: '/',
      env: binaries.environment,
      stdio: ['pipe', logFile, logFile],
      detached: true, // a session of its own: Ctrl-C in a terminal must reach us alone
    });
  } finally {
    closeSync(logFile);
  }
}

/** The server writes its state into the eighth line of its pid file. */
function isReady(cluster: string): boolean {
  try {
    return readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[7]?.trim() === 'ready';
  } catch {
    return false;
  }
}

/** Starts the server and returns when it takes connections. */
export async function startGuarded(start: Start): Promise<GuardedServer> {
  const guard = launch(start);
  let asked = false;
  const ended = new Promise<number>((resolve) => {
    guard.on('error', () => resolve(127));
    guard.on('exit', (status) => resolve(status ?? 1));
  });
  let status: number | undefined;
  void ended.then((value) => (status = value));
  guard.stdin?.on('error', () => undefined); // the guard is gone; `ended` tells

  async function stop(): Promise<void> {
    asked = true;
    guard.ref();
    guard.stdin?.end();
    await Promise.race([ended, sleep(STOP_LIMIT_MS, undefined, { ref: false })]);
  }

  const until = performance.now() + START_LIMIT_MS;
  while (!isReady(start.cluster)) {
    if (status !== undefined || performance.now() > until) {
      if (status === 126 || status === 127) throw new CannotStart(NO_BINARY);
      await stop();
      throw new CannotStart(
        `PostgreSQL did not start: the reason is at the end of ${start.logPath}; mend it, or set DATABASE_URL to a PostgreSQL of your own.`,
      );
    }
    await sleep(5);
  }
  // Neither keeps this process alive: when nothing else does, it may end, and the pipe ends with it.
  guard.unref();
  const pipe = guard.stdin as unknown as { unref?(): void } | null;
  pipe?.unref?.();

  const lost = new Promise<string>((resolve) => {
    void ended.then(() => {
      if (!asked)
        resolve(`PostgreSQL ended without being asked; the reason is at the end of ${start.logPath}.`);
    });
  });
  return { stop, lost };
}
