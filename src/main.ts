// The process: its environment, its arguments, what it prints, and that it ends in order. The only file of the product that
// touches `process`; what is done is in src/cli.
import { join } from 'node:path';
import { pino } from 'pino';
import { readPlace } from './cli/environment.ts';
import { runCommand } from './cli/run.ts';
import type { Tools } from './cli/tools.ts';
import { systemClock } from './kernel/clock.ts';
import { logSerializers } from './kernel/log.ts';
import { systemLookup } from './net/resolve.ts';
import { CannotStart } from './store/cannot-start.ts';

const ROOT = join(import.meta.dirname, '..');
const { env } = process;

/** Past the drain of requests and the stop of the own server: what hangs then is left behind, and every lease runs out. */
const ENDS_WITHIN_MS = 60_000;

const log = pino(
  { level: env['LOG_LEVEL'] ?? 'warn', serializers: logSerializers },
  pino.destination({ dest: 2, sync: true }),
);
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const endings: (() => Promise<void>)[] = [];
let ending = false;

async function end(status: number): Promise<void> {
  if (ending) return;
  ending = true;
  setTimeout(() => process.exit(1), ENDS_WITHIN_MS).unref();
  for (const close of endings.reverse())
    await close().catch((err: unknown) => log.error({ err }, 'an ending failed'));
  process.exit(status);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end(0));
process.on('unhandledRejection', (err) => log.error({ err }, 'a promise nobody waited for failed'));

try {
  const place = readPlace(env, ROOT);
  const tools: Tools = { env, place, clock: systemClock, log, lookup: systemLookup, say, endings, end };
  const status = await runCommand(tools, process.argv.slice(2));
  if (status !== null) await end(status);
} catch (error) {
  say(error instanceof CannotStart ? error.message : `Dunnock cannot start: ${(error as Error).message}`);
  if (!(error instanceof CannotStart)) log.error({ err: error }, 'start');
  await end(1);
}
