// What bulk actions and what came of each person are called on screens.
import type { Tone } from '../../../../ui/kit/pills.tsx';
import { counted, many } from '../../../../ui/kit/numbers.ts';
import type { Job, JobRow } from '../contract.ts';

const quoted = (tags: readonly string[]): string => tags.map((tag) => `“${tag}”`).join(', ');

const TITLE: Record<Job['act'], (job: Job) => string> = {
  add_tags: ({ tags }) => `Tag ${quoted(tags)}`,
  remove_tags: ({ tags }) => `Remove ${quoted(tags)}`,
  set: ({ fields }) => `Set ${fields.map((key) => key.replace(/_id$/, '').replaceAll('_', ' ')).join(', ')}`,
  suppress: () => 'Suppress people',
  delete: () => 'Delete people',
  enrol: () => 'Enrol people',
  verify: () => 'Verify addresses',
  undo: () => 'Undo',
};

export const titleOf = (job: Job): string => TITLE[job.act](job);

export const STATE: Record<Job['state'], { title: string; tone: Tone }> = {
  going: { title: 'Running', tone: 'info' },
  done: { title: 'Done', tone: 'good' },
  stopped: { title: 'Stopped', tone: 'warn' },
};

export const OUTCOME: Record<NonNullable<JobRow['outcome']> | 'waiting', { title: string; tone: Tone }> = {
  done: { title: 'Done', tone: 'good' },
  unchanged: { title: 'Unchanged', tone: 'mute' },
  refused: { title: 'Failed', tone: 'bad' },
  waiting: { title: 'Waiting', tone: 'mute' },
};

/** What a job has come to. */
export function outcomeOf({ state, total, done, unchanged, refused }: Job): string {
  if (total === 0) return 'The selected records need no changes.';
  const part = done + unchanged === total ? '' : `${counted(done + unchanged)} of `;
  const not = refused > 0 ? `; ${counted(refused)} failed` : '';
  return `${state === 'stopped' ? 'Stopped: d' : 'D'}one for ${part}${many(total, 'person', 'people')}${not}.`;
}
