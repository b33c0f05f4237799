// A thread that runs one job after another: a job is a module that exports `run`.
import { parentPort } from 'node:worker_threads';
import type { Asked, Said } from './messages.ts';

const say = (said: Said): void => parentPort?.postMessage(said);

parentPort?.on('message', ({ job, given }: Asked) => {
  void perform(job, given).catch((error: unknown) =>
    say({ kind: 'fault', says: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  );
});

async function perform(job: string, given: unknown): Promise<void> {
  const { run } = (await import(job)) as { run(given: unknown): unknown };
  const { user, system } = process.threadCpuUsage();
  say({ kind: 'begun', used_ms: (user + system) / 1000 });
  say({ kind: 'done', made: await run(given) });
}
