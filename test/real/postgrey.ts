// A real Postgrey on loopback, with its memory in a folder of its own; started and ended by the test.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:net';
import { once } from 'node:events';
import { vi } from 'vitest';

const POSTGREY = '/usr/sbin/postgrey';
const NOBODY = 65_534;

/** Whoever comes for the first time is told to come again after so many seconds. */
export async function postgrey(port: number, delayS: number): Promise<AsyncDisposable> {
  if (!existsSync(POSTGREY))
    throw new Error(
      'For tests with real mail servers, ask an administrator to install the package postgrey.',
    );
  const folder = await mkdtemp(join(tmpdir(), 'dunnock-postgrey-'));
  await chown(folder, NOBODY, NOBODY);
  const knows = [
    '--auto-whitelist-clients=0',
    '--whitelist-clients=/dev/null',
    '--whitelist-recipients=/dev/null',
  ];
  const child = spawn(
    POSTGREY,
    [
      `--inet=127.0.0.1:${port}`,
      `--delay=${delayS}`,
      `--dbdir=${folder}`,
      '--user=nobody',
      '--group=nogroup',
      ...knows,
    ],
    { stdio: 'ignore' },
  );
  const end = (): void => void child.kill('SIGTERM');
  process.once('exit', end);
  await vi.waitFor(
    async () => {
      const socket = connect(port, '127.0.0.1');
      await once(socket, 'connect');
      socket.destroy();
    },
    { timeout: 20_000, interval: 100 },
  );
  return {
    async [Symbol.asyncDispose]() {
      process.off('exit', end);
      if (child.exitCode === null) {
        const gone = once(child, 'exit');
        end();
        await gone;
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}
