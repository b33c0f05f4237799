// Chance with a seed: the same seed gives the same inputs, so that what a run found can be run again.
export type Chance = {
  /** From 0 up to, and without, `below`. */
  int(below: number): number;
  pick<T>(from: readonly T[]): T;
  /** True once in so many. */
  once(inSoMany: number): boolean;
  /** A generator of its own, for work that runs beside other work. */
  fork(): Chance;
};

export function chance(seed: number): Chance {
  let state = seed >>> 0;
  // mulberry32: a few lines, and even enough to choose inputs by.
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (below: number): number => Math.floor(next() * below);
  return {
    int,
    pick: (from) => from[int(from.length)]!,
    once: (inSoMany) => int(inSoMany) === 0,
    fork: () => chance(int(2 ** 32)),
  };
}
