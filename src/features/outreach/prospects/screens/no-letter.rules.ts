// Why there is no letter to someone of a campaign, in the order in which the product asks: what is over, who keeps them back,
// whether the campaign runs, what their step waits for.
import type { Campaign } from '../../campaigns/contract.ts';
import type { Prospect } from '../contract.ts';
import { stands } from './words.ts';

export type NoLetter = {
  sentence: string;
  /** What lifts it and who can, or what happens on its own. */
  fix: string;
  until: string | null;
  /** Nothing is wrong: time or someone's work comes first. */
  waits: boolean;
};

const STOPPED: Partial<Record<Campaign['state'], string>> = {
  draft: 'The campaign is a draft. Nothing starts yet.',
  paused: 'The campaign is paused.',
  finished: 'The campaign is finished.',
};

export function noLetter(prospect: Prospect, { state }: Pick<Campaign, 'state'>): NoLetter {
  const { ended, hold, step_id, next_at, item_id, stage } = prospect;
  const why = (sentence: string, fix: string, until: string | null = null, waits = false): NoLetter => ({
    sentence,
    fix,
    until,
    waits,
  });
  const standing = stands(prospect) ?? '';
  if (!ended && prospect.failed_send_id !== null)
    return why('Their letter failed and wasn’t delivered.', 'Fix the cause, then send the letter again.');
  if (ended) return why(`${standing}.`, 'This is final. Enrol them in another campaign if needed.');
  if (hold)
    return hold.until
      ? why(
          `${standing}.`,
          'They continue when a person releases them under People, or automatically:',
          hold.until,
        )
      : why(`${standing}.`, 'A person can release them: select them under People, then Release.');
  if (state === 'archived')
    return why('The campaign is archived.', 'Clone the campaign and enrol them in the copy.');
  const stopped = STOPPED[state];
  if (stopped) return why(stopped, 'A person can activate or resume it above.');
  if (item_id !== null)
    return why(
      'Their step is a task that isn’t done yet.',
      'The sequence continues once someone completes it on the work board.',
      null,
      true,
    );
  if (step_id === null && stage !== 'enrolled')
    return why('All steps are done.', 'Add a step to the campaign to continue.', null, true);
  if (step_id === null && next_at === null)
    return why('No step has started.', 'A new step starts within a minute.', null, true);
  return why(
    'Nothing is wrong. The letter for their next step is drafted when the step is due.',
    next_at === null ? 'That takes up to a minute.' : 'Due',
    next_at,
    true,
  );
}
