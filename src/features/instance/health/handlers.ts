// Puts together what the database says of itself and of the passes with what this version has.
import { bind } from '../../../kernel/context.ts';
import { databaseFacts, passRuns, queues } from '../../../store/health.ts';
import { lettersKeptBack } from '../../../store/restored.ts';
import { healthGet } from './contract.ts';
import { passState } from './rules.ts';

export const get = bind(healthGet, async ({ db, app, now }) => {
  const [runs, waiting, facts, kept_back] = await Promise.all([
    passRuns(db),
    queues(db, now),
    databaseFacts(db),
    lettersKeptBack(db),
  ]);
  const known = new Map(runs.map((run) => [run.name, run]));
  const passes = [...app.passes, ...app.watches].map(({ name, every_ms }) => {
    const run = known.get(name) ?? null;
    return {
      name,
      state: passState(run, now),
      every_s: every_ms / 1000,
      ran_at: iso(run?.ran_at),
      well_at: iso(run?.well_at),
      claimed: run?.claimed ?? 0,
      faults: run?.faults ?? 0,
      fault_at: iso(run?.fault_at),
      fault: run?.fault ?? null,
    };
  });
  return {
    at: now.toISOString(),
    passes: passes.toSorted((a, b) => a.name.localeCompare(b.name)),
    queues: waiting.map(({ name, due, oldest_at }) => ({ name, due, oldest_at: iso(oldest_at) })),
    database: {
      major: facts.major,
      bytes: facts.bytes,
      connections_used: facts.connections.used,
      connections_most: facts.connections.most,
    },
    letters_kept_back: kept_back && {
      taken_at: kept_back.taken_at.toISOString(),
      restored_at: kept_back.restored_at.toISOString(),
    },
  };
});

const iso = (at: Date | null | undefined): string | null => at?.toISOString() ?? null;
