// A job that takes as long as it is told, for tests of what becomes of one that takes too long.

export type Spin = { for_ms: number; gives?: string; fills?: boolean };

export function run({ for_ms, gives = 'done', fills = false }: Spin): string {
  const held: string[] = [];
  const until = performance.now() + for_ms;
  while (performance.now() < until) if (fills) held.push(`${held.length} `.repeat(1_000));
  if (gives === 'fault') throw new Error('a fault of the job');
  return gives;
}
