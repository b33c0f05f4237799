// The runs of this tab as they are shown: how far each is, what did not work, and what is said of it aloud. While one goes on,
// closing the tab is asked about.
import { useSyncExternalStore } from 'react';
import { drawToasts } from '../client/toast.ts';
import { gatherChanges } from '../client/topics.ts';
import { counted, many } from '../kit/numbers.ts';
import { dropLeft, keepLeft, takeLeft } from './runs-left.ts';

/** What did not work: the record, where it is read, and why. */
export type Refused = { id: string; name: string; to: string; says: string };

export type Run = {
  key: number;
  title: string;
  /** What it acts on: one of it, and many. */
  of: readonly [one: string, more: string];
  /** `queued` until the run before is over; `standing` until its time comes or the person lets it go on. */
  at: 'queued' | 'going' | 'standing' | 'over';
  total: number;
  done: number;
  refused: readonly Refused[];
  /** Why it is still, or ended early. */
  why: string | null;
  /** It is until the person says so, and not for a time. */
  asks: boolean;
  stopped: boolean;
  /** Worth a place in the tray. */
  shown: boolean;
  /** It was over within a moment. */
  brief: boolean;
  /** The session ended, and the page will. */
  cut: boolean;
  /** The bulk action that it shows: the product does it, whatever becomes of this tab. */
  job: JobShown | null;
};

type JobShown = {
  id: string;
  /** How many it did not work for; the list may name fewer. */
  failed: number;
  /** What it has come to, once it is over. */
  says: string | null;
  undoable: boolean;
};

/** What was last said of a run. */
export type Said = { key: number; says: string };

type Shown = { runs: readonly Run[]; said: readonly Said[] };

let now: Shown = { runs: [], said: [] };
const listeners = new Set<() => void>();
const NEWS_EVERY_MS = 1_000;

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useRuns = (): Shown => useSyncExternalStore(subscribe, () => now);

/** Whether any is in the tray. */
export const useTrayNeeded = (): boolean =>
  useSyncExternalStore(subscribe, () => now.runs.some(({ shown }) => shown));

export const runOf = (key: number): Run | undefined => now.runs.find((run) => run.key === key);

/** Closing the tab ends what goes on in it. */
const ask = (event: BeforeUnloadEvent): void => event.preventDefault();

addEventListener('pagehide', () => {
  const cut = now.runs.filter((run) => run.job === null && (run.cut || run.at !== 'over'));
  if (cut.length > 0) keepLeft(cut);
});

// One that comes back out of the browser's memory goes on where it was: nothing ended there.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) dropLeft();
});

const endsWithTab = ({ at, job }: Run): boolean => at !== 'over' && job === null;

/** Whether anything is under way that leaving would end. */
export const underWay = (): readonly Run[] => now.runs.filter(endsWithTab);

/** Of the page before. */
export function showLeft(): void {
  for (const left of takeLeft()) {
    const none = { refused: [], asks: false, stopped: false, brief: false, cut: false, job: null };
    const title = `Bulk action on ${left.of[1]}`;
    show({ ...none, ...left, title, key: nextKey(), at: 'over', shown: true });
  }
}

let last = 0;
export const nextKey = (): number => (last += 1);

function set(runs: readonly Run[], said = now.said): void {
  const [before, goes] = [now.runs, runs].map((all) => all.some(endsWithTab));
  now = { runs, said };
  if (goes && !before) addEventListener('beforeunload', ask);
  if (before && !goes) removeEventListener('beforeunload', ask);
  if (goes !== before) gatherChanges(goes ? NEWS_EVERY_MS : null);
  for (const listener of listeners) listener();
}

/** Loaded as soon as something is chosen: without a network it could not be, and a run that is must be seen. */
export const loadTray = (): Promise<unknown> =>
  Promise.all([import('./toasts.tsx'), import('./runs-tray.tsx')]);

/** What cannot be loaded now is tried again with the next that is to be shown. */
const draw = (): void =>
  void loadTray().then(
    () => drawToasts(),
    () => {},
  );

export function show(run: Run): void {
  set([...now.runs, run]);
  if (run.shown) draw();
}

/** `says` is said aloud of a run that is in the tray; two at once are both heard. */
export function put(key: number, change: Partial<Run>, says?: string): void {
  const runs = now.runs.map((run) => (run.key === key ? { ...run, ...change } : run));
  const run = runs.find((one) => one.key === key);
  const line = says !== undefined && run?.shown ? { key, says: `${run.title}: ${says}` } : null;
  const stood = now.said.some((one) => one.key === key);
  const replaced = (one: Said): Said => (line && one.key === key ? line : one);
  set(runs, line ? [...now.said.map(replaced), ...(stood ? [] : [line])] : now.said);
  if (change.shown) draw();
}

export function close(key: number): void {
  if (runOf(key)?.at !== 'over') return;
  const others = now.said.filter((one) => one.key !== key);
  set(
    now.runs.filter((run) => run.key !== key),
    others.length < now.said.length ? others : now.said,
  );
}

export const failures = ({ refused, job }: Run): number => job?.failed ?? refused.length;

export const isClean = (run: Run): boolean => failures(run) === 0 && run.why === null && !run.stopped;

export const passed = (run: Run): number => run.done + failures(run);

/** What a run has come to, in words. */
export function outcome({ of, total, done, refused, stopped, why, job }: Run): string {
  if (job?.says) return job.says;
  if (total === 0) return stopped || why ? 'No changes were made.' : 'The selected records need no changes.';
  const not = refused.length > 0 ? `; ${counted(refused.length)} failed` : '';
  const part = done === total && !stopped ? '' : `${counted(done)} of `;
  return `${stopped ? 'Stopped: d' : 'D'}one for ${part}${many(total, ...of)}${not}.`;
}
