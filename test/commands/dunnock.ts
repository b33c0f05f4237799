// Runs a command of the product in this process, as main would: with an environment, and what it says kept.
import { join } from 'node:path';
import { pino } from 'pino';
import { readPlace } from '../../src/cli/environment.ts';
import { runCommand } from '../../src/cli/run.ts';
import type { Tools } from '../../src/cli/tools.ts';
import { CannotStart } from '../../src/store/cannot-start.ts';

const ROOT = join(import.meta.dirname, '../..');

export type Said = { status: number | null; lines: string[] };

export async function dunnock(
  env: Record<string, string>,
  argv: string[],
  outside: Partial<Pick<Tools, 'clock' | 'lookup'>> = {},
): Promise<Said> {
  const lines: string[] = [];
  const endings: Tools['endings'] = [];
  try {
    const tools: Tools = {
      env,
      place: readPlace(env, ROOT),
      clock: { now: () => new Date() },
      log: pino({ level: 'fatal' }),
      lookup: async () => [],
      say: (line) => void lines.push(line),
      endings,
      end: async () => undefined,
      ...outside,
    };
    return { status: await runCommand(tools, argv), lines };
  } catch (error) {
    if (!(error instanceof CannotStart)) throw error;
    return { status: 1, lines: [...lines, error.message] };
  } finally {
    for (const end of endings.reverse()) await end();
  }
}
