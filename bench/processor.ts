// Processor time of a process and of the PostgreSQL below it, from Linux's own account (/proc): what compares where a machine is
// busy with other work, as calls a second do not.
import { readdirSync, readFileSync } from 'node:fs';

/** In µs. */
export type Spent = { node: number; postgres: number };

/** Linux counts in hundredths of a second for whoever reads it so. */
const TICK_US = 10_000;

type Process = { name: string; parent: number; ticks: number; ofChildren: number };

function processes(): Map<number, Process> {
  const found = new Map<number, Process>();
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    let text: string;
    try {
      text = readFileSync(`/proc/${entry}/stat`, 'utf8');
    } catch {
      // It ended since the folder was read.
      continue;
    }
    // The name is in brackets and may hold anything; after it are fields of numbers (proc_pid_stat(5)).
    const end = text.lastIndexOf(')');
    const fields = text
      .slice(end + 2)
      .split(' ')
      .map(Number);
    const [parent = 0, user = 0, system = 0, gone = 0, goneSystem = 0] = [1, 11, 12, 13, 14].map(
      (at) => fields[at],
    );
    const name = text.slice(text.indexOf('(') + 1, end);
    found.set(Number(entry), { name, parent, ticks: user + system, ofChildren: gone + goneSystem });
  }
  return found;
}

/** What `pid` has spent, and the servers of PostgreSQL that it started, with those sessions that ended since. */
export function spentBy(pid: number): Spent {
  const all = processes();
  const isBelow = (id: number): boolean => {
    const parent = all.get(id)?.parent;
    return parent === pid || (parent !== undefined && parent > 1 && isBelow(parent));
  };
  let ticks = 0;
  for (const [id, { name, ticks: own, ofChildren }] of all)
    if (name === 'postgres' && isBelow(id)) ticks += own + ofChildren;
  return { node: (all.get(pid)?.ticks ?? 0) * TICK_US, postgres: ticks * TICK_US };
}

/** What some work costs, for each of so many. */
export async function costOf(pid: number, count: number, work: () => Promise<unknown>): Promise<Spent> {
  const before = spentBy(pid);
  await work();
  const after = spentBy(pid);
  return {
    node: (after.node - before.node) / count,
    postgres: (after.postgres - before.postgres) / count,
  };
}

export const middle = (all: readonly Spent[]): Spent => {
  const by = (of: keyof Spent): number =>
    all.map((each) => each[of]).toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0;
  return { node: by('node'), postgres: by('postgres') };
};

export const inMs = (us: number, digits = 2): string => `${(us / 1_000).toFixed(digits)} ms`;
