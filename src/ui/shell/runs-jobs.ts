// Bulk actions that the product does on its own, in the tray beside this tab's runs: followed until they end, found again after a
// reload or in another tab, stopped and undone from there.
import { outcomeOf, titleOf } from '../../features/crm/bulk/screens/shared.ts';
import { type Answer, ApiError, call, type Takes } from '../client/call.ts';
import { steppedUp } from '../client/step-up.ts';
import { drawToasts, STARTED_JOBS, tellRefusal } from '../client/toast.ts';
import { staleAfter } from '../client/topics.ts';
import { many } from '../kit/numbers.ts';
import { whose } from './runs-left.ts';
import { loadTray, nextKey, put, type Run, runOf, show } from './runs-shown.ts';

type Job = Answer<'bulk_get'>['job'];

const PEOPLE = ['person', 'people'] as const;
const LOOK_MS = 600;
/** Without an answer it looks again after this. */
const LATER_MS = 5_000;
const BRIEF_MS = 10_000;
const REFUSED_SHOWN = 200;
const GONE = 'No longer available';

/** Starts a bulk action; false where it was refused, which is said. */
export async function startJob(args: Takes<'bulk_start'>): Promise<boolean> {
  return await begin(async () => (await call('bulk_start', args)).job);
}

export async function undoJob(key: number): Promise<void> {
  const id = runOf(key)?.job?.id;
  if (id === undefined) return;
  const begun = await begin(async () => (await call('bulk_undo', { job: id })).job);
  const run = runOf(key);
  if (begun && run?.job) put(key, { job: { ...run.job, undoable: false } });
}

export async function startEnrol(args: Takes<'bulk_enrol'>): Promise<boolean> {
  return await begin(async () => (await call('bulk_enrol', args)).job);
}

async function begin(act: () => Promise<Job>): Promise<boolean> {
  try {
    const job = await steppedUp(act);
    follow(job, 'started');
    remember([...remembered(), job.id]);
    return true;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.code !== 'given_up') tellRefusal(error);
    return false;
  }
}

export async function stopJob(key: number): Promise<void> {
  const id = runOf(key)?.job?.id;
  if (id === undefined) return;
  put(key, { stopped: true });
  await call('bulk_stop', { job: id }).catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error;
    put(key, { stopped: false });
    tellRefusal(error);
  });
}

/** Those that this person started here and that have not been shown as ended. */
export async function findJobs(): Promise<void> {
  for (const id of remembered()) {
    const found = await call('bulk_get', { job: id, limit: 1 }).catch((error: unknown) => {
      if (error instanceof ApiError && (error.status === 404 || error.status === 403)) forget(id);
      return null;
    });
    if (found) follow(found.job, null);
  }
}

/** Those that this tab follows, each once: what draws them looks for those started before as it comes. */
const followed = new Set<string>();

function follow(job: Job, says: 'started' | null): void {
  if (followed.has(job.id)) return;
  followed.add(job.id);
  const key = nextKey();
  const run: Run = {
    key,
    title: titleOf(job),
    of: PEOPLE,
    at: 'going',
    total: job.total,
    done: 0,
    refused: [],
    why: null,
    asks: false,
    stopped: false,
    shown: true,
    brief: true,
    cut: false,
    job: { id: job.id, failed: 0, says: null, undoable: false },
  };
  void loadTray().catch(() => {});
  show(run);
  if (says) put(key, {}, `started for ${many(job.total, ...PEOPLE)}.`);
  void watch(key, job, performance.now());
}

async function watch(key: number, first: Job, since: number): Promise<void> {
  for (let job = first; ;) {
    const over = job.state !== 'going';
    const found = await call('bulk_get', {
      job: job.id,
      outcome: 'refused',
      limit: over ? REFUSED_SHOWN : 1,
    }).catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error;
      return error;
    });
    if (!runOf(key)) return;
    if (found instanceof ApiError) {
      if (found.status === 401 || found.status === 404) return forget(job.id);
      await sleep(LATER_MS);
      continue;
    }
    ({ job } = found);
    const { total, done, unchanged, refused, undoable } = job;
    const shown = {
      total,
      done: done + unchanged,
      job: { id: job.id, failed: refused, says: null, undoable },
    };
    if (job.state !== 'going' && over) {
      const says = outcomeOf(job);
      const names = found.rows.items.map(({ no, person, why }) =>
        person
          ? { id: person.id, name: person.name ?? 'No name', to: `/people/${person.id}`, says: sentence(why) }
          : { id: String(no), name: GONE, to: `/people/bulk/${job.id}`, says: sentence(why) },
      );
      forget(job.id);
      put(
        key,
        {
          ...shown,
          job: { ...shown.job, says },
          at: 'over',
          refused: names,
          why: job.why && `${sentence(job.why)}.`,
          stopped: job.state === 'stopped',
          brief: performance.now() - since < BRIEF_MS,
        },
        says,
      );
      return await staleAfter('bulk_start');
    }
    put(key, shown);
    if (job.state === 'going') await sleep(LOOK_MS);
  }
}

const sentence = (why: string | null): string =>
  why === null ? '' : `${why.charAt(0).toUpperCase()}${why.slice(1)}`;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The storage is refused in some private windows: then a job is found on its page alone. */
function remembered(): string[] {
  try {
    const { by, jobs } = JSON.parse(localStorage.getItem(STARTED_JOBS) ?? '{}') as {
      by?: string;
      jobs?: string[];
    };
    return by !== undefined && by === whose() ? (jobs ?? []) : [];
  } catch {
    return [];
  }
}

function remember(jobs: readonly string[]): void {
  drawToasts();
  try {
    if (jobs.length === 0) localStorage.removeItem(STARTED_JOBS);
    else localStorage.setItem(STARTED_JOBS, JSON.stringify({ by: whose(), jobs }));
  } catch {
    return;
  }
}

const forget = (id: string): void => remember(remembered().filter((one) => one !== id));
