// The result of a bulk action whose page was left or whose session ended. It is kept in this tab and shown once to the same
// person. It contains only counts and our own sentences, because a title could name someone.
import { known } from '../client/hooks.ts';
import { LEFT_RUNS } from '../client/toast.ts';
import type { Run } from './runs-shown.ts';

type Left = Pick<Run, 'of' | 'total' | 'done' | 'why'>;

const LEFT = 'Stopped when you left the page.';

/** Who acts here, as far as this page knows. */
export const whose = (): string | undefined => known.get('me_get', {})?.principal.id;

/** The storage is refused in some private windows: then nothing is told. */
export function keepLeft(runs: readonly Run[]): void {
  const left = runs.map(({ of, total, done, at, why }): Left => ({
    of,
    total,
    done,
    why: at === 'over' ? why : LEFT,
  }));
  try {
    sessionStorage.setItem(LEFT_RUNS, JSON.stringify({ by: whose(), left }));
  } catch {
    return;
  }
}

/** The page that was left is back as it was, from the browser's memory, and goes on. */
export function dropLeft(): void {
  try {
    sessionStorage.removeItem(LEFT_RUNS);
  } catch {
    return;
  }
}

export function takeLeft(): Left[] {
  try {
    const kept = sessionStorage.getItem(LEFT_RUNS);
    sessionStorage.removeItem(LEFT_RUNS);
    const { by, left } = JSON.parse(kept ?? '{}') as { by?: string; left?: Left[] };
    return left && by !== undefined && by === whose() ? left : [];
  } catch {
    return [];
  }
}
